import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pithid.core.errors import NotMintable, PithError
from pithid.core.mint import mint
from pithid.core.paper import Paper
from pithid.formats.metadata import Entry
from pithid.formats.metadata.kaggle import MAX_LINE

Write = dict[str, Callable[[Paper], bytes]]
Entries = Callable[..., list[Entry]]
Fault = Callable[..., PithError]


@pytest.fixture
def line(write: Write, paper: Paper) -> Callable[..., bytes]:
    """A good line with members replaced, or dropped by `...`."""

    def changed(**members: Any) -> bytes:  # noqa: ANN401 - any JSON value
        value = {**json.loads(write["kaggle"](paper)), **members}
        return json.dumps({name: member for name, member in value.items() if member is not ...}).encode()

    return changed


def test_versions_are_compared_as_numbers_whatever_their_order(line: Callable[..., bytes], entries: Entries) -> None:
    """Versions are compared as numbers whatever their order."""
    versions = [
        {"version": name, "created": f"Mon, {day} Jan 2021 00:00:00 GMT"}
        for name, day in (("v10", "20"), ("v2", "03"), ("v1", "2"), ("v9", "19"))
    ]
    (entry,) = entries(line(versions=versions))
    assert isinstance(entry.content, Paper)
    assert (entry.content.version, entry.content.submitted_at) == (10, "2021-01-02T00:00:00Z")


@pytest.mark.parametrize("identifier", [704.0001, 1708.0542899999998, 15, "706.2062", "1501.001"])
def test_an_identifier_that_was_a_number_is_refused_with_the_cause(
    line: Callable[..., bytes], fault: Fault, identifier: float | str
) -> None:
    """An identifier that was a number is refused with the cause."""
    error = fault(line(id=identifier), "kaggle")
    assert isinstance(error, NotMintable)
    assert error.field == "id"
    assert "data frame" in str(error)


@pytest.mark.parametrize("name", ["license", "versions", "id", "title", "abstract", "categories"])
def test_a_missing_member_is_named(line: Callable[..., bytes], fault: Fault, name: str) -> None:
    """A missing member is named."""
    error = fault(line(**{name: ...}), "kaggle")
    assert isinstance(error, NotMintable)
    assert error.field == name
    assert "missing" in str(error)


@pytest.mark.parametrize(
    ("members", "field", "says"),
    [
        ({"versions": ["v1", "v2"]}, "versions", "without times"),
        ({"versions": "v1"}, "versions", "list"),
        ({"versions": [{"version": "v1"}]}, "versions", "'created'"),
        ({"versions": [["v1"]]}, "versions", "'created'"),
        ({"versions": []}, "versions", "version 1"),
        ({"versions": [{"version": "v2", "created": "x"}]}, "versions", "version 1"),
        ({"versions": [{"version": "v1", "created": "x"}] * 2}, "versions", "twice"),
        ({"versions": [{"version": "1", "created": "x"}]}, "versions", "'1'"),
        ({"versions": [{"version": "v1", "created": "Mon, 4 Jan 2021 09:08:07"}]}, "submitted_at", "zone"),
        ({"versions": [{"version": "v1", "created": "2021-01-04"}]}, "submitted_at", "GMT"),
        ({"title": None}, "title", "text"),
        ({"categories": ["cs.AI", "cs.LG"]}, "categories", "text"),
        ({"license": 1}, "license", "text"),
        ({"id": None}, "id", "text"),
        ({"id": True}, "id", "text"),
    ],
)
def test_what_cannot_be_minted_names_its_field(
    line: Callable[..., bytes], fault: Fault, members: dict[str, Any], field: str, says: str
) -> None:
    """What cannot be minted names its field."""
    error = fault(line(**members), "kaggle")
    assert isinstance(error, NotMintable)
    assert error.field == field
    assert says in str(error)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b'{"id": "2101.99901", "id": "2101.99902"}', "twice"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
        (b'{"id": NaN}', "NaN"),
        (b'{"title": "\\ud83d"}', "surrogate"),
        (b'{"title": "\xff"}', "UTF-8"),
        (b"[]", "object"),
        (b'{"id": "2101', "line 1"),
        (b"[" * 100_000, "nesting"),
        (b"\0", "Expecting value"),
    ],
)
def test_a_bad_line_is_refused_and_the_others_go_on(
    write: Write, paper: Paper, entries: Entries, data: bytes, says: str
) -> None:
    """A bad line is refused and the others go on."""
    good = write["kaggle"](paper)
    before, bad, after = entries(good + data + b"\n\n" + good, "kaggle")
    assert isinstance(before.content, Paper)
    assert isinstance(bad.content, PithError)
    assert says in str(bad.content)
    assert (bad.line, bad.raw) == (2, data)
    assert isinstance(after.content, Paper)
    assert after.line == 4


def test_a_line_that_is_too_long_keeps_only_its_start(write: Write, paper: Paper, entries: Entries) -> None:
    """A line that is too long keeps only its start."""
    good = write["kaggle"](paper)
    long, after = entries(b'{"title": "' + b"x" * (MAX_LINE + 200_000) + b'"}\n' + good, "kaggle")
    assert isinstance(long.content, PithError)
    assert "limit" in str(long.content)
    assert long.raw.startswith(b'{"title": "xx')
    assert len(long.raw) == 4096
    assert isinstance(after.content, Paper)
    assert after.line == 2


def test_display_texts_of_another_type_are_left_out(line: Callable[..., bytes], entries: Entries) -> None:
    """Display texts of another type are left out."""
    (entry,) = entries(line(authors=["A. Author"], doi=17))
    assert isinstance(entry.content, Paper)
    assert (entry.content.authors, entry.content.dois) == ("", ())


def test_every_real_line_mints(entries: Entries, shared_lines: Callable[[str], Iterator[bytes]]) -> None:
    """Every real line mints."""
    found = entries(b"".join(shared_lines("arxiv_real.jsonl")))
    assert len(found) == 1675
    for entry in found:
        assert isinstance(entry.content, Paper), entry.content
        assert str(mint(entry.content.record()).number).startswith(f"pith:{entry.content.submitted_at[:4]}:")


@pytest.mark.parametrize("name", ["kaggle", "arxivraw", "abs", "atom"])
def test_papers_written_in_any_format_get_the_registry_number(
    entries: Entries, write: Write, shared_lines: Callable[[str], Iterator[bytes]], name: str
) -> None:
    """Papers written in any format get the registry number."""
    count = 0
    for row in map(json.loads, shared_lines("e2e.jsonl")):
        fields = ("version", "title", "abstract", "categories", "submitted_at", "license")
        paper = Paper(arxiv=row["arxiv_id"], **{field: row[field] for field in fields})
        (entry,) = entries(write[name](paper), license_url=paper.license)
        assert isinstance(entry.content, Paper)
        assert str(mint(entry.content.record()).number) == row["pith_number"]
        count += 1
    assert count == 152
