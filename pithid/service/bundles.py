"""Bundles in and out of the index: import, rebuild, join, and what the index knows that a bundle leaves out.

What is known only grows: an older, shorter or damaged bundle adds what is new in it and replaces nothing.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from pithid.core import bundle as bundles
from pithid.core.canonical import Json, received_bytes
from pithid.core.checks import Verification
from pithid.core.errors import InvalidDocument, Malformed, Mismatch
from pithid.core.events import GRAPH_SNAPSHOT, RECORD_CREATED, object_digest
from pithid.core.identifiers import PithNumber
from pithid.core.keys import REGISTRY, Keyring, read_document
from pithid.core.merge import Merged, merge
from pithid.core.mint import Minted, mint
from pithid.core.records import CanonicalRecord
from pithid.core.signing import Signer
from pithid.core.text import text_sha256
from pithid.core.times import instant, stamp
from pithid.core.verify import bundle_signature, record_checks, same, verify_bundle
from pithid.store.contract import Addition
from pithid.store.origin import Origin
from pithid.store.sqlite import SqliteStore


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of a bundle.

    Attributes:
        number: the full Pith Number of its record.
        verification: every check of the bundle as it came.
        origin: how the index now knows the record through this bundle.
        new_record: the record was not known.
        new_events: events that were not known.
        known_events: events that were.
        lacking: ids of valid events known here that the bundle leaves out: it is behind, or withholds them.
        newest: `built_at` of a newer bundle of the same signer seen before; empty where this is the newest.
        damaged: ids of events of which the bundle holds a broken copy; they are known intact.
        refused_aliases: alias rows that do not follow from the record; only the file kept holds them.
        conflicts: groups of event ids by which one key contradicts itself, in all that is known now.
    """

    number: str
    verification: Verification
    origin: Origin
    new_record: bool
    new_events: int
    known_events: int
    lacking: tuple[str, ...] = ()
    newest: str = ""
    damaged: tuple[str, ...] = ()
    refused_aliases: int = 0
    conflicts: tuple[tuple[str, ...], ...] = ()

    def warnings(self) -> list[str]:
        """Return what a person should know, a line each."""
        found = [f"{one.name}: {one.detail}" for one in self.verification.checks if one.result == "failed"]
        if self.lacking:
            found.append(f"the bundle lacks {len(self.lacking)} events known here: {', '.join(self.lacking)}")
        if self.newest:
            found.append(f"the bundle is older than one of the same signer built at {self.newest}; nothing is replaced")
        found += [f"the bundle's copy of {event_id} is damaged; an intact one is known" for event_id in self.damaged]
        found += [f"one key contradicts itself: {', '.join(group)}" for group in self.conflicts]
        return found

    def to_json(self) -> dict[str, Json]:
        """Return the outcome as a JSON object."""
        return {
            "pith_number": self.number,
            "verdict": self.verification.verdict,
            "provenance": list(self.origin.words),
            "new_record": self.new_record,
            "new_events": self.new_events,
            "known_events": self.known_events,
            "lacking": list(self.lacking),
            "older_than": self.newest or None,
            "damaged": list(self.damaged),
            "refused_aliases": self.refused_aliases,
            "conflicts": [list(group) for group in self.conflicts],
        }


@dataclass(frozen=True, slots=True)
class Sealer:
    """Who signs a bundle; `key_id` is the name the key has in the reader's trust store."""

    signer: Signer
    key_id: str


def is_bundle(value: Json) -> bool:
    """Tell whether a document says that it is a bundle; nothing of it is checked."""
    return isinstance(value, dict) and value.get("bundle_type") == bundles.TYPE


def opened(value: Json, keyring: Keyring) -> tuple[dict[str, Json], Minted, Verification]:
    """Verify a bundle and return it with its record; other checks may have failed.

    Raises:
        InvalidDocument: it has not the shape of a bundle.
        InvalidRecord: its canonical record breaks the protocol.
        Mismatch: it states another number or hash than its record has.
    """
    verification = verify_bundle(value, keyring)
    if verification.verdict == "malformed" or not isinstance(value, dict):
        raise InvalidDocument("shape", "$", f"no bundle: {verification.checks[0].detail}")
    minted = mint(CanonicalRecord.from_json(value["canonical_record"]))
    for check in record_checks(value, minted):
        if check.result == "failed":
            computed = {"canonical_sha256": str(minted.digest)}.get(check.name, str(minted.number))
            raise Mismatch(check.name, str(value.get(check.name))[:100], computed)
    return value, minted, verification


