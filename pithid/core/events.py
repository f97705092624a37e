"""Events of the open graph: envelope, content hash, signature, strict member checks.

Source: docs/protocol.md section 7. An event is named by the hash of its content, so the same statement in two
envelopes is one event.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from pithid.core import receipts
from pithid.core.canonical import Json, canonical_bytes, received_bytes
from pithid.core.digest import Digest
from pithid.core.errors import InvalidDocument, InvalidRecord
from pithid.core.keys import REGISTRY, SELF_CERTIFIED, Keyring, TrustEntry
from pithid.core.mint import Minted, mint
from pithid.core.records import CanonicalRecord
from pithid.core.seals import check_seal, seal
from pithid.core.signing import Signer
from pithid.core.times import instant

RECORD_CREATED, GRAPH_SNAPSHOT = "record_created", "graph_snapshot"
STATE_LISTS: Mapping[str, str] = {
    GRAPH_SNAPSHOT: "graph_snapshots",
    "author_attestation": "author_attestations",
    "timestamp_anchor": "timestamp_anchors",
    "storage_attestation": "storage_attestations",
    "citation_signature": "citation_signatures",
    "replication_record": "replication_records",
    "correction": "corrections",
    "mirror_hint": "mirror_hints",
}
"""Event types beside `record_created`, and the state list each appears in."""
TYPES = frozenset({RECORD_CREATED, *STATE_LISTS})
REGISTRY_ONLY = frozenset({RECORD_CREATED, GRAPH_SNAPSHOT})
"""Types that only a registry's key may sign (ours)."""
SCHEMA_VERSION, MESSAGE = "1.0", "open_graph_event_sha256_bytes"

