"""Events, aliases, bundles and hints in the index: as received, once, for good, and hashed again on reading."""

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pithid import __main__ as entry
from pithid.core.canonical import Json, received_bytes
from pithid.core.mint import Minted, mint
from pithid.core.records import CanonicalRecord, Metadata, Source
from pithid.store import schema
from pithid.store.contract import Addition
from pithid.store.origin import CorruptRecord, Origin
from pithid.store.sqlite import SqliteStore

EVENT: Json = {"event_id": "sha256:x", "payload": {"b": 1, "a": [1.5, None, "ß"]}}
ODD: list[Json] = [EVENT, {"event_id": 5}, "no object", None, 7, [], {"event_id": "sha256:x", "payload": {}}]


def minted(arxiv: str = "2101.00001") -> Minted:
    """Return a record of invented hashes."""
    title, abstract = (hashlib.sha256(f"{part}{arxiv}".encode()).hexdigest() for part in "ta")
    metadata = Metadata(title, abstract, "cs.DL", (), "", "2020-12-31T23:59:59Z")
    return mint(CanonicalRecord(Source("arxiv", arxiv, 1), metadata))


NUMBER = minted().digest.base32
OTHER = minted("2101.00002").digest.base32


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """Return an index that knows two records."""
    made = SqliteStore.create(str(tmp_path / "index.sqlite3"))
    with made.transaction():
        made.add([Addition(minted(arxiv), Origin.COMPUTED) for arxiv in ("2101.00001", "2101.00002")])
    yield made
    made.close()


def test_fast_path_knows_the_schema() -> None:
    """The version the fast path accepts is the number of migrations."""
    assert len(schema.MIGRATIONS) == entry._SCHEMA_VERSION  # noqa: SLF001 - the constant is what is tested


def test_events_come_back_as_received_and_in_order(store: SqliteStore) -> None:
    """Whatever a document calls an event is kept, in the order first seen, and a repetition adds nothing."""
    with store.transaction():
        assert store.graph.add_events(NUMBER, ODD) == len(ODD)
        assert store.graph.add_events(NUMBER, reversed(ODD)) == 0

    assert [received_bytes(one) for one in store.graph.events(NUMBER)] == [received_bytes(one) for one in ODD]
    assert store.graph.numbers() == [NUMBER]
    assert list(store.check()) == []


def test_an_event_is_not_bound_to_the_record_it_first_came_with(store: SqliteStore) -> None:
    """A false bundle that carries another record's event first does not keep that record from having it."""
    with store.transaction():
        store.graph.add_events(OTHER, [EVENT])
        assert store.graph.add_events(NUMBER, [EVENT]) == 1

    assert store.graph.events(NUMBER) == store.graph.events(OTHER) == [EVENT]


def test_alias_rows_keep_every_time_seen(store: SqliteStore) -> None:
    """Two mirrors' times of one alias are both kept."""
    rows = [("arxiv", "2101.00001", f"2026-07-0{day}T00:00:00Z") for day in (5, 4)]
    with store.transaction():
        assert store.graph.add_aliases(NUMBER, rows) == 2
        assert store.graph.add_aliases(NUMBER, rows) == 0

    assert store.graph.aliases(NUMBER) == [
        {"alias_kind": kind, "alias_value": value, "created_at": time} for kind, value, time in sorted(rows)
    ]
    assert store.graph.aliases(OTHER) == []


def test_bundles_are_kept_byte_for_byte(store: SqliteStore) -> None:
    """The file comes back as it was, once, and a signer recognised later is noted."""
    raw = b'{"a": 1}\n' * 1000
    with store.transaction():
        assert store.graph.add_bundle(NUMBER, raw, "2026-07-08T18:08:17Z", "")
        assert not store.graph.add_bundle(NUMBER, raw, "2026-07-08T18:08:17Z", "pith.science")
        assert not store.graph.add_bundle(NUMBER, raw, "2026-07-08T18:08:17Z", "")

    (kept,) = store.graph.bundles(NUMBER)
    assert (kept.raw, kept.sha256, kept.signer) == (raw, hashlib.sha256(raw).digest(), "pith.science")
    assert store.graph.signed_times(NUMBER) == [("pith.science", "2026-07-08T18:08:17Z")]


