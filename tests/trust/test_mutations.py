"""Whatever is changed in a signed bundle, one step at a time, is noticed."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from pithid.core.canonical import Json, load, received_bytes
from pithid.core.errors import InvalidDocument
from pithid.core.events import MESSAGE, content_digest
from pithid.core.keys import Keyring
from pithid.core.mint import Minted, mint
from pithid.core.records import CanonicalRecord
from pithid.core.seals import seal
from pithid.core.verify import verify_bundle
from tests.trust.mutations import (
    FREE,
    Mutation,
    at,
    duplicated_keys,
    flip_outcome,
    leaf_mutations,
    leaves,
    put,
    repaired,
    sampled_bits,
    structure_mutations,
)
from tests.trust.signers import TIME, Party

Bundle = dict[str, Json]


def _verified(value: Json, keyring: Keyring) -> bool:
    return verify_bundle(value, keyring).verdict == "verified"


def test_leaves(seed: Bundle, keyring: Keyring) -> None:
    """Every replacement of every leaf is noticed, but another valid time in the one leaf that nothing signs."""
    mutations = list(leaf_mutations(seed))
    assert len({mutation.name for mutation in mutations}) == 314
    assert len(mutations) > 2100
    survivors = [mutation for mutation in mutations if _verified(mutation.value, keyring)]
    assert {mutation.name for mutation in survivors} == {FREE}
    assert len(survivors) == 1


def test_structure(seed: Bundle, keyring: Keyring) -> None:
    """Every member added, deleted or renamed and every item repeated, dropped or moved is noticed."""
    mutations = list(structure_mutations(seed))
    assert Counter(mutation.kind for mutation in mutations).keys() == {
        *("add", "delete", "rename", "drop", "duplicate", "reverse")
    }
    assert len(mutations) > 860
    assert [(m.kind, m.name) for m in mutations if _verified(m.value, keyring)] == [("delete", "$.bundle_signature")]


def test_signature_renamed_is_malformed(seed: Bundle, keyring: Keyring) -> None:
    """A bundle whose signature hides under another name is malformed, not merely unsigned."""
    rest: Bundle = {name: value for name, value in seed.items() if name != "bundle_signature"}
    assert verify_bundle({**rest, "signature": seed["bundle_signature"]}, keyring).verdict == "malformed"


def test_duplicate_keys(seed: Bundle) -> None:
    """Each member written twice is refused by the loader, although the last one of the two is genuine."""
    texts = list(duplicated_keys(seed))
    assert len(texts) == 369
    for path, text in texts:
        with pytest.raises(InvalidDocument) as failure:
            load(text)
        assert (failure.value.rule, failure.value.path) == ("duplicate-key", path)


def test_bits(seed_bytes: bytes, seed: Bundle, keyring: Keyring) -> None:
    """A flipped bit anywhere in the file is noticed, but inside the one leaf that nothing signs."""
    bits = sampled_bits(seed_bytes, 5000, seed=2026)
    outcomes = Counter(flip_outcome(seed_bytes, bit, seed, keyring) for bit in bits)
    assert set(outcomes) <= {"malformed", "failed", "signed_at"}
    assert outcomes["signed_at"] < 20


def test_bits_of_the_free_leaf(seed_bytes: bytes, seed: Bundle, keyring: Keyring) -> None:
    """A flip that survives changes a valid time into another valid time, in the one leaf that nothing signs."""
    text = str(at(seed, ("bundle_signature", "signed_at"))).encode()
    start = seed_bytes.index(text)
    bits = range(start * 8, (start + len(text)) * 8)
    outcomes = Counter(flip_outcome(seed_bytes, bit, seed, keyring) for bit in bits)
    assert outcomes["signed_at"] > 0
    assert outcomes["survived"] == outcomes["same"] == 0


def test_unkeyed_repairs(seed: Bundle, keyring: Keyring) -> None:
    """Making every hash right that needs no key does not help: the signatures remain."""
    assert received_bytes(repaired(Mutation("none", (), seed), keyring)) == received_bytes(seed)
    for mutation in leaf_mutations(seed):
        value = repaired(mutation, keyring)
        if _verified(value, keyring):
            assert mutation.name == FREE


def _unsigned(seed: Bundle) -> Bundle:
    return {name: value for name, value in seed.items() if name != "bundle_signature"}


def test_unsigned_labels(seed: Bundle, keyring: Keyring) -> None:
    """Without the bundle's signature exactly 24 leaves are unprotected, and each is named."""
    result = verify_bundle(_unsigned(seed), keyring)
    assert result.verdict == "verified"
    assert {check.name for check in result.checks if check.result == "absent"} >= {"bundle_sha256", "bundle_signature"}
    assert len(result.unsigned) == len(set(result.unsigned)) == 24
    assert result.to_json()["unsigned"] == list(result.unsigned)


