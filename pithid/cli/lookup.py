"""`pithid lookup`: everything known of one record."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from pithid.cli.output import EXIT_OF_STATUS, IndexOption, JsonOption, TrustOption, print_json, printable, say

if TYPE_CHECKING:
    from pithid.core.canonical import Json
    from pithid.service.event_log import Listed
    from pithid.service.graph_view import GraphView
    from pithid.service.lookup import Lookup
    from pithid.store.contract import Store, Stored
    from pithid.store.origin import Match
    from pithid.store.sqlite import SqliteStore


def command(
    identifier: Annotated[
        str, typer.Argument(metavar="IDENTIFIER", help="An identifier in any spelling, or a prefix.")
    ],
    as_record: Annotated[
        bool, typer.Option("--record", help="Print the registry's record document; needs events of a trusted registry.")
    ] = False,
    trust: TrustOption = None,
    as_json: JsonOption = False,
    index: IndexOption = None,
) -> None:
    """Show everything known of a record: aliases with their provenance, versions, events, verification.

    Exits as `resolve` does: 3 for what is no identifier, 4 for what is not known here, 5 when several records match.

    Example: pithid lookup Z5NAPRQP
    """
    from pithid.service.answers import resolution_json
    from pithid.service.index import open_to_read
    from pithid.service.lookup import lookup, lookup_json

    store = open_to_read(index)
    try:
        found = lookup(store, identifier)
        status = found.resolution.status
        if found.resolution.reason is not None:
            say(found.resolution.reason, code=status.replace("_", "-") if status != "ok" else "")
        if as_record and found.stored is not None:
            print_json(_record(store, found.stored, trust))
            return
        view = _view(store, found.stored, trust) if found.stored is not None else None
        if as_json and found.stored is not None:
            print_json({**lookup_json(store, found), **(view.to_json() if view is not None else {"events": []})})
        elif as_json:
            print_json(resolution_json(store, found.resolution))
        elif found.stored is not None:
            sys.stdout.write("".join(f"{line}\n" for line in _card(store, found, found.stored, view)))
        else:
            titles = store.titles(match.digits for match in found.resolution.matches)
            for match in found.resolution.matches:
                say(f"candidate {_version_line(match, titles.get(match.digits, ''))}")
    finally:
        store.close()
    raise typer.Exit(EXIT_OF_STATUS[status])


def _record(store: "SqliteStore", stored: "Stored", trust: str | None) -> "Json":
    from pithid.service.record_document import record_document
    from pithid.service.trust import load_keyring

    return record_document(store, stored.minted.number, load_keyring(trust))


def _view(store: "SqliteStore", stored: "Stored", trust: str | None) -> "GraphView | None":
    """Merge the record's events; None where it has none, which spares loading all that checks signatures."""
    number = stored.minted.number
    if not store.has_events(number.digits):
        return None
    from pithid.service.graph_view import graph_of
    from pithid.service.trust import load_keyring

    return graph_of(store, number, load_keyring(trust))


def _version_line(match: "Match", title: str) -> str:
    from pithid.store.origin import Origin

    words = ", ".join(Origin(match.origin).words)
    return f"{match.number}  arxiv:{match.arxiv}v{match.version}  ({words})" + (f"  {title}" if title else "")


def _card(store: "Store", found: "Lookup", stored: "Stored", view: "GraphView | None") -> list[str]:
    minted, metadata = stored.minted, stored.minted.record.metadata
    words = ", ".join(stored.origin.words)
    rows = [("title", stored.title), ("authors", stored.authors)]
    rows += [(alias.kind, f"{alias.value}  ({words})") for alias in minted.aliases]
    rows += [("linked_doi", f"{link.doi}  ({', '.join(link.origin.words)})") for link in found.links]
    rows += [
        ("categories", " ".join((metadata.primary_cat, *metadata.cross_cats_sorted))),
        ("submitted_at", metadata.submitted_at),
        ("license", metadata.license or "(none)"),
        ("canonical_sha256", str(minted.digest)),
        ("ni", minted.digest.ni),
        ("cid", minted.digest.cid),
        ("title_sha256", f"{metadata.title_canon_sha256}{_title_verdict(stored)}"),
        ("abstract_sha256", metadata.abstract_canon_sha256),
        ("provenance", words if view is None or view.is_vouched else f"{words}; no key trusted now vouches for it"),
        ("verified", "the stored record hashes to this number"),
    ]
    if len(found.versions) > 1:
        titles = store.titles(match.digits for match in found.versions)
        rows += [("version", _version_line(match, titles.get(match.digits, ""))) for match in found.versions]
    if view is not None:
        rows += [("status", ", ".join(view.words)), ("state_sha256", str(view.merged.state["state_sha256"]))]
        rows += [(f"{'done' if step.done else 'open'}", f"{step.name} ({step.count})") for step in view.steps]
        rows += [("event", _event_line(one)) for one in view.events]
    width = max(len(name) for name, _ in rows)
    return [str(minted.number), *(f"  {name:<{width}}  {printable(text)}" for name, text in rows if text)]


def _event_line(one: "Listed") -> str:
    return f"{one.event.get('event_type')}  {one.event.get('created_at')}  ({one.status})  {one.event_id}"


def _title_verdict(stored: "Stored") -> str:
    from pithid.service.lookup import title_hash_matches

    return {True: "  (the title above hashes to it)", False: "  (the title above does NOT hash to it)", None: ""}[
        title_hash_matches(stored)
    ]
