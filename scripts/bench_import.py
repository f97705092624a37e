"""Lines to a finished index, beside the way it is first written: a row an alias, stored by sqlite-utils."""

import io
import sqlite3
import statistics
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import bench_mint
import sqlite_utils
from bench_report import Row, cpu_of, interleaved, median_ratio
from bench_work import Work, build

from pithid.formats.metadata import open_entries
from pithid.service.import_ import linked_dois
from pithid.service.mint import Failure, Success, mint_entries
from pithid.store.contract import Addition
from pithid.store.sqlite import SqliteStore

SAMPLE = 10_000


@dataclass(frozen=True, slots=True)
class Tables:
    """The flat tables of the first idea. `position` keeps the key unique: on (kind, value) two papers collide."""

    records: list[dict[str, str]]
    aliases: list[dict[str, str | int]]


def run(work: Work) -> list[Row]:
    """Compare records a CPU second on a sample, then report the whole index."""
    lines = work.sample(SAMPLE)
    sample, ours, theirs = (work.folder / name for name in ("sample.jsonl", "sample.sqlite3", "flat.sqlite3"))
    sample.write_bytes(b"".join(lines))
    minted = list(_minted(lines))
    additions = [Addition(one.minted, one.origin, one.title, one.authors, linked_dois(one.dois)) for one in minted]
    flat = tables(minted)
    tasks: dict[str, Callable[[], object]] = {
        "import": lambda: build(sample, _gone(ours)),
        "floor": lambda: bench_mint.floor(lines),
        "flat": lambda: insert_all(tables(_minted(lines)), _gone(theirs)),
        "store": lambda: store(additions, _gone(ours)),
        "insert_all": lambda: insert_all(flat, _gone(theirs)),
        "executemany": lambda: executemany(flat, _gone(theirs)),
    }
    found = interleaved(work.rounds, {name: _timed(task) for name, task in tasks.items()})
    rates = {name: len(lines) / statistics.median(seconds) for name, seconds in found.items()}
    rows = [
        _rate("lines to an index, pithid import", rates["import"], f"{_size(ours, lines)}, {len(lines)} lines"),
        _rate("floor: json.loads and 3 sha256", rates["floor"]),
        _rate("lines to flat tables, sqlite-utils insert_all", rates["flat"], _size(theirs, lines)),
        Row("import against the floor", median_ratio(found["floor"], found["import"]), "x"),
        Row("import against insert_all", median_ratio(found["flat"], found["import"]), "x"),
        _rate("storing alone, pithid", rates["store"], "records, titles, authors, links"),
        _rate("storing alone, flat tables, insert_all", rates["insert_all"]),
        _rate("storing alone, flat tables, executemany", rates["executemany"]),
        Row("storing alone, pithid against insert_all", median_ratio(found["insert_all"], found["store"]), "x"),
        Row("executemany against insert_all, same rows", median_ratio(found["insert_all"], found["executemany"]), "x"),
    ]
    work.index()
    if work.build_seconds is not None:
        whole = work.records / work.build_seconds
        rows += [
            _rate("all lines to an index, pithid import", whole, f"{work.records} lines"),
            Row("all lines against the sample", whole / rates["import"], "x", note="1 is linear"),
        ]
    return rows


def _rate(name: str, value: float, note: str = "") -> Row:
    return Row(name, value, "records/CPU-s", note=note)


def _timed(task: Callable[[], object]) -> Callable[[], float]:
    return lambda: cpu_of(task)


def _size(path: Path, lines: list[bytes]) -> str:
    return f"{path.stat().st_size / len(lines):.0f} B a record"


def store(additions: list[Addition], target: Path) -> None:
    """Store ready-minted records."""
    index = SqliteStore.create(str(target))
    try:
        with index.transaction():
            index.add(additions)
    finally:
        index.close()


def tables(minted: list[Success] | Iterator[Success]) -> Tables:
    """Return the rows of the flat tables."""
    flat = Tables([], [])
    for one in minted:
        number, canonical = str(one.minted.number), one.minted.record.to_bytes().decode()
        flat.records.append({"pith_number": number, "canonical": canonical, "title": one.title, "authors": one.authors})
        for alias in one.minted.aliases:
            row: dict[str, str | int] = {"position": len(flat.aliases), "kind": alias.kind, "value": alias.value}
            flat.aliases.append({**row, "pith_number": number})
    return flat


def insert_all(flat: Tables, target: Path) -> None:
    """Store the flat tables with sqlite-utils."""
    database = sqlite_utils.Database(target, execute_plugins=False)
    try:
        database.table("record").insert_all(flat.records, pk="pith_number")
        database.table("alias").insert_all(flat.aliases, pk="position")
        database.table("alias").create_index(["kind", "value"])
    finally:
        database.close()


def executemany(flat: Tables, target: Path) -> None:
    """Store the same rows with sqlite3 alone."""
    with closing(sqlite3.connect(target)) as database:
        database.execute("CREATE TABLE record(pith_number TEXT PRIMARY KEY, canonical TEXT, title TEXT, authors TEXT)")
        database.execute("CREATE TABLE alias(position INTEGER PRIMARY KEY, kind TEXT, value TEXT, pith_number TEXT)")
        database.executemany("INSERT INTO record VALUES (:pith_number, :canonical, :title, :authors)", flat.records)
        database.executemany("INSERT INTO alias VALUES (:position, :kind, :value, :pith_number)", flat.aliases)
        database.execute("CREATE INDEX alias_value ON alias(kind, value)")
        database.commit()


def _minted(lines: list[bytes]) -> Iterator[Success]:
    for outcome in mint_entries(open_entries(io.BytesIO(b"".join(lines)), name="kaggle")):
        if isinstance(outcome, Failure):
            raise SystemExit(f"line {outcome.entry.line}: {outcome.error}")
        yield outcome


def _gone(path: Path) -> Path:
    """Return the path with nothing there."""
    for name in (str(path), f"{path}-wal", f"{path}-shm"):
        Path(name).unlink(missing_ok=True)
    return path
