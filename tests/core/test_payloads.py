"""Our forms of payloads: one table of right and wrong ones, and the same verdict by code and by JSON Schema."""

import base64
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pithid.core import payloads
from pithid.core.canonical import Json
from pithid.core.events import TYPES

SHA = "cf5a07c60fa539240dc1af5ba2c497b67e5e8b15ecd8663ae3395bae17da310f"
URL = "https://example.org/a?b=c#d"
PROOF = payloads.PROOF_HEADER + bytes.fromhex(SHA) + b"\x00path"


def b64(data: bytes) -> str:
    """Return standard base64."""
    return base64.b64encode(data).decode()


VALID: dict[str, dict[str, Any]] = {
    "author_attestation": {
        "strength": "strong",
        "name": "Jörg Ørsted",
        "orcid": "0000-0002-1694-233X",
        "statement": "I wrote\nthis.",
    },
    "timestamp_anchor": {"canonical_sha256": SHA, "proof_b64": b64(PROOF), "calendars": [URL]},
    "storage_attestation": {
        "archive": "Internet Archive",
        "capture_url": "https://web.archive.org/web/20260705014430/https://arxiv.org/abs/2010.10458v1",
        "captured_at": "2026-07-05T01:44:30Z",
        "target_url": "https://arxiv.org/abs/2010.10458v1",
    },
    "citation_signature": {
        "relationship": "uses_method",
        "cited": {"kind": "pith", "value": "pith:2020:Z5NAPRQPUU4SIDOBV5N2FREXWZ"},
        "claim_id": "C1",
        "note": "",
    },
    "replication_record": {
        "kind": "replication",
        "outcome": "confirms",
        "url": URL,
        "system": None,
        "note": "Ran on one GPU.",
    },
    "correction": {"text": "Table 2 is in km.", "url": None},
    "mirror_hint": {
        "mirror_type": "https",
        "name": "A mirror",
        "base_url": "https://example.org",
        "bundle_url": URL,
        "state_url": URL,
        "well_known_bundle_url": URL,
    },
}
for _form in VALID.values():
    _form["payload_version"] = "1"

