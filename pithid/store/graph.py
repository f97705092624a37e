"""What was received about records: events, alias rows with their times, bundles, hints; as received, never deleted.

Nothing here is trusted by being here: whoever reads an event checks it again. An event of a key that is revoked later,
or of a key nobody trusts, stays and is judged anew each time.
"""

import hashlib
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pithid.core.canonical import MAX_BYTES, Json, load, received_bytes
from pithid.core.errors import PithError
from pithid.store import sqlite_file
from pithid.store.origin import CorruptRecord

HINTS: Final = ("public_keys", "mirror_hints", "timestamp_proofs")
"""Members of a bundle that are kept as hints."""

_MEMBERS_OF = {
    "event": "SELECT object_sha256, raw FROM event WHERE number = ? ORDER BY seen",
    **{
        name: f"SELECT object_sha256, raw FROM hint WHERE number = ? AND member = '{name}' ORDER BY seen"  # noqa: S608
        for name in HINTS
    },
}


@dataclass(frozen=True, slots=True)
class StoredBundle:
    """A bundle as it was received.

    Attributes:
        sha256: of the bytes of the file.
        built_at: as the bundle states it.
        signer: who signed it with a key trusted on receipt, empty where nobody did.
        raw: the bytes of the file.
    """

    sha256: bytes
    built_at: str
    signer: str
    raw: bytes


