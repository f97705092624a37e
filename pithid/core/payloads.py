"""Payloads of the event types whose registry form is not public: our own, versioned definitions.

Source: docs/protocol.md section 8. Only the names of these types and some prose about them are known, so every form
here is ours, says so by `payload_version`, and can be told from whatever the registry uses. A payload in another form
does not make an event invalid: it is reported, and the merge carries it as it is. The same forms as JSON Schema are in
data/schemas/event.schema.json.
"""

import base64
import binascii
import json
import re
from collections.abc import Callable, Iterator, Mapping

from pithid.core.canonical import Json
from pithid.core.errors import InvalidIdentifier
from pithid.core.identifiers import ArxivId, ArxivVersion, Doi, PithNumber
from pithid.core.times import instant

VERSION = "1"
TARGETS: Mapping[str, str] = {
    "record_created": "record",
    "graph_snapshot": "graph",
    "author_attestation": "record",
    "timestamp_anchor": "record",
    "storage_attestation": "record",
    "citation_signature": "graph",
    "replication_record": "graph",
    "correction": "record",
    "mirror_hint": "graph",
}
"""The target of each event type; of the first two as the registry has it, of the others ours."""

RELATIONSHIPS = tuple("supports refutes extends uses_method depends_on replaces compares cites".split())
KINDS = ("replication", "falsification", "formal_bridge")
OUTCOMES = ("confirms", "contradicts", "mixed", "inconclusive")
"""What a replication says about the paper's result."""
SYSTEMS = ("lean", "coq")
MAX_PROOF = 10_000
"""Longest timestamp proof in bytes, the limit of the OpenTimestamps client; real ones have under 3,000."""
MAX_URL, MAX_NAME, MAX_TEXT = 2_000, 200, 5_000
MAX_CALENDARS = 16
PROOF_HEADER = b"\x00OpenTimestamps\x00\x00Proof\x00\xbf\x89\xe2\xe8\x84\xe8\x92\x94\x01\x08"
"""How a detached proof of a SHA-256 digest starts; the 32 bytes of the digest follow."""

_HEX = re.compile(r"[0-9a-f]{64}")
_ORCID = re.compile(r"[0-9]{4}-[0-9]{4}-[0-9]{4}-[0-9]{3}[0-9X]")
_URL = re.compile(r"https?://[A-Za-z0-9\[][A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%-]*")
_CLAIM_ID = re.compile(r"[A-Za-z0-9._-]{1,40}")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
_WAYBACK = re.compile(r"https?://web\.archive\.org/web/[0-9]{4,14}[a-z_]{0,4}/(.*)")

_Rule = Callable[[Json], str | None]
"""Returns what is wrong with a member, None where nothing is."""


def check(event_type: str, payload: Json) -> tuple[str, ...]:
    """Hold a payload to our form for its event type; never raises on any JSON value.

    Returns:
        One line for each fault, starting with the JSON path of the place; empty where the payload is in our form.

    >>> check("correction", {"payload_version": "1", "text": "Table 2 is in km.", "url": 5})
    ('$.url: neither null nor a text',)
    """
    form = _FORMS.get(event_type)
    if form is None:
        return (f"$: there is no form of ours for the event type {json.dumps(event_type[:80])}",)
    if not isinstance(payload, dict):
        return ("$: no object",)
    faults = [f"$.{name}: missing" for name in form if name not in payload]
    faults += [f"$[{json.dumps(name[:80])}]: unknown member" for name in payload if name not in form]
    for name, rule in form.items():
        fault = rule(payload[name]) if name in payload else None
        if fault is not None:
            faults.append(f"$.{name}{fault}" if fault.startswith((".", "[")) else f"$.{name}: {fault}")
    return tuple(faults) or tuple(_RELATIONS.get(event_type, _unrelated)(payload))


def is_orcid(text: str) -> bool:
    """Tell whether a text is an ORCID iD with a right check character (ISO 7064 MOD 11-2).

    >>> is_orcid("0000-0002-1825-0097"), is_orcid("0000-0002-1825-0098")
    (True, False)
    """
    if _ORCID.fullmatch(text) is None:
        return False
    total = 0
    for digit in text[:-1].replace("-", ""):
        total = (total + int(digit)) * 2
    return text[-1] == "0123456789X"[(12 - total % 11) % 11]


def proof_bytes(text: str) -> bytes | None:
    """Decode a proof; None for more than `MAX_PROOF` bytes, none at all, or any second spelling of the same bytes."""
    if len(text) > MAX_PROOF * 4 // 3 + 4:
        return None
    try:
        raw = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return raw if 0 < len(raw) <= MAX_PROOF and base64.b64encode(raw).decode("ascii") == text else None


def _text(most: int, least: int = 1) -> _Rule:
    def rule(value: Json) -> str | None:
        if not isinstance(value, str):
            return "no text"
        if not least <= len(value) <= most:
            return f"{len(value)} characters, expected {least} to {most}"
        return "a control character" if _CONTROL.search(value) else None

    return rule


def _one_of(*words: str) -> _Rule:
    def rule(value: Json) -> str | None:
        return None if isinstance(value, str) and value in words else f"expected one of {', '.join(words)}"

    return rule


def _matches(pattern: re.Pattern[str], what: str) -> _Rule:
    def rule(value: Json) -> str | None:
        return None if isinstance(value, str) and pattern.fullmatch(value) is not None else f"expected {what}"

    return rule


