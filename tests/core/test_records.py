"""The canonical record: what it admits, and that it comes back as it was written."""

import dataclasses
import json
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pithid.core.canonical import Json, load
from pithid.core.errors import InvalidRecord, Malformed, NotMintable
from pithid.core.mint import mint
from pithid.core.paper import ASSUMED_LICENSE, LICENSES, Paper
from pithid.core.records import CanonicalRecord, Metadata, Source

HASHES = st.text("0123456789abcdef", min_size=64, max_size=64)
CATEGORIES = st.text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-", min_size=1, max_size=64)
TIMES = st.datetimes(datetime(1000, 1, 1), datetime(2999, 12, 31)).map(  # noqa: DTZ001 - UTC by format
    lambda time: f"{time:%Y}".zfill(4) + f"{time:-%m-%dT%H:%M:%SZ}"
)
SOURCES = st.builds(
    Source,
    kind=st.just("arxiv"),
    id=st.sampled_from(["2010.10458", "0704.0001", "1412.9999", "hep-th/9309160", "math/0309136"]),
    version=st.integers(1, 9999),
)


@st.composite
def metadata(draw: st.DrawFn) -> Metadata:
    """Draw any metadata that a record admits."""
    primary = draw(CATEGORIES)
    cross = draw(st.sets(CATEGORIES, max_size=5)) - {primary}
    license_url = draw(st.sampled_from(LICENSES))
    return Metadata(draw(HASHES), draw(HASHES), primary, tuple(sorted(cross)), license_url, draw(TIMES))


RECORDS = st.builds(CanonicalRecord, SOURCES, metadata())
PAPER = Paper("2101.00001", 1, "A title", "An abstract.", "cs.DL", "2020-12-31T23:59:59Z")


@given(RECORDS)
def test_inverse(record: CanonicalRecord) -> None:
    """A record comes back from its JSON and from its bytes as it was."""
    assert CanonicalRecord.from_json(record.to_json()) == record
    assert CanonicalRecord.from_json(load(record.to_bytes())) == record


