"""Everything known here of one record."""

from dataclasses import dataclass

from pithid.core.canonical import Json
from pithid.core.text import text_sha256
from pithid.service.answers import matches_json, record_json
from pithid.service.resolve import OK, Resolution, resolve
from pithid.store.contract import Link, Store, Stored
from pithid.store.origin import Match


@dataclass(frozen=True, slots=True)
class Lookup:
    """What is known of the record a text names.

    Attributes:
        resolution: how the text was understood; the rest is empty unless its status is `ok`.
        stored: the record, rebuilt from the index and hashed again.
        versions: every record of the paper, the highest version first.
        links: DOIs of other objects linked to the paper.
    """

    resolution: Resolution
    stored: Stored | None = None
    versions: tuple[Match, ...] = ()
    links: tuple[Link, ...] = ()


def lookup(store: Store, text: str) -> Lookup:
    """Look up a text: its record, all aliases with their origin, the paper's other versions.

    Raises:
        CorruptRecord: the stored record does not hash to its number.
    """
    resolution = resolve(store, text)
    if resolution.status != OK:
        return Lookup(resolution)
    stored = store.read(resolution.matches[0].digits)
    arxiv = stored.minted.record.source.id
    return Lookup(resolution, stored, tuple(store.versions(arxiv)), tuple(store.links_of(arxiv)))


def title_hash_matches(stored: Stored) -> bool | None:
    """Tell whether the title kept for display is the one that was hashed; None without a title."""
    if not stored.title:
        return None
    return text_sha256(stored.title) == stored.minted.record.metadata.title_canon_sha256


def lookup_json(store: Store, found: Lookup) -> dict[str, Json]:
    """Return the object of `pithid lookup --json` for a record that was found."""
    stored = found.stored
    if stored is None:
        raise ValueError("nothing was found")
    minted = stored.minted
    words: list[Json] = list(stored.origin.words)
    aliases: list[Json] = [
        {"alias_kind": alias.kind, "alias_value": alias.value, "provenance": words} for alias in minted.aliases
    ]
    aliases += [
        {"alias_kind": "linked_doi", "alias_value": link.doi, "provenance": list(link.origin.words)}
        for link in found.links
    ]
    return {
        "status": OK,
        "input": found.resolution.input,
        **record_json(stored),
        "authors": stored.authors or None,
        "alias_table": aliases,
        "spellings": {"hex": str(minted.digest), "ni": minted.digest.ni, "cid": minted.digest.cid},
        "canonical_record": minted.record.to_json(),
        "versions": matches_json(store, list(found.versions)),
        "verification": {"content_addressed": True, "title_matches": title_hash_matches(stored)},
    }
