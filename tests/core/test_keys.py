"""Public keys: one spelling of each kind, documents that cannot contradict themselves, and no weak keys."""

import base64
import hashlib
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import base58
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pithid.core.errors import InvalidIdentifier
from pithid.core.keys import InvalidKey, Keyring, PublicKey, TrustEntry, read_document, strict_base64
from pithid.core.signing import BadSignature, SeedSigner, is_weak, refuse_weak, verify
from pithid.core.times import instant
from tests.curve import BASE, TORSION, L, P, add, decode, encode, times

SHIPPED = json.loads((Path(__file__).parents[2] / "data" / "trusted_keys.json").read_text(encoding="utf-8"))[0]
DOCUMENT: dict[str, Any] = SHIPPED["document"]
KEY = PublicKey.parse(DOCUMENT["public_key_hex"])
KEYS = st.binary(min_size=32, max_size=32).map(PublicKey)
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

# Seed and public key of RFC 8032 section 7.1, tests 1 to 3.
RFC8032 = {
    "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60": (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    ),
    "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb": (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"
    ),
    "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7": (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025"
    ),
}


def test_registry_key() -> None:
    """The pinned registry key has the did:key and fingerprints that its own document states."""
    assert KEY.did == "did:key:z6MkrVMHBCSctGKsuG8E721iJW4sEL6DLz4NK9pw4jVct4Gz"
    assert KEY.fingerprint == DOCUMENT["fingerprint_sha256_hex"] == "8d4b5ee74e4693bcd1df2446408b0d54"
    assert KEY.fingerprint_base32 == DOCUMENT["fingerprint_sha256_b32_first128bits"]
    assert KEY.base64 == DOCUMENT["public_key_b64"]
    document = KEY.document(DOCUMENT["key_id"], url=DOCUMENT["url"], notes=DOCUMENT["notes"])
    assert document == DOCUMENT
    assert read_document(DOCUMENT) == ("pith-v1-2026-05", KEY)


@pytest.mark.parametrize(
    "did",
    [
        "did:key:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH",  # did:key method, section 3.1
        "did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp",  # did:key method, test vectors
        "did:key:z6MkjchhfUsD6mmvni8mCdXHw216Xrm9bQe2mBH1P5RDjVJG",
        "did:key:z6MknGc3ocHs3zdPiJbnaaqDi58NGb4pk1Sp9WxWufuXSdxf",
    ],
)
def test_published_did_keys(did: str) -> None:
    """The method's own examples read, are strong keys, and come out as they went in."""
    key = PublicKey.from_did(did)
    assert key.did == did
    assert not is_weak(key)


@given(KEYS)
def test_round_trips(key: PublicKey) -> None:
    """Each spelling reads back to the same key."""
    assert PublicKey.parse(str(key)) == key
    assert PublicKey.from_base64(key.base64) == key
    assert PublicKey.from_did(key.did) == key
    assert read_document(key.document("an id")) == ("an id", key)


