"""Verifying documents from their bytes: what is no document, what nobody signed, what a proof of time can show."""

import base64
import json
from pathlib import Path

import pytest

from pithid.core.digest import Digest
from pithid.core.events import Draft, SignerId, build
from pithid.core.keys import Keyring
from pithid.core.signing import SeedSigner
from pithid.service.trust import load_keyring
from pithid.service.verify import verify_document
from pithid.store.places import data_file

KEYRING = load_keyring(data_file("trusted_keys.json"))
SIGNER = SeedSigner(bytes(32))


@pytest.fixture
def bundle(root: Path) -> dict[str, object]:
    """Return the seed bundle without its signature, so that events can be added."""
    found: dict[str, object] = json.loads((root / "data" / "seeds" / "bundle-2010.10458v1.json").read_text())
    del found["bundle_signature"]
    return found


@pytest.mark.parametrize(
    "data", [b"", b"{}", b"[]", b"\xff", b'{"a":1,"a":2}', b"[" * 100_000, b'{"kind":"pith_receipt"}']
)
def test_other_bytes_are_malformed(data: bytes) -> None:
    """What is no document of a known kind is malformed, never an exception."""
    assert verify_document(data, KEYRING).verdict == "malformed"


def test_members_beside_a_bare_record_are_unsigned(root: Path) -> None:
    """A record that nobody signed is itself by its hash, and whatever stands beside it is labelled."""
    line = json.loads((root / "data" / "records.jsonl").read_text().splitlines()[0])
    verification = verify_document(json.dumps(line | {"title": "FAKE"}).encode(), KEYRING)

    assert verification.verdict == "verified"
    assert {"$.title", "$.source_url"} <= set(verification.unsigned)
    assert not any(path.startswith("$.canonical_record") for path in verification.unsigned)
    wrong = line | {"aliases": [{"alias_kind": "doi", "alias_value": "10.1000/evil"}]}
    assert verify_document(json.dumps(wrong).encode(), KEYRING).verdict == "failed"


def test_a_stranger_is_named_as_self_certified(bundle: dict[str, object]) -> None:
    """A did:key outside the trust store is never among those whom the verdict rests on, and sets no status."""
    draft = Draft("correction", str(bundle["pith_number"]), "record", {"text": "x"}, "2026-07-06T00:00:00Z")
    event = build(draft, SignerId.of_key(SIGNER), SIGNER, signed_at="2026-07-06T00:00:00Z")
    events = bundle["events"]
    assert isinstance(events, list)
    verification = verify_document(json.dumps(bundle | {"events": [*events, event]}).encode(), KEYRING)

    assert [entry.signer_id for entry in verification.trusted_by] == ["pith.science"]
    assert verification.self_certified == (SIGNER.key.did,)


def test_timestamp_proofs_are_never_confirmed_offline(bundle: dict[str, object]) -> None:
    """A proof of another digest fails, one of this record is not checkable without a block header."""
    timestamp = pytest.importorskip("opentimestamps.core.timestamp")
    notary = pytest.importorskip("opentimestamps.core.notary")
    serialize = pytest.importorskip("opentimestamps.core.serialize")
    op = pytest.importorskip("opentimestamps.core.op")
    number, digest = str(bundle["pith_number"]), str(bundle["canonical_sha256"])
    results = []
    for value in (Digest.parse(digest).value, bytes(32)):
        tree = timestamp.Timestamp(value)
        tree.attestations.add(notary.BitcoinBlockHeaderAttestation(800_000))
        context = serialize.BytesSerializationContext()
        timestamp.DetachedTimestampFile(op.OpSHA256(), tree).serialize(context)
        proof = base64.b64encode(context.getbytes()).decode()
        payload = {"payload_version": "1", "canonical_sha256": digest, "proof_b64": proof, "calendars": []}
        draft = Draft("timestamp_anchor", number, "record", payload, "2026-07-06T00:00:00Z")  # type: ignore[arg-type]
        event = build(draft, SignerId.of_key(SIGNER), SIGNER, signed_at="2026-07-06T00:00:00Z")
        document = json.dumps(bundle | {"events": [event]}).encode()
        checks = verify_document(document, Keyring(KEYRING.entries)).checks
        results += [check.result for check in checks if check.name.startswith("timestamp sha256:")]

    assert results == ["not_checkable", "failed"]
