"""A canonical record as columns, and back, byte for byte.

The two hashes are 64 raw bytes, the time is the decimal number YYYYMMDDhhmmss, licence and categories are row ids of
small tables. The digest is kept whole: 130 bits as the 26 characters of the number, the last 128 as `tail`.
"""

from typing import NamedTuple

from pithid.core.digest import Digest
from pithid.core.mint import Minted, mint
from pithid.core.records import CanonicalRecord, Metadata, Source
from pithid.store.origin import CorruptRecord

TAIL = 16
"""Bytes of the digest that are kept beside the 26 characters; 130 + 128 bits cover all 256."""


class Packed(NamedTuple):
    """The columns of one record; licence and categories still as text."""

    arxiv: str
    version: int
    number: str
    tail: bytes
    submitted: int
    license: str
    categories: str
    hashes: bytes


def pack(minted: Minted) -> Packed:
    """Return the columns of a minted record."""
    record, metadata = minted.record, minted.record.metadata
    time = metadata.submitted_at
    return Packed(
        record.source.id,
        record.source.version,
        minted.digest.base32,
        minted.digest.value[-TAIL:],
        int(time[:4] + time[5:7] + time[8:10] + time[11:13] + time[14:16] + time[17:19]),
        metadata.license,
        " ".join((metadata.primary_cat, *metadata.cross_cats_sorted)),
        bytes.fromhex(metadata.title_canon_sha256 + metadata.abstract_canon_sha256),
    )


def unpack(packed: Packed) -> Minted:
    """Rebuild the record and mint it again.

    Raises:
        CorruptRecord: the columns do not hash to the stored digest, or are no record at all.
    """
    time, hashes = f"{packed.submitted:014}", packed.hashes.hex()
    primary, *cross = packed.categories.split(" ")
    try:
        metadata = Metadata(
            hashes[:64],
            hashes[64:],
            primary,
            tuple(cross),
            packed.license,
            f"{time[:4]}-{time[4:6]}-{time[6:8]}T{time[8:10]}:{time[10:12]}:{time[12:]}Z",
        )
        minted = mint(CanonicalRecord(Source("arxiv", packed.arxiv, packed.version), metadata))
    except ValueError as error:
        raise CorruptRecord(f"the record stored as {packed.number!r} is damaged: {error}") from None
    if not _same(minted.digest, packed):
        raise CorruptRecord(
            f"the record stored as {packed.number} ({packed.arxiv}v{packed.version}) hashes to {minted.digest.base32}"
        )
    return minted


def _same(digest: Digest, packed: Packed) -> bool:
    return digest.base32 == packed.number and digest.value[-TAIL:] == packed.tail
