"""Verification status: computed from verified events, and moved by registries alone."""

import json
from pathlib import Path

import pytest

from pithid.core.canonical import Json
from pithid.core.events import Draft, SignerId, build
from pithid.core.keys import Keyring, TrustEntry
from pithid.core.merge import Merged, merge
from pithid.core.mint import Minted, mint
from pithid.core.records import CanonicalRecord
from pithid.core.signing import SeedSigner
from pithid.core.status import completeness, verification_status, words

STRANGER, REGISTRY = SeedSigner(bytes(32)), SeedSigner(bytes(range(32)))
KEYRING = Keyring((TrustEntry(REGISTRY.key, "key", "registry"),))
TIME = "2026-07-06T00:00:00Z"
CLAIMS: dict[str, dict[str, Json]] = {
    "author_attestation": {"strength": "strong"},
    "storage_attestation": {"capture_url": "https://example.org/"},
    "citation_signature": {},
    "replication_record": {},
    "timestamp_anchor": {},
}


@pytest.fixture
def minted(root: Path) -> Minted:
    """Return a real record."""
    line = (root / "data" / "records.jsonl").read_text().splitlines()[0]
    return mint(CanonicalRecord.from_json(json.loads(line)["canonical_record"]))


def merged(minted: Minted, signer: SeedSigner, who: SignerId) -> Merged:
    """Merge one event of each kind of claim by one signer."""
    drafts = [Draft(kind, str(minted.number), "record", payload, TIME) for kind, payload in CLAIMS.items()]
    events: list[Json] = [build(draft, who, signer, signed_at=TIME) for draft in drafts]
    return merge(minted, events, [], KEYRING)


def test_nothing_known_is_nothing_claimed(minted: Minted) -> None:
    """Without events only the content address holds, and only the bundle is complete."""
    empty = merge(minted, [], [], KEYRING)
    status = verification_status(empty, has_receipt=False)

    assert [name for name, value in status.items() if value] == ["content_addressed"]
    assert words(status) == ("not attested", "not anchored", "not stored", "refs pending")
    assert [step.done for step in completeness(status, empty)] == [False] * 5 + [True]


def test_a_stranger_is_counted_and_decides_nothing(minted: Minted) -> None:
    """Anyone can sign as a did:key: such claims are counted as weak, and move no status word."""
    found = merged(minted, STRANGER, SignerId.of_key(STRANGER))
    status = verification_status(found, has_receipt=False)

    assert len(found.valid) == len(CLAIMS)
    assert (status["weak_author_claims"], status["strong_author_claims"]) == (1, 0)
    assert words(status) == ("not attested", "not anchored", "not stored", "refs pending")
    assert [(step.done, step.count) for step in completeness(status, found)] == [(False, 1)] * 5 + [(True, 1)]


def test_a_registry_moves_the_words_but_no_stamp_is_an_anchor(minted: Minted) -> None:
    """What a trusted registry signs counts; a timestamp only where a block header confirmed it."""
    found = merged(minted, REGISTRY, SignerId("registry", "pith_registry", "key"))
    status = verification_status(found, has_receipt=False)

    assert words(status) == ("attested", "not anchored", "stored", "refs pending")
    assert words(verification_status(found, has_receipt=False, anchored=True))[1] == "anchored"
    assert [step.done for step in completeness(status, found)] == [False, True, True, True, True, True]
