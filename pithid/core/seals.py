"""Signature objects: what receipts, events and bundles carry, checked member by member.

Source: docs/protocol.md sections 5, 7 and 11. Only a digest is ever signed; `signed_at` is covered by nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from pithid.core.canonical import Json
from pithid.core.errors import InvalidIdentifier
from pithid.core.keys import SELF_CERTIFIED, Keyring, PublicKey, TrustEntry, strict_base64
from pithid.core.signing import Signer, is_valid, is_weak
from pithid.core.times import instant

REASONS: Mapping[str, str] = {
    "event_shape": "the event has not exactly the members of an event, each of its type",
    "event_type": "the event type is not known",
    "schema_version": "the schema version is not 1.0",
    "created_at": "created_at is no UTC time",
    "supersedes": "supersedes is no list of distinct event ids",
    "prev_event": "prev_event is neither null nor an event id",
    "subject_mismatch": "the event is about another record",
    "content_sha256": "the content does not hash to content_sha256",
    "event_id": "event_id is not sha256: and the content hash",
    "signer_shape": "the signer has not exactly its members",
    "signer_mismatch": "signer and signature name different keys, or the trusted key belongs to another signer",
    "signer_not_allowed": "this kind of signer may not make this type of event",
    "signature_shape": "the signature has not exactly its members, each of its type",
    "signature_constant": "a fixed member of the signature has another value",
    "signature_encoding": "the signature is not the one base64 spelling of 64 bytes",
    "signed_at": "signed_at is no UTC time",
    "key_unknown": "no trusted key has this fingerprint and key id",
    "key_weak": "the key is weak",
    "key_revoked": "the key is revoked",
    "key_outside_validity": "the signed time is outside the key's validity",
    "signature_invalid": "the signature does not verify",
    "record_shape": "the payload holds no canonical record",
    "record_hash": "the canonical record does not hash to canonical_sha256",
    "record_number": "the Pith Number does not follow from the record",
    "record_source": "the payload's source members are not those of the record",
    "receipt_shape": "the receipt has not exactly the members of a receipt, each of its type",
    "receipt_hash": "the receipt is about another digest",
    "receipt_invalid": "the receipt is by no key that is trusted for it, or its signature does not verify",
}
"""Stable words for what is wrong with a signed object, and what each means."""

STATUS, ALGORITHM = "signed_v1", "ed25519"
_MEMBERS = (
    "signature_status",
    "algorithm",
    "key_id",
    "public_key_fingerprint",
    "signature_b64",
    "signed_message",
    "signed_at",
)


@dataclass(frozen=True, slots=True)
class Checked:
    """The outcome of a check: no reasons means valid; `entry` is the trust that it rests on."""

    reasons: tuple[str, ...]
    entry: TrustEntry | None = None


def seal(digest: bytes, message: str, signer: Signer, key_id: str, signed_at: str) -> dict[str, Json]:
    """Sign 32 digest bytes and return the signature object; `message` names what was hashed."""
    import base64  # noqa: PLC0415 - late: only signing needs it

    return {
        "signature_status": STATUS,
        "algorithm": ALGORITHM,
        "key_id": key_id,
        "public_key_fingerprint": signer.key.fingerprint,
        "signature_b64": base64.b64encode(signer.sign(digest)).decode("ascii"),
        "signed_message": message,
        "signed_at": signed_at,
    }


def check_seal(  # noqa: PLR0913 - each is one fact the caller holds the object to
    value: Json,
    digest: bytes,
    message: str,
    keyring: Keyring,
    *,
    at: datetime | None,
    extra: tuple[str, ...] = (),
    self_certified: str = "",
    signer_type: str = "",
) -> Checked:
    """Check a signature object over a recomputed digest.

    Args:
        value: the object as received.
        digest: 32 bytes, recomputed by the caller.
        message: the expected `signed_message`.
        keyring: the keys trusted.
        at: a signed time to hold against the key's validity; None where none is signed.
        extra: further members the object must have, checked by the caller.
        self_certified: the signer's did:key where it may vouch for itself; empty otherwise.
        signer_type: what the key must be trusted as; empty for anything.
    """
    if not isinstance(value, dict) or set(value) != {*_MEMBERS, *extra}:
        return Checked(("signature_shape",))
    texts = {name: str(value[name]) for name in _MEMBERS}
    if not all(isinstance(value[name], str) for name in _MEMBERS):
        return Checked(("signature_shape",))
    reasons = []
    if (texts["signature_status"], texts["algorithm"], texts["signed_message"]) != (STATUS, ALGORITHM, message):
        reasons.append("signature_constant")
    if instant(texts["signed_at"]) is None:
        reasons.append("signed_at")
    signature = strict_base64(texts["signature_b64"], 64)
    if signature is None:
        reasons.append("signature_encoding")
    entry = _entry(texts["public_key_fingerprint"], texts["key_id"], keyring, self_certified)
    if entry is None:
        return Checked((*reasons, "key_unknown"))
    if signer_type and entry.signer_type != signer_type:
        reasons.append("signer_not_allowed")
    reasons += _key_reasons(entry, at)
    if signature is not None and not is_valid(entry.key.raw, digest, signature):
        reasons.append("signature_invalid")
    return Checked(tuple(reasons), entry)


def _entry(fingerprint: str, key_id: str, keyring: Keyring, self_certified: str) -> TrustEntry | None:
    if not self_certified:
        return keyring.find(fingerprint, key_id)
    try:
        key = PublicKey.from_did(self_certified)
    except InvalidIdentifier:
        return None
    if (fingerprint, key_id) != (key.fingerprint, self_certified):
        return None
    known = keyring.find(fingerprint, key_id)
    if known is not None and known.signer_type == SELF_CERTIFIED:
        return known  # with the bounds that the user set for it
    revoked = any(entry.key == key and entry.revoked for entry in keyring.entries)
    return TrustEntry(key, key_id, self_certified, SELF_CERTIFIED, revoked=revoked)


def _key_reasons(entry: TrustEntry, at: datetime | None) -> list[str]:
    reasons = []
    if is_weak(entry.key):
        reasons.append("key_weak")
    if entry.revoked:
        reasons.append("key_revoked")
    if at is not None and not entry.covers(at):
        reasons.append("key_outside_validity")
    return reasons
