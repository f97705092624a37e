"""Signature objects: every member is held to what it must be, and each fault has its word."""

import base64
import dataclasses
import hashlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pithid.core.keys import SELF_CERTIFIED, Keyring, PublicKey, TrustEntry
from pithid.core.seals import REASONS, check_seal, seal
from pithid.core.signing import SeedSigner
from pithid.core.times import instant

DIGEST = hashlib.sha256(b"what is signed").digest()
MESSAGE = "canonical_sha256_bytes"
SIGNED_AT = "2026-07-05T01:44:30Z"
SIGNER, OTHER = SeedSigner(bytes(range(32))), SeedSigner(bytes(range(1, 33)))
ENTRY = TrustEntry(SIGNER.key, "k", "registry.example")
RING = Keyring((ENTRY,))
SEAL: dict[str, Any] = seal(DIGEST, MESSAGE, SIGNER, "k", SIGNED_AT)


def reasons(value: Any, keyring: Keyring = RING, **changes: Any) -> tuple[str, ...]:  # noqa: ANN401 - any JSON value
    """Return the reasons against a signature object, all of which must have a meaning."""
    arguments = {"digest": DIGEST, "message": MESSAGE, "at": None} | changes
    found = check_seal(value, keyring=keyring, **arguments).reasons
    assert set(found) <= set(REASONS)
    return found


def _respelled(text: str) -> dict[str, str]:
    """Return other texts of the same bytes: 64 bytes end in one data character, two of padding."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    pad = letters[letters.index(text[-3]) + 1]
    return {
        "pad bits": text[:-3] + pad + "==",
        "no padding": text.rstrip("="),
        "more padding": text + "=",
        "newline": text + "\n",
        "URL alphabet": text.replace("+", "-").replace("/", "_") if set(text) & set("+/") else text[:-3] + "-==",
        "63 bytes": base64.b64encode(bytes(63)).decode(),
        "65 bytes": base64.b64encode(bytes(65)).decode(),
        "empty": "",
        "hex": base64.b64decode(text).hex(),
    }


def test_good() -> None:
    """A seal made here is valid, and says which trust it rests on."""
    checked = check_seal(SEAL, DIGEST, MESSAGE, RING, at=instant(SIGNED_AT))
    assert (checked.reasons, checked.entry) == ((), ENTRY)


MUTATED: list[tuple[str, Any, tuple[str, ...]]] = [
    ("signature_status", "signed_v2", ("signature_constant",)),
    ("signature_status", "", ("signature_constant",)),
    ("algorithm", "Ed25519", ("signature_constant",)),
    ("algorithm", "none", ("signature_constant",)),
    ("signed_message", "open_graph_event_sha256_bytes", ("signature_constant",)),
    ("key_id", "another", ("key_unknown",)),
    ("key_id", "", ("key_unknown",)),
    ("public_key_fingerprint", OTHER.key.fingerprint, ("key_unknown",)),
    ("public_key_fingerprint", SIGNER.key.fingerprint.upper(), ("key_unknown",)),
    ("public_key_fingerprint", str(SIGNER.key), ("key_unknown",)),
    ("signed_at", "2026-07-05 01:44:30", ("signed_at",)),
    ("signed_at", "", ("signed_at",)),
    ("signature_b64", base64.b64encode(OTHER.sign(DIGEST)).decode(), ("signature_invalid",)),
    ("signature_b64", base64.b64encode(bytes(64)).decode(), ("signature_invalid",)),
]


@pytest.mark.parametrize(("member", "value", "expected"), MUTATED)
def test_mutated_member(member: str, value: str, expected: tuple[str, ...]) -> None:
    """A member with another value gives exactly the word for it."""
    assert reasons(SEAL | {member: value}) == expected


def test_every_member_is_mutated() -> None:
    """The table leaves no member out."""
    assert {member for member, _, _ in MUTATED} == set(SEAL)


@pytest.mark.parametrize("member", SEAL)
@pytest.mark.parametrize("value", [None, 7, True, ["x"], {"x": "y"}])
def test_member_of_another_type(member: str, value: Any) -> None:  # noqa: ANN401 - any JSON value
    """Members are texts."""
    assert reasons(SEAL | {member: value}) == ("signature_shape",)


@pytest.mark.parametrize("member", SEAL)
def test_missing_member(member: str) -> None:
    """No member may lack."""
    assert reasons({name: value for name, value in SEAL.items() if name != member}) == ("signature_shape",)


@pytest.mark.parametrize("value", [None, "x", [], [SEAL], {}, SEAL | {"notes": "x"}, SEAL | {"Algorithm": "ed25519"}])
def test_other_shapes(value: Any) -> None:  # noqa: ANN401 - any JSON value
    """No member may be added, and nothing but an object is a signature."""
    assert reasons(value) == ("signature_shape",)


@pytest.mark.parametrize("name", _respelled(SEAL["signature_b64"]))
def test_second_spelling(name: str) -> None:
    """The same bytes in another spelling, and other sizes, are refused."""
    text = _respelled(SEAL["signature_b64"])[name]
    assert reasons(SEAL | {"signature_b64": text}) == ("signature_encoding",)


@given(st.integers(0, 511))
def test_flipped_bit(bit: int) -> None:
    """No bit of a signature can change."""
    raw = bytearray(base64.b64decode(SEAL["signature_b64"]))
    raw[bit // 8] ^= 1 << bit % 8
    assert reasons(SEAL | {"signature_b64": base64.b64encode(raw).decode()}) == ("signature_invalid",)


def test_signature_with_s_beyond_the_order() -> None:
    """The second number of a signature plus the group's order, which some verifiers accept, is refused."""
    raw = base64.b64decode(SEAL["signature_b64"])
    s = int.from_bytes(raw[32:], "little") + 2**252 + 27742317777372353535851937790883648493
    text = base64.b64encode(raw[:32] + s.to_bytes(32, "little")).decode()
    assert reasons(SEAL | {"signature_b64": text}) == ("signature_invalid",)


