"""Spellings of a digest: each has one form, and only that form is read."""

import base64
import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pithid.core.digest import Digest
from pithid.core.errors import InvalidIdentifier

HELLO = Digest(hashlib.sha256(b"Hello World!").digest())
ZERO = Digest(bytes(32))
SEED = Digest.parse("cf5a07c60fa539240dc1af5ba2c497b67e5e8b15ecd8663ae3395bae17da310f")
ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
DIGESTS = st.binary(min_size=32, max_size=32).map(Digest)


def _base58(data: bytes) -> str:
    """Return base58btc of `data`, which starts with a byte other than zero."""
    number, text = int.from_bytes(data, "big"), ""
    while number:
        number, digit = divmod(number, 58)
        text = ALPHABET[digit] + text
    return text


@given(DIGESTS)
def test_round_trips(digest: Digest) -> None:
    """Each spelling reads back to the same digest."""
    assert Digest.parse(str(digest)) == digest
    assert Digest.from_ni(digest.ni) == digest
    assert Digest.from_cid(digest.cid) == digest
    assert Digest.from_cid(digest.cid_base58) == digest


@given(DIGESTS)
def test_independent_spellings(digest: Digest) -> None:
    """Each spelling is what its specification says, computed another way."""
    bits = f"{int.from_bytes(digest.value, 'big'):0256b}"
    base32 = "".join("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[int(bits[i : i + 5], 2)] for i in range(0, 130, 5))
    assert digest.base32 == base32
    block = b"\x01\x55\x12\x20" + digest.value
    assert digest.cid == "b" + base64.b32encode(block).decode().lower().rstrip("=")
    assert digest.cid_base58 == "z" + _base58(block)
    assert digest.ni == "ni:///sha-256;" + base64.urlsafe_b64encode(digest.value).decode().rstrip("=")


@pytest.mark.parametrize(
    ("computed", "known"),
    [
        (HELLO.ni, "ni:///sha-256;f4OxZX_x_FO5LcGBSKHWXfwtSx-j1ncoSt3SABJtkGk"),
        (SEED.base32, "Z5NAPRQPUU4SIDOBV5N2FREXWZ"),
        (ZERO.base32, "A" * 26),
        (ZERO.ni, "ni:///sha-256;" + "A" * 43),
        (str(ZERO), "0" * 64),
        (Digest(hashlib.sha256(b"").digest()).cid, "bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku"),
        (HELLO.cid, "bafkreid7qoywk77r7rj3slobqfekdvs57qwuwh5d2z3sqsw52iabe3mqne"),
    ],
)
def test_known_answers(computed: str, known: str) -> None:
    """Published examples come out."""
    assert computed == known


def test_rfc_6920_example() -> None:
    """The example of RFC 6920 for the text `Hello World!` is read, and written back, as printed there."""
    printed = "ni:///sha-256;f4OxZX_x_FO5LcGBSKHWXfwtSx-j1ncoSt3SABJtkGk"
    assert Digest.from_ni(printed) == HELLO
    assert Digest.from_ni(printed).ni == printed


def test_another_ni_uri() -> None:
    """Another URI of RFC 6920, over a key of its section 8, keeps its hyphen and underscore."""
    printed = "ni:///sha-256;UyaQV-Ev4rdLoHyJJWCi11OHfrYv9E1aGQAlMO2X_-Q"
    assert Digest.from_ni(printed).ni == printed


def test_130_bits() -> None:
    """The 26 characters are cut from the whole digest: base32 of its first 16 bytes ends differently."""
    cut = base64.b32encode(SEED.value[:16]).decode()[:26]
    assert cut[:25] == SEED.base32[:25]
    assert (cut[25], SEED.base32[25]) == ("Y", "Z")


def _last_bits(text: str, alphabet: str) -> list[str]:
    """Return `text` with each other last character of `alphabet`."""
    return [text[:-1] + letter for letter in alphabet if letter != text[-1]]


URLSAFE = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


@pytest.mark.parametrize("digest", [HELLO, ZERO, SEED])
def test_pad_bits_of_ni(digest: Digest) -> None:
    """Of the 64 last characters only 16 have zero pad bits, and each of those is another digest."""
    read = []
    for text in _last_bits(digest.ni, URLSAFE):
        try:
            read.append(Digest.from_ni(text))
        except InvalidIdentifier:
            continue
    assert len(set(read)) == 15
    assert digest not in read


@pytest.mark.parametrize("digest", [HELLO, ZERO, SEED])
def test_pad_bits_of_cid(digest: Digest) -> None:
    """Of the 32 last characters only 8 have zero pad bits, and each of those is another digest."""
    read = []
    for text in _last_bits(digest.cid, "abcdefghijklmnopqrstuvwxyz234567"):
        try:
            read.append(Digest.from_cid(text))
        except InvalidIdentifier:
            continue
    assert len(set(read)) == 7
    assert digest not in read


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "nothing"),
        (str(SEED).upper(), "capitals"),
        (str(SEED)[:-1], "63 digits"),
        (str(SEED) + "0", "65 digits"),
        (str(SEED) + "\n", "a final newline"),
        (" " + str(SEED), "a blank before"),
        ("sha256:" + str(SEED), "an algorithm prefix"),
        ("0x" + str(SEED), "a number prefix"),
        ("g" + str(SEED)[1:], "no hex digit"),
        ("\uff10" + str(ZERO)[1:], "a fullwidth digit"),
        (str(ZERO)[:-3] + "0_0", "an underscore, which int() takes"),
    ],
)
def test_refused_hex(text: str, why: str) -> None:
    """Only 64 lower-case hex digits are a digest."""
    with pytest.raises(InvalidIdentifier, match="digest") as failure:
        Digest.parse(text)
    assert failure.value.text == text, why


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "nothing"),
        (SEED.ni + "=", "padding"),
        (SEED.ni + "\n", "a final newline"),
        (SEED.ni[:-1], "too short"),
        (SEED.ni + "A", "too long"),
        (SEED.ni.replace("ni:", "NI:"), "the scheme in capitals"),
        (SEED.ni.replace("sha-256", "SHA-256"), "the algorithm in capitals"),
        (SEED.ni.replace("sha-256", "sha256"), "the algorithm without its hyphen"),
        (SEED.ni.replace("sha-256", "sha-256-128"), "a truncated hash"),
        (SEED.ni.replace("///", "//example.com/"), "an authority"),
        (SEED.ni.replace("///", "//"), "a slash short"),
        (SEED.ni + "?ct=text/plain", "a query"),
        (SEED.ni.replace("ni:///", "nih:"), "the spoken form"),
        (HELLO.ni.replace("_", "/"), "the other base64 alphabet"),
        (HELLO.ni.replace("-j", "+j"), "the other base64 alphabet"),
    ],
)
def test_refused_ni(text: str, why: str) -> None:
    """Only the one spelling of a URI without authority is read."""
    with pytest.raises(InvalidIdentifier, match="ni URI") as failure:
        Digest.from_ni(text)
    assert failure.value.text == text, why


