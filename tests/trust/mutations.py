"""Every way in which a document can be changed by one step, and the repairs that need no key."""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from pithid.core.bundle import bundle_digest
from pithid.core.canonical import Json, load, received_bytes
from pithid.core.errors import InvalidDocument, Malformed
from pithid.core.events import content_digest
from pithid.core.keys import Keyring, PublicKey
from pithid.core.merge import merge, state_sha256
from pithid.core.mint import mint
from pithid.core.records import CanonicalRecord
from pithid.core.snapshot import integrity_sha256, section_sha256
from pithid.core.verify import verify_bundle

Step = str | int
Path = tuple[Step, ...]
Outcome = Literal["malformed", "failed", "same", "signed_at", "survived"]

FREE = "$.bundle_signature.signed_at"
"""The only leaf of a signed bundle that no signature covers."""


@dataclass(frozen=True, slots=True)
class Mutation:
    """A changed document: `kind` and `path` say how and where."""

    kind: str
    path: Path
    value: Json

    @property
    def name(self) -> str:
        """The JSON path of the place."""
        return name_of(self.path)


def name_of(path: Path) -> str:
    """Return a path as text.

    >>> name_of(("events", 1, "target"))
    '$.events[1].target'
    """
    return "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)


def at(value: Json, path: Path) -> Json:
    """Return the value at a path."""
    for step in path:
        if isinstance(value, dict) and step in value:
            value = value[str(step)]
        elif isinstance(value, list) and isinstance(step, int):
            value = value[step]
        else:
            raise KeyError(name_of(path))
    return value


def put(value: Json, path: Path, new: Json) -> Json:
    """Return a copy with another value at a path; what is not on the path is shared."""
    if not path:
        return new
    first, rest = path[0], path[1:]
    if isinstance(value, dict) and isinstance(first, str):
        return {name: put(item, rest, new) if name == first else item for name, item in value.items()}
    if isinstance(value, list) and isinstance(first, int):
        return [put(item, rest, new) if index == first else item for index, item in enumerate(value)]
    raise KeyError(first)


def nodes(value: Json, path: Path = ()) -> Iterator[tuple[Path, Json]]:
    """Yield every value inside a document with its path, the document itself first."""
    yield path, value
    if isinstance(value, dict):
        for name, item in value.items():
            yield from nodes(item, (*path, name))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from nodes(item, (*path, index))


def leaves(value: Json) -> Iterator[tuple[Path, Json]]:
    """Yield the leaves; an empty object or list is a leaf."""
    return ((path, item) for path, item in nodes(value) if not isinstance(item, dict | list) or not item)


def leaf_mutations(value: Json) -> Iterator[Mutation]:
    """Yield each leaf with each of its replacements."""
    for path, leaf in leaves(value):
        for new in _replacements(leaf):
            yield Mutation("leaf", path, put(value, path, new))


def _replacements(leaf: Json) -> list[Json]:
    """Return what to put in place of a leaf: near misses first, then other types; never an equal value."""
    new: list[Json]
    if isinstance(leaf, str):
        new = [*_texts(leaf), None, 1]
    elif isinstance(leaf, bool):
        new = [not leaf, int(leaf), float(leaf), str(leaf).lower(), None, [], {}]
    elif isinstance(leaf, int):
        new = [leaf + 1, -leaf - 1, float(leaf), leaf == 1, str(leaf), None, [leaf]]
    elif leaf is None:
        new = [False, 0, "", "null", [], {}, [None]]
    elif isinstance(leaf, list):
        new = [[None], [[]], {}, None, "", 0, False]
    else:
        new = [{"x": None}, {"": {}}, [], None, "", 0, False]
    return [item for item in new if received_bytes(item) != received_bytes(leaf)]


def _texts(text: str) -> list[str]:
    if not text:
        return ["x", " ", "\n", "\x00", "0"]
    other = "B" if text[-1] != "B" else "C"
    changed = [text[:-1] + other, text[:-1], text + " ", text.swapcase(), ""]
    if text[-1] == "Z" and text[4:5] == "-":  # a time: one that is as good
        changed[0] = f"{text[:3]}7{text[4:]}" if text[3] != "7" else f"{text[:3]}8{text[4:]}"
    if text.endswith("="):  # base64: the same bytes spelled with other pad bits
        end = len(text.rstrip("=")) - 1
        changed[0] = f"{text[:end]}{chr(ord(text[end]) + 1)}{text[end + 1 :]}"
    return changed


