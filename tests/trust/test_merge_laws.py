"""The merge is a function of a set: order, repetition, grouping and clocks cannot matter, and nothing gets lost."""

import ast
import itertools
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pithid.core.canonical import MAX_INT, Json, received_bytes
from pithid.core.events import CheckedEvent, check
from pithid.core.keys import Keyring
from pithid.core.merge import join_aliases, merge
from tests.trust.worlds import ALICE, KEYRING, REGISTRY, TIMES, check_world, record, world

WORLDS = 2000
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-MAX_INT, MAX_INT)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)
EVENT = REGISTRY.event("correction", record(), {"text": "x"})
ALMOST: st.SearchStrategy[Any] = st.builds(
    lambda changes, gone: {name: value for name, value in {**EVENT, **changes}.items() if name not in gone},
    st.dictionaries(st.sampled_from(sorted(EVENT)), JSON | st.sampled_from([*EVENT.values()]), max_size=4),
    st.sets(st.sampled_from(sorted(EVENT)), max_size=1),
)
ROW: st.SearchStrategy[Any] = JSON | st.fixed_dictionaries(
    {
        "alias_kind": st.sampled_from(["arxiv", "doi", "zz"]) | JSON,
        "alias_value": st.sampled_from(["1", "2"]) | JSON,
        "created_at": st.sampled_from([*TIMES, "", "soon"]) | JSON,
    }
)


def test_worlds() -> None:
    """In 2,000 random worlds every law holds, and every kind of event, reason and contradiction has occurred."""
    counts = Counter[str]()
    for seed in range(WORLDS):
        made = world(seed)
        try:
            check_world(made, counts)
        except AssertionError as error:
            error.add_note(f"in world({seed})")
            raise
    assert counts["worlds"] == WORLDS
    occurred = """valid invalid damaged retired loose event_shape subject_mismatch content_sha256 event_id signer_shape
        signer_mismatch signer_not_allowed signature_shape signature_encoding signed_at key_unknown key_revoked
        key_outside_validity signature_invalid record_shape""".split()
    places = [f"equivocation {kind}" for kind in ("chain", "replace", "root", "instant")]
    assert {name for name in (*occurred, *places) if counts[name] < 10} == set()


@settings(max_examples=300)
@given(st.lists(JSON | ALMOST, max_size=4), st.lists(ROW, max_size=4))
def test_total(events: list[Json], rows: list[Json]) -> None:
    """Any JSON values may come in: nothing is raised, nothing forged is applied, and reversing changes nothing."""
    merged = merge(record(), events, rows, KEYRING)
    assert {one.event_id for one in merged.valid} <= {str(EVENT["event_id"])}
    distinct = {received_bytes(event) for event in events}
    assert len(merged.invalid) + len(merged.damaged) <= len(distinct)
    backwards = merge(record(), events[::-1], rows[::-1], KEYRING)
    assert received_bytes(backwards.state) == received_bytes(merged.state)


@settings(max_examples=300)
@given(st.lists(ROW, max_size=6), st.lists(ROW, max_size=6), st.lists(ROW, max_size=6))
def test_aliases_join(one: list[Json], two: list[Json], three: list[Json]) -> None:
    """Joining alias tables is commutative, associative and idempotent."""
    assert join_aliases(one + two) == join_aliases(two + one)
    assert join_aliases(join_aliases(one + two) + three) == join_aliases(one + join_aliases(two + three))
    assert join_aliases(join_aliases(one)) == join_aliases(one) == join_aliases(one + one)


def _row(time: str) -> Json:
    return {"alias_kind": "arxiv", "alias_value": "1", "created_at": time}


@pytest.mark.parametrize(
    ("early", "late"),
    [
        ("2026-07-05T01:44:30Z", "2026-07-05T01:44:30.000001Z"),
        ("2026-07-05T01:44:29.999999+00:00", "2026-07-05T01:44:30Z"),
        ("0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z"),
        ("9999-12-31T23:59:59.000001Z", "9999-12-31T23:59:59.000002+00:00"),
        ("9999-12-31T23:59:59.1Z", "9999-12-31T23:59:59.100001+00:00"),
        ("9999-12-31T23:59:59.99999Z", "9999-12-31T23:59:59.999991+00:00"),
        ("9999-12-31T23:59:59Z", "soon"),
        ("2026-07-05T01:44:30+00:00", "2026-07-05T01:44:30Z"),
    ],
)
def test_earliest_alias(early: str, late: str) -> None:
    """The earliest instant of an alias is kept to the microsecond; a text that is no time never wins."""
    for rows in itertools.permutations([_row(early), _row(late)]):
        assert join_aliases(rows) == [_row(early)]