def test_hints_are_kept_by_member(store: SqliteStore) -> None:
    """Keys and mirrors are separate lists, each without repetition."""
    with store.transaction():
        assert store.graph.add_hints(NUMBER, "public_keys", [{"k": 1}, {"k": 1}, {"k": 2}]) == 2
        store.graph.add_hints(NUMBER, "mirror_hints", [{"k": 1}])

    assert store.graph.hints(NUMBER, "public_keys") == [{"k": 1}, {"k": 2}]
    assert store.graph.hints(NUMBER, "mirror_hints") == [{"k": 1}]
    assert store.graph.hints(NUMBER, "timestamp_proofs") == []


def test_the_caller_owns_the_transaction(store: SqliteStore) -> None:
    """Nothing of a transaction that fails is kept."""

    def interrupted() -> Iterator[Json]:
        yield EVENT
        raise RuntimeError

    with pytest.raises(RuntimeError), store.transaction():
        _ = store.graph.add_bundle(NUMBER, b"{}", "", ""), store.graph.add_events(NUMBER, interrupted())

    assert store.graph.events(NUMBER) == []
    assert store.graph.bundles(NUMBER) == []


@pytest.mark.parametrize(
    ("damage", "read"),
    [
        ("UPDATE event SET raw = CAST(replace(CAST(raw AS TEXT), '1.5', '1.6') AS BLOB)", "events"),
        ("UPDATE event SET object_sha256 = zeroblob(32)", "events"),
        ("UPDATE event SET raw = 'text'", "events"),
        ("UPDATE event SET raw = x'7b'", "events"),
        ("UPDATE event SET event_id = 'sha256:y'", ""),
        ("UPDATE event SET number = 'A'", ""),
        ("UPDATE alias_seen SET number = 'A'", ""),
        ("UPDATE bundle SET raw = x'00'", "bundles"),
        ("UPDATE bundle SET raw = 7", "bundles"),
        ("UPDATE bundle SET file_sha256 = zeroblob(32)", "bundles"),
        ("UPDATE hint SET raw = x'7b7d'", "hints"),
    ],
)
def test_damage_is_named_and_never_returned(store: SqliteStore, damage: str, read: str) -> None:
    """Whatever was changed in the file is named by the check, and no reader returns it."""
    with store.transaction():
        store.graph.add_events(NUMBER, [EVENT])
        store.graph.add_aliases(NUMBER, [("arxiv", "2101.00001", "2026-07-05T00:00:00Z")])
        store.graph.add_bundle(NUMBER, json.dumps(EVENT).encode(), "2026-07-08T18:08:17Z", "")
        store.graph.add_hints(NUMBER, "public_keys", [{"k": 1}])
    assert list(store.check()) == []
    with sqlite3.connect(store.path) as database:
        database.execute(damage)
    database.close()

    assert len(list(store.check())) == 1
    graph = store.graph
    readers: dict[str, Callable[[], object]] = {
        "events": lambda: graph.events(NUMBER),
        "bundles": lambda: graph.bundles(NUMBER),
        "hints": lambda: graph.hints(NUMBER, "public_keys"),
    }
    if read:
        with pytest.raises(CorruptRecord):
            readers[read]()


def test_an_index_of_the_first_schema_is_brought_up_to_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An index made before there were events keeps its records and can hold events after the next write."""
    path = str(tmp_path / "old.sqlite3")
    with monkeypatch.context() as earlier:
        earlier.setattr(schema, "MIGRATIONS", schema.MIGRATIONS[:1])
        old = SqliteStore.create(path)
        with old.transaction():
            old.add([Addition(minted(), Origin.COMPUTED)])
        old.close()

    new = SqliteStore.create(path)
    with new.transaction():
        assert new.graph.add_events(NUMBER, [EVENT]) == 1
    assert [one.minted for one in new.records()] == [minted()]
    assert new.schema_version() == len(schema.MIGRATIONS)
    new.close()
