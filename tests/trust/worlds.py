"""Random worlds of events about one record, with the truth about each event, and the laws a merge must keep in them.

The truth is known because the world made the events. What follows from it (order, retirement, contradictions) is worked
out here a second time, straight from the rules and without regard to speed.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache

from pithid.core.canonical import Json, received_bytes
from pithid.core.events import GRAPH_SNAPSHOT, RECORD_CREATED, STATE_LISTS, TYPES
from pithid.core.keys import Keyring
from pithid.core.merge import Merged, join_aliases, merge, state_sha256
from pithid.core.mint import Minted, mint
from pithid.core.paper import Paper
from tests.trust.mutations import put
from tests.trust.signers import Party

Event = dict[str, Json]

REGISTRY = Party.registry("registry", "registry-2026")
BOUNDED = Party.registry("bounded registry", "bounded-2026", "bounded.test")
REVOKED = Party.registry("revoked registry", "revoked-2026", "revoked.test")
UNKNOWN = Party.registry("unknown registry", "unknown-2026", "unknown.test")
IMPOSTOR = Party.registry("impostor", "registry-2026")
ALICE, BOB = Party.author("alice"), Party.author("bob")
KEYRING = Keyring(
    (
        REGISTRY.entry(),
        BOUNDED.entry(valid_from="2026-01-01T00:00:00Z", valid_until="2026-01-01T00:00:02Z"),
        REVOKED.entry(revoked=True),
    )
)
TIMES = (
    "2026-01-01T00:00:01Z",
    "2026-01-01T00:00:01+00:00",
    "2026-01-01T00:00:01.000000Z",
    "2026-01-01T00:00:02.5Z",
    "2026-01-01T00:00:10Z",
    "2025-12-31T23:59:59.999999Z",
)
MISSING = tuple(f"sha256:{digit * 64}" for digit in "0a")
_ALLOWED = frozenset(TYPES - {RECORD_CREATED, GRAPH_SNAPSHOT})
_INSTANT = frozenset({GRAPH_SNAPSHOT, "author_attestation", "correction"})


@cache
def record(title: str = "A title") -> Minted:
    """Return a minted record."""
    return mint(Paper("2101.00001", 1, title, "An abstract.", "cs.DL", "2020-12-31T23:59:59Z").record())


@dataclass(slots=True)
class World:
    """Inputs of a merge and the truth about them.

    Attributes:
        inputs: what the mirrors hold: events and other values, in no order, with repetitions.
        rows: alias rows and other values.
        genuine: the intact events by id, as their signers made them.
        seed: what the world was made from.
    """

    seed: int
    inputs: list[Json] = field(default_factory=list)
    rows: list[Json] = field(default_factory=list)
    genuine: dict[str, Event] = field(default_factory=dict)


def world(seed: int) -> World:
    """Return the world of a seed."""
    rng = random.Random(seed)  # noqa: S311 - a sample, no secret
    made = World(seed)
    for _ in range(rng.randint(2, 9)):
        _add_event(made, rng)
    for event in list(made.genuine.values()):
        for change in rng.sample(_CHANGES, rng.choice((0, 0, 1, 2))):
            made.inputs.append(change(event, rng))
    made.inputs += rng.sample(_JUNK, rng.randint(0, 3))
    made.inputs += rng.sample(made.inputs, rng.randint(0, 2))
    made.rows = list(_rows(rng))
    rng.shuffle(made.inputs)
    return made


def _add_event(made: World, rng: random.Random) -> None:
    party = rng.choice((*[REGISTRY] * 7, *[ALICE] * 4, BOB, BOUNDED, REVOKED, UNKNOWN, IMPOSTOR))
    kind = rng.choice((*[RECORD_CREATED] * 4, *sorted(_INSTANT) * 3, *sorted(_ALLOWED)))
    created_at = rng.choice(TIMES[:3] if rng.random() < 0.6 else TIMES)
    about = record() if rng.random() < 0.95 else record("Another title")
    known = [*made.genuine, *MISSING]
    supersedes = rng.sample(known, min(len(known), rng.choice((0, 0, 1, 1, 2))))
    payload: dict[str, Json] = {"n": rng.randrange(3)}
    if kind == RECORD_CREATED:
        receipt = party.receipt(about, now=rng.choice(TIMES))
        created = party.created(about, created_at=created_at, receipt=receipt)["payload"]
        payload = created if isinstance(created, dict) and rng.random() < 0.9 else {}
    event = party.event(
        kind,
        about,
        payload,
        target=rng.choice(("record", "graph")),
        created_at=created_at,
        supersedes=supersedes,
        prev_event=None if rng.random() < 0.6 else rng.choice(known),
    )
    made.inputs.append(event)
    registry = party is REGISTRY or (party is BOUNDED and created_at.startswith("2026-01-01T00:00:01"))
    allowed = registry or (party in {ALICE, BOB} and kind in _ALLOWED)
    if allowed and about is record() and (kind != RECORD_CREATED or payload):
        made.genuine[str(event["event_id"])] = event


# --- other envelopes, damage, forgery ---


def _other_time(event: Event, rng: random.Random) -> Json:
    return put(event, ("signature", "signed_at"), rng.choice(("2030-01-01T00:00:00Z", "2026-01-01T00:00:00.1+00:00")))


def _broken_signature(event: Event, rng: random.Random) -> Json:
    return put(event, ("signature", "signature_b64"), rng.choice(("", "A" * 86 + "==", "AAAA")))


def _no_time(event: Event, rng: random.Random) -> Json:
    return put(event, ("signature", "signed_at"), rng.choice(("", None, "now")))


def _other_id(event: Event, rng: random.Random) -> Json:
    return {**event, rng.choice(("event_id", "content_sha256")): rng.choice((MISSING[0], None, ""))}


def _without(event: Event, rng: random.Random) -> Json:
    gone = rng.choice(sorted(event))
    return {name: value for name, value in event.items() if name != gone}


def _more(event: Event, rng: random.Random) -> Json:
    where: tuple[str, ...] = rng.choice(((), ("signature",), ("signer",), ("payload",)))
    holder = event[where[0]] if where else event
    return put(event, where, {**(holder if isinstance(holder, dict) else {}), "zz": 1})


def _other_content(event: Event, rng: random.Random) -> Json:
    return put(event, ("payload",), {"forged": rng.randrange(3)})


def _other_signer(event: Event, rng: random.Random) -> Json:
    name = rng.choice(("signer_id", "signer_type", "key_id", "public_key_fingerprint"))
    return put(event, ("signer", name), rng.choice(("pith_registry", ALICE.who.signer_id, "", None)))


_CHANGES: list[Callable[[Event, random.Random], Json]] = [
    *(_other_time, _other_time, _broken_signature, _no_time, _other_id),
    *(_without, _more, _other_content, _other_signer),
]
_JUNK: list[Json] = [None, True, 1, 1.0, 1.5, 1e16, "", "sha256:", "é\u2028", [], {}, [[]]]
_JUNK += [{"event_id": MISSING[0]}, {"event_id": [1]}, {"": {"": []}}]
_JUNK += [{"event_type": RECORD_CREATED, "payload": None}]


def _rows(rng: random.Random) -> Iterator[Json]:
    for alias in record().aliases:
        for _ in range(rng.choice((0, 1, 1, 2, 3))):
            yield {"alias_kind": alias.kind, "alias_value": alias.value, "created_at": rng.choice((*TIMES, "soon", ""))}
    if rng.random() < 0.3:
        odd: list[Json] = [None, 1, "x", [], {"alias_kind": "arxiv"}, {"alias_kind": 1, "alias_value": ""}]
        yield rng.choice(odd)
    if rng.random() < 0.2:
        yield {"alias_kind": "doi", "alias_value": "10.1/other", "created_at": rng.choice(TIMES)}


# --- what must follow, worked out again ---


@dataclass(frozen=True, slots=True)
class Truth:
    """What follows from the genuine events: their order, who is retired, and the contradictions by position."""

    order: list[str]
    retired: set[str]
    torn: list[tuple[str, tuple[str, ...]]]


def _said(event: Event, name: str) -> list[str]:
    value = event[name]
    return [str(item) for item in value] if isinstance(value, list) else []


def _owner(event: Event) -> str:
    signer = event["signer"]
    return str(signer["public_key_fingerprint"]) if isinstance(signer, dict) else ""


def _moment(event: Event) -> datetime:
    return datetime.fromisoformat(str(event["created_at"]))


def truth(genuine: dict[str, Event]) -> Truth:
    """Work out what follows, by definition."""
    direct = {
        name: {old for old in _said(event, "supersedes") if old in genuine and _owner(genuine[old]) == _owner(event)}
        for name, event in genuine.items()
    }
    reach = {name: set(old) for name, old in direct.items()}
    for _ in genuine:
        for replaced in reach.values():
            replaced.update(*(reach[old] for old in list(replaced)))
    places: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for name, event in genuine.items():
        for kind, place in _places(event):
            places[_owner(event), kind, place].append(name)
    torn = []
    for (_, kind, _), group in places.items():
        apart = {a for a in group for b in group if a != b and a not in reach[b] and b not in reach[a]}
        if apart:
            torn.append((kind, tuple(sorted(apart))))
    order = sorted(genuine, key=lambda n: (genuine[n]["event_type"] != RECORD_CREATED, _moment(genuine[n]), n))
    return Truth(order, set[str]().union(*direct.values()), sorted(torn))


def _places(event: Event) -> Iterator[tuple[str, str]]:
    for old in _said(event, "supersedes"):
        yield "replace", old
    kind = str(event["event_type"])
    if event["prev_event"] is not None:
        yield "chain", str(event["prev_event"])
    elif kind == RECORD_CREATED:
        yield "root", ""
    elif kind in _INSTANT:
        yield "instant", f"{kind}|{event['target']}|{_moment(event)}"


# --- the laws ---


def kept(merged: Merged) -> list[Json]:
    """Return all that a replica has to keep after a merge."""
    return [one.raw for one in (*merged.valid, *merged.invalid, *merged.damaged)]


def _merge(events: Sequence[Json], rows: Sequence[Json]) -> Merged:
    return merge(record(), events, rows, KEYRING)


def _shape(merged: Merged) -> bytes:
    reported: list[Json] = [[one.raw for one in part] for part in (merged.invalid, merged.damaged)]
    pairs: list[Json] = [[one, old] for one, old in merged.loose]
    return received_bytes([merged.state, *reported, [*sorted(merged.retired)], pairs])


def check_world(made: World, counts: Counter[str]) -> None:
    """Hold one world to every law; `counts` learns what occurred."""
    whole = _merge(made.inputs, made.rows)
    _check_truth(made, whole)
    _check_conservation(made, whole)
    _check_groupings(made, whole)
    _check_keys_apart(made, whole)
    counts.update(
        worlds=1,
        inputs=len(made.inputs),
        valid=len(whole.valid),
        invalid=len(whole.invalid),
        damaged=len(whole.damaged),
        retired=len(whole.retired),
        loose=len(whole.loose),
    )
    counts.update(f"equivocation {entry[0]}" for entry in truth(made.genuine).torn)
    counts.update(reason for one in (*whole.invalid, *whole.damaged) for reason in one.reasons)


def _check_truth(made: World, whole: Merged) -> None:
    """Nothing forged is shown, nothing genuine is missing, and all that follows is as worked out."""
    expected, state = truth(made.genuine), whole.state
    assert state["applied_event_ids"] == expected.order
    assert [one.event_id for one in whole.valid] == expected.order
    assert whole.retired == expected.retired
    current = state["current"]
    assert isinstance(current, dict)
    shown = [name for name in expected.order if name not in expected.retired]
    for kind, member in STATE_LISTS.items():
        ids = [name for name in shown if made.genuine[name]["event_type"] == kind]
        listed = current[member]
        assert isinstance(listed, list)
        assert [item["event_id"] if isinstance(item, dict) else None for item in listed] == ids
    created = [name for name in shown if made.genuine[name]["event_type"] == RECORD_CREATED]
    first = current["record_created"]
    assert (first["event_id"] if isinstance(first, dict) else None) == (created[0] if created else None)
    assert sorted(_evidence(state)) == expected.torn
    assert sorted(tuple(sorted(one.event_id for one in group)) for group in whole.equivocations) == sorted(
        ids for _, ids in expected.torn
    )


def _evidence(state: dict[str, Json]) -> Iterator[tuple[str, tuple[str, ...]]]:
    entries = state["equivocations"]
    assert isinstance(entries, list)
    assert state["equivocation_count"] == len(entries)
    for entry in entries:
        assert isinstance(entry, dict)
        position, ids = entry["position"], entry["event_ids"]
        assert isinstance(position, dict)
        assert isinstance(ids, list)
        yield str(position["kind"]), tuple(sorted(str(name) for name in ids))


def _check_conservation(made: World, whole: Merged) -> None:
    """Each distinct input is applied, listed as invalid, or reported as a damaged copy; the counts add up."""
    applied = {one.event_id for one in whole.valid}
    invalid = {received_bytes(one.raw) for one in whole.invalid}
    damaged = {received_bytes(one.raw) for one in whole.damaged}
    for value in made.inputs:
        whole_event = isinstance(value, dict) and str(value.get("event_id")) in applied
        data = received_bytes(value)
        assert (data in invalid) + (data in damaged) <= 1
        assert data in invalid or data in damaged or whole_event
    distinct = {received_bytes(value) for value in made.inputs}
    assert invalid | damaged <= distinct
    state = whole.state
    listed = state["invalid_events"]
    assert isinstance(listed, list)
    assert len(listed) == len(invalid) == state["invalid_event_count"]
    assert state["valid_event_count"] == len(applied)
    assert state["event_count"] == len(applied) + len(invalid)
    assert state["state_sha256"] == state_sha256(state)


def _check_groupings(made: World, whole: Merged) -> None:
    """Order, repetition, envelopes and the way mirrors were joined do not matter."""
    rng = random.Random(made.seed + 1)  # noqa: S311 - a sample, no secret
    shuffled = made.inputs + rng.sample(made.inputs, len(made.inputs) // 2)
    rng.shuffle(shuffled)
    rows = made.rows + made.rows[:2]
    rng.shuffle(rows)
    assert _shape(_merge(shuffled, rows)) == _shape(whole)
    mirrors: list[tuple[list[Json], list[Json]]] = [([], []), ([], []), ([], [])]
    for index, values in enumerate((made.inputs, made.rows)):
        for value in values:
            for mirror in rng.sample(mirrors, rng.randint(1, 3)):
                mirror[index].append(value)
    one, two, three = mirrors
    left = _joined(_joined(one, two), three)
    right = _joined(one, _joined(three, two))
    for events, aliases in (left, right):
        again = _merge(events, aliases)
        assert received_bytes(again.state) == received_bytes(whole.state)
        assert received_bytes(_merge(kept(again), aliases).state) == received_bytes(whole.state)
    resigned = [
        put(value, ("signature", "signed_at"), "2099-12-31T23:59:59Z")
        if isinstance(value, dict) and value in made.genuine.values()
        else value
        for value in made.inputs
    ]
    assert received_bytes(_merge(resigned, made.rows).state) == received_bytes(whole.state)


def _joined(one: tuple[list[Json], list[Json]], two: tuple[list[Json], list[Json]]) -> tuple[list[Json], list[Json]]:
    """Join two replicas the way a mirror does: keep what the merge reports, and the joined aliases."""
    merged = _merge(one[0] + two[0], one[1] + two[1])
    return kept(merged), join_aliases(join_aliases(one[1]) + two[1])


def _check_keys_apart(made: World, whole: Merged) -> None:
    """What one key retires and contradicts does not depend on what any other key says."""
    owners = {_owner(event) for event in made.genuine.values()}
    retired, torn = set[str](), list[tuple[str, ...]]()
    for owner in owners:
        alone = _merge([event for event in made.genuine.values() if _owner(event) == owner], [])
        retired |= alone.retired
        torn += [tuple(one.event_id for one in group) for group in alone.equivocations]
    assert retired == whole.retired
    assert sorted(torn) == sorted(tuple(one.event_id for one in group) for group in whole.equivocations)
