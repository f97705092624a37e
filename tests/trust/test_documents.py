"""What can be changed in a record, a state or a receipt without being noticed is labelled as unsigned."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pithid.core.canonical import Json, load
from pithid.core.checks import Verification
from pithid.core.integrity import SCHEMA, verify_integrity
from pithid.core.keys import Keyring
from pithid.core.text import text_sha256
from pithid.core.verify import verify_bundle
from pithid.core.verify_documents import verify_receipt, verify_record, verify_state
from pithid.service.verify import verify_document
from tests.trust.mutations import Mutation, at, leaf_mutations, leaves, name_of, put, structure_mutations
from tests.trust.signers import read_trust

MEMBERS = """record_type state_type bundle_type schema kind canonical_record receipt aliases current paper events
    integrity pith_number arxiv_id graph_snapshot state_version merge_version""".split()
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["", "pith_number_record", "pith_open_graph_state", "1.0", "pith-open-graph-merge-v1", SCHEMA]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(MEMBERS), inner, max_size=3),
    max_leaves=10,
)
VERIFIERS = {"record": verify_record, "state": verify_state, "receipt": verify_receipt}


@pytest.fixture(scope="module")
def documents(root: Path, seed: dict[str, Json]) -> dict[str, Json]:
    """Return a genuine document of each kind."""
    record = load((root / "data" / "seeds" / "record-2007.03298v2.json").read_bytes())
    return {"record": record, "state": seed["state"], "receipt": at(record, ("receipt",))}


def _verify(kind: str, value: Json, keyring: Keyring) -> Verification:
    return VERIFIERS[kind](value, keyring)


def _same_title(mutation: Mutation, value: Json) -> bool:
    """Tell whether only case or blanks of the title changed, which do not enter its hash."""
    if mutation.name != "$.paper.title":
        return False
    texts = [at(held, mutation.path) for held in (mutation.value, value)]
    return text_sha256(str(texts[0])) == text_sha256(str(texts[1]))


@pytest.mark.parametrize("kind", VERIFIERS)
def test_survivors_are_labelled(kind: str, documents: dict[str, Json], keyring: Keyring) -> None:
    """Every leaf that can be changed without a failing check is named in `unsigned` of the changed document."""
    value = documents[kind]
    genuine = _verify(kind, value, keyring)
    assert genuine.verdict == "verified"
    for mutation in leaf_mutations(value):
        result = _verify(kind, mutation.value, keyring)
        if result.verdict == "verified" and not _same_title(mutation, value):
            under = [path for path in result.unsigned if path.startswith(mutation.name)]
            assert under, mutation.name


@pytest.mark.parametrize("kind", VERIFIERS)
def test_labels_are_leaves(kind: str, documents: dict[str, Json], keyring: Keyring) -> None:
    """Each label is the path of a leaf of the document, and none is given twice."""
    value = documents[kind]
    labels = _verify(kind, value, keyring).unsigned
    assert len(labels) == len(set(labels))
    assert set(labels) <= {name_of(path) for path, _ in leaves(value)}


def test_receipt_labels(documents: dict[str, Json], keyring: Keyring) -> None:
    """Five of the thirteen members of a receipt that stands alone are unsigned."""
    assert len(_verify("receipt", documents["receipt"], keyring).unsigned) == 5


@pytest.mark.parametrize(
    ("kind", "path"),
    [
        ("record", ("source_note",)),
        ("record", ("pith_number_note",)),
        ("record", ("canonical_record.note",)),
        ("record", ("paper.title",)),
        ("record", ("links", "x.alias_kind")),
        ("state", ("current", "canonical_record_note")),
        ("state", ("current.canonical_record",)),
    ],
)
def test_injected_members_are_labelled(
    kind: str, path: tuple[str, ...], documents: dict[str, Json], keyring: Keyring
) -> None:
    """A member that a mirror adds is refused or named as unsigned, whatever it is called."""
    value = documents[kind]
    holder = at(value, path[:-1])
    assert isinstance(holder, dict)
    before = _verify(kind, value, keyring)
    changed = put(value, path[:-1], {**holder, path[-1]: "injected"})
    after = _verify(kind, changed, keyring)
    assert after.verdict != "verified" or len(after.unsigned) == len(before.unsigned) + 1


@pytest.mark.parametrize(
    ("kind", "member"), [("bundle", "bundle_type"), ("record", "record_type"), ("state", "state_type")]
)
def test_stripped_type(kind: str, member: str, documents: dict[str, Json], seed: dict[str, Json]) -> None:
    """A document does not pass as a lesser one when the member that names its type is taken out."""
    value = seed if kind == "bundle" else documents[kind]
    assert isinstance(value, dict)
    stripped = {name: item for name, item in value.items() if name != member}
    result = verify_document(json.dumps(stripped).encode(), Keyring())
    assert result.verdict != "verified" or "$.events" in " ".join(result.unsigned)


def _integrity(root: Path) -> Json:
    return load((root / "data" / "conformance" / "integrity_document_signed" / "integrity.json").read_bytes())


def test_integrity_survivors_are_labelled(root: Path) -> None:
    """What can be changed in an integrity document without a failing check is named as unsigned, or lies under it."""
    trusted = read_trust(root / "data" / "conformance" / "trust.json")
    value = _integrity(root)
    assert verify_integrity(value, trusted).verdict == "verified"
    for mutation in (*leaf_mutations(value), *structure_mutations(value)):
        result = verify_integrity(mutation.value, trusted)
        where = mutation.name + (".zz_injected" if mutation.kind == "add" and mutation.name[-1] != "s" else "")
        if result.verdict == "verified" and mutation.kind in {"leaf", "add"} and mutation.name != "$.events":
            assert any(where.startswith(path) for path in result.unsigned), where


@settings(max_examples=200)
@given(st.data())
def test_total(data: st.DataObject) -> None:
    """Any JSON value gives a verdict, also one that names its type."""
    value = data.draw(JSON | st.dictionaries(st.sampled_from(MEMBERS), JSON, max_size=8))
    for verify in (*VERIFIERS.values(), verify_integrity, verify_bundle):
        assert verify(value, Keyring()).verdict in {"verified", "failed", "malformed"}


def test_total_on_structure(documents: dict[str, Json], keyring: Keyring) -> None:
    """Members and items added, taken out, renamed, repeated or moved give a verdict, never an exception."""
    for kind, value in documents.items():
        for mutation in structure_mutations(value):
            assert _verify(kind, mutation.value, keyring).verdict in {"verified", "failed", "malformed"}
