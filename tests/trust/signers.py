"""Signers with fixed keys, short ways to sign with them, and reading trust files."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pithid.core import bundle, events, receipts
from pithid.core.canonical import Json, load
from pithid.core.keys import REGISTRY, SELF_CERTIFIED, Keyring, TrustEntry, read_document
from pithid.core.mint import Minted
from pithid.core.signing import SeedSigner

TIME = "2026-07-05T01:44:30Z"
BUILDER = "pithid-test-builder"


@dataclass(frozen=True, slots=True)
class Party:
    """Someone who signs: a registry under a key id, or an author under the did:key of the key."""

    signer: SeedSigner
    who: events.SignerId

    @classmethod
    def registry(cls, label: str, key_id: str, signer_id: str = "registry.test") -> "Party":
        """Return a registry whose key is made from a label."""
        return cls(_signer(label), events.SignerId(signer_id, REGISTRY, key_id))

    @classmethod
    def author(cls, label: str) -> "Party":
        """Return a self-certified author whose key is made from a label."""
        signer = _signer(label)
        return cls(signer, events.SignerId.of_key(signer))

    def entry(self, *, valid_from: str = "", valid_until: str = "", revoked: bool = False) -> TrustEntry:
        """Return the trust entry of this party."""
        who = self.who
        return TrustEntry(self.signer.key, who.key_id, who.signer_id, who.signer_type, valid_from, valid_until, revoked)

    def event(
        self,
        kind: str,
        minted: Minted,
        payload: dict[str, Json],
        *,
        target: str = "record",
        created_at: str = TIME,
        supersedes: Sequence[Json] = (),
        prev_event: str | None = None,
        signed_at: str = TIME,
    ) -> dict[str, Json]:
        """Sign an event about a record."""
        replaced = tuple(str(item) for item in supersedes)
        draft = events.Draft(kind, str(minted.number), target, payload, created_at, replaced, prev_event)
        return events.build(draft, self.who, self.signer, signed_at=signed_at)

    def receipt(self, minted: Minted, *, now: str = TIME) -> dict[str, Json]:
        """Sign a receipt for a record."""
        return receipts.issue(minted.digest, self.signer, self.who.key_id, now=now, builder=BUILDER)

    def created(self, minted: Minted, *, created_at: str = TIME, receipt: Json = None) -> dict[str, Json]:
        """Sign the event that creates a record."""
        held = receipt if isinstance(receipt, dict) else self.receipt(minted, now=created_at)
        payload = events.record_payload(minted, held)
        return self.event(events.RECORD_CREATED, minted, payload, created_at=created_at)

    def document(self) -> dict[str, Json]:
        """Return the key document."""
        return self.signer.key.document(self.who.key_id, url="https://registry.test/key.json", notes="a test key")

    def bundle(
        self, minted: Minted, signed: Sequence[Json], keyring: Keyring, *, built_at: str = TIME
    ) -> dict[str, Json]:
        """Build and sign a bundle."""
        rows = bundle.alias_rows(minted.aliases, TIME)
        parts = bundle.Parts(minted, signed, rows, public_keys=[self.document()])
        return self.seal(bundle.build(parts, keyring, built_at=built_at), signed_at=built_at)

    def seal(self, value: dict[str, Json], *, signed_at: str = TIME) -> dict[str, Json]:
        """Sign a bundle that is built; a signature it has is replaced."""
        rest = {name: item for name, item in value.items() if name != "bundle_signature"}
        return bundle.sign(rest, self.signer, self.who.key_id, signed_at=signed_at)


def _signer(label: str) -> SeedSigner:
    return SeedSigner(hashlib.sha256(f"pithid test key: {label}".encode()).digest())


def read_trust(path: Path) -> Keyring:
    """Read a trust file: a list of key documents, each with who signs and the bounds."""
    rows = load(path.read_bytes())
    assert isinstance(rows, list)
    entries = []
    for row in rows:
        assert isinstance(row, dict)
        key_id, key = read_document(row["document"])
        texts = {name: str(row[name]) for name in ("signer_id", "signer_type", "valid_from", "valid_until")}
        entries.append(TrustEntry(key, key_id, **texts, revoked=row["revoked"] is True))
    return Keyring(tuple(entries))


__all__ = ["BUILDER", "SELF_CERTIFIED", "TIME", "Party", "read_trust"]
