"""`Index.resolve` beside the bare look-up it cannot do without: the same statement, on the same file."""

import random
import sqlite3
import statistics
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from time import process_time

from bench_report import Row, at_least, interleaved, median_ratio
from bench_work import Work

from pithid.recognise import identify
from pithid.service.index import Index
from pithid.store import schema

SAMPLE = 10_000
CHUNK = 500
"""Texts timed at a stretch, before the other side has its turn."""
GOAL, GOAL_FULL = 0.75, 0.70

_PAPER = "SELECT arxiv, version, number, submitted / 10000000000 FROM record"


@dataclass(frozen=True, slots=True)
class Form:
    """One way to write an identifier: its texts, and what the bare look-up of each is given."""

    name: str
    texts: Sequence[str]
    sql: str
    values: Sequence[tuple[str | int, ...]]
    goal: float | None


def run(work: Work) -> list[Row]:
    """Compare every form, then time the recogniser alone."""
    path = work.index()
    with Index.open(str(path)) as index, closing(_raw(path)) as database, index.reading():
        database.execute("BEGIN")
        forms = _forms(_papers(database))
        rows = [_compared(form, index, database, work.rounds) for form in forms]
        rows.append(_one_by_one(forms[0], path, database, work.rounds))
    for form in forms:
        micro = statistics.median(_per_text(identify, form.texts) for _ in range(work.rounds))
        rows.append(Row(f"identify alone, {form.name}", micro, "us", note=form.texts[0]))
    return rows


def _raw(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None)


def _papers(database: sqlite3.Connection) -> list[tuple[str, int, str, int]]:
    """Return a fixed choice of records, in no order."""
    papers: list[tuple[str, int, str, int]] = database.execute(_PAPER).fetchall()
    source = random.Random(2)  # noqa: S311 - a sample, no secret
    return source.sample(papers, min(SAMPLE, len(papers)))


def _forms(papers: list[tuple[str, int, str, int]]) -> list[Form]:
    ids = [(arxiv,) for arxiv, _, _, _ in papers]
    versions = [(arxiv, version) for arxiv, version, _, _ in papers]
    prefixes = [(number[:8], number[:8], 2) for _, _, number, _ in papers]
    numbers = [(number,) for _, _, number, _ in papers]
    full = [f"pith:{year:04}:{number}" for _, _, number, year in papers]

    def spelt(name: str, pattern: str, goal: float | None = GOAL) -> Form:
        return Form(name, [pattern.format(arxiv) for (arxiv,) in ids], schema.LATEST, ids, goal)

    return [
        spelt("arXiv id", "{}"),
        Form("id with version", [f"{a}v{v}" for a, v in versions], schema.AT_VERSION, versions, GOAL),
        spelt("arXiv DOI", "10.48550/arxiv.{}"),
        spelt("arXiv DOI as DataCite writes it", "10.48550/arXiv.{}"),
        spelt("arXiv DOI as URL", "https://doi.org/10.48550/arXiv.{}", None),
        spelt("abs URL", "https://arxiv.org/abs/{}"),
        Form("8 characters, pith:", [f"pith:{p}" for p, _, _ in prefixes], schema.WITH_PREFIX, prefixes, GOAL),
        Form("8 characters, bare", [p for p, _, _ in prefixes], schema.WITH_PREFIX, prefixes, GOAL),
        Form("full number", full, schema.WITH_NUMBER, numbers, GOAL_FULL),
        Form("26 characters, bare", [n for (n,) in numbers], schema.WITH_NUMBER, numbers, None),
        spelt("id in a reference", "A. Author, A title, arXiv:{} [cs.DL]", None),
    ]


def _compared(form: Form, index: Index, database: sqlite3.Connection, rounds: int) -> Row:
    """Return how near `resolve` comes to the bare look-up: its share of the other's rate."""
    _check(form, index, database)
    ratios, raw_best, own_best = list[float](), list[float](), list[float]()
    for _ in range(rounds):
        raw = own = 0.0
        for start in range(0, len(form.texts), CHUNK):
            texts, values = form.texts[start : start + CHUNK], form.values[start : start + CHUNK]
            # Each side is the first to touch the pages of every other stretch.
            if start // CHUNK % 2:
                raw += _seconds_raw(database, form.sql, values)
                own += _seconds(index.resolve, texts)
            else:
                own += _seconds(index.resolve, texts)
                raw += _seconds_raw(database, form.sql, values)
        ratios.append(raw / own)
        raw_best.append(raw)
        own_best.append(own)
    raw_micro, own_micro = (1e6 * statistics.median(many) / len(form.texts) for many in (raw_best, own_best))
    name, value = f"resolve, {form.name}", statistics.median(ratios)
    note = f"{own_micro:.1f} us, bare look-up {raw_micro:.1f} us"
    return Row(name, value, "x", note=note) if form.goal is None else at_least(name, value, "x", form.goal, note)


def _one_by_one(form: Form, path: Path, database: sqlite3.Connection, rounds: int) -> Row:
    """Return what a bare look-up costs outside a transaction, against inside one."""
    with closing(_raw(path)) as alone:
        found = interleaved(
            rounds,
            {
                "alone": lambda: _seconds_raw(alone, form.sql, form.values),
                "held": lambda: _seconds_raw(database, form.sql, form.values),
            },
        )
    ratio = median_ratio(found["alone"], found["held"])
    return Row("bare look-up outside a transaction, CPU", ratio, "x", note="the file is in WAL mode")


def _check(form: Form, index: Index, database: sqlite3.Connection) -> None:
    """Stop unless both sides answer alike; a prefix may also be ambiguous."""
    for text, values in zip(form.texts, form.values, strict=True):
        found = index.resolve(text)
        if tuple(database.execute(form.sql, values).fetchone()) not in found.matches:
            raise SystemExit(f"{text} resolves to {found}")


def _seconds_raw(database: sqlite3.Connection, sql: str, values: Sequence[tuple[str | int, ...]]) -> float:
    execute = database.execute
    started = process_time()
    for one in values:
        execute(sql, one).fetchone()
    return process_time() - started


def _seconds(call: Callable[[str], object], texts: Sequence[str]) -> float:
    started = process_time()
    for text in texts:
        call(text)
    return process_time() - started


def _per_text(call: Callable[[str], object], texts: Sequence[str]) -> float:
    return 1e6 * _seconds(call, texts) / len(texts)
