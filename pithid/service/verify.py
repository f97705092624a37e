"""Verifying a document of any kind from its bytes."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from pithid.core.canonical import Json, load
from pithid.core.checks import Check, Verification
from pithid.core.digest import Digest
from pithid.core.errors import InvalidDocument, Malformed, Unavailable
from pithid.core.integrity import SCHEMA, verify_integrity
from pithid.core.keys import Keyring
from pithid.core.mint import Minted, mint
from pithid.core.receipts import KIND
from pithid.core.records import CanonicalRecord
from pithid.core.verify import leaves, record_checks, verify_bundle
from pithid.core.verify_documents import verify_receipt, verify_record, verify_state
from pithid.service.equivocation import PROOF_TYPE, check_equivocation_proof

KINDS: Mapping[str, tuple[str, Callable[[Json, Keyring], Verification]]] = {
    "bundle_type": ("bundle", verify_bundle),
    "record_type": ("record", verify_record),
    "state_type": ("state", verify_state),
}
"""The member that tells each kind of document, its name, and the function that checks it."""


_SIGNED = frozenset({"bundle_signature", "events", "receipt", "state", "state_sha256", "record_created"})
"""Members of documents that are signed: without its type such a document must not pass as a bare record."""


_RECOMPUTED = ("canonical_sha256", "pith_number", "short_pith_number", "source.", "aliases")
"""Members beside a bare record that a check fixes."""


def verify_document(data: bytes, keyring: Keyring) -> Verification:
    """Verify a bundle, record document, state, receipt, integrity document, equivocation proof or canonical record.

    Total: bytes that are none of these come back as malformed, with the reason and the place.

    Args:
        data: the bytes of the file.
        keyring: the keys trusted.
    """
    try:
        value = load(data)
    except InvalidDocument as error:
        return Verification("unknown", (Check("shape", "failed", f"{error.rule}: {error}"),))
    if isinstance(value, dict):
        for member, (_, check) in KINDS.items():
            if member in value:
                return _with_timestamps(check(value, keyring), value)
        if value.get("kind") == KIND:
            return verify_receipt(value, keyring)
        if value.get("schema") == SCHEMA:
            return verify_integrity(value, keyring)
        if value.get("proof_type") == PROOF_TYPE:
            return check_equivocation_proof(value, keyring)
        if "canonical_record" in value or {"source", "metadata"} <= set(value):
            return _verify_bare(value)
    why = "no bundle, record document, state, receipt, integrity document or canonical record"
    return Verification("unknown", (Check("shape", "failed", why),))


def _with_timestamps(verification: Verification, value: dict[str, Json]) -> Verification:
    """Add a check for each timestamp proof in a bundle's events; none can pass without a block header."""
    if verification.kind != "bundle" or verification.verdict == "malformed":
        return verification
    events = value["events"] if isinstance(value["events"], list) else []
    checks = [
        _timestamp_check(event, str(value["canonical_sha256"]))
        for event in events
        if isinstance(event, dict) and event.get("event_type") == "timestamp_anchor"
    ]
    return replace(verification, checks=(*verification.checks, *checks))


def _timestamp_check(event: dict[str, Json], digest: str) -> Check:
    from pithid.core.payloads import proof_bytes  # noqa: PLC0415 - late: few bundles hold proofs
    from pithid.service.timestamps import check_proof  # noqa: PLC0415 - late: an optional extra

    payload = event.get("payload")
    text = payload.get("proof_b64") if isinstance(payload, dict) else None
    proof = proof_bytes(text) if isinstance(text, str) else None
    name = f"timestamp {str(event.get('event_id'))[:19]}"
    if proof is None:
        return Check(name, "not_checkable", "the payload holds no proof in our form")
    try:
        found = check_proof(proof, Digest.parse(digest))
    except Unavailable as error:
        return Check(name, "not_checkable", str(error))
    if found.faults:
        return Check(name, "failed", "; ".join(found.faults))
    return Check(name, "not_checkable", f"{found.status}: only a block header can confirm it")


def _verify_bare(value: dict[str, Json]) -> Verification:
    """Check a canonical record that nobody signed, alone or with what its document states."""
    if signed := sorted(_SIGNED & set(value)):
        why = f"it holds {signed[0]!r}, but not the member that names its type"
        return Verification("unknown", (Check("shape", "failed", why),))
    stated = value.get("canonical_record", value)
    try:
        minted = mint(CanonicalRecord.from_json(stated))
    except Malformed as error:
        return Verification("canonical_record", (Check("shape", "failed", str(error)),))
    computed = [check for check in record_checks(value, minted) if check.name in value]
    number = Check("pith_number", "passed", str(minted.number))
    checks = computed if any(check.name == "pith_number" for check in computed) else [*computed, number]
    if "aliases" in value:
        checks.append(_alias_check(value["aliases"], minted))
    receipt = Check("receipt", "absent", "nothing is signed; the record names itself by its hash alone")
    held = ("$.canonical_record.", *(f"$.{name}" for name in _RECOMPUTED))
    loose = tuple(path for path in leaves(value, "$") if not path.startswith(held)) if stated is not value else ()
    return Verification("canonical_record", (Check("shape", "passed"), *checks, receipt), loose)


def _alias_check(rows: Json, minted: Minted) -> Check:
    """Check aliases given as rows or as an object, each against the one that follows from the record."""
    computed = {alias.kind: alias.value for alias in minted.aliases}
    pairs = list(rows.items()) if isinstance(rows, dict) else []
    for row in rows if isinstance(rows, list) else []:
        pairs.append((str(row.get("alias_kind")), row.get("alias_value")) if isinstance(row, dict) else ("", row))
    wrong = [kind for kind, value in pairs if computed.get(kind) != value]
    fine = bool(pairs) and not wrong
    return Check.of(
        "aliases", fine=fine, detail=f"{len(pairs)} rows" if fine else f"not the record's: {', '.join(wrong)}"
    )
