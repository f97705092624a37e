"""Minting beside the least that the standard library needs for it: parsing the line and hashing three texts."""

import hashlib
import io
import json
import statistics
from collections.abc import Iterable, Sequence

from bench_report import Row, cpu_of, interleaved, median_ratio
from bench_work import Work

from pithid.formats.metadata import open_entries
from pithid.service.mint import Failure, mint_entries

SAMPLE = 10_000
_RECORD = b"x" * 420
"""As long as a canonical record."""


def run(work: Work) -> list[Row]:
    """Compare records a CPU second."""
    lines = work.sample(SAMPLE)
    data = b"".join(lines)
    found = interleaved(
        work.rounds, {"mint": lambda: cpu_of(lambda: mint(data)), "floor": lambda: cpu_of(lambda: floor(lines))}
    )
    rates = {name: len(lines) / statistics.median(seconds) for name, seconds in found.items()}
    return [
        Row("mint_entries(open_entries(...))", rates["mint"], "records/CPU-s", note=f"{len(lines)} lines"),
        Row("floor: json.loads and 3 sha256", rates["floor"], "records/CPU-s"),
        Row("mint against the floor", median_ratio(found["floor"], found["mint"]), "x"),
    ]


def mint(data: bytes) -> int:
    """Mint every line; return how many were minted."""
    minted = 0
    for outcome in mint_entries(open_entries(io.BytesIO(data), name="kaggle")):
        if isinstance(outcome, Failure):
            raise SystemExit(f"line {outcome.entry.line}: {outcome.error}")
        minted += len(outcome.minted.digest.base32) == 26
    return minted


def floor(lines: Iterable[bytes]) -> Sequence[str]:
    """Parse every line and take the three hashes, of texts as they are."""
    sha256, kept = hashlib.sha256, list[str]()
    for line in lines:
        item = json.loads(line)
        sha256(item["title"].encode()).hexdigest()
        sha256(item["abstract"].encode()).hexdigest()
        kept.append(sha256(_RECORD).hexdigest())
    return kept
