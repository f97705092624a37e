"""OpenTimestamps proofs, built with the reference library, and what is said of them."""

import hashlib
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pithid.core.digest import Digest
from pithid.core.errors import Unavailable
from pithid.core.payloads import MAX_PROOF, PROOF_HEADER
from pithid.service.timestamps import MAX_HEIGHT, check_proof

notary: Any = pytest.importorskip("opentimestamps.core.notary")
op: Any = pytest.importorskip("opentimestamps.core.op")
serialize: Any = pytest.importorskip("opentimestamps.core.serialize")
timestamp: Any = pytest.importorskip("opentimestamps.core.timestamp")

DIGEST = Digest(hashlib.sha256(b"a record").digest())
OTHER = Digest(hashlib.sha256(b"another record").digest())
CALENDAR = "https://alice.btc.calendar.opentimestamps.org"


def stamped(digest: Digest = DIGEST) -> tuple[Any, Any]:
    """Return an open proof and its last node: nonce, hash, sibling, hash, as calendars do it."""
    root = timestamp.Timestamp(digest.value)
    node = root
    for step in (op.OpAppend(b"nonce" * 3), op.OpSHA256(), op.OpPrepend(b"sibling" * 4), op.OpSHA256()):
        node = node.ops.add(step)
    return root, node


def proof_of(root: Any) -> bytes:  # noqa: ANN401 - the library has no types
    """Return the bytes of the detached proof."""
    context = serialize.BytesSerializationContext()
    timestamp.DetachedTimestampFile(op.OpSHA256(), root).serialize(context)
    return bytes(context.getbytes())


def pending() -> bytes:
    """Return a proof that a calendar promises to complete."""
    root, node = stamped()
    node.attestations.add(notary.PendingAttestation(CALENDAR))
    return proof_of(root)


def anchored(digest: Digest = DIGEST, height: int = 500_000) -> tuple[bytes, bytes]:
    """Return a proof that claims a block, and the Merkle root it leads to."""
    root, node = stamped(digest)
    node.attestations.add(notary.BitcoinBlockHeaderAttestation(height))
    return proof_of(root), node.msg


def test_pending_proof_names_its_calendars() -> None:
    """A calendar's promise is called pending, never anchored."""
    found = check_proof(pending(), DIGEST)

    assert (found.status, found.calendars, found.blocks, found.faults) == ("pending", (CALENDAR,), (), ())


def test_claimed_block_is_unconfirmed_without_its_header() -> None:
    """A proof that claims a block stays unconfirmed until the block's Merkle root is given, whatever others are."""
    proof, root = anchored()

    for headers in (None, {}, {499_999: root}):
        found = check_proof(proof, DIGEST, headers)
        assert (found.status, found.blocks, found.confirmed) == ("unconfirmed_bitcoin", (500_000,), ())


def test_header_confirms_or_refutes() -> None:
    """The given Merkle root decides: equal confirms, different is a mismatch that says where the path leads."""
    proof, root = anchored()

    assert check_proof(proof, DIGEST, {500_000: root}).status == "confirmed_bitcoin"
    assert check_proof(proof, DIGEST, {500_000: root}).confirmed == (500_000,)
    refuted = check_proof(proof, DIGEST, {500_000: bytes(32)})
    assert refuted.status == "mismatch"
    assert refuted.confirmed == ()
    assert root.hex() in refuted.faults[0]


def test_one_confirmed_block_holds_beside_a_false_one() -> None:
    """A confirmed block is a fact, and a false claim beside it is still reported."""
    base, node = stamped()
    node.attestations.add(notary.BitcoinBlockHeaderAttestation(500_000))
    node.attestations.add(notary.BitcoinBlockHeaderAttestation(400_000))
    node.attestations.add(notary.PendingAttestation(CALENDAR))

    found = check_proof(proof_of(base), DIGEST, {500_000: node.msg, 400_000: bytes(32)})

    assert (found.status, found.confirmed, found.blocks) == ("confirmed_bitcoin", (500_000,), (400_000, 500_000))
    assert found.calendars == (CALENDAR,)
    assert found.faults[0].startswith("block 400000:")


