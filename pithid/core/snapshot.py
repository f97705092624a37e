"""Graph snapshots: the hashes of their sections.

Source: docs/protocol.md section 9. `snapshot_sha256` is the hash of `{"payload": X}`. X is the section's own list
where the snapshot carries it; of references only a sample travels, so a non-empty one cannot be recomputed.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from pithid.core.canonical import Json, received_bytes

SECTIONS = ("claims", "references", "formal_canon", "author_claims", "integrity")
_COUNTS = {
    "claims": "count",
    "references": "count",
    "formal_canon": "evidence_count",
    "author_claims": "count",
}

Result = Literal["passed", "failed", "not_checkable", "absent"]


@dataclass(frozen=True, slots=True)
class SectionCheck:
    """The check of one section hash."""

    section: str
    result: Result
    detail: str


def section_sha256(payload: Json) -> str:
    """Return the hash of a section: lower-case hex of the SHA-256 of `{"payload": payload}`."""
    return hashlib.sha256(received_bytes({"payload": payload})).hexdigest()


def integrity_sha256(findings: Json, detectors_run: Json) -> str:
    """Return the hash of an integrity section."""
    return section_sha256({"findings": findings, "detectors": detectors_run})


def check_sections(snapshot: Json) -> Iterator[SectionCheck]:
    """Check every section hash whose preimage travels with the snapshot."""
    for name in SECTIONS:
        section = snapshot.get(name) if isinstance(snapshot, dict) else None
        if not isinstance(section, dict) or "snapshot_sha256" not in section:
            yield SectionCheck(name, "absent", "the snapshot has no such section, or it has no hash")
            continue
        yield _check(name, section)


def _check(name: str, section: dict[str, Json]) -> SectionCheck:
    if name == "integrity":
        computed = integrity_sha256(section.get("findings"), section.get("detectors_run"))
    elif section.get(_COUNTS[name]) == 0 and not section.get("items") and not section.get("sample"):
        computed = section_sha256([])
    elif name == "claims" and isinstance(section.get("items"), list):
        computed = section_sha256(section["items"])
        if computed != section["snapshot_sha256"]:
            return SectionCheck(name, "not_checkable", "what a non-empty claims hash covers is not known")
    else:
        return SectionCheck(name, "not_checkable", "the list that was hashed does not travel with the snapshot")
    if computed == section["snapshot_sha256"]:
        return SectionCheck(name, "passed", computed)
    return SectionCheck(name, "failed", f"stated {section['snapshot_sha256']}, computed {computed}")
