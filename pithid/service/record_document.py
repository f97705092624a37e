"""The registry's record document, made from what the index holds: nothing in it is copied that can be computed.

Source: docs/protocol.md section 12.
"""

from collections import Counter

from pithid.core.canonical import Json
from pithid.core.errors import NotFound
from pithid.core.events import GRAPH_SNAPSHOT, RECORD_CREATED
from pithid.core.identifiers import PithNumber
from pithid.core.keys import Keyring
from pithid.core.records import SCHEMA_VERSION
from pithid.core.verify_documents import RECORD_TYPE
from pithid.service.graph_view import GraphView, graph_of
from pithid.store.contract import Stored
from pithid.store.sqlite import SqliteStore

SCHEMA_URL = "https://pith.science/schemas/pith-number/v1.json"
BASE_URL = "https://pith.science"
_BASE_EVENTS = frozenset({RECORD_CREATED, GRAPH_SNAPSHOT})


def record_document(store: SqliteStore, number: PithNumber, keyring: Keyring, *, base_url: str = BASE_URL) -> Json:
    """Return the record document of a record that a trusted registry vouches for.

    Args:
        store: the index.
        number: the record.
        keyring: the keys trusted.
        base_url: where links point to.

    Raises:
        NotFound: no event of a trusted registry states the record, so there is no receipt to show.
    """
    stored, view = store.read(number.digits), graph_of(store, number, keyring)
    minted, current = stored.minted, _object(view.merged.state["current"])
    created = _object(current["record_created"])
    if not created:
        raise NotFound(
            f"no trusted registry vouches for {number} here; import its bundle, or add a record_created event"
        )
    snapshot = _snapshot(current)
    times = [str(one.event["created_at"]) for one in view.merged.valid]
    return {
        "record_type": RECORD_TYPE,
        "schema_url": SCHEMA_URL,
        "pith_number": str(number),
        "short_pith_number": f"pith:{minted.short_8}",
        "schema_version": SCHEMA_VERSION,
        "canonical_sha256": str(minted.digest),
        "source": minted.record.source.to_json(),
        "attestation_state": _object(created["payload"])["attestation_state"],
        "paper": snapshot.get("paper", _paper(stored)),
        "verification_status": view.status,
        "canonical_record": minted.record.to_json(),
        "receipt": _object(created["payload"])["receipt"],
        "graph_snapshot": snapshot or None,
        "aliases": current["source_aliases"],
        "events": [one.raw for one in view.merged.valid if one.event["event_type"] not in _BASE_EVENTS],
        "event_summary": _summary(view),
        "links": _links(number, base_url),
        "created_at": created["created_at"],
        "updated_at": max(times),
    }


def _object(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}


def _snapshot(current: dict[str, Json]) -> dict[str, Json]:
    """Return the latest snapshot that stands."""
    shown = current["graph_snapshots"]
    latest = _object(shown[-1]) if isinstance(shown, list) and shown else {}
    return _object(_object(latest.get("payload")).get(GRAPH_SNAPSHOT))


def _paper(stored: Stored) -> dict[str, Json]:
    metadata = stored.minted.record.metadata
    return {
        "title": stored.title or None,
        "authors_text": stored.authors or None,
        "primary_cat": metadata.primary_cat,
        "cross_cats": list(metadata.cross_cats_sorted),
        "license": metadata.license,
        "submitted_at": metadata.submitted_at,
    }


def _summary(view: GraphView) -> dict[str, Json]:
    types = Counter(str(one.event["event_type"]) for one in view.merged.valid)
    return {name: count for name, count in sorted(types.items()) if name not in _BASE_EVENTS}


def _links(number: PithNumber, base_url: str) -> dict[str, Json]:
    page = f"{base_url}/pith/{number.digits}"
    api = f"{base_url}/api/pith-number/{number.digits}"
    return {
        "html": page,
        "json": f"{page}.json",
        "graph_json": f"{api}/graph.json",
        "events_json": f"{api}/events.json",
        "paper": f"{base_url}/paper/{number.digits[:8]}",
    }