_UNHASHED = ("content_sha256", "event_id", "signature")
_TEXTS = ("event_type", "subject_pith_number", "target", "created_at", "schema_version", "content_sha256", "event_id")
_MEMBERS = frozenset({*_TEXTS, "payload", "signer", "supersedes", "prev_event", "signature"})
_SIGNER = ("signer_id", "signer_type", "key_id", "public_key_fingerprint")
_EVENT_ID = re.compile(r"sha256:[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class SignerId:
    """Who signs an event, as the event says it."""

    signer_id: str
    signer_type: str
    key_id: str

    @classmethod
    def of_key(cls, signer: Signer) -> "SignerId":
        """Return the identity of a signer who vouches for itself by its did:key."""
        return cls(signer.key.did, SELF_CERTIFIED, signer.key.did)


@dataclass(frozen=True, slots=True)
class Draft:
    """What an event says, before it is signed.

    Attributes:
        event_type: one of `TYPES`.
        subject: the full Pith Number of the record it is about.
        target: `record` or `graph`, as the registry uses them.
        payload: by type; see `payloads`.
        created_at: timestamp of the protocol, whole seconds.
        supersedes: ids of events it replaces.
        prev_event: id of the event before it in a chain, None without one.
    """

    event_type: str
    subject: str
    target: str
    payload: dict[str, Json]
    created_at: str
    supersedes: tuple[str, ...] = ()
    prev_event: str | None = None


def build(draft: Draft, who: SignerId, signer: Signer, *, signed_at: str) -> dict[str, Json]:
    """Sign a draft and return the event.

    Raises:
        InvalidDocument: the payload has no portable canonical form.
    """
    content: dict[str, Json] = {
        "event_type": draft.event_type,
        "subject_pith_number": draft.subject,
        "target": draft.target,
        "payload": draft.payload,
        "signer": {
            "signer_id": who.signer_id,
            "signer_type": who.signer_type,
            "key_id": who.key_id,
            "public_key_fingerprint": signer.key.fingerprint,
        },
        "created_at": draft.created_at,
        "supersedes": list(draft.supersedes),
        "prev_event": draft.prev_event,
        "schema_version": SCHEMA_VERSION,
    }
    digest = hashlib.sha256(canonical_bytes(content)).digest()
    return {
        **content,
        "content_sha256": digest.hex(),
        "event_id": f"sha256:{digest.hex()}",
        "signature": seal(digest, MESSAGE, signer, who.key_id, signed_at),
    }


def content_digest(event: dict[str, Json]) -> bytes:
    """Return the digest of what an event says: of all its members but hash, id and signature."""
    said = {name: value for name, value in event.items() if name not in _UNHASHED}
    return hashlib.sha256(received_bytes(said)).digest()


@dataclass(frozen=True, slots=True)
class CheckedEvent:
    """An event after its check; no reasons means valid.

    Attributes:
        raw: the event as received, whatever it is.
        digest: the recomputed content digest; empty where there is no object to hash.
        reasons: words of `seals.REASONS`, in the order of the checks.
        entry: the trust it rests on; None where no key was found.
    """

    raw: Json
    digest: bytes
    reasons: tuple[str, ...]
    entry: TrustEntry | None = None

    @property
    def event(self) -> dict[str, Json]:
        """The event as an object; empty where it is none."""
        return self.raw if isinstance(self.raw, dict) else {}

    @property
    def event_id(self) -> str:
        """The id that follows from the content."""
        return f"sha256:{self.digest.hex()}"

    @property
    def supersedes(self) -> list[str]:
        """The ids of the events it replaces; empty where it names none in the right form."""
        supersedes = self.event.get("supersedes")
        return [str(target) for target in supersedes] if isinstance(supersedes, list) else []

    @property
    def created_at(self) -> datetime:
        """The signed time; only for valid events."""
        moment = instant(str(self.event["created_at"]))
        if moment is None:
            raise InvalidDocument("created_at", "$.created_at", "no UTC time")
        return moment


def check(raw: Json, subject: str, keyring: Keyring) -> CheckedEvent:
    """Check an event completely, collecting all reasons; never raises on a value that `canonical.load` admits.

    Args:
        raw: the event as received.
        subject: the full Pith Number it must be about.
        keyring: the keys trusted.
    """
    if not isinstance(raw, dict):
        return CheckedEvent(raw, b"", ("event_shape",))
    digest = content_digest(raw)
    if not _well_formed(raw):
        return CheckedEvent(raw, digest, ("event_shape",))
    reasons = [word for word, fine in _facts(raw, digest, subject) if not fine]
    checked, signer_reasons = _check_signature(raw, digest, keyring)
    reasons += signer_reasons
    if raw["event_type"] == RECORD_CREATED:
        reasons += _record_reasons(raw, keyring)
    return CheckedEvent(raw, digest, tuple(dict.fromkeys(reasons)), checked)


def _well_formed(raw: dict[str, Json]) -> bool:
    return (
        set(raw) == _MEMBERS
        and all(isinstance(raw[name], str) for name in _TEXTS)
        and isinstance(raw["payload"], dict)
        and isinstance(raw["signer"], dict)
    )


def _facts(raw: dict[str, Json], digest: bytes, subject: str) -> list[tuple[str, bool]]:
    supersedes, previous = raw["supersedes"], raw["prev_event"]
    return [
        ("subject_mismatch", raw["subject_pith_number"] == subject),
        ("event_type", raw["event_type"] in TYPES),
        ("schema_version", raw["schema_version"] == SCHEMA_VERSION),
        ("created_at", instant(str(raw["created_at"])) is not None),
        ("supersedes", _are_ids(supersedes)),
        ("prev_event", previous is None or _are_ids([previous])),
        ("content_sha256", raw["content_sha256"] == digest.hex()),
        ("event_id", raw["event_id"] == f"sha256:{digest.hex()}"),
    ]


def _are_ids(value: Json) -> bool:
    if not isinstance(value, list):
        return False
    texts = [item for item in value if isinstance(item, str) and _EVENT_ID.fullmatch(item)]
    return len(texts) == len(value) == len(set(texts))


def _check_signature(raw: dict[str, Json], digest: bytes, keyring: Keyring) -> tuple[TrustEntry | None, list[str]]:
    signer = raw["signer"]
    if not isinstance(signer, dict) or set(signer) != set(_SIGNER):
        return None, ["signer_shape"]
    if not all(isinstance(member, str) for member in signer.values()):
        return None, ["signer_shape"]
    said = {name: str(signer[name]) for name in _SIGNER}
    own = said["signer_id"] if said["signer_type"] == SELF_CERTIFIED else ""
    at = instant(str(raw["created_at"]))
    checked = check_seal(raw["signature"], digest, MESSAGE, keyring, at=at, self_certified=own)
    reasons = list(checked.reasons)
    entry = checked.entry
    if entry is not None:
        named = (entry.signer_id, entry.signer_type, entry.key_id, entry.key.fingerprint)
        if named != tuple(said[name] for name in _SIGNER):
            reasons.append("signer_mismatch")
    if raw["event_type"] in REGISTRY_ONLY and said["signer_type"] != REGISTRY:
        reasons.append("signer_not_allowed")
    return entry, reasons


def _record_reasons(raw: dict[str, Json], keyring: Keyring) -> list[str]:
    payload = raw["payload"]
    if not isinstance(payload, dict):
        return ["record_shape"]
    try:
        minted = mint(CanonicalRecord.from_json(payload.get("canonical_record")))
    except InvalidRecord:
        return ["record_shape"]
    reasons = []
    if payload.get("canonical_sha256") != str(minted.digest):
        reasons.append("record_hash")
    if raw["subject_pith_number"] != str(minted.number):
        reasons.append("record_number")
    if not _same_source(payload, minted):
        reasons.append("record_source")
    receipt = receipts.check(payload.get("receipt"), minted.digest, keyring, at=str(raw["created_at"]))
    return reasons + [_receipt_reason(word) for word in receipt.reasons]


def _receipt_reason(word: str) -> str:
    return word if word.startswith("receipt") else "receipt_invalid"


def _same_source(payload: dict[str, Json], minted: Minted) -> bool:
    source = minted.record.source
    stated: Json = {name: payload.get(name) for name in ("source_kind", "source_id", "source_version")}
    named: Json = {"source_kind": source.kind, "source_id": source.id, "source_version": source.version}
    return received_bytes(stated) == received_bytes(named)  # not ==, as True equals 1 and 1.0


def record_payload(minted: Minted, receipt: dict[str, Json]) -> dict[str, Json]:
    """Return the payload of a `record_created` event."""
    source = minted.record.source
    return {
        "canonical_record": minted.record.to_json(),
        "canonical_sha256": str(minted.digest),
        "receipt": receipt,
        "source_kind": source.kind,
        "source_id": source.id,
        "source_version": source.version,
        "attestation_state": "computed",
    }


def object_digest(value: Json) -> Digest:
    """Return the digest of a whole JSON value as received."""
    return Digest(hashlib.sha256(received_bytes(value)).digest())
