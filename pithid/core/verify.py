"""Verifying bundles, records and receipts: every check separately, nothing trusted that was not recomputed.

Source: docs/verify.md.
"""

from collections.abc import Iterator

from pithid.core import bundle as bundles
from pithid.core.canonical import Json, is_portable, member_path, received_bytes
from pithid.core.checks import Check, Verification, distinct
from pithid.core.errors import Malformed
from pithid.core.events import GRAPH_SNAPSHOT, RECORD_CREATED, CheckedEvent
from pithid.core.keys import REGISTRY, Keyring, read_document
from pithid.core.merge import MERGE_VERSION, Merged, merge, state_sha256
from pithid.core.mint import Minted, mint
from pithid.core.records import CanonicalRecord
from pithid.core.seals import REASONS, Checked, check_seal
from pithid.core.snapshot import check_sections
from pithid.core.times import instant

_HINTS = ("notes", "rotates_at", "url")


def same(one: Json, other: Json) -> bool:
    """Compare two JSON values by their canonical bytes; `==` would take True, 1 and 1.0 for the same."""
    return received_bytes(one) == received_bytes(other)


def verify_bundle(value: Json, keyring: Keyring) -> Verification:
    """Check a bundle completely; never raises on any value that `canonical.load` admits.

    Args:
        value: the document as loaded.
        keyring: the keys trusted; the keys inside the bundle are compared with it, never added to it.
    """
    fault = _shape_fault(value)
    if fault is not None or not isinstance(value, dict):
        return Verification("bundle", (Check("shape", "failed", fault or "not an object"),))
    try:
        minted = mint(CanonicalRecord.from_json(value["canonical_record"]))
    except Malformed as error:
        return Verification("bundle", (Check("shape", "passed"), Check("canonical_record", "failed", str(error))))
    merged = merge(minted, _items(value["events"]), _items(value["source_aliases"]), keyring)
    signature = bundle_signature(value, keyring)
    checks = [
        Check("shape", "passed"),
        *record_checks(value, minted),
        *alias_checks(value["source_aliases"], minted),
        *_key_checks(_items(value["public_keys"]), keyring),
        *_event_checks(merged, minted),
        *_state_checks(value["state"], merged),
        *_proof_checks(_items(value["timestamp_proofs"])),
        *_signature_checks(value, signature),
    ]
    signed = signature is not None and not signature.reasons
    used = [signature.entry if signature is not None and signed else None, *(one.entry for one in merged.valid)]
    return Verification(
        "bundle",
        tuple(checks),
        ("$.bundle_signature.signed_at",) if signed else tuple(_unsigned(value)),
        tuple(entry for entry in distinct(used) if entry in keyring.entries),
        merged.conflicts,
        tuple(entry.signer_id for entry in distinct(used) if entry not in keyring.entries),
    )


