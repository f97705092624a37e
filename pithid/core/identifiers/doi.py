"""DOI names, with the arXiv DOIs among them.

Sources: the DOI Handbook section 2 (case-insensitive in ASCII only, suffix opaque), ISO 26324. That a registrant code
has four to nine digits is practice, not part of the standard; it keeps dates and version numbers out. DataCite
registers `10.48550/arXiv.<id>` for every arXiv paper, without a version.
"""

import re
from dataclasses import dataclass
from typing import Self

from pithid.core.errors import InvalidIdentifier
from pithid.core.identifiers.arxiv import ArxivId

_DOI = re.compile(r"10\.[0-9]{4,9}(?:\.[0-9]+)*/[^\x00-\x20\x7f-\xa0]+")
# Blanks, controls and invisible format characters, by number: what Python calls printable moves with its release.
# Compiled on first use, which only a non-ASCII name brings.
_HIDDEN = (
    "[\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f"
    "\u205f-\u206f\u3000\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\U000e0000-\U000e0fff]"
)
_UPPER = re.compile(r"[A-Z]")
_ARXIV = "10.48550/arxiv."
_LONGEST = 512
"""Longest DOI read; the longest in real use are SICI names under 100 characters."""


@dataclass(frozen=True, slots=True)
class Doi:
    """A DOI name in its canonical spelling: ASCII letters in lower case, everything else as registered.

    Attributes:
        text: `10.<registrant>/<suffix>`.
    """

    text: str

    def __post_init__(self) -> None:
        why = _fault(self.text)
        if why is not None:
            raise InvalidIdentifier("DOI", self.text, why)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a canonical DOI name; the inverse of `str()`."""
        return cls(text)

    @classmethod
    def of_arxiv(cls, arxiv: ArxivId) -> Self:
        """Return the DOI that DataCite registers for the paper, whatever its version."""
        return cls(_ARXIV + arxiv.text)

    def __str__(self) -> str:
        return self.text

    @property
    def arxiv(self) -> ArxivId | None:
        """The paper an arXiv DOI names, None for every other DOI."""
        return ArxivId(self.text.removeprefix(_ARXIV)) if self.text.startswith(_ARXIV) else None


def _fault(text: str) -> str | None:
    """Return the rule that `text` breaks, or None."""
    if len(text) > _LONGEST:
        return f"longer than {_LONGEST} characters"
    if _DOI.fullmatch(text) is None or (not text.isascii() and re.search(_HIDDEN, text)):
        return "expected 10.<4 to 9 digits>/<suffix without blanks>"
    if _UPPER.search(text):
        return "ASCII letters are written in lower case"
    if text.startswith(_ARXIV):
        try:
            ArxivId(text.removeprefix(_ARXIV))
        except InvalidIdentifier as error:
            return f"not an arXiv paper: {error.why}"
    return None