def test_unsigned_leaves(seed: Bundle, keyring: Keyring) -> None:
    """A mirror that drops the signature and repairs all hashes can change the labelled leaves and no others."""
    bundle = _unsigned(seed)
    labelled = set(verify_bundle(bundle, keyring).unsigned)
    changeable = {m.name for m in leaf_mutations(bundle) if _verified(repaired(m, keyring), keyring)}
    assert changeable == labelled


def test_signed_labels(seed: Bundle, keyring: Keyring) -> None:
    """With its signature a bundle has one unprotected leaf; with a broken signature it has all of them."""
    assert verify_bundle(seed, keyring).unsigned == (FREE,)
    broken = put(seed, ("bundle_signature", "signature_b64"), "AAAA")
    assert len(verify_bundle(broken, keyring).unsigned) == 24


def _substituted(seed: Bundle, attacker: Party, minted: Minted, keyring: Keyring) -> Bundle:
    """Sign all of the seed again with another key under the same key id."""
    fingerprint = attacker.signer.key.fingerprint
    events: list[Json] = []
    for index in range(2):
        value = put(at(seed, ("events", index)), ("signer", "public_key_fingerprint"), fingerprint)
        if at(value, ("event_type",)) == "record_created":
            value = put(value, ("payload", "receipt"), attacker.receipt(minted))
        assert isinstance(value, dict)
        digest = content_digest(value)
        signature = seal(digest, MESSAGE, attacker.signer, attacker.who.key_id, TIME)
        events.append({**value, "signature": signature})
    mutation = Mutation("substitution", (), {**seed, "events": events, "public_keys": [attacker.document()]})
    rebuilt = repaired(mutation, keyring)
    assert isinstance(rebuilt, dict)
    return rebuilt


def test_key_substitution(seed: Bundle, keyring: Keyring) -> None:
    """An attacker who signs everything again under the registry's key id fails, as the pinned key is another."""
    attacker = Party.registry("attacker", "pith-v1-2026-05", "pith.science")
    theirs = Keyring((attacker.entry(),))
    minted = mint(CanonicalRecord.from_json(seed["canonical_record"]))
    for state_for in (theirs, keyring):
        forged = attacker.seal(_substituted(seed, attacker, minted, state_for))
        if state_for is theirs:
            assert _verified(forged, theirs), "the forgery is as good as it can be"
        result = verify_bundle(forged, keyring)
        failed = {check.name.split(" ")[0] for check in result.checks if check.result == "failed"}
        assert failed >= {"public_keys", "event", "record_created", "bundle_signature"}
        assert not result.trusted_by


def test_leaf_count(seed: Bundle) -> None:
    """The seed has the 314 leaves that the figures are about."""
    assert len(list(leaves(seed))) == 314


def test_script_starts(root: Path) -> None:
    """The script that runs all of this, and every bit, can be started."""
    script = root / "scripts" / "mutate_bundle.py"
    done = subprocess.run([sys.executable, script, "--help"], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "--worlds" in done.stdout
