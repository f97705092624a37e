"""The deterministic merge, `pith-open-graph-merge-v1`: a pure function of a set of events and aliases.

Source: docs/merge.md. The registry's algorithm is not published; what its public state settles is reproduced bit for
bit, and every choice beyond that is ours and lives in this module, behind the merge version.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from pithid.core.canonical import Json, received_bytes
from pithid.core.events import GRAPH_SNAPSHOT, RECORD_CREATED, STATE_LISTS, CheckedEvent, check, object_digest
from pithid.core.keys import Keyring
from pithid.core.mint import Minted
from pithid.core.times import instant

MERGE_VERSION = "pith-open-graph-merge-v1"
STATE_TYPE, STATE_VERSION = "pith_open_graph_state", "1.0"

_INSTANT_TYPES = frozenset({GRAPH_SNAPSHOT, "author_attestation", "correction"})
_PROJECTED = ("event_id", "target", "created_at", "signer", "payload")
_NEVER = datetime.max.replace(tzinfo=UTC)
_ALIAS = ("alias_kind", "alias_value", "created_at")


@dataclass(frozen=True, slots=True)
class Merged:
    """The state, and what the merge saw beside it.

    Attributes:
        state: the state object, its hash included.
        valid: the applied events in order, retired ones included.
        invalid: events with reasons, in the order of their object hash.
        damaged: broken copies of events that are there intact; they do not enter the state.
        retired: ids of events that a later one of the same key replaces.
        loose: (event id, target) of replacements without effect, as the target is missing or another key's.
        equivocations: groups of events by which one key contradicts itself.
    """

    state: dict[str, Json]
    valid: tuple[CheckedEvent, ...]
    invalid: tuple[CheckedEvent, ...]
    damaged: tuple[CheckedEvent, ...]
    retired: frozenset[str]
    loose: tuple[tuple[str, str], ...]
    equivocations: tuple[tuple[CheckedEvent, ...], ...]

    @property
    def conflicts(self) -> tuple[tuple[str, ...], ...]:
        """The ids of the events of each equivocation."""
        return tuple(tuple(one.event_id for one in group) for group in self.equivocations)


def merge(minted: Minted, events: Iterable[Json], aliases: Iterable[Json], keyring: Keyring) -> Merged:
    """Merge events and aliases about one record; order, repetition and grouping of the input cannot matter.

    Total on whatever `canonical.load` admits: each value is applied, listed as invalid, or reported as a damaged copy.
    """
    number = str(minted.number)
    checked = {object_digest(raw).value: check(raw, number, keyring) for raw in events}
    ordered = [checked[key] for key in sorted(checked)]
    valid = sorted({one.digest: one for one in reversed(ordered) if not one.reasons}.values(), key=_order)
    intact = {one.digest for one in valid}
    bad = [one for one in ordered if one.reasons]
    damaged = tuple(one for one in bad if one.digest in intact)
    invalid = tuple(one for one in bad if one.digest not in intact)
    retired, loose = _retired(valid)
    groups = equivocations(valid)
    state: dict[str, Json] = {
        "state_type": STATE_TYPE,
        "state_version": STATE_VERSION,
        "pith_number": number,
        "merge_version": MERGE_VERSION,
        "event_count": len(valid) + len(invalid),
        "valid_event_count": len(valid),
        "invalid_event_count": len(invalid),
        "equivocation_count": len(groups),
        "current": _current(minted, valid, retired, aliases),
        "equivocations": [_evidence(position, group) for position, group in groups],
        "invalid_events": [_invalid(one) for one in invalid],
        "applied_event_ids": [one.event_id for one in valid],
    }
    state["state_sha256"] = state_sha256(state)
    return Merged(state, tuple(valid), invalid, damaged, retired, loose, tuple(group for _, group in groups))


def state_sha256(state: dict[str, Json]) -> str:
    """Return the hash of a state: of all its members but the hash itself."""
    rest = {name: value for name, value in state.items() if name != "state_sha256"}
    return hashlib.sha256(received_bytes(rest)).hexdigest()


def join_aliases(aliases: Iterable[Json]) -> list[Json]:
    """Return the union of alias rows: each kind and value once, with the earliest time, in order.

    Rows that are no alias rows are left out, as there is nothing to name them by.
    """
    best: dict[tuple[str, str], str] = {}
    for row in aliases:
        if not isinstance(row, dict) or not all(isinstance(row.get(name), str) for name in _ALIAS):
            continue
        key, time = (str(row["alias_kind"]), str(row["alias_value"])), str(row["created_at"])
        if key not in best or _time_order(time) < _time_order(best[key]):
            best[key] = time
    return [{"alias_kind": kind, "alias_value": value, "created_at": best[kind, value]} for kind, value in sorted(best)]


def _time_order(text: str) -> tuple[bool, datetime, str]:
    moment = instant(text)
    return (moment is None, moment or _NEVER, text)


def _order(one: CheckedEvent) -> tuple[bool, datetime, str]:
    """Sort by: the creation of the record first, then the signed time as an instant, then the id."""
    return (one.event["event_type"] != RECORD_CREATED, one.created_at, one.event_id)


def _key(one: CheckedEvent) -> bytes:
    return one.entry.key.raw if one.entry is not None else b""


def _retired(valid: list[CheckedEvent]) -> tuple[frozenset[str], tuple[tuple[str, str], ...]]:
    """Return the ids that an event of the same key replaces, and the replacements without effect."""
    owner = {one.event_id: _key(one) for one in valid}
    retired, loose = set[str](), list[tuple[str, str]]()
    for one in valid:
        for target in one.supersedes:
            if owner.get(target) == _key(one):
                retired.add(target)
            else:
                loose.append((one.event_id, target))
    return frozenset(retired), tuple(loose)


def _positions(one: CheckedEvent) -> list[tuple[str, str]]:
    """Return the places an event takes up; a key that fills one twice contradicts itself."""
    event = one.event
    places = [("replace", target) for target in one.supersedes]
    if event["prev_event"] is not None:
        return [*places, ("chain", str(event["prev_event"]))]
    kind = str(event["event_type"])
    if kind == RECORD_CREATED:
        places.append(("root", kind))
    elif kind in _INSTANT_TYPES:
        places.append(("instant", f"{kind} {event['target']} {one.created_at.isoformat()}"))
    return places


def equivocations(valid: list[CheckedEvent]) -> list[tuple[tuple[str, str], tuple[CheckedEvent, ...]]]:
    """Return the positions that one key fills twice, as (kind, place), with the events that contradict each other.

    Sets of events are bits of integers: one key may fill a position 20,000 times, too often to look at all pairs.
    """
    groups: dict[tuple[bytes, str, str], list[int]] = defaultdict(list)
    for number, one in enumerate(valid):
        for kind, at in _positions(one):
            groups[_key(one), kind, at].append(number)
    replaces, replaced = _replacements(valid)
    below, above = _closure(replaces), _closure(replaced)
    found = []
    for (_, kind, at), group in sorted(groups.items(), key=lambda item: item[0]):
        members = sum(1 << number for number in group)
        torn = [number for number in group if members & ~(below[number] | above[number] | 1 << number)]
        if torn:
            found.append(((kind, at), tuple(valid[number] for number in torn)))
    return found


def _replacements(valid: list[CheckedEvent]) -> tuple[list[list[int]], list[list[int]]]:
    """Return for each event the numbers of those of the same key that it replaces, and that replace it."""
    numbers = {one.event_id: number for number, one in enumerate(valid)}
    replaces: list[list[int]] = [[] for _ in valid]
    replaced: list[list[int]] = [[] for _ in valid]
    for number, one in enumerate(valid):
        for target in one.supersedes:
            old = numbers.get(target)
            if old is not None and _key(valid[old]) == _key(one):
                replaces[number].append(old)
                replaced[old].append(number)
    return replaces, replaced


def _closure(edges: list[list[int]]) -> list[int]:
    """Return as bits all that each number leads to. Ends on cycles, which hashes rule out."""
    reach, begun = [0] * len(edges), [False] * len(edges)
    stack = [(number, False) for number in range(len(edges))]
    while stack:
        number, after = stack.pop()
        if after:
            for to in edges[number]:
                reach[number] |= reach[to] | 1 << to
        elif not begun[number]:
            begun[number] = True
            stack.append((number, True))
            stack += [(to, False) for to in edges[number] if not begun[to]]
    return reach


def _current(
    minted: Minted, valid: list[CheckedEvent], retired: frozenset[str], aliases: Iterable[Json]
) -> dict[str, Json]:
    shown = [one for one in valid if one.event_id not in retired]
    created = [one for one in shown if one.event["event_type"] == RECORD_CREATED]
    current: dict[str, Json] = {
        "canonical_record": minted.record.to_json(),
        "source_aliases": join_aliases(aliases),
        "record_created": _projected(created[0]) if created else None,
    }
    for kind, name in STATE_LISTS.items():
        current[name] = [_projected(one) for one in shown if one.event["event_type"] == kind]
    return current


def _projected(one: CheckedEvent) -> dict[str, Json]:
    return {name: one.event[name] for name in _PROJECTED}


def _evidence(position: tuple[str, str], group: tuple[CheckedEvent, ...]) -> dict[str, Json]:
    kind, at = position
    return {
        "position": {"kind": kind, "at": at},
        "event_ids": [one.event_id for one in group],
        "signer": group[0].event["signer"],
    }


def _invalid(one: CheckedEvent) -> dict[str, Json]:
    claimed = one.event.get("event_id")
    return {
        "event_id": claimed if isinstance(claimed, str) else None,
        "object_sha256": str(object_digest(one.raw)),
        "reasons": list(one.reasons),
    }
