"""The six aliases that follow from a record and its digest.

Source: docs/protocol.md section 6. They are computed, never stored: whatever a table says is checked against them.
"""

from dataclasses import dataclass

from pithid.core.digest import Digest
from pithid.core.identifiers import Doi, PithNumber
from pithid.core.identifiers.pith import SHORT_LENGTHS
from pithid.core.records import CanonicalRecord

KINDS = ("arxiv", "arxiv_version", "doi", "pith_short_12", "pith_short_16", "pith_short_8")
"""Alias kinds in the registry's order, which is that of the words as text."""


@dataclass(frozen=True, slots=True)
class Alias:
    """One row of an alias table; `kind` is one of `KINDS`."""

    kind: str
    value: str


def number_of(record: CanonicalRecord, digest: Digest) -> PithNumber:
    """Return the number whose suffix starts the base32 of `digest`; the year is that of submission."""
    return PithNumber(record.metadata.year, digest.base32)


def aliases_of(record: CanonicalRecord, digest: Digest) -> tuple[Alias, ...]:
    """Return the six aliases in the registry's order."""
    arxiv = record.source.arxiv
    short = {f"pith_short_{length}": digest.base32[:length] for length in SHORT_LENGTHS}
    values = {
        "arxiv": str(arxiv),
        "arxiv_version": str(arxiv.at(record.source.version)),
        "doi": str(Doi.of_arxiv(arxiv)),
        **short,
    }
    return tuple(Alias(kind, values[kind]) for kind in KINDS)
