"""Mistakes that other projects published: each is tried here, under the words of the report that taught it.

The cases of signatures and their spellings are in test_ed25519.py as well; here they meet a whole document.
"""

import itertools
import json
import time
import tracemalloc

import pytest

from pithid.core.canonical import MAX_DEPTH, Json, canonical_bytes, is_portable, load, received_bytes
from pithid.core.checks import Verification
from pithid.core.errors import InvalidDocument, InvalidIdentifier, InvalidRecord
from pithid.core.events import MESSAGE, check, content_digest
from pithid.core.identifiers import PithNumber
from pithid.core.keys import InvalidKey, Keyring, PublicKey, TrustEntry
from pithid.core.merge import merge
from pithid.core.mint import Minted, mint
from pithid.core.records import CanonicalRecord
from pithid.core.seals import seal
from pithid.core.signing import is_valid, is_weak, refuse_weak
from pithid.core.times import instant
from pithid.core.verify import verify_bundle
from tests.trust.mutations import Path, at, leaves, put, structure_mutations
from tests.trust.signers import TIME, Party

STATE = "a4163a30e8828a51a7675acdbec8c674c4b60a77d4027151dc23ab8d44faf55a"
KEY = "7d4d0e7f6153a69b6242b522abbee685fda4420f8834b108c3bdae369ef549fa"
R = "7c38e026f29e14aabd059a0f2db8b0cd783040609a8be684db12f82a27774ab0"
S = "7a9155711ecfaf7f99f277bad0c6ae7e39d4eef676573336a5c51eb6f946b30d"
S_PLUS_L = "67654bce3832c2d76f8f6f5dafc08d9339d4eef676573336a5c51eb6f946b31d"

EMPTY: list[Json] = [None, 0, [], {}, ""]
Bundle = dict[str, Json]


@pytest.fixture(scope="module")
def minted(seed: Bundle) -> Minted:
    """Return the seed's record, minted."""
    return mint(CanonicalRecord.from_json(seed["canonical_record"]))


@pytest.fixture(scope="module")
def registry() -> Party:
    """Return a test registry."""
    return Party.registry("registry", "registry-2026")


def _events(seed: Bundle) -> list[Json]:
    found = seed["events"]
    assert isinstance(found, list)
    return found


def _rows(seed: Bundle) -> list[Json]:
    found = seed["source_aliases"]
    assert isinstance(found, list)
    return found


def _why(result: Verification) -> str:
    return "; ".join(f"{check.name} {check.detail}" for check in result.checks if check.result == "failed")


# --- signatures and keys ---


def test_sc001_second_spelling_of_s() -> None:
    """A verifier without the S < L check accepts a second spelling of a good signature; this one does not."""
    key, message = bytes.fromhex(KEY), b"Test"
    assert is_valid(key, message, bytes.fromhex(R + S))
    assert not is_valid(key, message, bytes.fromhex(R + S_PLUS_L))


def test_sc002_identity_as_key(minted: Minted, keyring: Keyring) -> None:
    """The identity as public key, under which one constant signature fits every message, is refused as weak."""
    key = PublicKey(bytes([1]) + bytes(31))
    signature = bytes.fromhex("58" + "66" * 31 + "01" + "00" * 31)
    assert not is_valid(key.raw, b"message", signature)
    assert is_weak(key)
    with pytest.raises(InvalidKey):
        refuse_weak(key)
    event = Party.author("alice").event("correction", minted, {})
    said = {
        "signer_id": key.did,
        "signer_type": "did_key",
        "key_id": key.did,
        "public_key_fingerprint": key.fingerprint,
    }
    event = {**event, "signer": {**said}}
    sealed = at(event, ("signature",))
    assert isinstance(sealed, dict)
    event["signature"] = {**sealed, "key_id": key.did, "public_key_fingerprint": key.fingerprint}
    digest = content_digest(event)
    event |= {"content_sha256": digest.hex(), "event_id": f"sha256:{digest.hex()}"}
    assert "key_weak" in check(event, str(minted.number), keyring).reasons


@pytest.mark.parametrize("tail", ["00", "0000", "=="])
def test_sc006_appended_byte(tail: str) -> None:
    """A zero byte appended to, or dropped from, a signature makes it invalid, without an exception."""
    key, signature = bytes.fromhex(KEY), bytes.fromhex(R + S)
    assert not is_valid(key, b"Test", signature + tail.encode())
    assert not is_valid(key, b"Test", signature + b"\0")
    assert not is_valid(key, b"Test", signature[:-1])


