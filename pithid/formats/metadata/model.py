"""What every metadata reader yields: one entry an item of the input, read or refused, never dropped."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, TypeAlias

from pithid.core.canonical import Json
from pithid.core.errors import PithError
from pithid.core.paper import Caution, Paper
from pithid.core.records import CanonicalRecord


@dataclass(frozen=True, slots=True)
class Stated:
    """A canonical record that came ready-made, with what its document says about it.

    Attributes:
        record: the record, checked for shape only; its number is computed, never taken over.
        number: the Pith Number the document states, None when it states none.
        sha256: the digest the document states, None when it states none.
        title: title for display, empty when the document has none.
        authors: authors for display.
        aliases: stated aliases as (kind, value), to be compared with those that follow from the record.
        dois: DOIs of other objects that the document links to the paper, as given.
        computed: the document says that its record was only ever computed from metadata, as lines of an export do.
        bundle: the whole document, where it is a bundle; None otherwise.
    """

    record: CanonicalRecord
    number: str | None = None
    sha256: str | None = None
    title: str = ""
    authors: str = ""
    aliases: tuple[tuple[str, str], ...] = ()
    dois: tuple[str, ...] = ()
    computed: bool = False
    bundle: Json = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One item of an input.

    Attributes:
        line: line the item starts at, from 1.
        raw: the item's own bytes, for a rejects file.
        content: what was read, or the error that says why it was not.
        cautions: doubts that only the format can know of, beside `Paper.cautions()`.
    """

    line: int
    raw: bytes
    content: Paper | Stated | PithError
    cautions: tuple[Caution, ...] = ()


@dataclass(frozen=True, slots=True)
class Options:
    """What a caller may add to a reading.

    Attributes:
        license: licence URL for formats that carry none (Atom); None refuses such entries.
    """

    license: str | None = None


Reader: TypeAlias = Callable[[BinaryIO, Options], Iterator[Entry]]
"""A format's `read`: a binary stream, already decompressed, to its entries in order."""
