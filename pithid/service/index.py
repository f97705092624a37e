"""The index as a Python object: what scripts and the command line open."""

import os
from collections.abc import Iterable
from contextlib import AbstractContextManager, suppress
from types import TracebackType
from typing import TYPE_CHECKING, Self

from pithid.core.errors import Ambiguous, InvalidIdentifier, NotFound
from pithid.core.identifiers import PithNumber
from pithid.service.resolve import AMBIGUOUS, INVALID, OK, Resolution, resolve
from pithid.store.contract import Addition, Store
from pithid.store.origin import IndexFault
from pithid.store.places import is_there, starter_index, user_index
from pithid.store.sqlite import SqliteStore
from pithid.store.sqlite_file import expect_there

if TYPE_CHECKING:
    from pithid.core.paper import Paper
    from pithid.service.lookup import Lookup


class Index:
    """An alias index; use it as a context manager, or call `close()`.

    Attributes:
        store: the store behind it.
    """

    def __init__(self, store: Store) -> None:
        self.store = store

    @classmethod
    def open(cls, path: str | os.PathLike[str] | None = None) -> Self:
        """Open an index for reading.

        Args:
            path: the file; None for the user's own index, or the shipped starter records while there is none.

        Raises:
            IndexFault: the file is missing or no index.
        """
        return cls(open_to_read(None if path is None else os.fspath(path)))

    @classmethod
    def create(cls, path: str | os.PathLike[str] | None = None) -> Self:
        """Open an index for reading and writing, making it first where it is missing.

        Args:
            path: the file; None for the user's own index, which starts with the shipped records.

        Raises:
            IndexFault: the file is something else or cannot be written.
        """
        return cls(open_to_write(None if path is None else os.fspath(path)))

    def resolve(self, text: str) -> Resolution:
        """Resolve an identifier in any spelling; the answer says what was found or why not. Never raises on text."""
        return resolve(self.store, text)

    def number(self, text: str) -> PithNumber:
        """Return the one Pith Number that `text` names.

        Raises:
            InvalidIdentifier: `text` holds no identifier.
            NotFound: it is not known here.
            Ambiguous: it matches several records.
        """
        resolution = self.resolve(text)
        if resolution.status == OK:
            return PithNumber.parse(resolution.matches[0].number)
        if resolution.status == INVALID:
            # The recogniser's reason may begin with the very words that the error begins with.
            why = (resolution.reason or "").removeprefix(f"{text!r} is not a valid ")
            raise InvalidIdentifier("identifier", text, why)
        if resolution.status == AMBIGUOUS:
            raise Ambiguous(text, tuple(match.number for match in resolution.matches))
        raise NotFound(resolution.reason or f"{text!r} is not known here")

    def lookup(self, text: str) -> "Lookup":
        """Return everything known of the record that `text` names."""
        from pithid.service.lookup import lookup  # noqa: PLC0415 - late: a look-up by number needs none of it

        return lookup(self.store, text)

    def add(self, papers: "Iterable[Paper]") -> int:
        """Mint papers and store them; return how many were new. Call it inside `transaction()`."""
        from pithid.formats.metadata.model import Entry  # noqa: PLC0415 - late: as above
        from pithid.service.import_ import addition  # noqa: PLC0415 - late: as above
        from pithid.service.mint import minted_paper  # noqa: PLC0415 - late: as above

        return self.store.add(addition(minted_paper(Entry(0, b"", paper), paper)) for paper in papers)

    def transaction(self) -> AbstractContextManager[None]:
        """Open a write transaction: all of it is kept, or nothing."""
        return self.store.transaction()

    def reading(self) -> AbstractContextManager[None]:
        """Hold one snapshot for many look-ups; spares each the file locks."""
        return self.store.reading()

    def close(self) -> None:
        """Let go of the file."""
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_to_read(path: str | None) -> SqliteStore:
    """Open a named index, else the user's, else the shipped one, which never changes."""
    if path is not None:
        return SqliteStore.open(path)
    own = user_index()
    return SqliteStore.open(own) if _is_there(own) else SqliteStore.open(starter_index(), published=True)


def open_to_write(path: str | None, *, make: bool = True) -> SqliteStore:
    """Open a named index, or the user's own; a new one of the user starts with the shipped records.

    So what a fresh install answers is still answered after the first import (our choice). Without `make`, a named index
    must be there.
    """
    if path is not None:
        if not make:
            expect_there(path)
        return SqliteStore.create(path)
    own = user_index()
    if not _is_there(own):
        _make(own)
    return SqliteStore.create(own)


def index_files(path: str | None) -> tuple[str, ...]:
    """Return every file that holds a part of a named index, or of the user's own and the shipped one."""
    paths = (path,) if path is not None else (user_index(), starter_index())
    return tuple(path + suffix for path in paths for suffix in ("", "-wal", "-shm", "-journal"))


def _is_there(own: str) -> bool:
    try:
        return is_there(own)
    except OSError as error:
        raise IndexFault(f"index {own}: {error.strerror or error}") from None


def _make(own: str) -> None:
    """Make the user's index whole beside its place, so that none without the shipped records is ever there."""
    from pithid.service.files import Taken, new_file, remove_leftovers  # noqa: PLC0415 - late: once in a lifetime

    folder = os.path.dirname(own)
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise IndexFault(f"index {own}: it cannot be made: {error.strerror or error}") from None
    remove_leftovers(folder)
    with suppress(Taken), new_file(own) as part:  # another process may have made it by now
        store, starter = SqliteStore.create(part), SqliteStore.open(starter_index(), published=True)
        try:
            with store.transaction():
                store.add(Addition(one.minted, one.origin, one.title, one.authors) for one in starter.records())
        finally:
            starter.close()
            store.close()
