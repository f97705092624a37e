"""Pith Numbers: the full number, its 26-character suffix, and prefixes of 8 to 25 characters.

Source: docs/protocol.md section 2; the alphabet is RFC 4648 section 6. Only the full number is an identity. A prefix
is a look-up that may match several records: 8 characters are 40 bits, and collide at the size of arXiv.
"""

import re
from dataclasses import dataclass
from typing import Self

from pithid.core.errors import InvalidIdentifier

_NUMBER = re.compile(r"pith:([0-9]{4}):([A-Z2-7]{26})")
_SUFFIX = re.compile(r"[A-Z2-7]{26}")
_PREFIX = re.compile(r"[A-Z2-7]{8,25}")

SHORT_LENGTHS = (8, 12, 16)
"""Lengths of the short forms that the registry lists as aliases."""


@dataclass(frozen=True, slots=True, order=True)
class PithNumber:
    """A full Pith Number, `pith:<year>:<26 base32 characters>`.

    Attributes:
        year: year of the first submission in UTC, 0 to 9999.
        digits: the first 130 bits of the digest of the canonical record.
    """

    year: int
    digits: str

    def __post_init__(self) -> None:
        if type(self.year) is not int or not 0 <= self.year <= 9999:
            raise InvalidIdentifier("Pith Number", str(self.year), "the year has four digits")
        if _SUFFIX.fullmatch(self.digits) is None:
            raise InvalidIdentifier("Pith Number", self.digits, "expected 26 characters of A-Z and 2-7")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the full form; the inverse of `str()`."""
        match = _NUMBER.fullmatch(text)
        if match is None:
            raise InvalidIdentifier("Pith Number", text, "expected pith:YYYY: and 26 characters of A-Z and 2-7")
        return cls(int(match[1]), match[2])

    def __str__(self) -> str:
        return f"pith:{self.year:04}:{self.digits}"

    @property
    def suffix(self) -> "PithSuffix":
        """The 26 characters alone, as URLs and LaTeX use them."""
        return PithSuffix(self.digits)

    def short(self, length: int) -> "PithPrefix":
        """Return the first `length` characters, 8 to 25."""
        return PithPrefix(self.digits[:length])


@dataclass(frozen=True, slots=True)
class PithSuffix:
    """The 26 characters of a Pith Number without the year."""

    digits: str

    def __post_init__(self) -> None:
        if _SUFFIX.fullmatch(self.digits) is None:
            raise InvalidIdentifier("Pith suffix", self.digits, "expected 26 characters of A-Z and 2-7")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read 26 base32 characters; the inverse of `str()`."""
        return cls(text)

    def __str__(self) -> str:
        return self.digits


@dataclass(frozen=True, slots=True)
class PithPrefix:
    """The first 8 to 25 characters of a Pith Number; may match several records."""

    digits: str

    def __post_init__(self) -> None:
        if _PREFIX.fullmatch(self.digits) is None:
            raise InvalidIdentifier("Pith prefix", self.digits, "expected 8 to 25 characters of A-Z and 2-7")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read 8 to 25 base32 characters; the inverse of `str()`."""
        return cls(text)

    def __str__(self) -> str:
        return self.digits
