"""The SQLite store: what it keeps, what it computes, and what it refuses."""

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pithid.core.errors import NotFound
from pithid.core.mint import Minted, mint
from pithid.core.records import CanonicalRecord, Metadata, Source
from pithid.store import schema
from pithid.store.contract import Addition
from pithid.store.origin import CorruptRecord, IndexFault, Origin
from pithid.store.sqlite import SqliteStore


def minted(arxiv: str = "2101.00001", version: int = 1, seed: str = "", license_url: str = "") -> Minted:
    """Return a record of invented hashes."""
    title, abstract = (hashlib.sha256(f"{part}{arxiv}{seed}".encode()).hexdigest() for part in "ta")
    metadata = Metadata(title, abstract, "cs.DL", ("math.CO",), license_url, "2020-12-31T23:59:59Z")
    return mint(CanonicalRecord(Source("arxiv", arxiv, version), metadata))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """Return an empty index."""
    made = SqliteStore.create(str(tmp_path / "index.sqlite3"))
    yield made
    made.close()


def fill(store: SqliteStore, *records: Minted, origin: Origin = Origin.COMPUTED) -> int:
    """Store records in one transaction."""
    with store.transaction():
        return store.add(Addition(record, origin, "", "") for record in records)


def test_record_comes_back_byte_for_byte(store: SqliteStore) -> None:
    """What is stored in packed columns is rebuilt to the same canonical bytes."""
    records = [minted(f"2101.{n:05}", v, license_url=url) for n, v, url in ((1, 1, ""), (2, 12, "http://x/"))]

    assert fill(store, *records) == 2
    assert [one.minted for one in store.records()] == records
    assert [one.minted.record.to_bytes() for one in store.records()] == [one.record.to_bytes() for one in records]


def test_adding_again_adds_nothing_but_origins(store: SqliteStore) -> None:
    """A second import of the same record is counted as there, and both origins hold."""
    fill(store, minted())

    assert fill(store, minted(), origin=Origin.BUNDLE) == 0
    assert store.read(minted().digest.base32).origin == Origin.COMPUTED | Origin.BUNDLE


def test_latest_is_highest_version_as_a_number(store: SqliteStore) -> None:
    """Version 10 comes after version 9."""
    fill(store, *(minted(version=version) for version in (9, 10, 2)))

    assert [match.version for match in store.latest("2101.00001")] == [10, 9]
    assert [match.version for match in store.versions("2101.00001")] == [10, 9, 2]


def colliding_pair() -> tuple[Minted, Minted]:
    """Return the two shipped records that truly collide, found by search among 1.6 million."""
    path = Path(__file__).parents[2] / "data" / "vectors" / "colliding.json"
    one, two = (mint(CanonicalRecord.from_json(record)) for record in json.loads(path.read_text())["records"])
    return one, two


def test_colliding_prefixes_are_both_kept(store: SqliteStore) -> None:
    """Two numbers with one 8-character prefix are two rows, and 12 characters tell them apart."""
    one, two = colliding_pair()
    assert one.short_8 == two.short_8
    assert one.short_12 != two.short_12

    assert fill(store, one, two) == 2
    found = [match.number for match in store.with_prefix(one.short_8)]
    assert found == sorted([str(one.number), str(two.number)], key=lambda number: number[-26:])
    assert len(store.with_prefix(one.short_12)) == 1


def test_same_version_with_other_metadata_is_another_record(store: SqliteStore) -> None:
    """A licence changed after the first mint gives a second record of one version; none is lost."""
    assert fill(store, minted(), minted(license_url="http://creativecommons.org/licenses/by/4.0/")) == 2
    assert len(store.at_version("2101.00001", 1)) == 2


def test_transaction_keeps_all_or_nothing(store: SqliteStore) -> None:
    """An error inside a transaction leaves the index as it was, interned rows and caches included."""

    def interrupted() -> Iterator[Addition]:
        yield Addition(minted(), Origin.COMPUTED)
        raise RuntimeError

    with pytest.raises(RuntimeError), store.transaction():
        store.add(interrupted())

    assert store.counts().records == 0
    assert fill(store, minted()) == 1
    assert [one.minted for one in store.records()] == [minted()]


