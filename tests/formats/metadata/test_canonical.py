import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pithid.core.canonical import MAX_BYTES
from pithid.core.errors import InvalidDocument, InvalidRecord, PithError
from pithid.core.mint import mint
from pithid.core.paper import Paper
from pithid.formats.metadata import Entry, Stated

Entries = Callable[..., list[Entry]]
Fault = Callable[..., PithError]
ALIASES = [{"alias_kind": "arxiv", "alias_value": "2101.99901", "created_at": "2026-07-05T01:44:30Z"}]


@pytest.fixture
def record(paper: Paper) -> dict[str, Any]:
    """A good canonical record."""
    return paper.record().to_json()


def stated(data: bytes, entries: Entries) -> Stated:
    """Read the one record of an input."""
    (entry,) = entries(data)
    assert isinstance(entry.content, Stated), entry.content
    return entry.content


def bundle(record: dict[str, Any], title: str = "Boxes") -> dict[str, Any]:
    """Write a bundle with two snapshots."""
    snapshot = {"paper": {"title": title, "authors_text": "A. Author"}}
    return {
        "bundle_type": "pith_open_graph_bundle",
        "pith_number": "pith:2021:" + "A" * 26,
        "canonical_record": record,
        "canonical_sha256": "0" * 64,
        "source_aliases": ALIASES,
        "events": [
            {"event_type": "record_created", "payload": {}},
            {"event_type": "graph_snapshot", "payload": {"graph_snapshot": {"paper": {"title": "Older"}}}},
            {"event_type": "graph_snapshot", "payload": {"graph_snapshot": snapshot}},
        ],
    }


def test_a_bare_record_states_nothing_else(paper: Paper, entries: Entries) -> None:
    """A bare record states nothing else."""
    content = stated(paper.record().to_bytes(), entries)
    assert content == Stated(paper.record())


def test_a_line_of_an_export_states_number_digest_aliases_and_title(
    record: dict[str, Any], paper: Paper, entries: Entries
) -> None:
    """A line of an export states number digest aliases and title."""
    line = {
        "pith_number": "pith:2021:X",
        "canonical_sha256": "ab",
        "canonical_record": record,
        "aliases": ALIASES,
        "title": "Boxes",
    }
    content = stated(json.dumps(line).encode(), entries)
    assert content == Stated(paper.record(), "pith:2021:X", "ab", "Boxes", "", (("arxiv", "2101.99901"),))


def test_a_registry_record_shows_its_paper(record: dict[str, Any], entries: Entries) -> None:
    """A registry record shows its paper."""
    document = {
        "record_type": "pith_number_record",
        "schema_version": "1.0",
        "canonical_record": record,
        "paper": {"title": "Boxes", "authors_text": "A. Author, B. Writer"},
    }
    content = stated(json.dumps(document).encode(), entries)
    assert (content.title, content.authors) == ("Boxes", "A. Author, B. Writer")


@pytest.mark.parametrize("indent", [None, 0, 2, "\t"])
def test_a_bundle_in_any_layout_shows_its_latest_snapshot(
    record: dict[str, Any], entries: Entries, indent: int | str | None
) -> None:
    """A bundle in any layout shows its latest snapshot."""
    content = stated(json.dumps(bundle(record, 'A } brace and a \\" quote'), indent=indent).encode(), entries)
    assert (content.title, content.authors) == ('A } brace and a \\" quote', "A. Author")
    assert content.aliases == (("arxiv", "2101.99901"),)
    assert content.sha256 == "0" * 64


def test_documents_of_every_layout_may_follow_each_other(record: dict[str, Any], entries: Entries) -> None:
    """Documents of every layout may follow each other."""
    wide, flat = json.dumps(bundle(record), indent=2), json.dumps(record)
    found = entries(f"{wide}\n{flat}\n\n{wide}\n{flat}".encode())
    assert all(isinstance(entry.content, Stated) for entry in found)
    height = wide.count("\n") + 1
    assert [entry.line for entry in found] == [1, 1 + height, 3 + height, 3 + 2 * height]
    assert found[0].raw == wide.encode()