def test_sc007_pad_bits(seed: Bundle, keyring: Keyring) -> None:
    """Non-zero pad bits are a second spelling of one signature: the event is reported and not applied."""
    path = ("events", 1, "signature", "signature_b64")
    text = str(at(seed, path))
    assert text.endswith("AQ==")
    result = verify_bundle(put(seed, path, text[:-3] + "R=="), keyring)
    assert result.verdict == "failed"
    assert "signature_encoding" in _why(result)
    assert "state_recomputed" in _why(result)


def test_sc009_padding_appended(seed: Bundle, keyring: Keyring) -> None:
    """A signature that is padded already and gets more padding is refused before the arithmetic."""
    path = ("events", 0, "payload", "receipt", "signature_b64")
    result = verify_bundle(put(seed, path, f"{at(seed, path)}=="), keyring)
    assert result.verdict == "failed"
    assert "receipt_invalid" in _why(result)


def test_sc010_endless_did_key(minted: Minted, keyring: Keyring) -> None:
    """A did:key of a million characters is refused by its length, as decoding base58 takes quadratic time."""
    event = Party.author("alice").event("correction", minted, {})
    long = put(event, ("signer", "signer_id"), "did:key:z" + "2" * 1_000_000)
    start = time.perf_counter()
    with pytest.raises(InvalidIdentifier):
        PublicKey.from_did("did:key:z" + "2" * 1_000_000)
    assert "key_unknown" in check(long, str(minted.number), keyring).reasons
    assert time.perf_counter() - start < 2


# --- trust ---


def test_sc012_counted_twice(seed: Bundle, minted: Minted, keyring: Keyring) -> None:
    """The same event listed three times is one event."""
    first, second = _events(seed)
    state = merge(minted, [first, second, second, second], _rows(seed), keyring).state
    assert (state["event_count"], state["state_sha256"]) == (2, STATE)


def test_sc014_about_another_record(seed: Bundle, minted: Minted, keyring: Keyring, registry: Party) -> None:
    """A validly signed event about another record is listed as invalid, and the bundle fails."""
    other = mint(CanonicalRecord.from_json(put(minted.record.to_json(), ("source", "version"), 2)))
    event = registry.event("correction", other, {})
    trusted = Keyring((*keyring.entries, registry.entry()))
    merged = merge(minted, [*_events(seed), event], _rows(seed), trusted)
    assert [one.reasons for one in merged.invalid] == [("subject_mismatch",)]
    result = verify_bundle({**seed, "events": [*_events(seed), event]}, trusted)
    assert result.verdict == "failed"
    assert "subject_mismatch" in _why(result)


def test_sc016_outside_validity(seed: Bundle, keyring: Keyring) -> None:
    """Signatures made outside the key's validity fail; the time compared is signed, and never signed_at."""
    pinned = keyring.entries[0]

    def bounded(first: str, last: str) -> Keyring:
        entry = TrustEntry(pinned.key, pinned.key_id, pinned.signer_id, valid_from=first, valid_until=last)
        return Keyring((entry,))

    late = verify_bundle(seed, bounded("", "2026-01-01T00:00:00Z"))
    assert late.verdict == "failed"
    assert "bundle_signature key_outside_validity" in _why(late)
    assert not late.trusted_by
    backdated: Json = seed
    backdated = put(backdated, ("bundle_signature", "signed_at"), "2025-12-31T00:00:00Z")
    backdated = put(backdated, ("events", 0, "signature", "signed_at"), "2025-12-31T00:00:00Z")
    assert "key_outside_validity" in _why(verify_bundle(backdated, bounded("", "2026-01-01T00:00:00Z")))
    assert verify_bundle(seed, bounded(TIME, "2026-07-08T18:08:17Z")).verdict == "verified"
    between = verify_bundle(seed, bounded("", "2026-07-07T00:00:00Z"))
    assert [one.name for one in between.checks if one.result == "failed"] == ["bundle_signature"]


def test_sc018_malformed_parts(seed: Bundle, keyring: Keyring) -> None:
    """Each leaf in turn replaced by null, 0, [], {} or an empty text gives a verdict every time, never an exception."""
    for path, leaf in leaves(seed):
        for new in EMPTY:
            if received_bytes(new) != received_bytes(leaf):
                assert verify_bundle(put(seed, path, new), keyring).verdict != "verified"