@given(RECORDS)
def test_bytes(record: CanonicalRecord) -> None:
    """The bytes are those of the published one-line recipe."""
    plain = json.dumps(record.to_json(), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert record.to_bytes() == plain.encode()


@given(RECORDS, RECORDS)
def test_equality(one: CanonicalRecord, other: CanonicalRecord) -> None:
    """Records are equal exactly if their bytes are, and then so are their hashes as values."""
    assert (one == other) == (one.to_bytes() == other.to_bytes())
    assert len({one, other}) == 1 + (one != other)


@given(RECORDS)
def test_year(record: CanonicalRecord) -> None:
    """The number shows the four digits of the year of submission."""
    assert str(mint(record).number)[5:9] == record.metadata.submitted_at[:4]


def _leaves(value: Json, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    if not isinstance(value, dict):
        return [path]
    return [leaf for name, inner in value.items() for leaf in _leaves(inner, (*path, name))] + [path] * bool(path)


BASE = PAPER.record().to_json()
WRONG: list[Json] = [None, True, 0, -1, 1.0, 1.5, "", "\n", "\ud800", [], [None], [[]], {}, {"": None}]


@pytest.mark.parametrize("path", _leaves(BASE), ids=".".join)
@pytest.mark.parametrize("wrong", WRONG, ids=repr)
def test_any_wrong_leaf(path: tuple[str, ...], wrong: Json) -> None:
    """Whatever stands in any place, the record is read as it is or refused with the one error."""
    document: Any = json.loads(json.dumps(BASE))
    place = document
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = wrong
    try:
        record = CanonicalRecord.from_json(document)
    except InvalidRecord as error:
        assert error.path.split(".")[0] in {path[0], "$"}  # noqa: PT017 - success is allowed too
        return
    assert path[-1] in {"license", "cross_cats_sorted"}
    assert record.to_json() == document


@pytest.mark.parametrize("value", [None, True, 0, 1.5, "", "{}", [], [BASE]], ids=repr)
def test_not_an_object(value: Json) -> None:
    """A record is an object."""
    with pytest.raises(InvalidRecord, match="expected an object"):
        CanonicalRecord.from_json(value)


@pytest.mark.parametrize("path", _leaves(BASE), ids=".".join)
def test_every_member_is_required(path: tuple[str, ...]) -> None:
    """No member has a default."""
    document: Any = json.loads(json.dumps(BASE))
    place = document
    for name in path[:-1]:
        place = place[name]
    del place[path[-1]]
    with pytest.raises(InvalidRecord, match=rf"the member '{path[-1]}' is missing"):
        CanonicalRecord.from_json(document)


def test_mistyped_name_is_reported_as_missing_or_unknown() -> None:
    """A long unknown name is cut in the message, so that a hostile document cannot flood a log."""
    document = {**BASE, "x" * 10_000: 1}
    with pytest.raises(InvalidRecord) as failure:
        CanonicalRecord.from_json(document)
    assert len(str(failure.value)) < 300


def test_error() -> None:
    """A refusal is `Malformed` and carries the path of the place and the reason."""
    with pytest.raises(Malformed) as failure:
        Source("arxiv", "2010.10458", 0)
    error = failure.value
    assert isinstance(error, InvalidRecord)
    assert error.code == "invalid-record"
    assert str(error) == f"{error.path}: {error.why}"


def test_immutable() -> None:
    """Values cannot be changed after they were checked."""
    record = PAPER.record()
    with pytest.raises(dataclasses.FrozenInstanceError):
        record.source = Source("arxiv", "2010.10458", 1)  # type: ignore[misc]


def test_json_is_a_copy() -> None:
    """Changing the JSON of a record does not change the record."""
    record = PAPER.record()
    before = record.to_bytes()
    document: Any = record.to_json()
    document["metadata"]["cross_cats_sorted"].append("cs.AI")
    document["source"]["version"] = 2
    assert record.to_bytes() == before


def test_doctest_paper_independently() -> None:
    """The made-up paper of the documentation mints to the number that the published recipe gives."""
    assert str(mint(PAPER.record()).number) == "pith:2020:IAFYBKXV3V5GUQTEEGPG3JZPWI"


@given(st.permutations(["cs.AI", "cs.DC", "math-ph", "math.MP"]))
def test_order_of_cross_categories_does_not_count(cross: list[str]) -> None:
    """However a source orders the cross categories, the record is the same."""
    paper = dataclasses.replace(PAPER, categories="cs.DL " + " ".join(cross))
    assert paper.record().metadata.cross_cats_sorted == ("cs.AI", "cs.DC", "math-ph", "math.MP")


def test_primary_category_is_the_first() -> None:
    """The first category is the primary, and another first is another record."""
    one = dataclasses.replace(PAPER, categories="cs.DL cs.AI").record()
    other = dataclasses.replace(PAPER, categories="cs.AI cs.DL").record()
    assert (one.metadata.primary_cat, other.metadata.primary_cat) == ("cs.DL", "cs.AI")
    assert mint(one).number != mint(other).number


@pytest.mark.parametrize(
    ("name", "other"),
    [("authors", "B. Author"), ("dois", ("10.1000/x",))],
)
def test_display_fields_are_not_hashed(name: str, other: Any) -> None:  # noqa: ANN401 - any field
    """Authors and DOIs do not change the number."""
    changes: dict[str, Any] = {name: other}
    assert dataclasses.replace(PAPER, **changes).record() == PAPER.record()


def test_assumed_license_is_none() -> None:
    """The licence arXiv shows for papers that have none is the empty text in the record."""
    paper = dataclasses.replace(PAPER, license=ASSUMED_LICENSE)
    assert paper.record().metadata.license == ""
    assert paper.cautions() == ()


@pytest.mark.parametrize(
    ("changes", "codes"),
    [
        ({}, []),
        ({"title": "Schrödinger"}, ["non-ascii-title"]),
        ({"abstract": "Schrödinger"}, ["non-ascii-abstract"]),
        ({"title": "é", "abstract": "é"}, ["non-ascii-title", "non-ascii-abstract"]),
        ({"license": "https://arxiv.org/licenses/nonexclusive-distrib/1.0/"}, ["unknown-license"]),
        ({"license": "http://creativecommons.org/licenses/by/4.0"}, ["unknown-license"]),
        ({"license": "CC BY 4.0"}, ["unknown-license"]),
    ],
)
def test_cautions(changes: dict[str, Any], codes: list[str]) -> None:
    """What makes another number likely is named, with a stable code."""
    cautions = dataclasses.replace(PAPER, **changes).cautions()
    assert [caution.code for caution in cautions] == codes
    assert all("the number may differ" in str(caution) for caution in cautions)


@pytest.mark.parametrize("license_url", LICENSES)
def test_known_licenses(license_url: str) -> None:
    """Every licence arXiv stores is admitted without a caution."""
    paper = dataclasses.replace(PAPER, license=license_url)
    assert paper.record().metadata.license == license_url
    assert paper.cautions() == ()


@pytest.mark.parametrize(
    ("changes", "field"),
    [({"title": "\u2003\n"}, "title"), ({"abstract": ""}, "abstract"), ({"categories": " "}, "categories")],
)
def test_not_mintable(changes: dict[str, Any], field: str) -> None:
    """A paper without a text that must be hashed, or without a category, has no number."""
    with pytest.raises(NotMintable) as failure:
        dataclasses.replace(PAPER, **changes).record()
    assert (failure.value.field, failure.value.code) == (field, "not-mintable")


@pytest.mark.parametrize(("submitted", "doubted"), [("2013", False), ("2020", False), ("2021", False), ("2022", True)])
def test_submission_after_the_identifier_is_doubted(submitted: str, doubted: bool) -> None:  # noqa: FBT001 - a column
    """An identifier cannot be older than its submission; a submission may wait for years."""
    paper = Paper("2101.00001", 1, "Title", "Abstract", "cs.DL", f"{submitted}-01-02T03:04:05Z")

    assert [caution.code for caution in paper.cautions()] == (["date"] if doubted else [])