@given(KEYS)
def test_independent_spellings(key: PublicKey) -> None:
    """Each spelling is what its specification says, computed another way."""
    assert key.did == "did:key:z" + base58.b58encode(b"\xed\x01" + key.raw).decode()
    assert key.fingerprint == hashlib.sha256(key.raw).digest()[:16].hex()
    bits = f"{int.from_bytes(hashlib.sha256(key.raw).digest(), 'big'):0256b}"
    digits = "".join("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[int(bits[i : i + 5], 2)] for i in range(0, 130, 5))
    assert key.fingerprint_base32 == digits


@pytest.mark.parametrize("seed", RFC8032)
def test_seed_gives_the_published_key(seed: str) -> None:
    """The seeds of RFC 8032 give its public keys, and sign what verifies."""
    signer = SeedSigner.parse(seed)
    digest = hashlib.sha256(b"x").digest()
    assert str(signer.key) == RFC8032[seed]
    verify(signer.key, digest, signer.sign(digest))
    with pytest.raises(BadSignature):
        verify(signer.key, hashlib.sha256(b"y").digest(), signer.sign(digest))


BAD_HEX = {
    "upper case": str(KEY).upper(),
    "short": str(KEY)[:-2],
    "long": str(KEY) + "00",
    "newline": str(KEY) + "\n",
    "prefix": "0x" + str(KEY)[2:],
    "other digits": "１" + str(KEY)[1:],
    "empty": "",
}


@pytest.mark.parametrize("name", BAD_HEX)
def test_refused_hex(name: str) -> None:
    """Only 64 lower-case ASCII hex digits are a key."""
    with pytest.raises(InvalidIdentifier):
        PublicKey.parse(BAD_HEX[name])


def _second_spellings(raw: bytes) -> Iterator[str]:
    """Yield every text that a tolerant decoder could read as the same 32 bytes."""
    text = base64.b64encode(raw).decode()
    last = ALPHABET.index(text[-2])
    for pad_bits in range(1, 4):  # the last character carries 4 bits of data and 2 of padding
        yield text[:-2] + ALPHABET[last + pad_bits] + "="
    yield from (text[:-1], text + "=", text + "==", text + "\n", " " + text, text[:20] + "\n" + text[20:])
    yield from (text + "AAAA", text[:-1] + "\u2260", text[:-1] + "-", "=" + text)
    url = base64.urlsafe_b64encode(raw).decode()
    if url != text:
        yield url


@given(st.binary(min_size=32, max_size=32))
def test_second_spelling_of_base64_is_refused(raw: bytes) -> None:
    """Pad bits, padding, blanks and the URL alphabet: the one spelling is read, every other is refused."""
    assert strict_base64(base64.b64encode(raw).decode(), 32) == raw
    for text in _second_spellings(raw):
        assert strict_base64(text, 32) is None
        with pytest.raises(InvalidIdentifier):
            PublicKey.from_base64(text)


@pytest.mark.parametrize("size", [0, 1, 31, 33, 64])
def test_other_sizes_are_refused(size: int) -> None:
    """A key has 32 bytes."""
    with pytest.raises(InvalidKey):
        PublicKey(bytes(size))
    assert strict_base64(base64.b64encode(bytes(size)).decode(), 32) is None


def _did(data: bytes) -> str:
    return "did:key:z" + base58.b58encode(data).decode()


BAD_DIDS = {
    "empty": "",
    "no key": "did:key:z",
    "other case of the scheme": KEY.did.replace("did", "DID"),
    "other multibase": KEY.did.replace(":z6", ":f6"),
    "other method": KEY.did.replace("did:key", "did:web"),
    "fragment": KEY.did + "#" + KEY.did[8:],
    "newline": KEY.did + "\n",
    "character outside base58": KEY.did[:-1] + "0",
    "letter of another script": KEY.did[:-1] + "а",
    "one character less": KEY.did[:-1],
    "one character more": KEY.did + "1",
    "leading zero byte": KEY.did.replace(":z6", ":z16"),
    "X25519": _did(b"\xec\x01" + KEY.raw),
    "P-256": _did(b"\x80\x24" + KEY.raw),
    "no multicodec": _did(KEY.raw),
    "31 bytes": _did(b"\xed\x01" + KEY.raw[:-1]),
    "33 bytes": _did(b"\xed\x01" + KEY.raw + b"\x00"),
    "47 characters of more than 34 bytes": "did:key:z" + "z" * 47,
}


@pytest.mark.parametrize("name", BAD_DIDS)
def test_refused_dids(name: str) -> None:
    """A did:key of another key type, length or spelling is refused."""
    with pytest.raises(InvalidIdentifier):
        PublicKey.from_did(BAD_DIDS[name])


def test_length_is_checked_before_base58(monkeypatch: pytest.MonkeyPatch) -> None:
    """A long did:key never reaches the decoder, whose time grows with the square of the length."""

    def decode(text: str) -> bytes:
        raise AssertionError(f"decoded {len(text)} characters")

    monkeypatch.setattr(base58, "b58decode", decode)
    start = time.perf_counter()
    for size in (46, 48, 1_000_000):
        with pytest.raises(InvalidIdentifier) as failure:
            PublicKey.from_did("did:key:z" + "6" * size)
        assert len(str(failure.value)) < 300
    assert time.perf_counter() - start < 1


def test_oracle() -> None:
    """The oracle knows the curve: 8 points of small order, and the base point of order L."""
    assert len(set(TORSION)) == 8
    assert times(L, BASE) == (0, 1)
    assert encode(BASE)[:31].hex() == "58" + "66" * 30


@pytest.mark.parametrize("number", range(8))
def test_small_order_is_weak(number: int) -> None:
    """Each of the 8 points of small order is refused as a key."""
    key = PublicKey(encode(TORSION[number]))
    assert is_weak(key)
    with pytest.raises(InvalidKey, match="weak"):
        refuse_weak(key)


@pytest.mark.parametrize("number", range(1, 8))
def test_mixed_order_is_weak(number: int) -> None:
    """A point of the main subgroup shifted by one of small order is refused: it verifies like the unshifted one."""
    point = times(20260705, BASE)
    good = PublicKey(encode(point))
    assert not is_weak(good)
    refuse_weak(good)
    assert is_weak(PublicKey(encode(add(point, TORSION[number]))))


@pytest.mark.parametrize("sign", [0, 1])
@pytest.mark.parametrize("excess", range(19))
def test_encoding_that_is_not_canonical_is_weak(excess: int, sign: int) -> None:
    """Every encoding of y beyond the field's prime, of either sign, is refused."""
    assert is_weak(PublicKey((P + excess | sign << 255).to_bytes(32, "little")))


@pytest.mark.parametrize("y", [1, P - 1])
def test_minus_zero_is_weak(y: int) -> None:
    """The points with x = 0 are refused with the sign bit set too."""
    assert is_weak(PublicKey((y | 1 << 255).to_bytes(32, "little")))


def test_no_point_is_weak() -> None:
    """What is no point of the curve at all is refused."""
    off = next(y for y in range(2, 100) if decode(y, 0) is None)
    assert is_weak(PublicKey(off.to_bytes(32, "little")))


@given(st.binary(min_size=32, max_size=32))
def test_a_seed_never_gives_a_weak_key(seed: bytes) -> None:
    """Every private key has a public key that is accepted."""
    refuse_weak(SeedSigner(seed).key)


SPELLINGS = [name for name in DOCUMENT if name not in {"key_id", "rotates_at", "url", "notes"}]


@pytest.mark.parametrize("name", SPELLINGS)
def test_document_with_a_member_of_another_key_is_refused(name: str) -> None:
    """No single spelling can be exchanged: the four and the constants must agree."""
    other: dict[str, Any] = PublicKey(bytes(range(32))).document("x") | {"algorithm": "rsa", "format": "pem"}
    with pytest.raises(InvalidKey):
        read_document(DOCUMENT | {name: other[name]})


@pytest.mark.parametrize("name", SPELLINGS)
def test_document_with_a_damaged_member_is_refused(name: str) -> None:
    """A member that is missing, of another type, or changed in one character is refused."""
    text = DOCUMENT[name]
    swapped = ("b" if text[0] != "b" else "c") + text[1:]
    for value in (None, 7, [text], {"x": text}, True, "", text.swapcase(), text + " ", swapped):
        with pytest.raises((InvalidKey, InvalidIdentifier)):
            read_document(DOCUMENT | {name: value})
    with pytest.raises(InvalidKey):
        read_document({member: value for member, value in DOCUMENT.items() if member != name})


@pytest.mark.parametrize("value", [None, 7, ["x"], {}, False])
def test_key_id_is_a_text(value: Any) -> None:  # noqa: ANN401 - any JSON value
    """A key id of another type is refused; as a text it is a name, which nothing can contradict."""
    with pytest.raises(InvalidKey):
        read_document(DOCUMENT | {"key_id": value})
    assert read_document(DOCUMENT | {"key_id": "another"}) == ("another", KEY)


@pytest.mark.parametrize("value", [None, [], "x", 1, [DOCUMENT]])
def test_document_is_an_object(value: Any) -> None:  # noqa: ANN401 - any JSON value
    """Anything but an object is refused."""
    with pytest.raises(InvalidKey):
        read_document(value)


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33), bytes(64)])
def test_seed_has_32_bytes(seed: bytes) -> None:
    """A seed of another length is refused without being shown."""
    with pytest.raises(InvalidKey, match=f"not {len(seed)}"):
        SeedSigner(seed)