RIGHT: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in VALID),
    ("author_attestation", {"orcid": None, "strength": "weak", "statement": ""}),
    ("author_attestation", {"orcid": "0000-0002-1825-0097"}),
    ("author_attestation", {"name": "x" * 200, "statement": "é" * 5000}),
    ("timestamp_anchor", {"calendars": []}),
    ("timestamp_anchor", {"proof_b64": b64(PROOF + bytes(10_000 - len(PROOF)))}),
    ("storage_attestation", {"capture_url": "https://archive.ph/AbCdE", "captured_at": "2026-07-05T01:44:30.5+00:00"}),
    ("storage_attestation", {"capture_url": "http://web.archive.org/web/2026id_/https://arxiv.org/abs/2010.10458v1"}),
    ("citation_signature", {"claim_id": None}),
    ("citation_signature", {"cited": {"kind": "arxiv", "value": "hep-th/9309160"}}),
    ("citation_signature", {"cited": {"kind": "arxiv_version", "value": "2010.10458v2"}}),
    ("citation_signature", {"cited": {"kind": "doi", "value": "10.1000/abc"}}),
    ("replication_record", {"kind": "formal_bridge", "system": "lean"}),
    ("replication_record", {"kind": "falsification", "outcome": "contradicts"}),
    ("correction", {"url": "http://[2001:db8::1]/x"}),
    ("correction", {"url": "https://e.org/" + "x" * 1986}),
]
WRONG: list[tuple[str, dict[str, Any], str]] = [
    *((name, {"payload_version": "2"}, "$.payload_version") for name in VALID),
    *((name, {"payload_version": 1}, "$.payload_version") for name in VALID),
    *((name, {"more": 1}, '$["more"]') for name in VALID),
    *((name, {next(iter(form)): ...}, f"$.{next(iter(form))}") for name, form in VALID.items()),
    ("author_attestation", {"strength": "Strong"}, "$.strength"),
    ("author_attestation", {"strength": None}, "$.strength"),
    ("author_attestation", {"name": ""}, "$.name"),
    ("author_attestation", {"name": "x" * 201}, "$.name"),
    ("author_attestation", {"name": "a\x1bb"}, "$.name"),
    ("author_attestation", {"name": ["x"]}, "$.name"),
    ("author_attestation", {"orcid": "0000000218250097"}, "$.orcid"),
    ("author_attestation", {"orcid": "https://orcid.org/0000-0002-1825-0097"}, "$.orcid"),
    ("author_attestation", {"orcid": "0000-0002-1694-233x"}, "$.orcid"),
    ("author_attestation", {"orcid": "0000-0002-1825-0097\n"}, "$.orcid"),
    ("author_attestation", {"orcid": "0000-0002-1825-009٧"}, "$.orcid"),
    ("author_attestation", {"orcid": 5}, "$.orcid"),
    ("author_attestation", {"statement": "x" * 5001}, "$.statement"),
    ("author_attestation", {"statement": None}, "$.statement"),
    ("timestamp_anchor", {"canonical_sha256": SHA.upper()}, "$.canonical_sha256"),
    ("timestamp_anchor", {"canonical_sha256": SHA + "\n"}, "$.canonical_sha256"),
    ("timestamp_anchor", {"proof_b64": ""}, "$.proof_b64"),
    ("timestamp_anchor", {"proof_b64": b64(PROOF).rstrip("=") + "\n"}, "$.proof_b64"),
    ("timestamp_anchor", {"proof_b64": b64(PROOF) + "\n"}, "$.proof_b64"),
    ("timestamp_anchor", {"proof_b64": b64(PROOF + b"\xff\xff")[:-1]}, "$.proof_b64"),
    ("timestamp_anchor", {"proof_b64": "AB=="}, "$.proof_b64"),
    ("timestamp_anchor", {"proof_b64": "-_-_"}, "$.proof_b64"),
    ("timestamp_anchor", {"proof_b64": "é==="}, "$.proof_b64"),
    ("timestamp_anchor", {"proof_b64": b64(PROOF + bytes(10_003))}, "$.proof_b64"),
    ("timestamp_anchor", {"proof_b64": None}, "$.proof_b64"),
    ("timestamp_anchor", {"calendars": [URL] * 17}, "$.calendars"),
    ("timestamp_anchor", {"calendars": [URL, "ftp://x"]}, "$.calendars[1]"),
    ("timestamp_anchor", {"calendars": URL}, "$.calendars"),
    ("storage_attestation", {"archive": ""}, "$.archive"),
    ("storage_attestation", {"captured_at": "2026-07-05"}, "$.captured_at"),
    ("storage_attestation", {"captured_at": "2026-07-05T01:44:30+02:00"}, "$.captured_at"),
    ("storage_attestation", {"captured_at": "2026-13-05T01:44:30Z"}, "$.captured_at"),
    ("storage_attestation", {"captured_at": "2026-07-05T01:44:30Z\n"}, "$.captured_at"),
    ("storage_attestation", {"captured_at": 1}, "$.captured_at"),
    *(
        ("correction", {"url": url}, "$.url")
        for url in (
            "",
            "example.org",
            "javascript:alert(1)",
            "HTTPS://example.org",
            "https://",
            "https:///x",
            "https://example.org/\n",
            "https://example.org/ x",
            "https://example.org/\x00",
            'https://example.org/"',
            "https://example.org/<",
            "https://exämple.org",
            "https://e.org/" + "x" * 1987,
            5,
        )
    ),
    ("correction", {"text": ""}, "$.text"),
    ("correction", {"text": "a\rb"}, "$.text"),
    ("citation_signature", {"relationship": "likes"}, "$.relationship"),
    ("citation_signature", {"cited": "2010.10458"}, "$.cited"),
    ("citation_signature", {"cited": {"kind": "arxiv"}}, "$.cited"),
    ("citation_signature", {"cited": {"kind": "isbn", "value": "1"}}, "$.cited.kind"),
    ("citation_signature", {"cited": {"kind": ["pith"], "value": "1"}}, "$.cited.kind"),
    ("citation_signature", {"cited": {"kind": "doi", "value": 1}}, "$.cited.value"),
    ("citation_signature", {"cited": {"kind": "pith", "value": "pith:Z5NAPRQP"}}, "$.cited.value"),
    ("citation_signature", {"claim_id": ""}, "$.claim_id"),
    ("citation_signature", {"claim_id": "C 1"}, "$.claim_id"),
    ("citation_signature", {"claim_id": "C1\n"}, "$.claim_id"),
    ("citation_signature", {"claim_id": "x" * 41}, "$.claim_id"),
    ("replication_record", {"kind": "other"}, "$.kind"),
    ("replication_record", {"outcome": "yes"}, "$.outcome"),
    ("replication_record", {"url": None}, "$.url"),
    ("replication_record", {"system": "isabelle", "kind": "formal_bridge"}, "$.system"),
    ("replication_record", {"system": "lean"}, "$.system"),
    ("replication_record", {"kind": "formal_bridge"}, "$.system"),
    ("mirror_hint", {"mirror_type": "ipfs"}, "$.mirror_type"),
    ("mirror_hint", {"state_url": None}, "$.state_url"),
]
BEYOND: list[tuple[str, dict[str, Any], str]] = [
    ("author_attestation", {"orcid": "0000-0002-1825-0098"}, "$.orcid"),
    ("author_attestation", {"orcid": "0000-0002-1825-009X"}, "$.orcid"),
    ("timestamp_anchor", {"proof_b64": b64(PROOF + bytes(10_001 - len(PROOF)))}, "$.proof_b64"),
    ("timestamp_anchor", {"proof_b64": b64(b"no proof")}, "$.proof_b64"),
    ("timestamp_anchor", {"canonical_sha256": "0" * 64}, "$.proof_b64"),
    ("storage_attestation", {"captured_at": "2026-02-30T00:00:00Z"}, "$.captured_at"),
    ("storage_attestation", {"target_url": "https://arxiv.org/abs/2010.10459"}, "$.capture_url"),
    ("citation_signature", {"cited": {"kind": "arxiv", "value": "arXiv:2010.10458"}}, "$.cited.value"),
    ("citation_signature", {"cited": {"kind": "arxiv_version", "value": "2010.10458"}}, "$.cited.value"),
    ("citation_signature", {"cited": {"kind": "doi", "value": "10.1000/ABC"}}, "$.cited.value"),
]
"""Faults that a JSON Schema cannot express."""