def test_sc018_malformed_branches(seed: Bundle, keyring: Keyring) -> None:
    """The same holds for each whole branch, and for the document itself."""
    for mutation in structure_mutations(seed):
        for new in EMPTY:
            if mutation.kind == "add" and received_bytes(new) != received_bytes(at(seed, mutation.path)):
                assert verify_bundle(put(seed, mutation.path, new), keyring).verdict != "verified"
    for other in (*EMPTY, 1.5, True):
        assert verify_bundle(other, keyring).verdict == "malformed"
    assert verify_bundle([seed], keyring).verdict == "malformed"


@pytest.mark.parametrize("where", [(), ("signer",), ("signature",), ("payload",)])
def test_sc019_injected_member(where: tuple[str, ...], seed: Bundle, keyring: Keyring) -> None:
    """A member added outside the signed set does not go unnoticed."""
    path: Path = ("events", 1, *where)
    holder = at(seed, path)
    assert isinstance(holder, dict)
    result = verify_bundle(put(seed, path, {**holder, "zz_injected": "x"}), keyring)
    assert result.verdict == "failed"
    assert "event " in _why(result)


# --- JSON ---


def test_sc021_duplicate_member(seed_bytes: bytes) -> None:
    """A member twice, which the parser would settle before anything is hashed, is refused by its name."""
    with pytest.raises(InvalidDocument, match="twice") as failure:
        load(b'{"canonical_sha256":"EVIL",' + seed_bytes[1:])
    assert (failure.value.rule, failure.value.path) == ("duplicate-key", "$.canonical_sha256")


@pytest.mark.parametrize("text", ['{"a":9007199254740992}', '{"a":NaN}', '{"a":-Infinity}', '{"a":1e400}'])
def test_sc022_numbers_that_differ(text: str) -> None:
    """Integers beyond 2^53-1, NaN and infinities are refused by value and place before any signing code."""
    with pytest.raises(InvalidDocument, match=r"at \$\.a") as failure:
        load(text)
    assert failure.value.rule == "number"


@pytest.mark.parametrize(("text", "printed"), [("0.00001", b"1e-05"), ("1e16", b"1e+16"), ("1.0", b"1.0")])
def test_sc024_floats(text: str, printed: bytes, seed: Bundle) -> None:
    """Floats are refused in a record and never created; received ones hash as Python prints them, and are flagged."""
    value = load(f'{{"a":{text}}}')
    assert received_bytes(value) == b'{"a":' + printed + b"}"
    assert not is_portable(value)
    with pytest.raises(InvalidDocument):
        canonical_bytes(value)
    with pytest.raises(InvalidRecord):
        CanonicalRecord.from_json(put(seed["canonical_record"], ("source", "version"), load(text)))


def test_sc024_float_in_payload(minted: Minted, registry: Party) -> None:
    """An event whose payload holds a float verifies as Python hashes it, with a note that this is not portable."""
    ring = Keyring((registry.entry(),))
    event = registry.event("correction", minted, {"n": 0})
    value = put(event, ("payload", "n"), 0.00001)
    assert isinstance(value, dict)
    digest = content_digest(value)
    signature: Json = {**seal(digest, MESSAGE, registry.signer, registry.who.key_id, TIME)}
    value = {**value, "content_sha256": digest.hex(), "event_id": f"sha256:{digest.hex()}", "signature": signature}
    assert check(value, str(minted.number), ring).reasons == ()
    result = verify_bundle(registry.bundle(minted, [registry.created(minted), value], ring), ring)
    assert result.verdict == "verified"
    assert [
        "portable" in one.detail for one in result.checks if one.name == f"event {str(value['event_id'])[:19]}"
    ] == [True]
    with pytest.raises(InvalidDocument):
        registry.event("correction", minted, {"n": 0.00001})


def test_sc026_control_characters() -> None:
    """Control characters are escaped in lower case, U+007F and U+2028 are raw, and the output parses back."""
    value: Json = {"a": "\u0000\u0001\u001f\u007f\u2028"}
    data = canonical_bytes(value)
    assert data == b'{"a":"\\u0000\\u0001\\u001f\x7f\xe2\x80\xa8"}'
    assert load(data) == value == json.loads(data)


def test_sc028_deep_nesting() -> None:
    """A million levels are refused as malformed, without filling stack or memory."""
    text = "[" * 1_000_000 + "]" * 1_000_000
    tracemalloc.start()
    start = time.perf_counter()
    with pytest.raises(InvalidDocument) as failure:
        load(text)
    assert time.perf_counter() - start < 2
    assert tracemalloc.get_traced_memory()[1] < 20_000_000
    tracemalloc.stop()
    assert failure.value.rule == "too-deep"
    load("[" * MAX_DEPTH + "]" * MAX_DEPTH)