@given(st.binary(min_size=32, max_size=32))
def test_other_digest(digest: bytes) -> None:
    """A seal vouches for its digest alone."""
    assert reasons(SEAL, digest=digest) == (() if digest == DIGEST else ("signature_invalid",))


def test_unsigned_time_is_checked_for_its_form_only() -> None:
    """Nothing covers signed_at: another valid time passes, and it never decides a validity."""
    late = dataclasses.replace(ENTRY, valid_from="2027-01-01T00:00:00Z")
    assert reasons(SEAL | {"signed_at": "2001-01-01T00:00:00Z"}) == ()
    assert reasons(SEAL, Keyring((late,))) == ()


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ("2026-05-01T00:00:00Z", ()),
        ("2026-06-01T00:00:00Z", ()),
        ("2026-04-30T23:59:59Z", ("key_outside_validity",)),
        ("2026-06-01T00:00:01Z", ("key_outside_validity",)),
    ],
)
def test_signed_time_is_held_against_the_bounds(at: str, expected: tuple[str, ...]) -> None:
    """A signed time within the inclusive bounds passes, one beyond does not."""
    entry = dataclasses.replace(ENTRY, valid_from="2026-05-01T00:00:00Z", valid_until="2026-06-01T00:00:00Z")
    assert reasons(SEAL, Keyring((entry,)), at=instant(at)) == expected


def test_revoked_key() -> None:
    """A signature of a revoked key is good, and not accepted."""
    assert reasons(SEAL, Keyring((dataclasses.replace(ENTRY, revoked=True),))) == ("key_revoked",)


def test_several_faults_are_all_named() -> None:
    """One fault does not hide another."""
    entry = dataclasses.replace(ENTRY, revoked=True, valid_until="2026-06-01T00:00:00Z")
    value = SEAL | {"algorithm": "none", "signed_at": "now"}
    found = reasons(value, Keyring((entry,)), digest=bytes(32), at=instant(SIGNED_AT))
    assert found == ("signature_constant", "signed_at", "key_revoked", "key_outside_validity", "signature_invalid")


def test_weak_key_in_a_keyring() -> None:
    """A key of small order is named as such, though a signature valid for every message exists under it."""
    weak = PublicKey(b"\x01" + bytes(31))
    value = SEAL | {
        "public_key_fingerprint": weak.fingerprint,
        "signature_b64": base64.b64encode(b"\x01" + bytes(63)).decode(),
    }
    assert reasons(value, Keyring((TrustEntry(weak, "k", "s"),))) == ("key_weak", "signature_invalid")


def test_key_substitution() -> None:
    """Another key under the trusted key id is unknown."""
    assert reasons(seal(DIGEST, MESSAGE, OTHER, "k", SIGNED_AT)) == ("key_unknown",)


def test_self_certified() -> None:
    """A did:key vouches for itself where the caller allows it, and nowhere else."""
    did = OTHER.key.did
    value = seal(DIGEST, MESSAGE, OTHER, did, SIGNED_AT)
    checked = check_seal(value, DIGEST, MESSAGE, RING, at=None, self_certified=did)
    assert (checked.reasons, checked.entry) == ((), TrustEntry(OTHER.key, did, did, SELF_CERTIFIED))
    assert reasons(value) == ("key_unknown",)
    assert reasons(value, self_certified=SIGNER.key.did) == ("key_unknown",)
    assert reasons(value, self_certified="did:key:z6Mk") == ("key_unknown",)
    assert reasons(value | {"key_id": "k"}, self_certified=did) == ("key_unknown",)
    assert reasons(value | {"public_key_fingerprint": SIGNER.key.fingerprint}, self_certified=did) == ("key_unknown",)


def test_weak_self_certified_key() -> None:
    """A weak key cannot vouch for itself either."""
    weak = PublicKey(b"\x01" + bytes(31))
    value = SEAL | {"key_id": weak.did, "public_key_fingerprint": weak.fingerprint}
    assert reasons(value, self_certified=weak.did) == ("key_weak", "signature_invalid")


def test_extra_members() -> None:
    """Members that the caller names must be there, and are left to the caller."""
    value = SEAL | {"kind": 7}
    assert reasons(value, extra=("kind",)) == ()
    assert reasons(SEAL, extra=("kind",)) == ("signature_shape",)
    assert reasons(value) == ("signature_shape",)