def changed(name: str, changes: dict[str, Any]) -> Any:  # noqa: ANN401 - a JSON value
    """Return the right payload of a type with members changed; `...` takes one away."""
    return {key: value for key, value in {**VALID[name], **changes}.items() if value is not ...}


@pytest.mark.parametrize(("name", "changes"), RIGHT)
def test_right_payload_has_no_fault(name: str, changes: dict[str, Any]) -> None:
    """Every right payload of the table is in our form."""
    assert payloads.check(name, changed(name, changes)) == ()


@pytest.mark.parametrize(("name", "changes", "path"), WRONG + BEYOND)
def test_wrong_payload_names_the_place(name: str, changes: dict[str, Any], path: str) -> None:
    """Every wrong payload of the table is refused with one line that starts with the JSON path of the fault."""
    faults = payloads.check(name, changed(name, changes))

    assert len(faults) == 1
    assert faults[0].startswith(f"{path}: ")
    assert "\n" not in faults[0]


def test_all_faults_are_named_at_once() -> None:
    """Nobody mends one fault to learn of the next."""
    assert [fault.split(":")[0] for fault in payloads.check("correction", {"text": 1, "url": 1, "x\ny": 2})] == [
        "$.payload_version",
        '$["x\\ny"]',
        "$.text",
        "$.url",
    ]


def test_each_event_type_has_a_target_and_each_unknown_one_a_form() -> None:
    """The tables cover exactly the event types of the merge; the two whose form is the registry's have none here."""
    assert set(payloads.TARGETS) == TYPES
    assert set(VALID) == payloads.TYPES == TYPES - {"record_created", "graph_snapshot"}
    assert set(payloads.TARGETS.values()) == {"record", "graph"}


json_values: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from(sorted(VALID)), st.data())
def test_check_is_total(name: str, data: st.DataObject) -> None:
    """Any JSON value in the place of any member, or of the payload, gets an answer, a line each."""
    member = data.draw(st.sampled_from([*VALID[name], "cited", ""]))
    value = data.draw(json_values)
    faults = payloads.check(name, changed(name, {member: value}) if member else value)

    assert all(fault.startswith("$") and "\n" not in fault for fault in faults)


@pytest.mark.parametrize("value", [None, [], "x", 1, True])
def test_what_is_no_object_is_no_payload(value: Json) -> None:
    """Only objects are payloads."""
    assert payloads.check("correction", value) == ("$: no object",)


def test_unknown_type_has_no_form() -> None:
    """A type without a form of ours is said to have none; the name is shown escaped."""
    assert payloads.check("graph\n", {}) == ('$: there is no form of ours for the event type "graph\\n"',)


def check_digit(digits: str) -> str:
    """Return the ISO 7064 MOD 11-2 check character by its definition: the weighted sum is 1 modulo 11."""
    total = sum(int(digit) * 2 ** (len(digits) - place) for place, digit in enumerate(digits))
    value = (1 - total) % 11
    return "X" if value == 10 else str(value)


@given(st.text("0123456789", min_size=15, max_size=15))
def test_orcid_check_character_follows_its_definition(digits: str) -> None:
    """Exactly one of the eleven check characters is right, and it is the one the standard's formula gives."""
    grouped: Callable[[str], str] = lambda text: "-".join(text[at : at + 4] for at in range(0, 16, 4))  # noqa: E731

    right = [last for last in "0123456789X" if payloads.is_orcid(grouped(digits + last))]
    assert right == [check_digit(digits)]
