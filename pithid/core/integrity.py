"""Integrity documents: findings about a paper, signed one by one in an envelope of their own.

Source: docs/protocol.md section 8. `pith_number` of such a document holds the arXiv identifier; the signature of an
event is over the 32 bytes of its payload hash, and names the key by its id alone.
"""

import hashlib
from collections.abc import Iterator
from datetime import datetime

from pithid.core.canonical import Json, member_path, received_bytes
from pithid.core.checks import Check, Verification, distinct
from pithid.core.keys import REGISTRY, Keyring, TrustEntry, strict_base64
from pithid.core.signing import is_valid, is_weak
from pithid.core.snapshot import integrity_sha256
from pithid.core.times import instant

SCHEMA = "https://pith.science/schemas/pith-integrity/v1.json"
EVENT_TYPE = "pith.integrity.v1"
_MEMBERS = ("schema", "pith_number", "arxiv_id", "integrity", "events")
_SIGNED = ("event_type", "payload_sha256", "signature_b64", "signing_key_id", "payload")
"""Members of an event that its signature or a check fixes."""
_EVENT_TEXTS = ("event_type", "payload_sha256", "signature_b64", "signing_key_id", "created_at")


def payload_sha256(payload: Json) -> str:
    """Return the hash of an event's payload, with no wrapper."""
    return hashlib.sha256(received_bytes(payload)).hexdigest()


def evidence_hash(detector: Json, evidence: Json) -> str:
    """Return the hash of a finding's evidence."""
    return hashlib.sha256(received_bytes({"d": detector, "e": evidence})).hexdigest()


def verify_integrity(value: Json, keyring: Keyring) -> Verification:
    """Check an integrity document; never raises on a value that `canonical.load` admits."""
    fault = _shape_fault(value)
    if fault is not None or not isinstance(value, dict):
        return Verification("integrity", (Check("shape", "failed", fault or "not an object"),))
    used: list[TrustEntry | None] = []
    checks = [Check("shape", "passed"), *_section_checks(value["integrity"])]
    events = value["events"] if isinstance(value["events"], list) else []
    for index, event in enumerate(events):
        checks += _event_checks(event, str(value["arxiv_id"]), index, keyring, used)
    if not events:
        checks.append(Check("events", "absent", "nothing in the document is signed"))
    unsigned = ["$.schema", "$.pith_number", "$.arxiv_id", "$.integrity"]
    unsigned += [member_path("$", name) for name in value if name not in _MEMBERS]
    for index, event in enumerate(events):
        names = event if isinstance(event, dict) else ()
        unsigned += [member_path(f"$.events[{index}]", name) for name in names if name not in _SIGNED]
    return Verification("integrity", tuple(checks), tuple(unsigned), distinct(used))


def _shape_fault(value: Json) -> str | None:
    if not isinstance(value, dict):
        return "an integrity document is an object"
    for name in _MEMBERS:
        if name not in value:
            return f"the member {name!r} is missing"
    if value["schema"] != SCHEMA or not isinstance(value["integrity"], dict) or not isinstance(value["events"], list):
        return "schema, integrity or events are not those of an integrity document"
    return None if value["pith_number"] == value["arxiv_id"] else "pith_number and arxiv_id differ"


def _section_checks(section: Json) -> Iterator[Check]:
    if not isinstance(section, dict):
        return
    findings = section.get("findings")
    computed = integrity_sha256(findings, section.get("detectors_run"))
    fine = section.get("snapshot_sha256") == computed
    yield Check.of("section hash", fine=fine, detail=computed if fine else f"the section hashes to {computed}")
    clean = isinstance(findings, list) and not findings
    yield Check.of("clean", fine=section.get("clean") is clean, detail="clean means no finding")


def _event_checks(
    event: Json, arxiv: str, index: int, keyring: Keyring, used: list[TrustEntry | None]
) -> Iterator[Check]:
    name = f"event {index}"
    if not isinstance(event, dict) or not all(isinstance(event.get(text), str) for text in _EVENT_TEXTS):
        yield Check(name, "failed", "not the members of an integrity event")
        return
    payload = event.get("payload")
    if not isinstance(payload, dict) or instant(str(event["created_at"])) is None:
        yield Check(name, "failed", "no payload, or created_at is no UTC time")
        return
    digest = payload_sha256(payload)
    fine = event["payload_sha256"] == digest and event["event_type"] == EVENT_TYPE == payload.get("event_type")
    yield Check.of(f"{name} payload", fine=fine, detail=digest if fine else f"the payload hashes to {digest}")
    yield Check.of(f"{name} paper", fine=payload.get("arxiv_id") == arxiv)
    evidence = evidence_hash(payload.get("detector"), payload.get("evidence"))
    yield Check.of(f"{name} evidence", fine=payload.get("evidence_hash") == evidence, detail=evidence)
    signature = strict_base64(str(event["signature_b64"]), 64)
    entry = _entry(str(event["signing_key_id"]), keyring, instant(str(payload.get("audited_at"))))
    fine = entry is not None and signature is not None and is_valid(entry.key.raw, bytes.fromhex(digest), signature)
    yield Check.of(f"{name} signature", fine=fine, detail=_why(entry, signature))
    used.append(entry if fine else None)


def _entry(key_id: str, keyring: Keyring, at: datetime | None) -> TrustEntry | None:
    """Return the one registry key of this id that holds at the time of the audit, which is signed."""
    named = [
        entry
        for entry in keyring.entries
        if entry.key_id == key_id and entry.signer_type == REGISTRY and not entry.revoked and not is_weak(entry.key)
    ]
    bounded = [entry for entry in named if at is not None and entry.covers(at)]
    return bounded[0] if len(bounded) == 1 else None


def _why(entry: TrustEntry | None, signature: bytes | None) -> str:
    if entry is None:
        return "key_unknown: no single trusted registry key has this key id at the time of the audit"
    return "signature_encoding" if signature is None else ""
