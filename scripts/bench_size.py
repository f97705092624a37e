"""Bytes a record of each part of an index, and whether every canonical record comes back byte for byte."""

import hashlib
import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from email.utils import parsedate_to_datetime
from pathlib import Path
from time import process_time

from bench_report import Row, at_most
from bench_work import Work

from pithid.store.sqlite import SqliteStore

INDEX_LIMIT, CANONICAL_LIMIT = 120, 100

_BARE = """
CREATE TABLE record(source INTEGER NOT NULL, arxiv TEXT NOT NULL, version INTEGER NOT NULL, number TEXT NOT NULL,
  tail BLOB NOT NULL, origin INTEGER NOT NULL, PRIMARY KEY(source, arxiv, version, number)) WITHOUT ROWID;
INSERT INTO record SELECT source, arxiv, version, number, tail, origin FROM whole.record ORDER BY 1, 2, 3, 4;
CREATE UNIQUE INDEX record_number ON record(number);
"""
"""The index alone: `record` as in the schema, less the columns of the canonical record."""

_NUMBER = "'pith:' || (submitted / 10000000000) || ':' || number"
_ALIASES = {
    "arxiv": "arxiv",
    "arxiv_version": "arxiv || 'v' || version",
    "doi": "'10.48550/arxiv.' || arxiv",
    "pith_short_12": "substr(number, 1, 12)",
    "pith_short_16": "substr(number, 1, 16)",
    "pith_short_8": "substr(number, 1, 8)",
}
_FLAT = [
    "CREATE TABLE alias(kind TEXT NOT NULL, value TEXT NOT NULL, pith_number TEXT NOT NULL)",
    *(
        f"INSERT INTO alias SELECT '{kind}', {value}, {_NUMBER} FROM whole.record"  # noqa: S608 - our own constants
        for kind, value in _ALIASES.items()
    ),
    "CREATE INDEX alias_value ON alias(kind, value)",
]
"""What is not stored: the six aliases of each record as rows, indexed after the load, which suits them best."""


def run(work: Work) -> list[Row]:
    """Measure the parts."""
    index, records = work.index(), work.records
    whole = work.folder / "whole.sqlite3"
    _compact(index, whole)
    bare, bare_seconds = _made(whole, work.folder / "bare.sqlite3", _BARE.split(";\n"))
    flat, flat_seconds = _made(whole, work.folder / "flat.sqlite3", _FLAT)
    tables = _table_sizes(whole)
    size = {
        name: sum(tables.get(table, 0) for table in parts.split())
        for name, parts in {
            "record": "record record_number license categories "
            "sqlite_autoindex_license_1 sqlite_autoindex_categories_1",
            "display": "display sqlite_autoindex_display_1",
            "links": "link link_paper",
        }.items()
    }
    rows = [
        at_most("index (keys, number, tail, number index)", bare / records, "B/record", INDEX_LIMIT, "compacted"),
        at_most(
            "canonical record beside it (time, licence, categories, hashes)",
            (size["record"] - bare) / records,
            "B/record",
            CANONICAL_LIMIT,
            "compacted, with the licence and category tables",
        ),
        Row("display (titles, authors, their key)", size["display"] / records, "B/record"),
        Row("links (journal DOIs, both directions)", size["links"] / records, "B/record"),
        Row("whole file, compacted", whole.stat().st_size / records, "B/record"),
        Row(
            "whole file, as import leaves it",
            index.stat().st_size / records,
            "B/record",
            note=_as_built(index, records),
        ),
        Row("the aliases as a flat table instead of the index", flat / records, "B/record", note="compacted"),
        Row("flat table against the index, bytes", flat / bare, "x"),
        Row("flat table against the index, CPU to fill from SQL", flat_seconds / bare_seconds, "x"),
        Row("canonical records rebuilt byte for byte", compare_all(index, work.lines()), "records", note="all of them"),
    ]
    whole.unlink()
    return rows


def _compact(source: Path, target: Path) -> None:
    target.unlink(missing_ok=True)
    with closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as database:
        database.execute("VACUUM INTO ?", (str(target),))


def _made(whole: Path, target: Path, statements: Sequence[str]) -> tuple[int, float]:
    """Make a file from the index by SQL alone; return its size once compacted, and the CPU seconds of making it."""
    target.unlink(missing_ok=True)
    with closing(sqlite3.connect(target, isolation_level=None)) as database:
        database.execute("ATTACH ? AS whole", (str(whole),))
        database.execute("BEGIN")
        started = process_time()
        for statement in statements:
            database.execute(statement)
        database.execute("COMMIT")
        seconds = process_time() - started
        database.execute("DETACH whole")
        database.execute("VACUUM")
    size = target.stat().st_size
    target.unlink()
    return size, seconds


def _table_sizes(path: Path) -> dict[str, int]:
    store = SqliteStore.open(str(path))
    try:
        sizes = dict(store.table_bytes())
    finally:
        store.close()
    if not sizes:
        raise SystemExit("this SQLite has no dbstat, so the parts of the index cannot be told apart")
    return sizes


def _as_built(index: Path, records: int) -> str:
    sizes = _table_sizes(index)
    return "of it " + ", ".join(
        f"{name} {sizes.get(name, 0) / records:.0f}" for name in ("record", "record_number", "display", "link")
    )


def compare_all(index: Path, lines: Path) -> int:
    """Rebuild every record from the index and compare it with the plain rule applied to its line; return how many."""
    store = SqliteStore.open(str(index))
    compared = 0
    try:
        with lines.open("rb") as stream:
            for line, stored in zip(stream, store.records(), strict=True):
                if stored.minted.record.to_bytes() != plain_record(line):
                    raise SystemExit(f"the record rebuilt for line {compared + 1} differs: {line[:80]!r}")
                compared += 1
    finally:
        store.close()
    return compared


def plain_record(line: bytes) -> bytes:
    """Return the canonical bytes of a line by the rule as docs/protocol.md words it, sharing no code with pithid."""
    item = json.loads(line)
    primary, *cross = item["categories"].split()
    first = parsedate_to_datetime(item["versions"][0]["created"])
    record = {
        "schema_version": "1.0",
        "source": {"kind": "arxiv", "id": item["id"], "version": len(item["versions"])},
        "metadata": {
            "title_canon_sha256": _text_hash(item["title"]),
            "abstract_canon_sha256": _text_hash(item["abstract"]),
            "primary_cat": primary,
            "cross_cats_sorted": sorted(cross),
            "license": item["license"] or "",
            "submitted_at": first.strftime("%Y-%m-%dT%H:%M:%SZ"),
        },
    }
    return json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def _text_hash(text: str) -> str:
    return hashlib.sha256(" ".join(text.split()).lower().encode()).hexdigest()
