"""What a record's events amount to: the verification status, the completeness list and the status words.

Source: docs/protocol.md section 12. All of it is computed from what was verified, never copied from a document.
The positive status words are ours, as the registry's have not been seen; so is that claims count as done only where a
registry signed them.
"""

from dataclasses import dataclass

from pithid.core.canonical import Json
from pithid.core.events import GRAPH_SNAPSHOT, CheckedEvent
from pithid.core.keys import REGISTRY
from pithid.core.merge import Merged


@dataclass(frozen=True, slots=True)
class Step:
    """One row of the completeness list."""

    name: str
    done: bool
    count: int


def verification_status(merged: Merged, *, has_receipt: bool, anchored: bool = False) -> dict[str, Json]:
    """Return the `verification_status` object of a record document.

    Args:
        merged: the merged events of the record.
        has_receipt: a receipt by a trusted key was checked.
        anchored: a timestamp proof was confirmed against a block header; an unconfirmed one is no anchor.
    """
    current = _current(merged)
    claims, vouched = _standing(merged, "author_attestation"), _vouched(merged, "author_attestation")
    strong = sum(_payload(claim).get("strength") == "strong" for claim in vouched)
    references, formal = _section(current, "references"), _section(current, "formal_canon")
    count, resolved = references.get("count"), references.get("resolved_work")
    return {
        "content_addressed": True,
        "pith_receipt": has_receipt,
        "author_attested": strong > 0,
        "weak_author_claims": len(claims) - strong,
        "strong_author_claims": strong,
        "externally_anchored": anchored,
        "storage_verified": bool(_vouched(merged, "storage_attestation")),
        "citation_signatures": len(_standing(merged, "citation_signature")),
        "replication_records": len(_standing(merged, "replication_record")),
        "graph_snapshot": bool(_standing(merged, GRAPH_SNAPSHOT)),
        "references_resolved": isinstance(count, int) and isinstance(resolved, int) and 0 < count <= resolved,
        "formal_links_present": isinstance(formal.get("evidence_count"), int) and formal["evidence_count"] != 0,
    }


def completeness(status: dict[str, Json], merged: Merged) -> tuple[Step, ...]:
    """Return the completeness list in the registry's order."""
    kinds = (
        "timestamp_anchor",
        "storage_attestation",
        "author_attestation",
        "citation_signature",
        "replication_record",
    )
    counts = {kind: len(_standing(merged, kind)) for kind in kinds}
    return (
        Step("Bitcoin timestamp", bool(status["externally_anchored"]), counts["timestamp_anchor"]),
        Step("Internet Archive", bool(status["storage_verified"]), counts["storage_attestation"]),
        Step("Author claim", bool(_vouched(merged, "author_attestation")), counts["author_attestation"]),
        Step("Citations", bool(_vouched(merged, "citation_signature")), counts["citation_signature"]),
        Step("Replications", bool(_vouched(merged, "replication_record")), counts["replication_record"]),
        Step("Portable graph bundle", True, 1),  # noqa: FBT003 - whatever can be shown can be bundled
    )


def words(status: dict[str, Json]) -> tuple[str, ...]:
    """Return the four status words of a record page."""
    return (
        "attested" if status["author_attested"] else "not attested",
        "anchored" if status["externally_anchored"] else "not anchored",
        "stored" if status["storage_verified"] else "not stored",
        "refs resolved" if status["references_resolved"] else "refs pending",
    )


def _current(merged: Merged) -> dict[str, Json]:
    current = merged.state["current"]
    return current if isinstance(current, dict) else {}


def _standing(merged: Merged, kind: str) -> list[CheckedEvent]:
    """Return the valid events of a type that no later one replaces."""
    return [one for one in merged.valid if one.event["event_type"] == kind and one.event_id not in merged.retired]


def _vouched(merged: Merged, kind: str) -> list[CheckedEvent]:
    """Return those of them that a registry signed: anyone can sign as a did:key, so those alone decide nothing."""
    return [one for one in _standing(merged, kind) if one.entry is not None and one.entry.signer_type == REGISTRY]


def _payload(one: CheckedEvent) -> dict[str, Json]:
    payload = one.event["payload"]
    return payload if isinstance(payload, dict) else {}


def _section(current: dict[str, Json], name: str) -> dict[str, Json]:
    """Return a section of the latest snapshot shown."""
    shown = current["graph_snapshots"]
    latest = shown[-1] if isinstance(shown, list) and shown else None
    payload = latest.get("payload") if isinstance(latest, dict) else None
    snapshot = payload.get(GRAPH_SNAPSHOT) if isinstance(payload, dict) else None
    section = snapshot.get(name) if isinstance(snapshot, dict) else None
    return section if isinstance(section, dict) else {}
