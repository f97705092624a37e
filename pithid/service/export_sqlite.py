"""A flat database of the alias table, for ad-hoc queries with `sqlite-utils` and Datasette.

This is where sqlite-utils serves: schema, foreign keys and full-text set-up. The index itself stays compact; this file
trades space for tables that anyone can query without knowing pithid.
"""

import sqlite3
from collections.abc import Iterator
from typing import Any

from pithid.core.errors import Unavailable
from pithid.service.files import new_file
from pithid.store.contract import Store, Stored


def to_sqlite(store: Store, path: str) -> int:
    """Write `record` and `alias` tables with a full-text index of titles and authors.

    Args:
        store: the index.
        path: a file that does not exist yet.

    Returns:
        The number of records written.

    Raises:
        Unavailable: it cannot be written, or is there already; nothing is left behind.
    """
    with new_file(path) as part:
        try:
            return _write(store, part)
        except sqlite3.Error as error:
            raise Unavailable(f"{path}: not written: {error}") from None


def _write(store: Store, path: str) -> int:
    import sqlite_utils  # noqa: PLC0415 - late: slow to import, and only this format needs it

    database = sqlite_utils.Database(path, execute_plugins=False)
    try:
        with database.atomic():
            record = database.table("record")
            record.insert_all((_record(stored) for stored in store.records()), pk="pith_number", columns=_COLUMNS)
            alias = database.table("alias")
            alias.insert_all(
                _aliases(store),
                pk=("alias_kind", "alias_value", "pith_number"),
                foreign_keys=[("pith_number", "record", "pith_number")],
                columns={"alias_kind": str, "alias_value": str, "pith_number": str, "provenance": str},
            )
            if record.exists():
                record.enable_fts(["title", "authors"])
                alias.create_index(["alias_value"])
            written = record.count if record.exists() else 0
        database.vacuum()
    finally:
        database.close()
    return int(written)


_COLUMNS = {
    "pith_number": str,
    "arxiv": str,
    "version": int,
    "title": str,
    "authors": str,
    "primary_cat": str,
    "cross_cats": str,
    "license": str,
    "submitted_at": str,
    "canonical_sha256": str,
    "title_canon_sha256": str,
    "abstract_canon_sha256": str,
    "provenance": str,
}


def _record(stored: Stored) -> dict[str, Any]:
    minted, metadata = stored.minted, stored.minted.record.metadata
    return {
        "pith_number": str(minted.number),
        "arxiv": minted.record.source.id,
        "version": minted.record.source.version,
        "title": stored.title,
        "authors": stored.authors,
        "primary_cat": metadata.primary_cat,
        "cross_cats": " ".join(metadata.cross_cats_sorted),
        "license": metadata.license,
        "submitted_at": metadata.submitted_at,
        "canonical_sha256": str(minted.digest),
        "title_canon_sha256": metadata.title_canon_sha256,
        "abstract_canon_sha256": metadata.abstract_canon_sha256,
        "provenance": " ".join(stored.origin.words),
    }


def _aliases(store: Store) -> Iterator[dict[str, Any]]:
    for stored in store.records():
        number, words = str(stored.minted.number), " ".join(stored.origin.words)
        for alias in stored.minted.aliases:
            yield {"alias_kind": alias.kind, "alias_value": alias.value, "pith_number": number, "provenance": words}
        for link in store.links_of(stored.minted.record.source.id):
            yield {
                "alias_kind": "linked_doi",
                "alias_value": link.doi,
                "pith_number": number,
                "provenance": " ".join(link.origin.words),
            }