@pytest.mark.parametrize("size", [1, 2, 3, 8])
def test_cycles(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were there a cycle of replacements, which hashes rule out, the walk would still end, with all retired."""
    ids = [f"sha256:{bytes([index]).hex() * 32}" for index in range(size)]
    events: list[Json] = [
        {**EVENT, "event_id": name, "supersedes": [ids[(index + 1) % size]]} for index, name in enumerate(ids)
    ]

    def cyclic(raw: Json, subject: str, keyring: Keyring) -> CheckedEvent:
        del subject, keyring
        assert isinstance(raw, dict)
        return CheckedEvent(raw, bytes.fromhex(str(raw["event_id"])[7:]), (), REGISTRY.entry())

    monkeypatch.setattr("pithid.core.merge.check", cyclic)
    merged = merge(record(), events, [], KEYRING)
    assert merged.retired == set(ids)
    assert merged.state["valid_event_count"] == size


def test_no_suppression() -> None:
    """Nobody but its own key retires a statement; the attempt is reported and has no effect."""
    said = ALICE.event("correction", record(), {"text": "mine"})
    attempt = REGISTRY.event("correction", record(), {"text": "not yours"}, supersedes=[said["event_id"]])
    merged = merge(record(), [said, attempt], [], KEYRING)
    assert not merged.retired
    assert merged.loose == ((attempt["event_id"], said["event_id"]),)


def test_late_replacement_keeps_evidence() -> None:
    """Replacing one side of a contradiction later does not erase the evidence."""
    first = REGISTRY.event("correction", record(), {"text": "1"})
    second = REGISTRY.event("correction", record(), {"text": "2"})
    third = REGISTRY.event("correction", record(), {"text": "3"}, supersedes=[second["event_id"]], created_at=TIMES[4])
    merged = merge(record(), [first, second, third], [], KEYRING)
    assert merged.retired == {second["event_id"]}
    assert {one.event_id for group in merged.equivocations for one in group} == {first["event_id"], second["event_id"]}


def test_chain_of_replacements_is_no_contradiction() -> None:
    """Events of one position that replace each other in a chain contradict nothing."""
    events: list[Json] = []
    previous: list[Json] = []
    for number in range(12):
        event = REGISTRY.event("correction", record(), {"n": number}, supersedes=previous)
        previous = [event["event_id"]]
        events.append(event)
    merged = merge(record(), events[::-1], [], KEYRING)
    assert merged.state["equivocation_count"] == 0
    assert len(merged.retired) == 11


def test_many_replacements_take_linear_time() -> None:
    """A key that fills one position 2,000 times, each event replacing the last, costs little more than checking."""
    events: list[Json] = []
    previous: list[Json] = []
    for number in range(2000):
        event = ALICE.event("correction", record(), {"n": number}, supersedes=previous)
        previous = [event["event_id"]]
        events.append(event)
    start = time.process_time()
    for signed in events:
        check(signed, str(record().number), KEYRING)
    checked = time.process_time()
    merged = merge(record(), events, [], KEYRING)
    assert time.process_time() - checked < 6 * (checked - start)
    assert merged.state["equivocation_count"] == 0


@pytest.mark.parametrize("module", ["times", "keys", "signing", "seals", "receipts", "events", "merge", "verify"])
def test_no_clock(module: str, root: Path) -> None:
    """Nothing that checks or merges can ask for the time of day, as it has no way to."""
    tree = ast.parse((root / "pithid" / "core" / f"{module}.py").read_text(encoding="utf-8"))
    called = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert not called & {"now", "utcnow", "today", "time_ns", "monotonic"}
    assert "time" not in imported
