"""The folder a run works in: the lines, and the index made of them, each made when it is first asked for."""

import os
from dataclasses import dataclass
from pathlib import Path
from time import process_time

import bench_data

from pithid.formats.metadata import open_entries
from pithid.service.import_ import import_entries
from pithid.service.mint import Failure, Success
from pithid.store.sqlite import SqliteStore


@dataclass(slots=True)
class Work:
    """A folder and the size of the run.

    Attributes:
        folder: where files are made; those of an earlier run of the same size are used again.
        records: lines to generate.
        rounds: how often things are measured side by side.
        build_seconds: CPU seconds of making the index; None when an earlier run made it.
    """

    folder: Path
    records: int
    rounds: int
    build_seconds: float | None = None

    def lines(self) -> Path:
        """Return the file of generated lines."""
        path = self.folder / f"lines-{self.records}.jsonl"
        if not path.exists():
            part = path.with_suffix(".part")
            with part.open("wb") as stream:
                stream.writelines(bench_data.lines(self.records))
            part.replace(path)
        return path

    def sample(self, most: int) -> list[bytes]:
        """Return at most `most` lines, spread evenly over the file."""
        step = max(1, -(-self.records // most))
        with self.lines().open("rb") as stream:
            return [line for number, line in enumerate(stream) if number % step == 0]

    def index(self) -> Path:
        """Return the index of all lines, made as `pithid import` makes it."""
        path = self.folder / f"index-{self.records}.sqlite3"
        if not path.exists():
            lines, part = self.lines(), path.with_suffix(".part")
            for name in (part, f"{part}-wal", f"{part}-shm"):
                Path(name).unlink(missing_ok=True)
            started = process_time()
            build(lines, part)
            self.build_seconds = process_time() - started
            os.replace(part, path)
        return path


def build(lines: Path, target: Path) -> int:
    """Make an index of all lines; return the number of records stored."""
    store = SqliteStore.create(str(target))
    try:
        with lines.open("rb") as stream:
            account = import_entries(store, open_entries(stream), strict=False, report=_refuse)
    finally:
        store.close()
    return account.stored


def _refuse(outcome: Success | Failure) -> None:
    """Stop at a line that is refused or doubted: the generator makes none."""
    raise SystemExit(f"line {outcome.entry.line}: {outcome}")
