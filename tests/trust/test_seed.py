"""The registry's own documents verify, and its state follows from its events bit for bit."""

import itertools
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from pithid.core import receipts
from pithid.core.canonical import Json, load
from pithid.core.digest import Digest
from pithid.core.keys import Keyring
from pithid.core.merge import merge
from pithid.core.mint import Minted, mint
from pithid.core.records import CanonicalRecord
from pithid.core.verify import verify_bundle
from pithid.core.verify_documents import verify_receipt, verify_record, verify_state
from tests.trust.mutations import put

STATE = "a4163a30e8828a51a7675acdbec8c674c4b60a77d4027151dc23ab8d44faf55a"
ROOT = Path(__file__).resolve().parents[2]
RECEIPTS = [
    json.loads(line) for line in (ROOT / "data" / "vectors" / "receipts.jsonl").read_text(encoding="utf-8").splitlines()
]

Bundle = dict[str, Json]


@pytest.fixture(scope="module")
def minted(seed: Bundle) -> Minted:
    """Return the seed's record, minted."""
    return mint(CanonicalRecord.from_json(seed["canonical_record"]))


@pytest.fixture(scope="module")
def events(seed: Bundle) -> list[Json]:
    """Return the seed's two events."""
    found = seed["events"]
    assert isinstance(found, list)
    return found


@pytest.fixture(scope="module")
def rows(seed: Bundle) -> list[Json]:
    """Return the seed's alias rows."""
    found = seed["source_aliases"]
    assert isinstance(found, list)
    return found


def test_bundle(seed: Bundle, keyring: Keyring) -> None:
    """Every check of the seed bundle passes, and the pinned key is named as the reason."""
    result = verify_bundle(seed, keyring)
    assert result.verdict == "verified"
    assert {check.name: check.result for check in result.checks if check.result != "passed"} == {
        "timestamp_proofs": "absent"
    }
    assert len(result.checks) == 23
    assert result.trusted_by == keyring.entries
    assert not result.conflicts


def test_checks_named(seed: Bundle, keyring: Keyring) -> None:
    """All parts that can be checked are checked."""
    names = [check.name for check in verify_bundle(seed, keyring).checks]
    assert len(names) == len(set(names))
    assert {name for name in names if not name.startswith(("event ", "snapshot "))} == set(
        """shape canonical_record canonical_sha256 pith_number short_pith_number source aliases public_keys
        record_created receipt record_event_agrees state_sha256 state_recomputed timestamp_proofs bundle_sha256
        bundle_signature""".split()
    )


def test_empty_keyring(seed: Bundle) -> None:
    """The key inside the bundle is a hint: without a trusted key nothing signed is accepted."""
    result = verify_bundle(seed, Keyring())
    assert result.verdict == "failed"
    failed = {check.name.split(" ")[0] for check in result.checks if check.result == "failed"}
    assert failed == {"public_keys", "event", "record_created", "state_recomputed", "bundle_signature"}
    assert not result.trusted_by


def _mirrors(events: list[Json]) -> list[Sequence[Json]]:
    one, two = events
    return [
        *itertools.permutations(events),
        [one, two, one, two, two],
        [two, two, one],
        [put(one, ("signature", "signed_at"), "2027-01-01T00:00:00Z"), two, one],
    ]


def test_state_hash(seed: Bundle, events: list[Json], rows: list[Json], minted: Minted, keyring: Keyring) -> None:
    """Both orders, repeated events and the same event in another envelope give the registry's state hash."""
    for given in _mirrors(events):
        merged = merge(minted, given, rows, keyring)
        assert merged.state == seed["state"]
        assert merged.state["state_sha256"] == STATE
    for shuffled in (rows[::-1], rows + rows, rows[3:] + rows[:4]):
        assert merge(minted, events, shuffled, keyring).state["state_sha256"] == STATE


def test_split_over_mirrors(events: list[Json], rows: list[Json], minted: Minted, keyring: Keyring) -> None:
    """Two mirrors with one event and half the aliases each give the registry's state hash together, not alone."""
    for first, second in itertools.permutations(events):
        alone = merge(minted, [first], rows[:3], keyring).state
        assert alone["state_sha256"] != STATE
        together = merge(minted, [*[first], *[second]], rows[3:] + rows[:3], keyring).state
        assert together["state_sha256"] == STATE


def test_damaged_copy(events: list[Json], rows: list[Json], minted: Minted, keyring: Keyring) -> None:
    """A mirror's broken copy of an event that is there intact is reported and leaves the state as it is."""
    broken = put(events[1], ("signature", "signature_b64"), "AAAA")
    merged = merge(minted, [broken, *events], rows, keyring)
    assert merged.state["state_sha256"] == STATE
    assert [one.raw for one in merged.damaged] == [broken]


@pytest.mark.parametrize("row", RECEIPTS, ids=lambda row: row["arxiv_id"])
def test_public_receipts(row: dict[str, str], keyring: Keyring) -> None:
    """The receipts shown on public record pages are signatures of the pinned key over the record's digest."""
    entry = keyring.entries[0]
    receipt: dict[str, Json] = {
        "kind": "pith_receipt",
        "receipt_version": "0.3",
        "builder_version": "pith-number-builder-2026-05-17-v1",
        "canonical_sha256": row["canonical_sha256"],
        "first_computed_at": row["first_computed_at"],
        "last_reissued_at": row["first_computed_at"],
        "signature_status": "signed_v1",
        "algorithm": "ed25519",
        "key_id": row["key_id"],
        "public_key_fingerprint": entry.key.fingerprint,
        "signature_b64": row["signature_b64"],
        "signed_message": "canonical_sha256_bytes",
        "signed_at": row["first_computed_at"],
    }
    digest = Digest.parse(row["canonical_sha256"])
    checked = receipts.check(receipt, digest, keyring)
    assert (checked.reasons, checked.entry) == ((), entry)
    assert verify_receipt(receipt, keyring).verdict == "verified"
    other = Digest(bytes([digest.value[0] ^ 1]) + digest.value[1:])
    assert receipts.check(receipt, other, keyring).reasons == ("receipt_hash", "signature_invalid")
    moved = {**receipt, "canonical_sha256": str(other)}
    assert receipts.check(moved, other, keyring).reasons == ("signature_invalid",)


def test_record_document(root: Path, keyring: Keyring) -> None:
    """The registry's record document verifies: its receipt is about its record."""
    value = load((root / "data" / "seeds" / "record-2007.03298v2.json").read_bytes())
    assert isinstance(value, dict)
    minted = mint(CanonicalRecord.from_json(value["canonical_record"]))
    assert receipts.check(value["receipt"], minted.digest, keyring).reasons == ()
    result = verify_record(value, keyring)
    assert result.verdict == "verified"
    assert result.trusted_by == keyring.entries


def test_state_document(seed: Bundle, keyring: Keyring) -> None:
    """The state inside the bundle verifies as a document of its own."""
    assert verify_state(seed["state"], keyring).verdict == "verified"