def _cid(block: bytes) -> str:
    return "b" + base64.b32encode(block).decode().lower().rstrip("=")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "nothing"),
        ("b", "only the multibase letter"),
        (SEED.cid.upper(), "base32 in capitals is another multibase"),
        ("B" + SEED.cid[1:].upper(), "multibase B"),
        (SEED.cid[1:], "no multibase letter"),
        (SEED.cid + "=", "padding"),
        (SEED.cid + "\n", "a final newline"),
        (SEED.cid + "a", "too long"),
        (SEED.cid[:-1], "too short"),
        ("ipfs://" + SEED.cid, "a URL"),
        ("/ipfs/" + SEED.cid, "a path"),
        ("f01551220" + str(SEED), "base16"),
        (_cid(b"\x01\x70\x12\x20" + SEED.value), "codec dag-pb: the hash of another block"),
        (_cid(b"\x01\x71\x12\x20" + SEED.value), "codec dag-cbor"),
        (_cid(b"\x01\x55\x1b\x20" + SEED.value), "keccak-256"),
        (_cid(b"\x01\x55\x12\x1f" + SEED.value[:31]), "a truncated hash"),
        (_cid(b"\x02\x55\x12\x20" + SEED.value), "version 2"),
        (_cid(b"\x01\xd5\x00\x12\x20" + SEED.value[1:]), "the codec as an overlong varint"),
        ("Qm" + "1" * 44, "version 0"),
        ("z" + _base58(b"\x01\x70\x12\x20" + SEED.value), "codec dag-pb in base58"),
        ("z1" + _base58(b"\x01\x55\x12\x20" + SEED.value), "a leading zero byte"),
        (SEED.cid_base58 + "\n", "a final newline"),
        (SEED.cid_base58[:-1] + "0", "0 is no base58 digit"),
        (SEED.cid_base58[:-1] + "l", "l is no base58 digit"),
        ("z" + "2" * 1_000_000, "a million digits: refused by length"),
    ],
)
def test_refused_cid(text: str, why: str) -> None:
    """Only a version 1 CID of a raw block with a sha2-256 hash is read, in its one spelling of two bases."""
    with pytest.raises(InvalidIdentifier, match="CID") as failure:
        Digest.from_cid(text)
    assert failure.value.text == text, why


@pytest.mark.parametrize("size", [0, 16, 20, 31, 33, 64])
def test_size(size: int) -> None:
    """A digest has 32 bytes."""
    with pytest.raises(InvalidIdentifier):
        Digest(bytes(size))


@given(st.text(max_size=80))
def test_any_text(text: str) -> None:
    """Whatever is read is written back the same; everything else is the one error."""
    spellings = (
        (Digest.parse, ("__str__",)),
        (Digest.from_ni, ("ni",)),
        (Digest.from_cid, ("cid", "cid_base58")),
    )
    for read, names in spellings:
        try:
            digest = read(text)
        except InvalidIdentifier:
            continue
        assert text in {str(digest) if name == "__str__" else getattr(digest, name) for name in names}
