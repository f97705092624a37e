"""OpenTimestamps proofs: what they say about a digest, and how far that can be confirmed offline.

A proof is a path of operations from a digest to what a calendar or a Bitcoin block holds. The path is followed from the
digest of the record, never from the one the proof names. A proof that claims a block proves nothing by itself: only the
block's own Merkle root confirms it, so "anchored" is never said without one.
"""

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pithid.core.digest import Digest
from pithid.core.errors import Unavailable
from pithid.core.payloads import MAX_PROOF, PROOF_HEADER

Status = Literal["refused", "mismatch", "pending", "unconfirmed_bitcoin", "confirmed_bitcoin"]

MAX_HEIGHT = 2**32 - 1
"""Highest block a proof may claim: at ten minutes a block, 80,000 years away."""


@dataclass(frozen=True, slots=True)
class TimestampCheck:
    """What a proof says about a digest.

    Attributes:
        status: `refused` where it is no proof of this digest; `mismatch` where a block it claims holds something else,
            and none holds the digest; `pending` where only calendars promise a block; `unconfirmed_bitcoin` where it
            claims blocks whose Merkle root was not given; `confirmed_bitcoin` where a given Merkle root agrees.
        calendars: addresses of the calendars that hold the digest, in order.
        blocks: heights of the Bitcoin blocks claimed, in order.
        confirmed: those whose given Merkle root agrees; the earliest one bounds the time of the digest.
        unknown: how many attestations of other kinds were passed over.
        faults: what is wrong, a line each.
    """

    status: Status
    calendars: tuple[str, ...] = ()
    blocks: tuple[int, ...] = ()
    confirmed: tuple[int, ...] = ()
    unknown: int = 0
    faults: tuple[str, ...] = ()


def check_proof(proof: bytes, digest: Digest, headers: Mapping[int, bytes] | None = None) -> TimestampCheck:
    """Check a detached OpenTimestamps proof; never raises on any bytes.

    Args:
        proof: the bytes of the proof, header included.
        digest: the recomputed digest of the record.
        headers: Merkle roots of Bitcoin blocks by height, 32 bytes as the block holds them, which is the reverse of
            how block explorers print them.

    Raises:
        Unavailable: the library that reads proofs is not installed.
    """
    if len(proof) > MAX_PROOF:
        return _refused(f"{len(proof)} bytes, a proof has at most {MAX_PROOF}")
    if not proof.startswith(PROOF_HEADER):
        return _refused("no OpenTimestamps proof of a SHA-256 digest")
    stated, path = proof[len(PROOF_HEADER) :][:32], proof[len(PROOF_HEADER) + 32 :]
    if stated != digest.value:
        return _refused(f"the proof is of the digest {stated.hex()}, the record's is {digest}")
    try:
        found = list(_attestations(path, digest.value))
    except _NoProofError as error:
        return _refused(f"the path of the proof cannot be followed: {error}")
    return _judged(found, headers or {})


class _NoProofError(Exception):
    """The path breaks a rule of its format."""


def _refused(fault: str) -> TimestampCheck:
    return TimestampCheck("refused", faults=(fault,))


def _attestations(path: bytes, digest: bytes) -> Iterator[tuple[bytes, Any]]:
    """Follow the path from the digest; yield what it leads to and who attests it."""
    try:
        from opentimestamps.core import serialize, timestamp  # noqa: PLC0415 - late: an optional extra
    except ImportError:
        raise Unavailable("timestamp proofs need the package opentimestamps: pip install 'pithid[ots]'") from None

    context = serialize.BytesDeserializationContext(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the library warns of operations that may be given up one day
            tree = timestamp.Timestamp.deserialize(context, digest)
        context.assert_eof()
        yield from tree.all_attestations()
    except (serialize.DeserializationError, ValueError, TypeError, OverflowError, RecursionError) as error:
        raise _NoProofError(str(error)[:200]) from None


def _judged(found: list[tuple[bytes, Any]], headers: Mapping[int, bytes]) -> TimestampCheck:
    from opentimestamps.core import notary  # noqa: PLC0415 - late: an optional extra

    calendars, blocks, confirmed = set[str](), set[int](), set[int]()
    faults, unknown = set[str](), 0
    for reached, attestation in found:
        if isinstance(attestation, notary.PendingAttestation):
            calendars.add(attestation.uri)
        elif not isinstance(attestation, notary.BitcoinBlockHeaderAttestation):
            unknown += 1
        elif attestation.height > MAX_HEIGHT:
            return _refused(f"a block beyond {MAX_HEIGHT} is claimed")
        else:
            height = attestation.height
            blocks.add(height)
            if headers.get(height) == reached:
                confirmed.add(height)
            elif height in headers:
                faults.add(f"block {height}: the path leads to {reached.hex()}, not to its Merkle root")
    return TimestampCheck(
        _status(calendars, blocks, confirmed, unheld=bool(faults)),
        tuple(sorted(calendars)),
        tuple(sorted(blocks)),
        tuple(sorted(confirmed)),
        unknown,
        tuple(sorted(faults)),
    )


def _status(calendars: set[str], blocks: set[int], confirmed: set[int], *, unheld: bool) -> Status:
    if confirmed:
        return "confirmed_bitcoin"
    if unheld:
        return "mismatch"
    if blocks:
        return "unconfirmed_bitcoin"
    return "pending" if calendars else "refused"
