#!/usr/bin/env python3
"""Change the public bundle in every way there is, one step at a time, and count what goes unnoticed.

Prints a table; exit 1 if anything survives but another valid time in the one leaf that nothing signs. With `--worlds N`
also holds N random worlds of events to the laws of the merge. The tests run a sample of the same.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from pithid.core.canonical import Json, load  # noqa: E402
from pithid.core.errors import InvalidDocument  # noqa: E402
from pithid.core.keys import Keyring  # noqa: E402
from pithid.core.verify import verify_bundle  # noqa: E402
from tests.trust.mutations import (  # noqa: E402
    FREE,
    Mutation,
    duplicated_keys,
    flip_outcome,
    leaf_mutations,
    repaired,
    sampled_bits,
    structure_mutations,
)
from tests.trust.signers import read_trust  # noqa: E402
from tests.trust.worlds import check_world, world  # noqa: E402

SEED = ROOT / "data" / "seeds" / "bundle-2010.10458v1.json"
BATCH = 500


@cache
def keyring() -> Keyring:
    """Return the pinned key."""
    return read_trust(ROOT / "data" / "trusted_keys.json")


@cache
def genuine() -> Json:
    """Return the public bundle."""
    return load(SEED.read_bytes())


def failing(value: Json) -> list[str]:
    """Return the names of the failing checks, each without what follows a blank."""
    return sorted(
        {check.name.split(" ")[0] for check in verify_bundle(value, keyring()).checks if check.result == "failed"}
    )


def flips(bits: list[int]) -> Counter[str]:
    """Return the outcomes of flipped bits."""
    data = SEED.read_bytes()
    return Counter(flip_outcome(data, bit, genuine(), keyring()) for bit in bits)


def worlds(seeds: list[int]) -> Counter[str]:
    """Return what occurred in random worlds; an AssertionError names a law that does not hold."""
    counts = Counter[str]()
    for seed in seeds:
        check_world(world(seed), counts)
    return counts


def batches(items: list[int]) -> Iterator[list[int]]:
    """Yield the items in batches."""
    return (items[start : start + BATCH] for start in range(0, len(items), BATCH))


def unnoticed(mutations: Iterable[Mutation], caught: Counter[str]) -> tuple[int, list[str]]:
    """Return how many mutations there are and where one survives; `caught` learns which checks caught leaves."""
    total, survivors = 0, []
    leaves: dict[str, set[str]] = {}
    for mutation in mutations:
        total += 1
        names = failing(mutation.value)
        leaves.setdefault(mutation.name, set()).update(names)
        if not names:
            survivors.append(mutation.name)
    for names_of_leaf in leaves.values():
        caught.update(names_of_leaf)
        if len(names_of_leaf) == 1:
            caught.update(f"{name} alone" for name in names_of_leaf)
    return total, survivors


def refused(texts: Iterable[tuple[str, str]]) -> tuple[int, int]:
    """Return how many texts with a member twice there are, and how many the loader lets through."""
    total = passed = 0
    for _, text in texts:
        total += 1
        try:
            load(text)
        except InvalidDocument:
            continue
        passed += 1
    return total, passed


def report(what: str, total: int, survived: int, note: str, start: float) -> None:
    """Print a row of the table."""
    print(f"| {what} | {total:,} | {survived:,} | {note} | {time.perf_counter() - start:.1f} s |", flush=True)


def main() -> int:
    """Run everything and print the table."""
    parser = argparse.ArgumentParser(description="Mutate the public bundle and count what goes unnoticed.")
    parser.add_argument("--bits", type=int, default=None, help="flip only so many bits, chosen by a fixed seed")
    parser.add_argument("--worlds", type=int, default=0, help="also check the merge in so many random worlds")
    parser.add_argument("--jobs", type=int, default=2, help="processes for bits and worlds")
    options = parser.parse_args()
    bundle = genuine()
    if not isinstance(bundle, dict):
        sys.exit(f"mutate_bundle: {SEED} holds no object")
    unsigned: Json = {name: value for name, value in bundle.items() if name != "bundle_signature"}
    bad, caught = 0, Counter[str]()
    print("| change | tried | unnoticed | note | time |\n| --- | --- | --- | --- | --- |")

    start = time.perf_counter()
    total, survivors = unnoticed(leaf_mutations(bundle), caught)
    bad += sum(name != FREE for name in survivors)
    report("leaves", total, len(survivors), f"at {', '.join(sorted(set(survivors)))}", start)

    start = time.perf_counter()
    total, survivors = unnoticed(structure_mutations(bundle), Counter())
    bad += sum(name != "$.bundle_signature" for name in survivors)
    report("structure", total, len(survivors), "the signature left out: reported as absent", start)

    start = time.perf_counter()
    total, passed = refused(duplicated_keys(bundle))
    bad += passed
    report("members written twice", total, passed, "refused by the loader", start)

    start = time.perf_counter()
    mended = (Mutation("leaf", m.path, repaired(m, keyring())) for m in leaf_mutations(bundle))
    total, survivors = unnoticed(mended, Counter())
    bad += sum(name != FREE for name in survivors)
    report("leaves, unkeyed hashes repaired", total, len(survivors), "at the same leaf", start)

    start = time.perf_counter()
    mended = (Mutation("leaf", m.path, repaired(m, keyring())) for m in leaf_mutations(unsigned))
    total, survivors = unnoticed(mended, Counter())
    labelled = set(verify_bundle(unsigned, keyring()).unsigned)
    bad += len(set(survivors) ^ labelled)
    report(
        "leaves, repaired, without signature", total, len(survivors), f"at the {len(labelled)} labelled leaves", start
    )

    size = len(SEED.read_bytes()) * 8
    bits = list(range(size)) if options.bits is None else sampled_bits(SEED.read_bytes(), options.bits, seed=2026)
    with ProcessPoolExecutor(options.jobs) as pool:
        start = time.perf_counter()
        outcomes = sum(pool.map(flips, batches(bits)), Counter[str]())
        bad += outcomes["survived"] + outcomes["same"]
        note = f"{outcomes['malformed']:,} malformed; {outcomes['signed_at']} in the one unsigned leaf"
        report(
            "single bits of the file", len(bits), len(bits) - outcomes["malformed"] - outcomes["failed"], note, start
        )
        start = time.perf_counter()
        seen = sum(pool.map(worlds, batches(list(range(options.worlds)))), Counter[str]())
    if options.worlds:
        report("random worlds", seen["worlds"], 0, f"{seen['inputs']:,} inputs", start)

    print("\nLeaves caught, by check: " + ", ".join(f"{name} {count}" for name, count in caught.most_common()))
    if seen:
        print("In the worlds: " + ", ".join(f"{name} {count:,}" for name, count in seen.most_common()))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
