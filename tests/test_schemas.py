"""The published JSON Schemas: they admit the registry's own documents, and say what the checks of pithid say."""

import copy
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from pithid.core import bundle, merge, payloads, receipts, seals
from pithid.core.canonical import Json
from pithid.core.events import TYPES, Draft, SignerId, build, check
from pithid.core.keys import Keyring, PublicKey
from pithid.core.mint import mint
from pithid.core.paper import Paper
from pithid.core.signing import SeedSigner
from tests.core.test_payloads import BEYOND, RIGHT, WRONG, changed

jsonschema: Any = pytest.importorskip("jsonschema")
referencing: Any = pytest.importorskip("referencing")

ROOT = Path(__file__).parents[1]
SCHEMAS = {path.name.split(".")[0]: json.loads(path.read_text()) for path in ROOT.glob("data/schemas/*.schema.json")}
BUNDLE: Any = json.loads((ROOT / "data/seeds/bundle-2010.10458v1.json").read_text())
RECORD: Any = json.loads((ROOT / "data/seeds/record-2007.03298v2.json").read_text())
REGISTRY = referencing.Registry().with_resources(
    (schema["$id"], referencing.Resource.from_contents(schema)) for schema in SCHEMAS.values()
)
MINTED = mint(Paper("2101.00001", 1, "A title", "An abstract.", "cs.DL", "2020-12-31T23:59:59Z").record())
SIGNER = SeedSigner(bytes(range(32)))
TIME = "2026-07-05T01:44:30Z"


def valid(name: str, value: Json, part: str = "") -> bool:
    """Tell whether a value is valid by a schema, or by a named part of it."""
    schema = {"$ref": f"{SCHEMAS[name]['$id']}{part}"}
    return bool(jsonschema.Draft202012Validator(schema, registry=REGISTRY).is_valid(value))


def signed(name: str, payload: Any, target: str = "") -> Any:  # noqa: ANN401 - JSON values
    """Return an event with a payload, signed by a key that vouches for itself."""
    draft = Draft(name, str(MINTED.number), target or payloads.TARGETS[name], payload, TIME)
    return build(draft, SignerId.of_key(SIGNER), SIGNER, signed_at=TIME)


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_schema_is_one(name: str) -> None:
    """Each file is a schema of the draft it names, under the name of its file."""
    schema = SCHEMAS[name]
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$id"] == f"urn:pithid:schema:{name}:1"
    jsonschema.Draft202012Validator.check_schema(schema)


def test_the_schemas_are_those_documented() -> None:
    """Six kinds of document have a schema."""
    assert sorted(SCHEMAS) == ["bundle", "event", "key", "receipt", "record", "state"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("bundle", BUNDLE),
        ("state", BUNDLE["state"]),
        ("event", BUNDLE["events"][0]),
        ("event", BUNDLE["events"][1]),
        ("receipt", BUNDLE["events"][0]["payload"]["receipt"]),
        ("key", BUNDLE["public_keys"][0]),
        ("record", RECORD),
        ("receipt", RECORD["receipt"]),
    ],
)
def test_documents_of_the_registry_are_valid(name: str, value: Any) -> None:  # noqa: ANN401 - JSON
    """What the registry publishes is valid, and no longer so when any required member is missing."""
    assert valid(name, value)
    schema = SCHEMAS[name]
    for member in schema.get("required", schema.get("$defs", {}).get("envelope", {}).get("required", [])):
        if member in value and not (name == "bundle" and member == "bundle_signature"):
            assert not valid(name, {key: item for key, item in value.items() if key != member}), member


@pytest.mark.parametrize(("name", "changes"), RIGHT)
def test_right_payload_is_valid(name: str, changes: dict[str, Any]) -> None:
    """Schema and code agree on every right payload of the table."""
    assert valid("event", signed(name, changed(name, changes)))


@pytest.mark.parametrize(("name", "changes", "path"), WRONG)
def test_wrong_payload_is_invalid(name: str, changes: dict[str, Any], path: str) -> None:
    """Schema and code agree on every wrong payload of the table; only the payload is at fault."""
    del path
    event = signed(name, changed(name, changes))
    assert not valid("event", event)
    assert valid("event", event, "#/$defs/envelope")


@pytest.mark.parametrize(("name", "changes", "path"), BEYOND)
def test_what_no_schema_can_say_is_left_to_the_code(name: str, changes: dict[str, Any], path: str) -> None:
    """These faults pass the schema, so a schema alone is no check; what fails here moves to the table above."""
    del path
    assert valid("event", signed(name, changed(name, changes)))


