"""arXiv identifiers, old and new scheme, with and without a version.

Source: arXiv's public help page on its identifier scheme. New scheme since April 2007: `YYMM.NNNN`, five digits since
January 2015. Old scheme, July 1991 to March 2007: `archive/YYMMNNN`; the subject class is not part of the identifier.
"""

import re
from dataclasses import dataclass
from typing import Self

from pithid.core.errors import InvalidIdentifier

ARCHIVES = frozenset(
    """acc-phys adap-org alg-geom ao-sci astro-ph atom-ph bayes-an chao-dyn chem-ph cmp-lg comp-gas cond-mat cs dg-ga
    funct-an gr-qc hep-ex hep-lat hep-ph hep-th math math-ph mtrl-th nlin nucl-ex nucl-th patt-sol physics plasm-ph
    q-alg q-bio quant-ph solv-int supr-con""".split()
)
"""The archives that ever gave out old-scheme identifiers, closed ones included."""

_NEW = re.compile(r"([0-9]{2})([0-9]{2})\.([0-9]{4,5})")
_OLD = re.compile(r"([a-z]+(?:-[a-z]+)?)/([0-9]{2})([0-9]{2})([0-9]{3})")
_VERSION = re.compile(r"(.*)v([1-9][0-9]{0,3})")
_LONGEST = 24
"""Longest text worth matching: `astro-ph/YYMMNNN` with a version of four digits, rounded up."""


@dataclass(frozen=True, slots=True)
class ArxivId:
    """An arXiv identifier without a version, such as `2010.10458` or `math/0309136`.

    Construction checks every rule of the scheme, so that a value always names a possible paper.

    Attributes:
        text: the canonical spelling.
    """

    text: str

    def __post_init__(self) -> None:
        why = _fault(self.text)
        if why is not None:
            raise InvalidIdentifier("arXiv identifier", self.text, why)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a canonical identifier; the inverse of `str()`."""
        return cls(text)

    def __str__(self) -> str:
        return self.text

    @property
    def archive(self) -> str | None:
        """The archive of an old-scheme identifier, None in the new scheme."""
        archive, slash, _ = self.text.partition("/")
        return archive if slash else None

    @property
    def year(self) -> int:
        """The year in the identifier, which need not be the year of submission."""
        digits = self.text.partition("/")[2] or self.text
        century = 1900 if "/" in self.text and digits[0] == "9" else 2000
        return century + int(digits[:2])

    def at(self, version: int) -> "ArxivVersion":
        """Return the identifier of version `version` of this paper."""
        return ArxivVersion(self, version)


@dataclass(frozen=True, slots=True)
class ArxivVersion:
    """One version of an arXiv paper, such as `2010.10458v1`; versions count from 1."""

    id: ArxivId
    version: int

    def __post_init__(self) -> None:
        if type(self.version) is not int or not 1 <= self.version <= 9999:  # True is 1 in Python, and so is 1.0
            raise InvalidIdentifier("arXiv version", f"{self.id}v{self.version}", "versions run from 1 to 9999")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `<identifier>v<number>`; the inverse of `str()`."""
        match = _VERSION.fullmatch(text) if len(text) <= _LONGEST else None
        if match is None:
            raise InvalidIdentifier(
                "arXiv version", text, "expected an identifier, v and a number without leading zero"
            )
        return cls(ArxivId(match[1]), int(match[2]))

    def __str__(self) -> str:
        return f"{self.id}v{self.version}"


def _fault(text: str) -> str | None:
    """Return the rule of the scheme that `text` breaks, or None."""
    if len(text) > _LONGEST:
        return "too long"
    if (new := _NEW.fullmatch(text)) is not None:
        return _new_fault(new[1] + new[2], new[3])
    if (old := _OLD.fullmatch(text)) is not None:
        return _old_fault(old[1], old[2], old[3], old[4])
    return "expected YYMM.NNNNN or archive/YYMMNNN"


def _new_fault(yymm: str, number: str) -> str | None:
    if not 1 <= int(yymm[2:]) <= 12:
        return f"there is no month {yymm[2:]}"
    if yymm < "0704":
        return "this form began with 0704"
    wanted = 4 if yymm <= "1412" else 5
    if len(number) != wanted:
        return f"identifiers of {yymm} have {wanted} digits after the dot"
    return "numbers start at 1" if int(number) == 0 else None


def _old_fault(archive: str, year: str, month: str, number: str) -> str | None:
    if archive not in ARCHIVES:
        return f"there is no archive {archive!r} in the old scheme"
    if not 1 <= int(month) <= 12:
        return f"there is no month {month}"
    if "0703" < year + month < "9107":
        return "this form ran from 9107 to 0703"
    return "numbers start at 1" if int(number) == 0 else None