def test_proof_of_another_digest_is_refused() -> None:
    """A sound proof of another record is no proof of this one, and both digests are named."""
    proof, root = anchored(OTHER)

    found = check_proof(proof, DIGEST, {500_000: root})

    assert found.status == "refused"
    assert str(OTHER) in found.faults[0]
    assert str(DIGEST) in found.faults[0]


def test_replaced_digest_does_not_carry_the_proof_over() -> None:
    """Writing this record's digest into another's proof changes where the path leads, so the block refutes it."""
    proof, root = anchored(OTHER)
    forged = proof.replace(OTHER.value, DIGEST.value)
    assert forged != proof

    assert check_proof(forged, DIGEST, {500_000: root}).status == "mismatch"
    assert check_proof(forged, DIGEST).status == "unconfirmed_bitcoin"


def test_attestations_of_other_kinds_are_counted_only() -> None:
    """What attests by other means alone is no proof here; beside a calendar it is passed over."""
    base, node = stamped()
    node.attestations.add(notary.UnknownAttestation(b"12345678", b"x"))
    alone = check_proof(proof_of(base), DIGEST)
    node.attestations.add(notary.PendingAttestation(CALENDAR))
    beside = check_proof(proof_of(base), DIGEST)

    assert (alone.status, alone.unknown) == ("refused", 1)
    assert (beside.status, beside.unknown) == ("pending", 1)


def test_operations_that_warn_are_followed() -> None:
    """An operation the library may give up one day is followed all the same, without a warning."""
    base = timestamp.Timestamp(DIGEST.value)
    context = serialize.BytesSerializationContext()
    notary.PendingAttestation(CALENDAR).serialize(context)
    proof = PROOF_HEADER + base.msg + op.OpReverse.TAG + b"\x00" + bytes(context.getbytes())

    assert check_proof(proof, DIGEST).status == "pending"


@pytest.mark.parametrize(
    "spoiled",
    [
        b"",
        PROOF_HEADER,
        PROOF_HEADER + DIGEST.value,
        pending()[:-1],
        pending() + b"\x00",
        pending().replace(b"\x01\x08", b"\x02\x08", 1),
        pending().replace(b"\x01\x08", b"\x01\x02", 1),
        PROOF_HEADER + DIGEST.value + b"\xff",
        PROOF_HEADER + DIGEST.value + b"\x08" * 400 + b"\x00",
        PROOF_HEADER + DIGEST.value + b"\xf3" * 9,
        PROOF_HEADER + DIGEST.value + b"\x77",
        PROOF_HEADER + DIGEST.value + b"\xf0\x00",
        PROOF_HEADER + DIGEST.value + b"\xf0" + b"\xff" * 5000,
        anchored(height=MAX_HEIGHT + 1)[0],
        anchored(height=2**20_000)[0],
        pending() + bytes(MAX_PROOF),
    ],
    ids=range(16),
)
def test_broken_proof_is_refused_with_a_reason(spoiled: bytes) -> None:
    """Truncated, extended, relabelled, too deep, too large: each is refused with a reason and no exception."""
    found = check_proof(spoiled, DIGEST)

    assert found.status == "refused"
    assert found.faults


@given(st.binary(max_size=300))
def test_any_path_gets_an_answer(path: bytes) -> None:
    """Random operations end in an answer, and never in a confirmation."""
    found = check_proof(PROOF_HEADER + DIGEST.value + path, DIGEST, {1: bytes(32)})

    assert found.status != "confirmed_bitcoin"


def test_missing_library_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra the answer is the command that installs it."""
    monkeypatch.setitem(sys.modules, "opentimestamps.core", None)

    with pytest.raises(Unavailable, match=r"pip install 'pithid\[ots\]'"):
        check_proof(pending(), DIGEST)