def shown(value: Json, keyring: Keyring) -> tuple[dict[str, Json], Merged, Verification]:
    """Return a bundle, what its events merge to, and every check; see `opened` for the errors."""
    bundle, minted, verification = opened(value, keyring)
    return bundle, merge(minted, items(bundle["events"]), items(bundle["source_aliases"]), keyring), verification


def import_bundle(store: SqliteStore, value: Json, raw: bytes, keyring: Keyring) -> Imported:
    """Verify a bundle and add what it holds to the index, in one transaction.

    Args:
        store: an index open for writing, with no transaction open.
        value: the document, loaded from `raw`.
        raw: the bytes of the file, which are kept.
        keyring: the keys trusted.

    Raises:
        InvalidDocument, InvalidRecord, Mismatch: see `opened`; nothing was stored.
    """
    bundle, minted, verification = opened(value, keyring)
    number, graph, events = minted.digest.base32, store.graph, items(bundle["events"])
    received = merge(minted, events, (), keyring)
    origin = _origin(received)
    signer, built_at = _signer(bundle, keyring), str(bundle["built_at"])
    aliases = _own_aliases(bundle["source_aliases"], minted)
    with store.transaction():
        before = merge(minted, graph.events(number), (), keyring)
        newest = _newer(graph.signed_times(number), signer, built_at)
        new_record = store.add([Addition(minted, origin, *_texts(received, minted))]) > 0
        new_events = graph.add_events(number, events)
        graph.add_aliases(number, aliases)
        for member in ("public_keys", "timestamp_proofs", *(["mirror_hints"] if signer else [])):
            graph.add_hints(number, member, items(bundle[member]))
        graph.add_bundle(number, raw, built_at, signer)
        after = merge(minted, graph.events(number), (), keyring)
    has = _ids(received)
    intact = _ids(after)
    return Imported(
        str(minted.number),
        verification,
        origin,
        new_record,
        new_events,
        len({object_digest(event) for event in events}) - new_events,
        tuple(one.event_id for one in before.valid if one.event_id not in has),
        newest,
        tuple(one.event_id for one in (*received.invalid, *received.damaged) if one.event_id in intact),
        len(items(bundle["source_aliases"])) - len(aliases),
        after.conflicts,
    )


def items(value: Json) -> list[Json]:
    """Return a list as it is, nothing for any other value."""
    return value if isinstance(value, list) else []


def _ids(merged: Merged) -> set[str]:
    return {one.event_id for one in merged.valid}


def _origin(merged: Merged) -> Origin:
    """Return the strongest claim that the valid events of a registry support."""
    for one in merged.valid:
        if one.event["event_type"] == RECORD_CREATED and one.entry is not None and one.entry.signer_type == REGISTRY:
            return Origin.BUNDLE | Origin.RECEIPT
    return Origin.STATED


def _signer(bundle: dict[str, Json], keyring: Keyring) -> str:
    """Return who signed the bundle as a whole, empty where no trusted key did."""
    seal, digest = bundle.get("bundle_signature"), bundles.bundle_digest(bundle)
    if not isinstance(seal, dict) or seal.get("bundle_sha256") != digest.hex():
        return ""
    checked = bundle_signature(bundle, keyring)
    if checked is None or checked.entry is None or checked.reasons:
        return ""
    return checked.entry.signer_id


def _newer(seen: Iterable[tuple[str, str]], signer: str, built_at: str) -> str:
    """Return the newest time of a signed bundle seen, if it is after `built_at`; an unsigned one is held to all."""
    times = [time for by, time in seen if not signer or by == signer]
    newest = max(times, key=_moment, default=built_at)
    return newest if _moment(newest) > _moment(built_at) else ""


def _moment(text: str) -> datetime:
    return instant(text) or datetime.min.replace(tzinfo=UTC)


def _own_aliases(rows: Json, minted: Minted) -> list[tuple[str, str, str]]:
    """Return the alias rows that follow from the record; a false one would enter every state built here."""
    computed: set[tuple[object, object]] = {(alias.kind, alias.value) for alias in minted.aliases}
    found = []
    for row in items(rows):
        if not isinstance(row, dict) or set(row) != {"alias_kind", "alias_value", "created_at"}:
            continue
        kind, text, time = row["alias_kind"], row["alias_value"], row["created_at"]
        if not isinstance(kind, str) or not isinstance(text, str) or not isinstance(time, str):
            continue
        if (kind, text) in computed and instant(time) is not None:
            found.append((kind, text, time))
    return found