def structure_mutations(value: Json) -> Iterator[Mutation]:
    """Yield every addition, deletion, renaming, repetition and reversal, in every object and list."""
    for path, node in nodes(value):
        if isinstance(node, dict):
            yield Mutation("add", path, put(value, path, {**node, "zz_injected": "x"}))
            for gone in node:
                rest: dict[str, Json] = {name: item for name, item in node.items() if name != gone}
                yield Mutation("delete", (*path, gone), put(value, path, rest))
                yield Mutation("rename", (*path, gone), put(value, path, {**rest, f"{gone}_": node[gone]}))
        elif isinstance(node, list):
            yield Mutation("add", path, put(value, path, [*node, None]))
            for index, item in enumerate(node):
                before, after = node[:index], node[index + 1 :]
                yield Mutation("drop", (*path, index), put(value, path, before + after))
                yield Mutation("duplicate", (*path, index), put(value, path, [*before, item, item, *after]))
            if node[::-1] != node:
                yield Mutation("reverse", path, put(value, path, node[::-1]))


def duplicated_keys(value: Json) -> Iterator[tuple[str, str]]:
    """Yield the document once for each member of each object, as text in which that member occurs twice.

    The false one comes first, so that a reader who keeps the last sees a genuine document.
    """
    for path, node in nodes(value):
        if isinstance(node, dict):
            for name in node:
                mark = "\x00mark"
                doubled: dict[str, Json] = {}
                for key, item in node.items():
                    if key == name:
                        doubled[mark] = "EVIL"
                    doubled[key] = item
                text = json.dumps(put(value, path, doubled), separators=(",", ":"), ensure_ascii=False)
                yield name_of((*path, name)), text.replace(json.dumps(mark), json.dumps(name))


# --- single bits ---


def flip_outcome(data: bytes, bit: int, genuine: Json, keyring: Keyring) -> Outcome:
    """Return what becomes of the file when one bit of it is flipped."""
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    try:
        value = load(bytes(changed))
    except InvalidDocument:
        return "malformed"
    if verify_bundle(value, keyring).verdict != "verified":
        return "failed"
    if received_bytes(value) == received_bytes(genuine):
        return "same"
    return "signed_at" if _without_free(value) == _without_free(genuine) else "survived"


def _without_free(value: Json) -> bytes:
    return received_bytes(put(value, ("bundle_signature", "signed_at"), ""))


def sampled_bits(data: bytes, count: int, seed: int) -> list[int]:
    """Return distinct bit positions, the same for the same seed."""
    return sorted(random.Random(seed).sample(range(len(data) * 8), count))  # noqa: S311 - a sample, no secret


# --- repairs ---


def repaired(mutation: Mutation, keyring: Keyring) -> Json:
    """Return the mutated bundle with every hash made right that needs no private key, the mutation kept.

    What follows from the record, the events, the keys and the state is recomputed from the inside out, as a careful
    attacker would; only the signatures stay as they are.
    """
    value = mutation.value
    new = at(value, mutation.path)
    for repair in (_repair_record, _repair_keys, _repair_events, lambda doc: _repair_state(doc, keyring)):
        value = _kept(repair(value), mutation.path, new)
    value = _attempt(value, ("state", "state_sha256"), _hash_of_state, mutation.path)
    return _attempt(value, ("bundle_signature", "bundle_sha256"), _hash_of_bundle, mutation.path)


def _kept(value: Json, path: Path, new: Json) -> Json:
    """Put the mutation back where a repair undid it; a mutation of the whole document has no place to keep."""
    try:
        return put(value, path, new) if path else value
    except KeyError:
        return value


def _attempt(value: Json, path: Path, compute: Callable[[Json], str | None], mutated: Path) -> Json:
    new = compute(value)
    if new is None or path == mutated:
        return value
    try:
        return put(value, path, new)
    except KeyError:
        return value


def _hash_of_state(value: Json) -> str | None:
    state = value.get("state") if isinstance(value, dict) else None
    return state_sha256(state) if isinstance(state, dict) else None


def _hash_of_bundle(value: Json) -> str | None:
    return bundle_digest(value).hex() if isinstance(value, dict) else None


