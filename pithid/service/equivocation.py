"""Proof that one key contradicts itself: the events side by side, checkable by anyone who trusts the key.

The form of the proof is ours; docs/merge.md says what a position is.
"""

from collections.abc import Iterator

from pithid.core.canonical import Json
from pithid.core.checks import Check, Verification, distinct
from pithid.core.events import CheckedEvent, check
from pithid.core.keys import Keyring
from pithid.core.merge import Merged, equivocations
from pithid.core.seals import REASONS
from pithid.core.verify import same
from pithid.service.bundles import shown

PROOF_TYPE = "pith_equivocation_proof"
_MEMBERS = {"proof_type", "position", "events"}
_MOST = 1_000
"""Most events of a proof: pairs of them are compared."""


def equivocation_proofs(merged: Merged) -> list[dict[str, Json]]:
    """Return a proof for each group of events by which one key contradicts itself.

    Beside the group itself a proof holds the events that these replace, as far as they are known: without them nobody
    could tell a contradiction from a replacement through a link that was left out.
    """
    stated = merged.state["equivocations"]
    positions = [one["position"] for one in stated if isinstance(one, dict)] if isinstance(stated, list) else []
    by_id = {one.event_id: one for one in merged.valid}
    return [
        {"proof_type": PROOF_TYPE, "position": position, "events": [one.raw for one in _with_replaced(group, by_id)]}
        for position, group in zip(positions, merged.equivocations, strict=True)
    ]


def proofs_of(bundle: dict[str, Json], keyring: Keyring) -> list[dict[str, Json]]:
    """Return a proof for each contradiction among the events of a bundle."""
    return equivocation_proofs(shown(bundle, keyring)[1])


def _with_replaced(group: tuple[CheckedEvent, ...], by_id: dict[str, CheckedEvent]) -> list[CheckedEvent]:
    found = {one.event_id: one for one in group}
    open_ends = list(group)
    while open_ends:
        for target in open_ends.pop().supersedes:
            if target in by_id and target not in found:
                found[target] = by_id[target]
                open_ends.append(by_id[target])
    return list(found.values())


def check_equivocation_proof(value: Json, keyring: Keyring) -> Verification:
    """Check that a proof proves what it says; never raises on any JSON value.

    Args:
        value: the proof as loaded.
        keyring: the keys trusted; a key that vouches for itself by did:key needs no entry.
    """
    subject = _subject(value)
    if subject is None or not isinstance(value, dict) or not isinstance(value["events"], list):
        return Verification("equivocation_proof", (Check("shape", "failed", "no proof of an equivocation"),))
    events = [check(raw, subject, keyring) for raw in value["events"]]
    checks = [Check("shape", "passed"), *map(_event_check, events)]
    valid = list({one.digest: one for one in events if not one.reasons}.values())
    group = next((group for (kind, at), group in equivocations(valid) if _is_at(value["position"], kind, at)), ())
    checks.append(Check.of("contradiction", fine=bool(group), detail=_described(group, value["position"])))
    gaps = sorted(set(_gaps(group, {one.event_id: one for one in valid})))
    if group:
        why = "" if not gaps else f"the proof lacks what could link its events: {', '.join(gaps)}"
        checks.append(Check.of("complete", fine=not gaps, detail=why))
    ids = tuple(one.event_id for one in group)
    return Verification(
        "equivocation_proof",
        tuple(checks),
        trusted_by=distinct(one.entry for one in group),
        conflicts=(ids,) if ids and not gaps else (),
    )


def _subject(value: Json) -> str | None:
    """Return the record the events are about; None where the value has not the shape of a proof."""
    if not isinstance(value, dict) or set(value) != _MEMBERS or value["proof_type"] != PROOF_TYPE:
        return None
    events = value["events"]
    if not isinstance(events, list) or not 2 <= len(events) <= _MOST or not isinstance(value["position"], dict):
        return None
    first = events[0]
    subject = first.get("subject_pith_number") if isinstance(first, dict) else None
    return subject if isinstance(subject, str) else None


def _event_check(one: CheckedEvent) -> Check:
    why = "; ".join(f"{word}: {REASONS[word]}" for word in one.reasons)
    return Check.of(f"event {str(one.event.get('event_id'))[:19]}", fine=not one.reasons, detail=why)


def _is_at(position: Json, kind: str, at: str) -> bool:
    return same(position, {"kind": kind, "at": at})


def _described(group: tuple[CheckedEvent, ...], position: Json) -> str:
    if not group:
        return "no key contradicts itself at the position stated"
    kind = position.get("kind") if isinstance(position, dict) else ""
    return f"one key made {len(group)} events at one {kind} position"


def _gaps(group: tuple[CheckedEvent, ...], by_id: dict[str, CheckedEvent]) -> Iterator[str]:
    """Yield replaced events that are absent and could stand between two of the group.

    What both events replace is older than both, so it is no link from one to the other.
    """
    absent = {one.event_id: _absent(one, by_id) for one in group}
    for one in group:
        for other in group:
            if other is not one:
                yield from absent[one.event_id] - absent[other.event_id]


def _absent(one: CheckedEvent, by_id: dict[str, CheckedEvent]) -> set[str]:
    closure = {found.event_id: found for found in _with_replaced((one,), by_id)}
    return {target for found in closure.values() for target in found.supersedes} - set(closure)


def conflicts_in(bundle: dict[str, Json]) -> list[list[str]]:
    """Return the groups of event ids that the state of a bundle built here lists as contradictions."""
    state = bundle["state"]
    listed = state["equivocations"] if isinstance(state, dict) else None
    groups = [one["event_ids"] for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    return [[str(event_id) for event_id in group] for group in groups if isinstance(group, list)]