# --- merge ---


def test_sc056_quiet_forks(minted: Minted, registry: Party) -> None:
    """Two events of one key after one event: both are kept and shown as a contradiction, in any order of arrival."""
    ring = Keyring((registry.entry(),))
    first = registry.created(minted)
    forks = [
        registry.event("graph_snapshot", minted, {"n": n}, target="graph", prev_event=str(first["event_id"]))
        for n in (1, 2)
    ]
    ids = {fork["event_id"] for fork in forks}
    for order in itertools.permutations([first, *forks]):
        merged = merge(minted, order, [], ring)
        assert merged.state["equivocation_count"] == 1
        assert [{one.event_id for one in group} for group in merged.equivocations] == [ids]
        shown = at(merged.state, ("current", "graph_snapshots"))
        assert isinstance(shown, list)
        assert {at(item, ("event_id",)) for item in shown} == ids
    bundle = registry.bundle(minted, [first, *forks], ring)
    result = verify_bundle(bundle, ring)
    assert [one.name for one in result.checks if one.result == "failed"] == ["equivocation"]
    assert {frozenset(group) for group in result.conflicts} == {frozenset(ids)}


def test_sc057_same_time(seed: Bundle, minted: Minted, keyring: Keyring) -> None:
    """Two events of one time merge to one state, whichever comes first."""
    first, second = _events(seed)
    for events in ([first, second], [second, first]):
        assert merge(minted, events, _rows(seed), keyring).state["state_sha256"] == STATE
    left, right = (merge(minted, [event], _rows(seed), keyring) for event in (first, second))
    joined = [one.raw for merged in (right, left) for one in merged.valid]
    assert merge(minted, joined, _rows(seed), keyring).state["state_sha256"] == STATE


def test_sc059_state_that_does_not_follow(seed: Bundle, keyring: Keyring) -> None:
    """A bundle whose state does not follow from its events fails, so that no mirror has a reason to serve it."""
    result = verify_bundle(put(seed, ("state", "event_count"), 3), keyring)
    assert result.verdict == "failed"
    assert "state_recomputed" in _why(result)


# --- identifiers and times ---


@pytest.mark.parametrize("text", ["pith:2020:Z5NAPRQPUU4SIDOBV5N2FREXWZ\n", "pith:2020:Z5NAPRQPUU4SIDOBV5N2FREXWZ\r\n"])
def test_sc061_trailing_newline(text: str, seed: Bundle, keyring: Keyring) -> None:
    """A newline after an identifier makes it invalid, in a library call and in a document."""
    with pytest.raises(InvalidIdentifier):
        PithNumber.parse(text)
    result = verify_bundle(put(seed, ("pith_number",), text), keyring)
    assert "pith_number" in _why(result)
    hashed = put(seed, ("canonical_sha256",), f"{seed['canonical_sha256']}\n")
    assert "canonical_sha256" in _why(verify_bundle(hashed, keyring))


@pytest.mark.parametrize(
    "text",
    [
        *("2026-07-05T01:44:30z", "2026-07-05T01:44:30Z+00:00", "2026-02-30T00:00:00Z", "2026-07-05 01:44:30"),
        *("2026-07-05T01:44:30", "2026-07-05T01:44:30-00:00", "2026-07-05T03:44:30+02:00", "2026-07-05T01:44:30Z\n"),
        *(
            "2026-07-05T01:44:60Z",
            "2026-07-05T24:00:00Z",
            "2026-07-05T01:44Z",
            "20260705T014430Z",
            "0000-01-01T00:00:00Z",
        ),
        *("2026-07-05T01:44:30.Z", "2026-07-05T01:44:30,5Z", "2026-07-05T01:44:30.1234567Z", "+2026-07-05T01:44:30Z"),
        *("2026-07-0\u0665T01:44:30Z", " 2026-07-05T01:44:30Z", "2026-W27-7T01:44:30Z", "", "now"),
    ],
)
def test_sc063_times_refused(text: str) -> None:
    """Only the two styles of the protocol are times; the rest is refused alike on every Python."""
    assert instant(text) is None


def test_sc063_times_ordered() -> None:
    """The two styles are accepted and ordered as instants."""
    first, second = instant("2026-07-05T01:44:30Z"), instant("2026-07-05T03:48:04.071734+00:00")
    assert first is not None
    assert second is not None
    assert first < second
    assert instant("2026-07-05T01:44:30.000+00:00") == first
