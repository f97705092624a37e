"""Figures, their goals, and the table they are printed in; and how two things are timed side by side."""

import os
import platform
import sqlite3
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from time import process_time


@dataclass(frozen=True, slots=True)
class Row:
    """One figure.

    Attributes:
        name: what was measured.
        value: the figure.
        unit: of the figure; `x` is a ratio within this run.
        goal: the goal as text, empty where there is none.
        met: whether the goal was reached, None where there is none.
        note: what a reader needs beside the figure.
    """

    name: str
    value: float
    unit: str
    goal: str = ""
    met: bool | None = None
    note: str = ""


def at_most(name: str, value: float, unit: str, limit: float, note: str = "") -> Row:
    """Return a row whose figure should not exceed `limit`."""
    return Row(name, value, unit, f"<= {limit:g}", value <= limit, note)


def at_least(name: str, value: float, unit: str, limit: float, note: str = "") -> Row:
    """Return a row whose figure should reach `limit`."""
    return Row(name, value, unit, f">= {limit:g}", value >= limit, note)


def table(title: str, rows: Sequence[Row]) -> str:
    """Return the rows as a text table; an arrow marks a goal that was missed."""
    cells = [(row.name, _figure(row), row.goal, {True: "met", False: "<- MISSED", None: ""}[row.met]) for row in rows]
    widths = [max(len(cell[column]) for cell in cells) for column in range(4)]
    written = [f"## {title}"]
    for (name, figure, goal, verdict), row in zip(cells, rows, strict=True):
        line = f"{name:<{widths[0]}}  {figure:>{widths[1]}}  {goal:<{widths[2]}}  {verdict:<{widths[3]}}  {row.note}"
        written.append(line.rstrip())
    return "\n".join(written) + "\n"


def _figure(row: Row) -> str:
    value = f"{row.value:,.0f}" if abs(row.value) >= 1000 or row.unit == "records" else f"{row.value:.3g}"
    return f"{value} {row.unit}"


def machine() -> dict[str, str]:
    """Return what the figures depend on: processor, interpreter, libraries."""
    return {
        "pithid": version("pithid"),
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "typer": version("typer"),
        "sqlite-utils": version("sqlite-utils"),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": f"{os.cpu_count()} {_processor()}",
    }


def _processor() -> str:
    """Return the processor's name, where Linux tells it."""
    facts = Path("/proc/cpuinfo")
    lines = facts.read_text(encoding="utf-8").splitlines() if facts.exists() else []
    return next((line.partition(": ")[2] for line in lines if line.startswith("model name")), platform.processor())


def cpu_of(work: Callable[[], object]) -> float:
    """Return the CPU seconds this process spends on `work`."""
    started = process_time()
    work()
    return process_time() - started


def interleaved(rounds: int, tasks: Mapping[str, Callable[[], float]]) -> dict[str, list[float]]:
    """Run every task once a round, each round from another one on; return what each gave, by round.

    A machine that is slow for a while is then slow for all of them.
    """
    names = list(tasks)
    found: dict[str, list[float]] = {name: [] for name in names}
    for turn in range(rounds):
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            found[name].append(tasks[name]())
    return found


def median_ratio(upper: Sequence[float], lower: Sequence[float]) -> float:
    """Return the median of the ratios round by round."""
    return statistics.median(above / below for above, below in zip(upper, lower, strict=True))
