"""The alias table out of the index, in a fixed order and with fixed bytes."""

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping

from pithid.core.canonical import Json
from pithid.store.contract import Link, Store, Stored

COLUMNS = (
    "pith_number",
    "pith_short_12",
    "arxiv",
    "arxiv_version",
    "doi",
    "submitted_at",
    "canonical_sha256",
    "provenance",
    "linked_dois",
    "title",
)
"""Columns of CSV and TSV. Identifiers carry their scheme (`arxiv:`, `doi:`, `pith:`): bare ones are turned into numbers
by spreadsheets, data frames and type-guessing importers, and lose digits."""


def rows(store: Store) -> Iterator[tuple[str, ...]]:
    """Yield the rows of the table, without the header, in the order of arXiv identifier and version."""
    for stored in store.records():
        yield _row(stored, store.links_of(stored.minted.record.source.id))


def _row(stored: Stored, links: list[Link]) -> tuple[str, ...]:
    minted = stored.minted
    values = {alias.kind: alias.value for alias in minted.aliases}
    return (
        str(minted.number),
        f"pith:{values['pith_short_12']}",
        f"arxiv:{values['arxiv']}",
        f"arxiv:{values['arxiv_version']}",
        f"doi:{values['doi']}",
        minted.record.metadata.submitted_at,
        str(minted.digest),
        " ".join(stored.origin.words),
        " ".join(f"doi:{link.doi}" for link in links),
        stored.title,
    )


def _table(store: Store, delimiter: str) -> Iterator[str]:
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=delimiter, lineterminator="\r\n" if delimiter == "," else "\n")
    writer.writerow(COLUMNS)
    for row in rows(store):
        writer.writerow(row)
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()
    yield buffer.getvalue()


def as_csv(store: Store) -> Iterator[str]:
    """Yield the table as CSV (RFC 4180), a piece a record."""
    return _table(store, ",")


def as_tsv(store: Store) -> Iterator[str]:
    """Yield the table as tab-separated text; blanks in titles are single spaces, so no cell holds a tab."""
    return _table(store, "\t")


def as_json_lines(store: Store) -> Iterator[str]:
    """Yield one JSON object a record: bare aliases, canonical record, title, authors and provenance."""
    for stored in store.records():
        minted = stored.minted
        item: dict[str, Json] = {
            "pith_number": str(minted.number),
            "canonical_sha256": str(minted.digest),
            "canonical_record": minted.record.to_json(),
            "aliases": [{"alias_kind": alias.kind, "alias_value": alias.value} for alias in minted.aliases],
            "title": stored.title or None,
            "authors": stored.authors or None,
            "linked_dois": [link.doi for link in store.links_of(minted.record.source.id)],
            "provenance": list(stored.origin.words),
        }
        yield json.dumps(item, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n"


FORMATS: Mapping[str, Callable[[Store], Iterator[str]]] = {"csv": as_csv, "tsv": as_tsv, "jsonl": as_json_lines}
"""Text formats by name."""