def _texts(merged: Merged, minted: Minted) -> tuple[str, str]:
    """Return title and authors of a valid snapshot whose title is the one that was hashed."""
    for one in merged.valid:
        payload = one.event["payload"]
        snapshot = payload.get("graph_snapshot") if isinstance(payload, dict) else None
        paper = snapshot.get("paper") if isinstance(snapshot, dict) else None
        if one.event["event_type"] != GRAPH_SNAPSHOT or not isinstance(paper, dict):
            continue
        title, authors = (" ".join(str(paper.get(name) or "").split()) for name in ("title", "authors_text"))
        if text_sha256(title) == minted.record.metadata.title_canon_sha256:
            return title, authors
    return "", ""


def known(store: SqliteStore, number: PithNumber, keyring: Keyring) -> tuple[Minted, Merged]:
    """Return a record of the index, and what all that is known of it merges to.

    Raises:
        NotFound: there is no such record.
        CorruptRecord: what is stored was changed.
    """
    minted = store.read(number.digits).minted
    graph = store.graph
    return minted, merge(minted, graph.events(number.digits), graph.aliases(number.digits), keyring)


def build_bundle(
    store: SqliteStore, number: PithNumber, keyring: Keyring, sealer: Sealer | None, now: datetime
) -> dict[str, Json]:
    """Build a bundle of all that is known of a record; unsigned without a `sealer`.

    Damaged copies of events that are known intact are left out, which leaves the state as it is.

    Raises:
        NotFound: there is no such record.
        CorruptRecord: what is stored was changed.
    """
    graph, digits = store.graph, number.digits
    minted, merged = known(store, number, keyring)
    own = [sealer.signer.key.document(sealer.key_id)] if sealer is not None else []
    parts = bundles.Parts(
        minted,
        _events(merged),
        graph.aliases(digits),
        _key_documents([*graph.hints(digits, "public_keys"), *own], merged, keyring, also=own),
        graph.hints(digits, "mirror_hints"),
        timestamp_proofs=graph.hints(digits, "timestamp_proofs"),
    )
    bundle = bundles.build(parts, keyring, built_at=stamp(now))
    if sealer is None:
        return bundle
    return bundles.sign(bundle, sealer.signer, sealer.key_id, signed_at=stamp(now))


def merge_bundles(values: Sequence[Json], keyring: Keyring) -> dict[str, Json]:
    """Join bundles of one record: the union of their events and aliases, unsigned, with the state they merge to.

    No clock: `built_at` is the latest of the inputs', so that the result is a function of them.

    Raises:
        InvalidDocument, InvalidRecord, Mismatch: see `opened`.
        Malformed: there is no bundle, or they are not of one record.
    """
    inputs = [opened(value, keyring) for value in values]
    if not inputs:
        raise Malformed("there is no bundle to merge")
    minted = inputs[0][1]
    for _, other, _ in inputs:
        if other != minted:
            raise Malformed(f"the bundles are of different records: {minted.number} and {other.number}")
    found = [bundle for bundle, _, _ in inputs]
    merged = merge(minted, _union(found, "events"), (), keyring)
    links = found[0]["links"] if all(same(one["links"], found[0]["links"]) for one in found) else {}
    parts = bundles.Parts(
        minted,
        _events(merged),
        _union(found, "source_aliases"),
        _key_documents(_union(found, "public_keys"), merged, keyring),
        _union(found, "mirror_hints"),
        tuple((name, str(url)) for name, url in links.items()) if isinstance(links, dict) else (),
        _union(found, "timestamp_proofs"),
    )
    return bundles.build(
        parts, keyring, built_at=max((str(one["built_at"]) for one in found), key=lambda time: (_moment(time), time))
    )


def _events(merged: Merged) -> list[Json]:
    """Return one intact copy of each valid event in merged order, then the invalid ones."""
    return [one.raw for one in (*merged.valid, *merged.invalid)]


def _union(found: Iterable[dict[str, Json]], member: str) -> list[Json]:
    """Return the distinct items of a list member in the order of their canonical bytes, so that no input is first."""
    everything = {received_bytes(item): item for bundle in found for item in items(bundle[member])}
    return [everything[key] for key in sorted(everything)]


def _key_documents(hints: Iterable[Json], merged: Merged, keyring: Keyring, *, also: Sequence[Json] = ()) -> list[Json]:
    """Return a document for each trusted key: those received, and those of registries whose events are accepted."""
    made = [
        one.entry.key.document(one.entry.key_id)
        for one in merged.valid
        if one.entry is not None and one.entry.signer_type == REGISTRY
    ]
    found: dict[tuple[str, str], Json] = {}
    for document in (*hints, *made):
        try:
            key_id, key = read_document(document)
        except Malformed:
            continue
        entry = keyring.find(key.fingerprint, key_id)
        if document in also or (entry is not None and not entry.revoked):
            found.setdefault((key_id, key.fingerprint), document)
    return [found[name] for name in sorted(found)]