def _or_null(rule: _Rule) -> _Rule:
    def both(value: Json) -> str | None:
        fault = None if value is None else rule(value)
        return fault if fault != "no text" else "neither null nor a text"

    return both


def _url(value: Json) -> str | None:
    if not isinstance(value, str):
        return "no text"
    if len(value) > MAX_URL:
        return f"{len(value)} characters, expected at most {MAX_URL}"
    return None if _URL.fullmatch(value) is not None else "expected an http or https URL in ASCII without blanks"


def _orcid(value: Json) -> str | None:
    if not isinstance(value, str):
        return "no text"
    if _ORCID.fullmatch(value) is None:
        return "expected an ORCID iD such as 0000-0002-1825-0097"
    return None if is_orcid(value) else "the check character of the ORCID iD is wrong"


def _time(value: Json) -> str | None:
    fine = isinstance(value, str) and instant(value) is not None
    return None if fine else "expected a UTC time such as 2026-07-05T01:44:30Z"


def _proof(value: Json) -> str | None:
    fine = isinstance(value, str) and proof_bytes(value) is not None
    return None if fine else f"expected base64 of 1 to {MAX_PROOF} bytes in its one spelling"


def _calendars(value: Json) -> str | None:
    if not isinstance(value, list) or len(value) > MAX_CALENDARS:
        return f"expected a list of at most {MAX_CALENDARS} URLs"
    for index, item in enumerate(value):
        fault = _url(item)
        if fault is not None:
            return f"[{index}]: {fault}"
    return None


_CITED: Mapping[str, Callable[[str], object]] = {
    "pith": PithNumber.parse,
    "arxiv": ArxivId.parse,
    "arxiv_version": ArxivVersion.parse,
    "doi": Doi.parse,
}


def _cited(value: Json) -> str | None:
    if not isinstance(value, dict) or set(value) != {"kind", "value"}:
        return "expected an object of kind and value"
    kind, text = value["kind"], value["value"]
    if not isinstance(kind, str) or kind not in _CITED:
        return f".kind: expected one of {', '.join(_CITED)}"
    if not isinstance(text, str):
        return ".value: no text"
    try:
        _CITED[kind](text)
    except InvalidIdentifier as error:
        return f".value: no {kind} in canonical form: {error.why}"
    return None


_FORMS: Mapping[str, Mapping[str, _Rule]] = {
    name: {"payload_version": _one_of(VERSION), **form}
    for name, form in {
        "author_attestation": {
            "strength": _one_of("weak", "strong"),
            "name": _text(MAX_NAME),
            "orcid": _or_null(_orcid),
            "statement": _text(MAX_TEXT, 0),
        },
        "timestamp_anchor": {
            "canonical_sha256": _matches(_HEX, "64 lower-case hex digits"),
            "proof_b64": _proof,
            "calendars": _calendars,
        },
        "storage_attestation": {
            "archive": _text(MAX_NAME),
            "capture_url": _url,
            "captured_at": _time,
            "target_url": _url,
        },
        "citation_signature": {
            "relationship": _one_of(*RELATIONSHIPS),
            "cited": _cited,
            "claim_id": _or_null(_matches(_CLAIM_ID, "null or 1 to 40 of the characters A-Z a-z 0-9 . _ -")),
            "note": _text(MAX_TEXT, 0),
        },
        "replication_record": {
            "kind": _one_of(*KINDS),
            "outcome": _one_of(*OUTCOMES),
            "url": _url,
            "system": _or_null(_one_of(*SYSTEMS)),
            "note": _text(MAX_TEXT, 0),
        },
        "correction": {"text": _text(MAX_TEXT), "url": _or_null(_url)},
        "mirror_hint": {
            "mirror_type": _one_of("https"),
            "name": _text(MAX_NAME),
            "base_url": _url,
            "bundle_url": _url,
            "state_url": _url,
            "well_known_bundle_url": _url,
        },
    }.items()
}
TYPES = frozenset(_FORMS)
"""The event types that have a form of ours."""


def _unrelated(payload: dict[str, Json]) -> Iterator[str]:
    del payload
    yield from ()


def _anchor_relations(payload: dict[str, Json]) -> Iterator[str]:
    proof = proof_bytes(str(payload["proof_b64"])) or b""
    if not proof.startswith(PROOF_HEADER):
        yield "$.proof_b64: no OpenTimestamps proof of a SHA-256 digest"
    elif proof[len(PROOF_HEADER) :][:32].hex() != payload["canonical_sha256"]:
        yield "$.proof_b64: the proof is of another digest than canonical_sha256"


def _storage_relations(payload: dict[str, Json]) -> Iterator[str]:
    capture = _WAYBACK.fullmatch(str(payload["capture_url"]))
    if capture is not None and capture[1] != payload["target_url"]:
        yield "$.capture_url: a capture of another page than target_url"


def _replication_relations(payload: dict[str, Json]) -> Iterator[str]:
    if (payload["kind"] == "formal_bridge") != (payload["system"] is not None):
        yield "$.system: named for a formal_bridge, null for the other kinds"


_RELATIONS: Mapping[str, Callable[[dict[str, Json]], Iterator[str]]] = {
    "timestamp_anchor": _anchor_relations,
    "storage_attestation": _storage_relations,
    "replication_record": _replication_relations,
}
"""What must hold between members that are each fine."""
