#!/usr/bin/env python3
"""Make `data/starter.sqlite3`, the index a fresh install answers from, out of `data/records.jsonl`.

With `--check`, make it anew and compare what it holds with the shipped file; exit with 1 on a difference. Contents are
compared, not bytes: the file header names the SQLite release that wrote it.
"""

import argparse
import sqlite3
import sys
import tempfile
from pathlib import Path

from pithid.formats.metadata import open_entries
from pithid.formats.metadata.model import Options
from pithid.service.import_ import import_entries
from pithid.service.mint import Failure, Success
from pithid.store.sqlite import SqliteStore

ROOT = Path(__file__).resolve().parents[1]
RECORDS = ROOT / "data" / "records.jsonl"
STARTER = ROOT / "data" / "starter.sqlite3"


def main() -> int:
    """Make or check the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    if not parser.parse_args().check:
        make(STARTER)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder) / "starter.sqlite3"
        make(fresh)
        if contents(fresh) == contents(STARTER):
            return 0
    print(f"{STARTER} does not hold what {RECORDS} gives; run scripts/make_starter.py", file=sys.stderr)
    return 1


def make(target: Path) -> None:
    """Write the index of all shipped records, compact and without a write-ahead log."""
    target.unlink(missing_ok=True)
    store = SqliteStore.create(str(target))
    with RECORDS.open("rb") as stream:
        import_entries(store, open_entries(stream, options=Options()), strict=True, report=_refuse)
    store.close()
    database = sqlite3.connect(target)
    database.execute("PRAGMA journal_mode = DELETE")
    database.execute("VACUUM")
    database.close()


def _refuse(outcome: Success | Failure) -> None:
    reasons = outcome.error if isinstance(outcome, Failure) else outcome.cautions
    raise SystemExit(f"{RECORDS}:{outcome.entry.line}: {reasons}")


def contents(path: Path) -> list[str]:
    """Return schema and rows as SQL text."""
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        return list(database.iterdump())
    finally:
        database.close()


if __name__ == "__main__":
    sys.exit(main())
