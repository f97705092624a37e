"""Bundles: a record with everything signed about it, portable between mirrors.

Source: docs/protocol.md section 11. The bundle carries the key it is checked with, so it proves no origin by itself:
trust comes from the keyring alone.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from pithid.core.aliases import Alias
from pithid.core.canonical import Json, received_bytes
from pithid.core.keys import Keyring
from pithid.core.merge import MERGE_VERSION, merge
from pithid.core.mint import Minted
from pithid.core.seals import seal
from pithid.core.signing import Signer

TYPE, VERSION, MESSAGE = "pith_open_graph_bundle", "1.0", "bundle_sha256_bytes"
MEMBERS = {
    "bundle_type": str,
    "bundle_version": str,
    "pith_number": str,
    "short_pith_number": str,
    "canonical_record": dict,
    "canonical_sha256": str,
    "source": dict,
    "source_aliases": list,
    "events": list,
    "timestamp_proofs": list,
    "mirror_hints": list,
    "public_keys": list,
    "merge_version": str,
    "built_at": str,
    "links": dict,
    "state": dict,
}
"""Members and their types; `bundle_signature` comes on top in a signed bundle."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What a bundle is built from.

    Attributes:
        minted: the record.
        events: events as received or built; all of them travel, valid or not.
        aliases: alias rows.
        public_keys: key documents, as hints for the reader.
        mirror_hints: where copies may be found.
        links: the bundle's own addresses.
        timestamp_proofs: proofs as received.
    """

    minted: Minted
    events: Sequence[Json]
    aliases: Sequence[Json]
    public_keys: Sequence[Json] = ()
    mirror_hints: Sequence[Json] = ()
    links: tuple[tuple[str, str], ...] = ()
    timestamp_proofs: Sequence[Json] = ()


def build(parts: Parts, keyring: Keyring, *, built_at: str) -> dict[str, Json]:
    """Build an unsigned bundle; its state is merged from the events and aliases under `keyring`."""
    minted = parts.minted
    merged = merge(minted, parts.events, parts.aliases, keyring)
    return {
        "bundle_type": TYPE,
        "bundle_version": VERSION,
        "pith_number": str(minted.number),
        "short_pith_number": f"pith:{minted.short_8}",
        "canonical_record": minted.record.to_json(),
        "canonical_sha256": str(minted.digest),
        "source": minted.record.source.to_json(),
        "source_aliases": _current(merged.state)["source_aliases"],
        "events": list(parts.events),
        "timestamp_proofs": list(parts.timestamp_proofs),
        "mirror_hints": list(parts.mirror_hints),
        "public_keys": list(parts.public_keys),
        "merge_version": MERGE_VERSION,
        "built_at": built_at,
        "links": dict(parts.links),
        "state": merged.state,
    }


def _current(state: dict[str, Json]) -> dict[str, Json]:
    current = state["current"]
    return current if isinstance(current, dict) else {}


def sign(bundle: dict[str, Json], signer: Signer, key_id: str, *, signed_at: str) -> dict[str, Json]:
    """Return the bundle with a signature over its digest."""
    digest = bundle_digest(bundle)
    sealed = {**seal(digest, MESSAGE, signer, key_id, signed_at), "bundle_sha256": digest.hex()}
    return {**bundle, "bundle_signature": sealed}


def bundle_digest(bundle: dict[str, Json]) -> bytes:
    """Return the digest of a bundle: of all its members but the signature."""
    rest = {name: value for name, value in bundle.items() if name != "bundle_signature"}
    return hashlib.sha256(received_bytes(rest)).digest()


def alias_rows(aliases: Sequence[Alias], created_at: str) -> list[Json]:
    """Return alias rows as bundles carry them."""
    return [{"alias_kind": a.kind, "alias_value": a.value, "created_at": created_at} for a in aliases]