def test_schema_and_code_know_the_same_types_and_targets() -> None:
    """The event schema has a payload for each event type, with the target the code gives it."""
    known = {
        one["properties"]["event_type"]["const"]: one["properties"]["target"]["const"]
        for one in SCHEMAS["event"]["oneOf"]
    }
    assert known == payloads.TARGETS
    assert set(known) == TYPES
    ours = {one["title"] for one in SCHEMAS["event"]["oneOf"] if "Ours" in one.get("$comment", "")}
    assert ours == payloads.TYPES


def test_schema_and_code_know_the_same_members() -> None:
    """Members and constants of bundles, receipts, keys and states are the same in both."""
    assert set(SCHEMAS["bundle"]["properties"]) == {*bundle.MEMBERS, "bundle_signature"}
    assert set(SCHEMAS["bundle"]["required"]) == set(bundle.MEMBERS)
    assert SCHEMAS["bundle"]["properties"]["bundle_type"] == {"const": bundle.TYPE}
    receipt = receipts.issue(MINTED.digest, SIGNER, "k", now=TIME, builder="b")
    assert set(SCHEMAS["receipt"]["properties"]) == set(receipt)
    assert valid("receipt", receipt)
    document = PublicKey(bytes(32)).document("k")
    assert set(SCHEMAS["key"]["properties"]) == set(document)
    assert valid("key", document)
    state = merge.merge(MINTED, [], [], Keyring()).state
    assert set(SCHEMAS["state"]["properties"]) == set(state)
    assert valid("state", state)
    assert valid("record", MINTED.record.to_json(), "#/$defs/canonical_record")


def test_state_with_conflict_and_invalid_event_is_valid() -> None:
    """The entries of ours in a state are in the schema as the merge makes them."""
    events = [signed("correction", {"payload_version": "1", "text": text, "url": None}) for text in "ab"]
    merged = merge.merge(MINTED, [*events, {"event_id": "x"}, 7], bundle.alias_rows(MINTED.aliases, TIME), Keyring())

    assert (merged.state["equivocation_count"], merged.state["invalid_event_count"]) == (1, 2)
    assert valid("state", merged.state)
    built = bundle.build(bundle.Parts(MINTED, [*events, 7], []), Keyring(), built_at=TIME)
    assert valid("bundle", built)
    assert valid("bundle", bundle.sign(built, SIGNER, "k", signed_at=TIME))


SPOILED: list[tuple[str, Any]] = [
    ("schema_version", "2.0"),
    ("created_at", "yesterday"),
    ("event_id", "sha256:x"),
    ("supersedes", ["x"]),
    ("supersedes", [f"sha256:{'0' * 64}"] * 2),
    ("prev_event", "x"),
    ("content_sha256", "X"),
    ("subject_pith_number", "pith:Z5NAPRQP"),
    ("event_type", "other"),
    ("signer", {}),
    ("signature", {}),
    ("payload", []),
    ("more", 1),
]


@pytest.mark.parametrize(("member", "value"), SPOILED)
def test_what_the_schema_refuses_the_check_refuses(member: str, value: Json) -> None:
    """An event spoiled in any member is invalid by both."""
    event = {**signed("correction", {"payload_version": "1", "text": "x", "url": None}), member: value}

    assert not valid("event", event)
    assert check(event, str(MINTED.number), Keyring()).reasons


@pytest.mark.parametrize("member", ["signature_status", "algorithm", "signed_message", "signed_at", "signature_b64"])
def test_relabelled_signature_is_invalid_by_schema(member: str) -> None:
    """Constants of a signature, its time and its one base64 spelling are in the schema."""
    event = copy.deepcopy(BUNDLE["events"][0])
    event["signature"][member] += "x"

    assert not valid("event", event)


def test_last_character_of_base64_has_no_second_spelling() -> None:
    """Pad bits that must be zero are in the patterns of signatures and keys."""
    document = copy.deepcopy(BUNDLE["public_keys"][0])
    document["public_key_b64"] = document["public_key_b64"][:-2] + "N="
    assert not valid("key", document)
    sealed = seals.seal(hashlib.sha256(b"").digest(), "bundle_sha256_bytes", SIGNER, "k", TIME)
    second = {**sealed, "signature_b64": str(sealed["signature_b64"])[:-3] + "B==", "bundle_sha256": "0" * 64}
    assert not valid("bundle", {**BUNDLE, "bundle_signature": second})