@pytest.mark.parametrize("bad", ['{"schema_version": "1.0", "source": {', "[", "}", '{"a": "}', "null", '"text"'])
def test_a_damaged_line_is_one_error_and_the_others_go_on(record: dict[str, Any], entries: Entries, bad: str) -> None:
    """A damaged line is one error and the others go on."""
    flat = json.dumps(record)
    before, damaged, after = entries(f"{flat}\n{bad}\n{flat}\n".encode(), "canonical")
    assert isinstance(before.content, Stated)
    assert isinstance(damaged.content, InvalidDocument)
    assert (damaged.line, damaged.raw) == (2, bad.encode())
    assert isinstance(after.content, Stated)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"record_type": "pith_number_page"}, "$.record_type"),
        ({"bundle_type": None}, "$.bundle_type"),
        ({"pith_number": 7}, "$.pith_number"),
        ({"canonical_sha256": []}, "$.canonical_sha256"),
        ({"source_aliases": {}}, "$.source_aliases"),
        ({"aliases": [{"alias_kind": "doi"}]}, "$.aliases[0]"),
        ({"aliases": ["doi"]}, "$.aliases[0]"),
    ],
)
def test_a_document_of_another_shape_names_the_place(
    record: dict[str, Any], fault: Fault, change: dict[str, Any], says: str
) -> None:
    """A document of another shape names the place."""
    error = fault(json.dumps({**bundle(record), **change}).encode())
    assert isinstance(error, InvalidDocument)
    assert says in str(error)


@pytest.mark.parametrize("change", [{"canonical_record": None}, {"canonical_record": {"schema_version": "1.0"}}])
def test_a_record_of_another_shape_is_refused(record: dict[str, Any], fault: Fault, change: dict[str, Any]) -> None:
    """A record of another shape is refused."""
    assert isinstance(fault(json.dumps({**bundle(record), **change}).encode()), InvalidRecord)


def test_an_unknown_object_is_no_record(fault: Fault) -> None:
    """An unknown object is no record."""
    assert isinstance(fault(b'{"schema_version": "1.0"}'), InvalidRecord)


def test_an_array_is_refused_with_a_way_out(record: dict[str, Any], fault: Fault) -> None:
    """An array is refused with a way out."""
    assert "jq" in str(fault(json.dumps([record]).encode()))


def test_duplicate_keys_are_refused(paper: Paper, fault: Fault) -> None:
    """Duplicate keys are refused."""
    data = paper.record().to_bytes().replace(b'{"metadata"', b'{"schema_version":"1.0","metadata"')
    assert "twice" in str(fault(data))


@pytest.mark.parametrize(
    "document", [{}, {"events": [1, {"event_type": "graph_snapshot", "payload": 1}]}, {"paper": 1}]
)
def test_a_title_that_is_not_there_is_empty(record: dict[str, Any], entries: Entries, document: dict[str, Any]) -> None:
    """A title that is not there is empty."""
    content = stated(json.dumps({"canonical_record": record, **document}).encode(), entries)
    assert (content.title, content.authors) == ("", "")


def test_a_document_that_is_too_large_is_refused_and_the_next_read(record: dict[str, Any], entries: Entries) -> None:
    """A document that is too large is refused and the next read."""
    flat = json.dumps(record)
    filling = '"' + "x" * (1 << 20) + '",\n'
    huge, after = entries(('{"schema_version": [\n' + filling * 33 + '""]\n}\n' + flat).encode())
    assert "limit" in str(huge.content)
    assert len(huge.raw) <= 4096 < MAX_BYTES
    assert isinstance(after.content, Stated)


def test_every_registry_record_mints_to_what_it_states(
    entries: Entries, shared_lines: Callable[[str], Iterator[bytes]]
) -> None:
    """Every registry record mints to what it states."""
    found = entries(b"".join(shared_lines("records.jsonl")))
    assert len(found) == 162
    for entry in found:
        assert isinstance(entry.content, Stated)
        minted = mint(entry.content.record)
        assert entry.content.number == str(minted.number)
        assert set(entry.content.aliases) <= {(alias.kind, alias.value) for alias in minted.aliases}
