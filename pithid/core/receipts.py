"""Receipts: a registry's signature over the digest of a record.

Source: docs/protocol.md section 5. Only the digest is signed. What the other members say (times, versions) is vouched
for only where a signed event carries the receipt.
"""

from pithid.core.canonical import Json
from pithid.core.digest import Digest
from pithid.core.keys import REGISTRY, Keyring
from pithid.core.seals import Checked, check_seal, seal
from pithid.core.signing import Signer
from pithid.core.times import instant

KIND, VERSION, MESSAGE = "pith_receipt", "0.3", "canonical_sha256_bytes"
EXTRA = ("kind", "receipt_version", "builder_version", "canonical_sha256", "first_computed_at", "last_reissued_at")
UNSIGNED = ("builder_version", "receipt_version", "signed_at", "first_computed_at", "last_reissued_at")
"""Members of a stand-alone receipt that anyone can change without the check noticing."""


def issue(digest: Digest, signer: Signer, key_id: str, *, now: str, builder: str) -> dict[str, Json]:
    """Issue a receipt for a record's digest; `now` is a timestamp of the protocol."""
    return {
        "kind": KIND,
        "receipt_version": VERSION,
        "builder_version": builder,
        "canonical_sha256": str(digest),
        "first_computed_at": now,
        "last_reissued_at": now,
        **seal(digest.value, MESSAGE, signer, key_id, now),
    }


def check(value: Json, digest: Digest, keyring: Keyring, *, at: str = "") -> Checked:
    """Check a receipt against the recomputed digest of its record.

    Args:
        value: the receipt as received.
        digest: the digest of the record, recomputed.
        keyring: the keys trusted.
        at: a signed time that covers the receipt; empty where it stands alone, as its own times are unsigned.
    """
    if not isinstance(value, dict) or not _well_formed(value):
        return Checked(("receipt_shape",))
    checked = check_seal(value, digest.value, MESSAGE, keyring, at=instant(at), extra=EXTRA, signer_type=REGISTRY)
    if value["canonical_sha256"] != str(digest):
        return Checked(("receipt_hash", *checked.reasons), checked.entry)
    return checked


def _well_formed(value: dict[str, Json]) -> bool:
    texts = [value.get(name) for name in EXTRA]
    if not all(isinstance(text, str) for text in texts):
        return False
    times = [str(value[name]) for name in ("first_computed_at", "last_reissued_at")]
    return (value["kind"], value["receipt_version"]) == (KIND, VERSION) and all(map(instant, times))