def _repair_record(value: Json) -> Json:
    """Make everything that names the record follow from it."""
    if not isinstance(value, dict):
        return value
    try:
        minted = mint(CanonicalRecord.from_json(value["canonical_record"]))
    except Malformed:
        return value
    values: dict[str, Json] = {alias.kind: alias.value for alias in minted.aliases}
    changed: dict[str, Json] = {
        **value,
        "canonical_sha256": str(minted.digest),
        "pith_number": str(minted.number),
        "short_pith_number": f"pith:{minted.short_8}",
        "source": minted.record.source.to_json(),
    }
    rows = changed["source_aliases"]
    if isinstance(rows, list):
        changed["source_aliases"] = [
            {**row, "alias_value": values.get(str(row.get("alias_kind")), row.get("alias_value"))}
            if isinstance(row, dict)
            else row
            for row in rows
        ]
    events = changed["events"]
    if isinstance(events, list):
        changed["events"] = [_repair_subject(event, changed) for event in events]
    return changed


def _repair_subject(event: Json, bundle: dict[str, Json]) -> Json:
    if not isinstance(event, dict):
        return event
    event = {**event, "subject_pith_number": bundle["pith_number"]}
    payload, source = event.get("payload"), bundle["source"]
    if isinstance(payload, dict) and "canonical_record" in payload and isinstance(source, dict):
        payload = {
            **payload,
            "canonical_record": bundle["canonical_record"],
            "canonical_sha256": bundle["canonical_sha256"],
            "source_kind": source["kind"],
            "source_id": source["id"],
            "source_version": source["version"],
        }
        if isinstance(payload.get("receipt"), dict):
            payload = _object(put(payload, ("receipt", "canonical_sha256"), bundle["canonical_sha256"]))
        event["payload"] = payload
    return event


def _object(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}


def _repair_keys(value: Json) -> Json:
    """Make the spellings of each key agree with its hex form."""
    if not isinstance(value, dict) or not isinstance(value["public_keys"], list):
        return value
    documents: list[Json] = []
    for document in value["public_keys"]:
        try:
            key = PublicKey.parse(str(_object(document)["public_key_hex"]))
        except (KeyError, Malformed):
            documents.append(document)
        else:
            spelled = key.document("")
            names = ("public_key_b64", "fingerprint_sha256_hex", "fingerprint_sha256_b32_first128bits")
            documents.append({**_object(document), **{name: spelled[name] for name in names}})
    return {**value, "public_keys": documents}


def _repair_events(value: Json) -> Json:
    """Recompute section hashes, content hashes and ids."""
    if not isinstance(value, dict) or not isinstance(value["events"], list):
        return value
    events: list[Json] = []
    for event in value["events"]:
        if isinstance(event, dict):
            repaired_event = _repair_sections(event)
            digest = content_digest(repaired_event).hex()
            events.append({**repaired_event, "content_sha256": digest, "event_id": f"sha256:{digest}"})
        else:
            events.append(event)
    return {**value, "events": events}


def _repair_sections(event: dict[str, Json]) -> dict[str, Json]:
    payload = event.get("payload")
    snapshot = payload.get("graph_snapshot") if isinstance(payload, dict) else None
    if not isinstance(payload, dict) or not isinstance(snapshot, dict):
        return event
    sections: dict[str, Json] = {}
    for name, section in snapshot.items():
        if isinstance(section, dict) and "snapshot_sha256" in section:
            items = section.get("items", [])
            hashed = section_sha256(items)
            if name == "integrity":
                hashed = integrity_sha256(section.get("findings"), section.get("detectors_run"))
            sections[name] = {**section, "snapshot_sha256": hashed}
    return {**event, "payload": {**payload, "graph_snapshot": {**snapshot, **sections}}}


def _repair_state(value: Json, keyring: Keyring) -> Json:
    """Replace the state by what the victim will compute."""
    if not isinstance(value, dict):
        return value
    events, rows = value["events"], value["source_aliases"]
    try:
        minted = mint(CanonicalRecord.from_json(value["canonical_record"]))
    except Malformed:
        return value
    if not isinstance(events, list) or not isinstance(rows, list):
        return value
    return {**value, "state": merge(minted, events, rows, keyring).state}
