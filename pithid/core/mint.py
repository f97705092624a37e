"""Minting: from a canonical record to its digest, number, short forms and aliases.

Source: docs/protocol.md sections 1, 2 and 6; FIPS 180-4 (SHA-256); RFC 4648 section 6 (base32).
"""

import hashlib
from dataclasses import dataclass

from pithid.core.aliases import Alias, aliases_of, number_of
from pithid.core.digest import Digest
from pithid.core.identifiers import PithNumber
from pithid.core.records import CanonicalRecord


@dataclass(frozen=True, slots=True)
class Minted:
    """A record and the digest of its canonical bytes; everything else follows from the two."""

    record: CanonicalRecord
    digest: Digest

    @property
    def number(self) -> PithNumber:
        """The Pith Number."""
        return number_of(self.record, self.digest)

    @property
    def short_8(self) -> str:
        """The first 8 characters: a look-up, not an identity."""
        return self.digest.base32[:8]

    @property
    def short_12(self) -> str:
        """The first 12 characters."""
        return self.digest.base32[:12]

    @property
    def short_16(self) -> str:
        """The first 16 characters."""
        return self.digest.base32[:16]

    @property
    def aliases(self) -> tuple[Alias, ...]:
        """The six aliases in the registry's order."""
        return aliases_of(self.record, self.digest)


def mint(record: CanonicalRecord) -> Minted:
    """Derive the Pith Number of a canonical record. Pure: no clock, no disk, no network.

    The suffix is the first 26 base32 characters of the whole 32-byte SHA-256 digest (130 bits), not base32 of its
    first 16 bytes. The year is that of `metadata.submitted_at`.

    >>> from pithid.core.paper import Paper
    >>> paper = Paper("2101.00001", 1, "A title", "An abstract.", "cs.DL", "2020-12-31T23:59:59Z")
    >>> str(mint(paper.record()).number)
    'pith:2020:IAFYBKXV3V5GUQTEEGPG3JZPWI'
    """
    return Minted(record, Digest(hashlib.sha256(record.to_bytes()).digest()))
