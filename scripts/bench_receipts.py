"""Checking receipts beside the bare signature check of the library underneath, and on two processes."""

import base64
import json
import statistics
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from time import perf_counter
from typing import Any

from bench_report import Row, at_least, cpu_of, interleaved, median_ratio
from bench_work import Work
from nacl.signing import VerifyKey

from pithid.core import receipts
from pithid.core.canonical import Json, load
from pithid.core.digest import Digest
from pithid.core.keys import Keyring, TrustEntry
from pithid.core.mint import mint
from pithid.core.records import CanonicalRecord, Metadata, Source
from pithid.core.signing import SeedSigner

SAMPLE = 2_000
MANY = 100_000
SIGNER = SeedSigner(bytes(range(32)))
KEYRING = Keyring((TrustEntry(SIGNER.key, "bench", "bench"),))


def run(work: Work) -> list[Row]:
    """Compare receipts a CPU second; the many are as many as the run's records, 100,000 at most."""
    documents = [document(number) for number in range(SAMPLE)]
    parsed = [(json.loads(text)["receipt"], digest) for text, digest in documents]
    found = interleaved(
        work.rounds,
        {
            "bare": lambda: cpu_of(lambda: bare(parsed)),
            "check": lambda: cpu_of(lambda: check(parsed)),
            "whole": lambda: cpu_of(lambda: whole([text for text, _ in documents])),
        },
    )
    rates = {name: SAMPLE / statistics.median(seconds) for name, seconds in found.items()}
    many = min(MANY, max(SAMPLE, work.records))
    seconds = [_wall(many, workers) for workers in (1, 2)]
    return [
        Row("PyNaCl verify", rates["bare"], "receipts/CPU-s", note="the signature alone"),
        Row("receipts.check", rates["check"], "receipts/CPU-s", note="every member, key, base64, signature"),
        Row("record document: load, mint, check", rates["whole"], "receipts/CPU-s"),
        at_least("receipts.check against PyNaCl", median_ratio(found["bare"], found["check"]), "x", 0.8),
        Row("the whole document against PyNaCl", median_ratio(found["bare"], found["whole"]), "x"),
        Row(f"{many:,} documents, 2 processes", seconds[1], "s wall", note="their making not counted"),
        at_least("2 processes against 1", seconds[0] / seconds[1], "x", 1.4, "wall time: needs two free cores"),
    ]


@cache
def document(number: int) -> tuple[str, Digest]:
    """Return an invented record with its receipt as JSON text, and the record's digest."""
    metadata = Metadata(f"{number:064x}", f"{number:064x}", "cs.DL", (), "", "2020-12-31T23:59:59Z")
    minted = mint(CanonicalRecord(Source("arxiv", f"2101.{number % 99_999 + 1:05}", number // 99_999 + 1), metadata))
    receipt = receipts.issue(minted.digest, SIGNER, "bench", now="2021-01-01T00:00:00Z", builder="bench")
    text = json.dumps({"canonical_record": minted.record.to_json(), "receipt": receipt})
    return text, minted.digest


def bare(parsed: list[tuple[dict[str, str], Digest]]) -> None:
    """Check the signatures and nothing else."""
    key = VerifyKey(SIGNER.key.raw)
    for receipt, digest in parsed:
        key.verify(digest.value, base64.b64decode(receipt["signature_b64"]))


def check(parsed: list[tuple[dict[str, Json], Digest]]) -> None:
    """Check receipts against digests that are known."""
    for receipt, digest in parsed:
        if receipts.check(receipt, digest, KEYRING).reasons:
            raise SystemExit("a good receipt was refused")


def whole(texts: list[str]) -> int:
    """Load documents, mint their records, check their receipts; return how many hold."""
    good = 0
    for text in texts:
        value: Any = load(text)
        digest = mint(CanonicalRecord.from_json(value["canonical_record"])).digest
        good += not receipts.check(value["receipt"], digest, KEYRING).reasons
    return good


def _wall(many: int, workers: int) -> float:
    shares = [[document(number)[0] for number in range(start, many, workers)] for start in range(workers)]
    with ProcessPoolExecutor(workers) as pool:
        list(pool.map(whole, [[]] * workers))  # the processes are started before the clock
        started = perf_counter()
        if sum(pool.map(whole, shares)) != many:
            raise SystemExit("a good receipt was refused")
        return perf_counter() - started