def _items(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _shape_fault(value: Json) -> str | None:
    if not isinstance(value, dict):
        return "a bundle is an object"
    missing = [name for name in bundles.MEMBERS if name not in value]
    unknown = [name for name in value if name not in bundles.MEMBERS and name != "bundle_signature"]
    if missing or unknown:
        return f"the member {missing[0]!r} is missing" if missing else f"the member {unknown[0][:80]!r} is unknown"
    for name, kind in bundles.MEMBERS.items():
        if not isinstance(value[name], kind):
            return f"the member {name!r} is of another type"
    constants = (value["bundle_type"], value["bundle_version"], value["merge_version"])
    if constants != (bundles.TYPE, bundles.VERSION, MERGE_VERSION):
        return f"type and versions are {constants}, expected {(bundles.TYPE, bundles.VERSION, MERGE_VERSION)}"
    return None if instant(str(value["built_at"])) is not None else "built_at is no UTC time"


def record_checks(value: dict[str, Json], minted: Minted) -> Iterator[Check]:
    """Check what follows from the canonical record alone."""
    yield Check("canonical_record", "passed")
    for name, computed in (
        ("canonical_sha256", str(minted.digest)),
        ("pith_number", str(minted.number)),
        ("short_pith_number", f"pith:{minted.short_8}"),
    ):
        fine = value.get(name) == computed
        yield Check.of(name, fine=fine, detail=computed if fine else f"stated {value.get(name)}, computed {computed}")
    yield Check.of("source", fine=same(value.get("source"), minted.record.source.to_json()))


def alias_checks(rows: Json, minted: Minted) -> Iterator[Check]:
    """Check alias rows against those that follow from the record; without rows there is nothing to check."""
    if not rows or not isinstance(rows, list):
        yield Check("aliases", "failed" if rows else "absent", "no list of alias rows" if rows else "")
        return
    computed = {alias.kind: alias.value for alias in minted.aliases}
    kinds: list[str] = []
    for row in rows:
        if not isinstance(row, dict) or set(row) != {"alias_kind", "alias_value", "created_at"}:
            yield Check("aliases", "failed", "a row has not exactly alias_kind, alias_value and created_at")
            return
        kind, value, time = (row[name] for name in ("alias_kind", "alias_value", "created_at"))
        if not isinstance(kind, str) or computed.get(kind) != value or not isinstance(time, str):
            yield Check("aliases", "failed", f"{kind} {value} does not follow from the record")
            return
        if instant(time) is None:
            yield Check("aliases", "failed", f"the time of {kind} is no UTC time")
            return
        kinds.append(kind)
    fine = kinds == sorted(set(kinds))
    yield Check.of("aliases", fine=fine, detail=f"{len(kinds)} rows" if fine else "rows repeat or are out of order")


def _key_checks(documents: list[Json], keyring: Keyring) -> Iterator[Check]:
    unknown = []
    for document in documents:
        try:
            key_id, key = read_document(document)
        except Malformed as error:
            yield Check("public_keys", "failed", str(error))
            return
        members = {*key.document(""), *_HINTS}
        if not isinstance(document, dict) or set(document) != members:
            yield Check("public_keys", "failed", "a key document has members missing or unknown")
            return
        entry = keyring.find(key.fingerprint, key_id)
        if entry is None or entry.revoked:
            unknown.append(f"{key_id} {key.fingerprint}")
    if unknown:
        yield Check("public_keys", "failed", f"not a key trusted now: {', '.join(unknown)}")
    else:
        yield Check("public_keys", "passed" if documents else "absent", "each is a trusted key" if documents else "")


def _event_checks(merged: Merged, minted: Minted) -> Iterator[Check]:
    for one in merged.valid:
        yield Check(f"event {one.event_id[:19]}", "passed", f"{one.event['event_type']} {_note(one)}".strip())
    for one in (*merged.invalid, *merged.damaged):
        name = str(one.event.get("event_id"))[:19]
        why = "; ".join(f"{word}: {REASONS[word]}" for word in one.reasons)
        yield Check(f"event {name}", "failed", f"{one.event.get('event_type')}: {why}")
    created = [one for one in merged.valid if one.event["event_type"] == RECORD_CREATED]
    yield Check.of("record_created", fine=bool(created), detail="" if created else "no trusted registry vouches for it")
    why = "" if created else "no accepted record_created event carries one"
    yield Check("receipt", "passed" if created else "absent", why)
    for one in created:
        yield Check.of("record_event_agrees", fine=same(_payload(one)["canonical_record"], minted.record.to_json()))
    for one in merged.valid:
        if one.event["event_type"] == GRAPH_SNAPSHOT:
            for section in check_sections(_payload(one).get("graph_snapshot")):
                yield Check(f"snapshot {section.section}", section.result, section.detail)
    for group in merged.equivocations:
        yield Check("equivocation", "failed", "one key contradicts itself: " + ", ".join(e.event_id for e in group))


def _note(one: CheckedEvent) -> str:
    return "" if is_portable(one.raw) else "(holds a float: its hash is Python's, not portable)"


def _payload(one: CheckedEvent) -> dict[str, Json]:
    payload = one.event["payload"]
    return payload if isinstance(payload, dict) else {}


def _state_checks(state: Json, merged: Merged) -> Iterator[Check]:
    if not isinstance(state, dict):
        yield Check("state_sha256", "failed", "the state is no object")
        return
    computed = state_sha256(state)
    fine = state.get("state_sha256") == computed
    yield Check.of("state_sha256", fine=fine, detail=computed if fine else f"the state hashes to {computed}")
    fine = same(state, merged.state)
    hashed = str(merged.state["state_sha256"])
    yield Check.of("state_recomputed", fine=fine, detail=hashed if fine else f"the events merge to {hashed}")


def _proof_checks(proofs: list[Json]) -> Iterator[Check]:
    if proofs:
        yield Check("timestamp_proofs", "not_checkable", "the registry's form of proofs is not known")
    else:
        yield Check("timestamp_proofs", "absent")


def bundle_signature(value: dict[str, Json], keyring: Keyring) -> Checked | None:
    """Check the signature over the bundle as a whole; None where there is none."""
    if "bundle_signature" not in value:
        return None
    at = instant(str(value["built_at"]))
    extra = ("bundle_sha256",)
    return check_seal(
        value["bundle_signature"],
        bundles.bundle_digest(value),
        bundles.MESSAGE,
        keyring,
        at=at,
        extra=extra,
        signer_type=REGISTRY,
    )


def _signature_checks(value: dict[str, Json], checked: Checked | None) -> Iterator[Check]:
    if checked is None:
        why = "no registry vouches for the bundle as a whole"
        yield Check("bundle_sha256", "absent")
        yield Check("bundle_signature", "absent", why)
        return
    seal = value["bundle_signature"]
    stated = seal.get("bundle_sha256") if isinstance(seal, dict) else None
    computed = bundles.bundle_digest(value).hex()
    fine = stated == computed
    yield Check.of("bundle_sha256", fine=fine, detail=computed if fine else f"the bundle hashes to {computed}")
    why = "; ".join(f"{word}: {REASONS[word]}" for word in checked.reasons)
    yield Check.of("bundle_signature", fine=not checked.reasons, detail=why)


def _unsigned(value: dict[str, Json]) -> Iterator[str]:
    """Yield the leaves that nothing protects when the bundle's own signature is absent or does not hold."""
    yield "$.built_at"
    for index, event in enumerate(_items(value["events"])):
        if isinstance(event, dict) and isinstance(event.get("signature"), dict):
            yield f"$.events[{index}].signature.signed_at"
    for index, _ in enumerate(_items(value["source_aliases"])):
        yield f"$.source_aliases[{index}].created_at"
    for name in ("mirror_hints", "links", "timestamp_proofs"):
        yield from leaves(value[name], f"$.{name}")
    for index, key in enumerate(_items(value["public_keys"])):
        yield from (f"$.public_keys[{index}].{name}" for name in _HINTS if isinstance(key, dict) and name in key)


def leaves(value: Json, path: str) -> Iterator[str]:
    """Yield the JSON paths of the leaves of a value; an empty object or list is a leaf."""
    if isinstance(value, dict) and value:
        for name, item in value.items():
            yield from leaves(item, member_path(path, name))
    elif isinstance(value, list) and value:
        for index, item in enumerate(value):
            yield from leaves(item, f"{path}[{index}]")
    else:
        yield path