def test_unknown_number_is_not_found(store: SqliteStore) -> None:
    """Reading what is not there is an error of the documented class."""
    with pytest.raises(NotFound):
        store.read("A" * 26)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE record SET submitted = submitted + 1",
        "UPDATE record SET hashes = zeroblob(64)",
        "UPDATE record SET hashes = zeroblob(63)",
        "UPDATE record SET tail = zeroblob(16)",
        "UPDATE record SET license = 99",
        "UPDATE record SET submitted = 20201331000000",
        "UPDATE record SET submitted = 'x'",
        "UPDATE record SET version = 2",
        "UPDATE record SET number = 'A' || substr(number, 2)",
        "UPDATE categories SET names = 'cs.AI math.CO'",
        "UPDATE categories SET names = ''",
    ],
)
def test_damage_is_named_and_never_returned(store: SqliteStore, damage: str) -> None:
    """A record whose columns do not hash to its number is refused by every reader and named by the check."""
    fill(store, minted())
    store.close()
    with sqlite3.connect(store.path) as database:
        database.execute(damage)
    database.close()

    reopened = SqliteStore.open(store.path)
    try:
        assert any("2101.00001" in line for line in reopened.check())
        with pytest.raises(CorruptRecord):
            list(reopened.records())
    finally:
        reopened.close()


def test_check_is_silent_on_a_sound_index(store: SqliteStore) -> None:
    """Nothing is reported where nothing is wrong."""
    fill(store, minted())

    assert list(store.check()) == []


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _text(path: Path) -> None:
    path.write_text("not a database, but long enough to be taken for one" * 40)


def _foreign(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE t(x)")
    database.close()


def _newer(path: Path) -> None:
    SqliteStore.create(str(path)).close()
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 99")
    database.close()


def _truncated(path: Path) -> None:
    made = SqliteStore.create(str(path))
    fill(made, *(minted(f"2101.{n:05}") for n in range(1, 200)))
    made.close()
    path.write_bytes(path.read_bytes()[:6000])


@pytest.mark.parametrize("spoil", [_empty, _text, _foreign, _newer, _truncated])
def test_other_files_are_refused_when_reading(tmp_path: Path, spoil: Callable[[Path], None]) -> None:
    """A file that is no sound index of a known version is an index fault, whatever is done with it."""
    path = tmp_path / "x?#%.sqlite3"
    spoil(path)

    with pytest.raises(IndexFault):
        list(SqliteStore.open(str(path)).records())


@pytest.mark.parametrize("spoil", [_text, _foreign, _newer])
def test_other_files_are_never_written_to(tmp_path: Path, spoil: Callable[[Path], None]) -> None:
    """Importing into somebody else's file is refused and leaves it byte for byte."""
    path = tmp_path / "x.sqlite3"
    spoil(path)
    before = path.read_bytes()

    with pytest.raises(IndexFault):
        SqliteStore.create(str(path))
    assert path.read_bytes() == before


def test_missing_file_names_the_way_to_make_one(tmp_path: Path) -> None:
    """The message says what to do."""
    with pytest.raises(IndexFault, match="pithid import"):
        SqliteStore.open(str(tmp_path / "none.sqlite3"))


def test_two_writers_make_one_schema(tmp_path: Path) -> None:
    """Opening a new file twice at once migrates it once."""
    path = str(tmp_path / "index.sqlite3")
    one, two = SqliteStore.create(path), SqliteStore.create(path)

    assert fill(one, minted()) == 1
    assert fill(two, minted()) == 0
    assert one.schema_version() == two.schema_version() == len(schema.MIGRATIONS)
    one.close()
    two.close()


def test_older_index_is_brought_up_to_date_by_writing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A later release's migration runs once, keeps every record, and reading says what to do until then."""
    path = str(tmp_path / "index.sqlite3")
    old = SqliteStore.create(path)
    fill(old, minted())
    old.close()
    monkeypatch.setattr(
        schema, "MIGRATIONS", (*schema.MIGRATIONS, "CREATE TABLE later(x);\nINSERT INTO later VALUES (1)")
    )

    with pytest.raises(IndexFault, match="older schema version"):
        SqliteStore.open(path)
    for _ in range(2):
        SqliteStore.create(path).close()
    new = SqliteStore.open(path)

    assert new.counts().records == 1
    assert new.schema_version() == len(schema.MIGRATIONS)
    new.close()
    with sqlite3.connect(path) as database:
        assert database.execute("SELECT * FROM later").fetchall() == [(1,)]
    database.close()
