"""What every store of the alias index promises, whatever database is behind it.

A store is a cache of facts that can be recomputed: whatever is used to verify is rebuilt from the stored canonical
fields and hashed again. Methods never commit; the caller owns `transaction()`. Rows are named tuples: each command that
opens an index makes these classes, and a dataclass takes twice as long to make.
"""

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

from pithid.core.mint import Minted
from pithid.store.origin import Match, Origin


class Addition(NamedTuple):
    """One record to store with what is kept beside it for display and look-up."""

    minted: Minted
    origin: Origin
    title: str = ""
    authors: str = ""
    dois: tuple[str, ...] = ()
    """Canonical DOIs of other objects (journal articles) that the source links to the paper."""


class Stored(NamedTuple):
    """Everything the index holds of one record; `minted` is rebuilt and hashed on reading."""

    minted: Minted
    origin: Origin
    title: str
    authors: str


class Link(NamedTuple):
    """A DOI of another object that a source links to a paper."""

    doi: str
    arxiv: str
    origin: Origin


class Counts(NamedTuple):
    """Sizes of an index; `by_origin` counts records by the origins that hold."""

    records: int
    papers: int
    links: int
    by_origin: dict[str, int]


class Store(Protocol):
    """The alias index. Look-ups by text of a number take the 26 characters or the start of them."""

    def transaction(self) -> AbstractContextManager[None]:
        """Open a write transaction: all of it is kept, or nothing."""

    def reading(self) -> AbstractContextManager[None]:
        """Hold one snapshot for many look-ups."""

    def add(self, additions: Iterable[Addition]) -> int:
        """Store records, add origins and texts to those already there; return how many were new."""

    def latest(self, arxiv: str) -> list[Match]:
        """Return at most two records of a paper, the highest version first."""

    def versions(self, arxiv: str) -> list[Match]:
        """Return every record of a paper, the highest version first."""

    def at_version(self, arxiv: str, version: int) -> list[Match]:
        """Return the records that claim one version; more than one when its metadata changed in between."""

    def with_number(self, digits: str) -> list[Match]:
        """Return the record of a 26-character suffix, or nothing."""

    def with_prefix(self, digits: str, limit: int = 2) -> list[Match]:
        """Return at most `limit` records whose number starts so, in order."""

    def linked(self, doi: str) -> list[Link]:
        """Return the papers linked to a DOI of another object."""

    def links_of(self, arxiv: str) -> list[Link]:
        """Return the DOIs of other objects linked to a paper."""

    def read(self, digits: str) -> Stored:
        """Return all that is held of the record of a 26-character suffix.

        Raises:
            NotFound: there is none.
            CorruptRecord: it does not hash to its number.
        """

    def titles(self, digits: Iterable[str]) -> dict[str, str]:
        """Return the titles held for 26-character suffixes."""

    def records(self) -> Iterator[Stored]:
        """Yield every record in the order of arXiv identifier and version."""

    def counts(self) -> Counts:
        """Return the sizes of the index."""

    def check(self) -> Iterator[str]:
        """Recompute everything held; yield one line for each fault."""

    def close(self) -> None:
        """Let go of the database."""