@pytest.mark.parametrize("text", ["", "secret", "AB" * 32, "ab" * 31, "ab" * 32 + "\n"])
def test_no_private_key_is_shown(text: str) -> None:
    """A private key shows neither in its text form nor in the error about a wrong one."""
    seed = bytes(range(100, 132))
    assert seed.hex() not in f"{SeedSigner(seed)!r}{SeedSigner(seed)}"
    assert repr(seed)[2:-1] not in repr(SeedSigner(seed))
    with pytest.raises(InvalidKey) as failure:
        SeedSigner.parse(text)
    assert not text or text not in str(failure.value)


@pytest.mark.parametrize("size", [0, 31, 33, 64])
def test_only_digests_are_signed(size: int) -> None:
    """What is no digest of 32 bytes is not signed."""
    with pytest.raises(BadSignature):
        SeedSigner(bytes(32)).sign(bytes(size))


@pytest.mark.parametrize(
    ("moment", "covered"),
    [
        ("2026-05-01T00:00:00Z", True),
        ("2026-04-30T23:59:59.999999Z", False),
        ("2026-06-01T00:00:00+00:00", True),
        ("2026-06-01T00:00:00.000001Z", False),
    ],
)
def test_bounds_are_inclusive(moment: str, covered: bool) -> None:  # noqa: FBT001 - a column of a table
    """The first and the last instant are accepted, a microsecond beyond is not."""
    entry = TrustEntry(KEY, "k", "s", valid_from="2026-05-01T00:00:00Z", valid_until="2026-06-01T00:00:00Z")
    at = instant(moment)
    assert at is not None
    assert entry.covers(at) is covered
    assert TrustEntry(KEY, "k", "s").covers(at)


@pytest.mark.parametrize("name", ["valid_from", "valid_until"])
def test_bound_is_a_timestamp(name: str) -> None:
    """A bound that is no timestamp is refused, not ignored."""
    bad: dict[str, Any] = {name: "2026-05-01"}
    with pytest.raises(InvalidKey, match=name):
        TrustEntry(KEY, "k", "s", **bad)


def test_keyring_needs_fingerprint_and_key_id() -> None:
    """An entry is found by both names together, never by one of them."""
    entry = TrustEntry(KEY, "k", "s")
    ring = Keyring((entry,))
    assert ring.find(KEY.fingerprint, "k") is entry
    assert ring.find(KEY.fingerprint, "other") is None
    assert ring.find("0" * 32, "k") is None
    assert Keyring().find(KEY.fingerprint, "k") is None
