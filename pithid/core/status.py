"""What a record's events amount to: the verification status, the completeness list and the status words.

Source: docs/protocol.md section 12. All of it is computed from what was verified, never copied from a document.
The positive status words are ours, as the registry's have not been seen.
"""

from dataclasses import dataclass

from pithid.core.canonical import Json
from pithid.core.events import GRAPH_SNAPSHOT
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
    claims = _payloads(current, "author_attestations")
    strong = sum(claim.get("strength") == "strong" for claim in claims)
    references, formal = _section(current, "references"), _section(current, "formal_canon")
    count, resolved = references.get("count"), references.get("resolved_work")
    return {
        "content_addressed": True,
        "pith_receipt": has_receipt,
        "author_attested": strong > 0,
        "weak_author_claims": len(claims) - strong,
        "strong_author_claims": strong,
        "externally_anchored": anchored,
        "storage_verified": bool(_payloads(current, "storage_attestations")),
        "citation_signatures": len(_payloads(current, "citation_signatures")),
        "replication_records": len(_payloads(current, "replication_records")),
        "graph_snapshot": bool(_payloads(current, "graph_snapshots")),
        "references_resolved": isinstance(count, int) and isinstance(resolved, int) and 0 < count <= resolved,
        "formal_links_present": isinstance(formal.get("evidence_count"), int) and formal["evidence_count"] != 0,
    }


def completeness(status: dict[str, Json], merged: Merged) -> tuple[Step, ...]:
    """Return the completeness list in the registry's order."""
    current = _current(merged)
    claims = len(_payloads(current, "author_attestations"))
    citations, replications = (len(_payloads(current, name)) for name in ("citation_signatures", "replication_records"))
    return (
        Step("Bitcoin timestamp", bool(status["externally_anchored"]), len(_payloads(current, "timestamp_anchors"))),
        Step("Internet Archive", bool(status["storage_verified"]), len(_payloads(current, "storage_attestations"))),
        Step("Author claim", claims > 0, claims),
        Step("Citations", citations > 0, citations),
        Step("Replications", replications > 0, replications),
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


def _payloads(current: dict[str, Json], name: str) -> list[dict[str, Json]]:
    shown = current.get(name)
    payloads = [one.get("payload") for one in shown if isinstance(one, dict)] if isinstance(shown, list) else []
    return [payload for payload in payloads if isinstance(payload, dict)]


def _section(current: dict[str, Json], name: str) -> dict[str, Json]:
    """Return a section of the latest snapshot shown."""
    snapshots = [payload.get(GRAPH_SNAPSHOT) for payload in _payloads(current, "graph_snapshots")]
    section = snapshots[-1].get(name) if snapshots and isinstance(snapshots[-1], dict) else None
    return section if isinstance(section, dict) else {}
