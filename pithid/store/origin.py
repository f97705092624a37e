"""How a record came to be known, what a look-up finds, and what can be wrong with an index."""

import enum
from typing import NamedTuple

from pithid.core.errors import PithError, Unavailable


class IndexFault(Unavailable):
    """The index file cannot be used: missing, not an index, of a newer version, locked, full or damaged."""

    code = "index-fault"


class CorruptRecord(PithError):
    """A stored record does not hash to the number it is stored under."""

    code = "corrupt-record"


class Origin(enum.IntFlag):
    """How the index came to know a record or a link (our choice; the protocol has no word for it).

    Several may hold at once. A higher one outranks a lower one where two records claim the same version.
    """

    COMPUTED = 1
    """Minted here from arXiv's metadata."""
    STATED = 2
    """Stated by a document of a registry or mirror; recomputed here and found equal, signature not checked."""
    RECEIPT = 4
    """Vouched for by a registry receipt whose signature was checked."""
    BUNDLE = 8
    """Vouched for by the signed events of a bundle."""

    @property
    def words(self) -> tuple[str, ...]:
        """The names of the origins that hold, lowest first."""
        return tuple(flag.name.lower() for flag in Origin if flag in self and flag.name is not None)


VOUCHED = Origin.RECEIPT | Origin.BUNDLE
"""Origins that rest on a checked signature; only these outrank others, as anyone can state or compute anything."""


class Match(NamedTuple):
    """A record found; a tuple, because one is built on every look-up of the hot path."""

    number: str
    """The full number as text, `pith:YYYY:` and 26 characters."""
    arxiv: str
    version: int
    origin: int
    """Bits of `Origin`."""

    @property
    def digits(self) -> str:
        """The 26 characters of the number."""
        return self.number[-26:]