class GraphStore:
    """Events, aliases and bundles in an index file; the caller owns the transaction. Numbers are the 26 characters."""

    def __init__(self, database: sqlite3.Connection, path: str) -> None:
        self._db, self.path = database, path

    def _all(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        return sqlite_file.run(self._db, self.path, sql, values)

    def _add(self, sql: str, rows: Iterable[Sequence[Any]]) -> int:
        before = self._db.total_changes
        for row in rows:
            self._all(sql, row)
        return self._db.total_changes - before

    def add_events(self, number: str, events: Iterable[Json]) -> int:
        """Keep events that came with a record, valid or not; return how many were new."""
        rows = ((number, *_named(event), _claimed_id(event)) for event in events)
        return self._add("INSERT OR IGNORE INTO event(number, object_sha256, raw, event_id) VALUES (?, ?, ?, ?)", rows)

    def events(self, number: str) -> list[Json]:
        """Return the events that came with a record, in the order they were first seen.

        Raises:
            CorruptRecord: one does not hash to what it is stored under.
        """
        return self._values("event", number)

    def add_aliases(self, number: str, rows: Iterable[tuple[str, str, str]]) -> int:
        """Keep alias rows of kind, value and time as seen; return how many were new."""
        values = ((number, *row) for row in rows)
        return self._add("INSERT OR IGNORE INTO alias_seen VALUES (?, ?, ?, ?)", values)

    def aliases(self, number: str) -> list[Json]:
        """Return every alias row seen, with every time it was seen with."""
        rows = self._all(
            "SELECT kind, value, created_at FROM alias_seen WHERE number = ? ORDER BY kind, value, created_at",
            (number,),
        )
        return [{"alias_kind": kind, "alias_value": value, "created_at": time} for kind, value, time in rows]

    def add_bundle(self, number: str, raw: bytes, built_at: str, signer: str) -> bool:
        """Keep the bytes of a bundle; tell whether they are new."""
        row = (number, hashlib.sha256(raw).digest(), built_at, signer, zlib.compress(raw))
        sql = "INSERT OR IGNORE INTO bundle(number, file_sha256, built_at, signer, raw) VALUES (?, ?, ?, ?, ?)"
        if self._add(sql, [row]):
            return True
        if signer:  # its key was trusted only after it first came
            self._all("UPDATE bundle SET signer = ? WHERE file_sha256 = ? AND signer = ''", (signer, row[1]))
        return False

    def bundles(self, number: str) -> list[StoredBundle]:
        """Return the bundles of a record, in the order they were first seen.

        Raises:
            CorruptRecord: one is not the file that was received.
        """
        rows = self._all(
            "SELECT file_sha256, built_at, signer, raw FROM bundle WHERE number = ? ORDER BY seen", (number,)
        )
        return [StoredBundle(sha256, time, signer, _inflated(sha256, raw)) for sha256, time, signer, raw in rows]

    def signed_times(self, number: str) -> list[tuple[str, str]]:
        """Return signer and `built_at` of every signed bundle of a record."""
        rows = self._all("SELECT signer, built_at FROM bundle WHERE number = ? AND signer <> ''", (number,))
        return [(signer, built_at) for signer, built_at in rows]

    def wait_for_disk(self) -> None:
        """Make every commit from here on wait for the disk: an own signature must not get lost. Call it outside."""
        self._all("PRAGMA synchronous = FULL")

    def add_hints(self, number: str, member: str, values: Iterable[Json]) -> int:
        """Keep the items of one of the members in `HINTS`; return how many were new."""
        rows = ((number, member, *_named(value)) for value in values)
        return self._add("INSERT OR IGNORE INTO hint(number, member, object_sha256, raw) VALUES (?, ?, ?, ?)", rows)

    def hints(self, number: str, member: str) -> list[Json]:
        """Return the items kept of one of the members in `HINTS`, in the order they were first seen."""
        return self._values(member, number)

    def numbers(self) -> list[str]:
        """Return the records that have events, in order."""
        return [number for (number,) in self._all("SELECT DISTINCT number FROM event ORDER BY number")]

    def _values(self, what: str, number: str) -> list[Json]:
        return [_read(sha256, raw) for sha256, raw in self._all(_MEMBERS_OF[what], (number,))]

    def check(self) -> Iterator[str]:
        """Hash everything again; yield one line for each fault."""
        for table, label in (("event", "'event'"), ("hint", "member")):
            sql = f"SELECT {label}, number, object_sha256, raw FROM {table} ORDER BY seen"  # noqa: S608 - our own names
            for name, number, sha256, raw in self._rows(sql):
                yield from _fault(f"{name} of {number}", sha256, raw)
        for number, sha256, raw in self._rows("SELECT number, file_sha256, raw FROM bundle ORDER BY seen"):
            try:
                _inflated(sha256, raw)
            except CorruptRecord as error:
                yield f"bundle of {number}: {error}"
        for number, event_id, raw in self._rows("SELECT number, event_id, raw FROM event ORDER BY seen"):
            if _claimed_id_of(raw) not in {event_id, None}:
                yield f"event of {number}: stored as {event_id!r}, which is not the id it has"
        for table in ("event", "alias_seen", "bundle", "hint"):
            sql = f"SELECT DISTINCT number FROM {table} WHERE number NOT IN (SELECT number FROM record)"  # noqa: S608
            for (number,) in self._rows(sql):
                yield f"{table} of {number}: belongs to no record"

    def _rows(self, sql: str) -> Iterator[Any]:
        return sqlite_file.stream(self._db, self.path, sql)


def _named(value: Json) -> tuple[bytes, bytes]:
    """Return the digest and the canonical bytes of a value as received."""
    raw = received_bytes(value)
    return hashlib.sha256(raw).digest(), raw


def _claimed_id(value: Json) -> str:
    claimed = value.get("event_id") if isinstance(value, dict) else None
    return claimed if isinstance(claimed, str) else ""


def _claimed_id_of(raw: Any) -> str | None:  # noqa: ANN401 - whatever is in the column
    """Return the id stored bytes claim; None where they are damaged, which is named elsewhere."""
    try:
        return _claimed_id(load(raw))
    except (PithError, TypeError):
        return None


def _read(sha256: Any, raw: Any) -> Json:  # noqa: ANN401 - whatever is in the columns
    """Read a stored value.

    Raises:
        CorruptRecord: it is not what was received.
    """
    if not isinstance(raw, bytes) or hashlib.sha256(raw).digest() != sha256:
        raise CorruptRecord("what is stored does not hash to what was received")
    try:
        return load(raw)
    except PithError as error:
        raise CorruptRecord(f"what is stored is no JSON document: {error}") from None


def _fault(place: str, sha256: Any, raw: Any) -> Iterator[str]:  # noqa: ANN401 - whatever is in the columns
    try:
        _read(sha256, raw)
    except CorruptRecord as error:
        yield f"{place}: {error}"


def _inflated(sha256: Any, raw: Any) -> bytes:  # noqa: ANN401 - whatever is in the columns
    """Return the bytes of a stored bundle; what inflates beyond the largest document read is refused.

    Raises:
        CorruptRecord: they are not what was received.
    """
    inflater = zlib.decompressobj()
    try:
        data = inflater.decompress(raw, MAX_BYTES + 1)
    except (zlib.error, TypeError):
        data = b""
    if not data or hashlib.sha256(data).digest() != sha256:
        raise CorruptRecord("the file kept is not the one that was received")
    return data
