"""The SQLite store. Hot paths use sqlite3 directly; docs/performance.md has the measurement behind that choice."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Self

from pithid.core.errors import NotFound, PithError
from pithid.core.mint import Minted
from pithid.core.text import text_sha256
from pithid.store import schema, sqlite_file
from pithid.store.contract import Addition, Counts, Link, Stored
from pithid.store.origin import CorruptRecord, IndexFault, Match, Origin
from pithid.store.packing import Packed, pack, unpack

if TYPE_CHECKING:
    from pithid.store.graph import GraphStore

_BATCH = 5_000
_match = partial(tuple.__new__, Match)  # what Match._make does, without its call in Python
_COLUMNS = "arxiv, version, r.number, tail, submitted, l.url, c.names, hashes"
_STORED = f"""
SELECT {_COLUMNS}, origin, coalesce(title, ''), coalesce(authors, '') FROM record r
LEFT JOIN license l ON l.id = r.license LEFT JOIN categories c ON c.id = r.categories
LEFT JOIN display d ON d.number = r.number WHERE source = 0
"""  # noqa: S608 - built from a constant


class SqliteStore:
    """An index in one SQLite file. Open it with `open()` to read, with `create()` to write."""

    def __init__(self, database: sqlite3.Connection, path: str) -> None:
        self._db, self.path = database, path
        self._execute = database.execute
        self._licenses: dict[str, int] = {}
        self._categories: dict[str, int] = {}

    @classmethod
    def open(cls, path: str, *, published: bool = False) -> Self:
        """Open an existing index for reading.

        Args:
            path: the file.
            published: the file never changes while it is open, so locks can be left out.

        Raises:
            IndexFault: there is no such file, or it is no index of a version known here.
        """
        return cls(sqlite_file.open_to_read(path, published=published), path)

    @classmethod
    def create(cls, path: str) -> Self:
        """Open an index for writing, making it or bringing its schema up to date first.

        Raises:
            IndexFault: the file is something else, of a newer version, or cannot be written.
        """
        return cls(sqlite_file.open_to_write(path), path)

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    @property
    def graph(self) -> "GraphStore":
        """Events, aliases and bundles as received, in the same file and the same transactions."""
        from pithid.store.graph import GraphStore  # noqa: PLC0415 - late: only events and bundles need it

        return GraphStore(self._db, self.path)

    def has_events(self, digits: str) -> bool:
        """Tell whether events of a record are kept."""
        return bool(self._all("SELECT 1 FROM event WHERE number = ? LIMIT 1", (digits,)))

    def _all(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        return sqlite_file.run(self._db, self.path, sql, values)

    def _matches(self, sql: str, values: Sequence[Any]) -> list[Match]:
        """Run a look-up; no call deeper than needed, as every resolution comes through here."""
        try:
            return list(map(_match, self._execute(sql, values)))
        except sqlite3.Error as error:
            raise sqlite_file.fault(error, self.path) from None

    def _many(self, sql: str, rows: Iterable[Sequence[Any]]) -> int:
        """Run a statement for each row; return how many rows it changed."""
        before = self._db.total_changes
        try:
            self._db.executemany(sql, rows)
        except sqlite3.Error as error:
            raise sqlite_file.fault(error, self.path) from None
        return self._db.total_changes - before

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Open a write transaction: all of it is kept, or nothing."""
        try:
            with sqlite_file.transaction(self._db, self.path):
                yield
        except BaseException:
            self._licenses.clear()
            self._categories.clear()
            raise

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Hold one snapshot for many look-ups, which also spares each the file locks."""
        self._all("BEGIN")
        try:
            yield
        finally:
            self._all("COMMIT")

    def add(self, additions: Iterable[Addition]) -> int:
        """Store records, add origins and texts to those already there; return how many were new."""
        new, rest = 0, iter(additions)
        while batch := list(islice(rest, _BATCH)):
            new += self._add_batch([(pack(one.minted), one) for one in batch])
        return new

    def _add_batch(self, batch: list[tuple[Packed, Addition]]) -> int:
        rows = [
            (
                *(packed.arxiv, packed.version, packed.number, packed.tail, int(one.origin), packed.submitted),
                self._interned("license", "url", self._licenses, packed.license),
                self._interned("categories", "names", self._categories, packed.categories),
                packed.hashes,
            )
            for packed, one in batch
        ]
        new = self._many("INSERT OR IGNORE INTO record VALUES (0, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        if new < len(rows):
            self._many(
                "UPDATE record SET origin = origin | ?1 WHERE number = ?2 AND origin | ?1 <> origin",
                ((int(one.origin), packed.number) for packed, one in batch),
            )
        self._many(
            "INSERT INTO display VALUES (?, ?, ?) ON CONFLICT(number) DO UPDATE SET title = excluded.title, "
            "authors = excluded.authors WHERE title = '' AND excluded.title <> ''",
            ((packed.number, one.title, one.authors) for packed, one in batch if one.title or one.authors),
        )
        self._many(
            "INSERT INTO link VALUES (?, 0, ?, ?) ON CONFLICT(doi, source, arxiv) DO UPDATE "
            "SET origin = origin | excluded.origin",
            ((doi, packed.arxiv, int(one.origin)) for packed, one in batch for doi in one.dois),
        )
        return new

    def _interned(self, table: str, column: str, known: dict[str, int], text: str) -> int:
        if text not in known:
            self._all(f"INSERT OR IGNORE INTO {table}({column}) VALUES (?)", (text,))  # noqa: S608 - our own names
            known[text] = self._all(f"SELECT id FROM {table} WHERE {column} = ?", (text,))[0][0]  # noqa: S608
        return known[text]

    def latest(self, arxiv: str) -> list[Match]:
        """Return at most two records of a paper, the highest version first."""
        return self._matches(schema.LATEST, (arxiv,))

    def versions(self, arxiv: str) -> list[Match]:
        """Return every record of a paper, the highest version first."""
        return self._matches(schema.VERSIONS, (arxiv,))

    def at_version(self, arxiv: str, version: int) -> list[Match]:
        """Return the records that claim one version."""
        return self._matches(schema.AT_VERSION, (arxiv, version))

    def with_number(self, digits: str) -> list[Match]:
        """Return the record of a 26-character suffix, or nothing."""
        return self._matches(schema.WITH_NUMBER, (digits,))

    def with_prefix(self, digits: str, limit: int = 2) -> list[Match]:
        """Return at most `limit` records whose number starts so, in order."""
        return self._matches(schema.WITH_PREFIX, (digits, digits, limit))

    def linked(self, doi: str) -> list[Link]:
        """Return the papers linked to a DOI of another object."""
        rows = self._all("SELECT doi, arxiv, origin FROM link WHERE doi = ? AND source = 0 ORDER BY arxiv", (doi,))
        return [Link(doi, arxiv, Origin(origin)) for doi, arxiv, origin in rows]

    def links_of(self, arxiv: str) -> list[Link]:
        """Return the DOIs of other objects linked to a paper."""
        rows = self._all("SELECT doi, arxiv, origin FROM link WHERE source = 0 AND arxiv = ? ORDER BY doi", (arxiv,))
        return [Link(doi, arxiv, Origin(origin)) for doi, arxiv, origin in rows]

    def read(self, digits: str) -> Stored:
        """Return all that is held of the record of a 26-character suffix."""
        rows = self._all(_STORED + "AND r.number = ?", (digits,))
        if not rows:
            raise NotFound(f"no record with the number {digits} is known here")
        return _stored(rows[0])

    def titles(self, digits: Iterable[str]) -> dict[str, str]:
        """Return the titles held for 26-character suffixes."""
        found: dict[str, str] = {}
        for number in digits:
            found.update(self._all("SELECT number, title FROM display WHERE number = ?", (number,)))
        return found

    def records(self) -> Iterator[Stored]:
        """Yield every record in the order of arXiv identifier and version."""
        yield from map(_stored, self._rows(_STORED + "ORDER BY source, arxiv, version, r.number"))

    def _rows(self, sql: str) -> Iterator[Any]:
        return sqlite_file.stream(self._db, self.path, sql)

    def counts(self) -> Counts:
        """Return the sizes of the index."""
        records, papers = self._all("SELECT count(*), count(DISTINCT arxiv) FROM record")[0]
        by_origin = {
            str(origin.name).lower(): self._all("SELECT count(*) FROM record WHERE origin & ?", (int(origin),))[0][0]
            for origin in Origin
        }
        return Counts(records, papers, self._all("SELECT count(*) FROM link")[0][0], by_origin)

    def schema_version(self) -> int:
        """Return the number of migrations that made this file."""
        return int(self._all("PRAGMA user_version")[0][0])

    def table_bytes(self) -> list[tuple[str, int]]:
        """Return the bytes of each table and index, where SQLite was built to tell; else nothing."""
        try:
            rows = self._all("SELECT name, sum(pgsize) FROM dbstat GROUP BY name ORDER BY name")
        except IndexFault:
            return []
        return [(str(name), int(size)) for name, size in rows]

    def check(self) -> Iterator[str]:
        """Recompute everything held; yield one line for each fault."""
        for (line,) in self._all("PRAGMA quick_check"):
            if line != "ok":
                yield f"database: {line}"
        for row in self._rows(_STORED + "ORDER BY source, arxiv, version"):
            yield from _faults(row)
        for number, table in self._all(
            "SELECT number, 'display' FROM display WHERE number NOT IN (SELECT number FROM record) "
            "UNION ALL SELECT doi, 'link' FROM link WHERE NOT EXISTS "
            "(SELECT 1 FROM record r WHERE r.source = link.source AND r.arxiv = link.arxiv)"
        ):
            yield f"{table} {number}: belongs to no record"
        yield from self.graph.check()


def _stored(row: tuple[Any, ...]) -> Stored:
    *columns, origin, title, authors = row
    return Stored(_unpacked(columns), Origin(origin), title, authors)


def _unpacked(columns: list[Any]) -> Minted:
    kinds = [str, int, str, bytes, int, str, str, bytes]
    if [type(column) for column in columns] != kinds:
        raise CorruptRecord(f"the record stored as {columns[2]!r} has a column of a wrong type")
    return unpack(Packed(*columns))


def _faults(row: tuple[Any, ...]) -> Iterator[str]:
    try:
        stored = _stored(row)
    except (PithError, ValueError) as error:
        yield f"record {row[0]}v{row[1]}: {error}"
        return
    if stored.title and text_sha256(stored.title) != stored.minted.record.metadata.title_canon_sha256:
        yield f"title {row[0]}v{row[1]}: the title kept for display does not hash to the record's"
