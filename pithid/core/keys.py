"""Public keys: their spellings and fingerprints, and the entries of a trust store.

Sources: docs/protocol.md section 13 (key document), RFC 8032 section 5.1.5 (the 32 bytes), the did:key method
(multicodec 0xed 0x01, multibase base58btc). Nothing here does arithmetic on the curve; see `signing`.
"""

import base64
import binascii
import hashlib
import re
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from pithid.core.canonical import Json
from pithid.core.errors import InvalidIdentifier, Malformed
from pithid.core.times import instant

REGISTRY = "pith_registry"
"""Signer type of a registry."""
SELF_CERTIFIED = "did_key"
"""Signer type of anyone else, who signs as the did:key of the key itself (ours)."""

_HEX = re.compile(r"[0-9a-f]{64}")
_DID = re.compile(r"did:key:z[1-9A-HJ-NP-Za-km-z]{47}")
_DID_PREFIX = "did:key:z"
_MULTICODEC = b"\xed\x01"
_KEY_MEMBERS = {
    "key_id": str,
    "algorithm": str,
    "format": str,
    "public_key_b64": str,
    "public_key_hex": str,
    "fingerprint_sha256_hex": str,
    "fingerprint_sha256_b32_first128bits": str,
}


class InvalidKey(Malformed):
    """A key document or spelling of a key breaks its rule."""

    code = "invalid-key"


def strict_base64(text: str, size: int) -> bytes | None:
    """Decode standard base64 of exactly `size` bytes; None for any second spelling of the same bytes.

    Pad bits, missing or extra padding, blanks and the URL alphabet are all refused: hashes are taken over the text.
    """
    try:
        raw = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return raw if len(raw) == size and base64.b64encode(raw).decode("ascii") == text else None


@dataclass(frozen=True, slots=True)
class PublicKey:
    """An Ed25519 public key; `raw` is its 32 bytes."""

    raw: bytes

    def __post_init__(self) -> None:
        if len(self.raw) != 32:
            raise InvalidKey(f"an Ed25519 public key has 32 bytes, not {len(self.raw)}")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read 64 lower-case hex digits; the inverse of `str()`."""
        if _HEX.fullmatch(text) is None:
            raise InvalidIdentifier("public key", text, "expected 64 lower-case hex digits")
        return cls(bytes.fromhex(text))

    def __str__(self) -> str:
        return self.raw.hex()

    @classmethod
    def from_base64(cls, text: str) -> Self:
        """Read standard base64 with padding."""
        raw = strict_base64(text, 32)
        if raw is None:
            raise InvalidIdentifier("public key", text, "expected base64 of 32 bytes")
        return cls(raw)

    @classmethod
    def from_did(cls, text: str) -> Self:
        """Read a did:key. The length is checked first: decoding base58 takes time quadratic in it."""
        import base58  # noqa: PLC0415 - late: only this spelling needs it

        if len(text) == 56 and _DID.fullmatch(text) is not None:
            raw = bytes(base58.b58decode(text[len(_DID_PREFIX) :]))
            if len(raw) == 34 and raw[:2] == _MULTICODEC:
                return cls(raw[2:])
        raise InvalidIdentifier("did:key", text, "expected did:key:z and 47 base58 characters of an Ed25519 key")

    @property
    def base64(self) -> str:
        """Standard base64 with padding."""
        return base64.b64encode(self.raw).decode("ascii")

    @property
    def did(self) -> str:
        """The did:key of this key."""
        import base58  # noqa: PLC0415 - late: only this spelling needs it

        return _DID_PREFIX + str(base58.b58encode(_MULTICODEC + self.raw), "ascii")

    @property
    def fingerprint(self) -> str:
        """The first 32 hex digits of the key's SHA-256."""
        return hashlib.sha256(self.raw).hexdigest()[:32]

    @property
    def fingerprint_base32(self) -> str:
        """The first 26 base32 characters of the key's SHA-256: 130 bits, although the field is named after 128."""
        return base64.b32encode(hashlib.sha256(self.raw).digest()).decode("ascii")[:26]

    def document(self, key_id: str, *, url: str = "", notes: str = "") -> dict[str, Json]:
        """Return the registry's public key document."""
        return {
            "key_id": key_id,
            "algorithm": "ed25519",
            "format": "raw",
            "public_key_b64": self.base64,
            "public_key_hex": str(self),
            "fingerprint_sha256_hex": self.fingerprint,
            "fingerprint_sha256_b32_first128bits": self.fingerprint_base32,
            "rotates_at": None,
            "url": url,
            "notes": notes,
        }


def read_document(value: Json) -> tuple[str, PublicKey]:
    """Return the key id and key of a public key document whose four spellings agree.

    Raises:
        InvalidKey: a member is missing or of a wrong type, or the spellings contradict each other.
    """
    if not isinstance(value, dict):
        raise InvalidKey("a key document is an object")
    texts: dict[str, str] = {}
    for name, kind in _KEY_MEMBERS.items():
        member = value.get(name)
        if not isinstance(member, kind):
            raise InvalidKey(f"the member {name!r} of the key document is missing or no text")
        texts[name] = member
    if (texts["algorithm"], texts["format"]) != ("ed25519", "raw"):
        raise InvalidKey(f"algorithm {texts['algorithm']!r}, format {texts['format']!r}: expected ed25519, raw")
    key = PublicKey.parse(texts["public_key_hex"])
    expected = key.document(texts["key_id"])
    for name in _KEY_MEMBERS:
        if expected[name] != texts[name]:
            raise InvalidKey(f"the member {name!r} of the key document does not follow from the key")
    return texts["key_id"], key


@dataclass(frozen=True, slots=True)
class TrustEntry:
    """A key that the user chose to trust, and for what.

    Attributes:
        key: the key; all of it, as a fingerprint can be matched by search.
        key_id: the name the signer gives it.
        signer_id: who signs with it.
        signer_type: what it may sign as; `REGISTRY` may state records, `SELF_CERTIFIED` speaks for itself.
        valid_from: earliest signed time accepted, as text of the protocol; empty for no bound.
        valid_until: latest signed time accepted; empty for no bound.
        revoked: signatures are shown, but none is accepted.
    """

    key: PublicKey
    key_id: str
    signer_id: str
    signer_type: str = REGISTRY
    valid_from: str = ""
    valid_until: str = ""
    revoked: bool = False

    def __post_init__(self) -> None:
        if self.signer_type not in {REGISTRY, SELF_CERTIFIED}:
            raise InvalidKey(f"{self.signer_type!r} is no signer type; expected {REGISTRY} or {SELF_CERTIFIED}")
        for name in ("valid_from", "valid_until"):
            text = getattr(self, name)
            if text and instant(text) is None:
                raise InvalidKey(f"{name}: {text!r} is no time of the form 2026-07-05T01:44:30Z")

    def covers(self, moment: datetime) -> bool:
        """Tell whether a signed time lies within the bounds."""
        first, last = instant(self.valid_from), instant(self.valid_until)
        return (first is None or first <= moment) and (last is None or moment <= last)


@dataclass(frozen=True, slots=True)
class Keyring:
    """The keys trusted for one verification. A key found in a document is a hint, and never in here by itself."""

    entries: tuple[TrustEntry, ...] = ()

    def find(self, fingerprint: str, key_id: str) -> TrustEntry | None:
        """Return the entry that has both this fingerprint and this key id; a revoked one before any other."""
        named = [entry for entry in self.entries if entry.key.fingerprint == fingerprint and entry.key_id == key_id]
        return next((entry for entry in named if entry.revoked), named[0] if named else None)
