"""The library's index: four lines of Python and the errors behind them."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pithid
from pithid.core.errors import Ambiguous, InvalidIdentifier, NotFound
from pithid.service.index import Index
from pithid.service.resolve import resolve, resolve_identified
from pithid.store.contract import Addition
from pithid.store.origin import Origin
from pithid.store.places import starter_index
from pithid.store.sqlite import SqliteStore

TIME = "2020-12-31T23:59:59Z"


def paper(arxiv: str = "2101.00001", version: int = 1, **changes: Any) -> pithid.Paper:  # noqa: ANN401 - passed on
    """Return an invented paper."""
    return dataclasses.replace(pithid.Paper(arxiv, version, "A title", "An abstract.", "cs.DL", TIME), **changes)


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    """Return an index of three versions of a paper and one other."""
    with Index.create(str(tmp_path / "index.sqlite3")) as made:
        with made.transaction():
            made.add([*(paper(version=version) for version in (1, 2, 10)), paper("hep-th/9901001")])
        yield made


def test_public_names_are_the_documented_ones() -> None:
    """Every public name loads, and nothing else is public."""
    assert dir(pithid) == sorted(pithid.__all__)
    assert all(getattr(pithid, name).__name__ == name for name in pithid.__all__)
    with pytest.raises(AttributeError):
        _ = pithid.nothing


@pytest.mark.parametrize(
    "text",
    [
        "2101.00001",
        "arXiv:2101.00001",
        "10.48550/arxiv.2101.00001",
        "https://arxiv.org/abs/2101.00001",
        "2101.00001v10",
    ],
)
def test_every_spelling_gives_the_highest_version(index: Index, text: str) -> None:
    """Bare identifier, DOI and URL answer with the highest version known."""
    assert index.number(text) == pithid.mint(paper(version=10).record()).number


def test_errors_tell_the_cases_apart(index: Index) -> None:
    """No identifier, not known, and several matches are three different errors."""
    with pytest.raises(InvalidIdentifier):
        index.number("nothing here")
    with pytest.raises(NotFound, match="versions known: v1, v2, v10"):
        index.number("2101.00001v3")
    with pytest.raises(Ambiguous) as failure:
        index.number("2101.00001 hep-th/9901001")
    assert len(failure.value.candidates) == 2


def test_exact_identifier_beside_the_bare_one_decides(index: Index) -> None:
    """A line that names the paper and a version of it means the version."""
    assert index.number("arXiv:2101.00001v2, https://doi.org/10.48550/arXiv.2101.00001") == index.number("2101.00001v2")


def test_one_unknown_of_two_papers_is_no_answer(index: Index) -> None:
    """A line that names a known and an unknown paper is not answered with the known one."""
    assert index.resolve("2101.00001 and 2101.00009").status == "ambiguous"


def test_added_paper_is_stored_as_an_imported_one(index: Index) -> None:
    """Blanks and line breaks of title and authors are folded, whichever way a paper comes in."""
    with index.transaction():
        index.add([paper("2101.00005", title="A title on\n  two\tlines", authors="A.  Author")])
    stored = index.lookup("2101.00005").stored

    assert stored is not None
    assert (stored.title, stored.authors) == ("A title on two lines", "A. Author")


@pytest.mark.parametrize("damaged", ["2101.0000", "arXiv:2113.00001", "1904.0693800000001", "pith:Z5NAPR8P"])
def test_damage_beside_a_sound_identifier_is_no_answer(index: Index, damaged: str) -> None:
    """A line whose other identifier is damaged is not answered with the one that is not."""
    assert index.resolve(f"{damaged} and 2101.00001").status == "ambiguous"


def test_only_a_checked_signature_decides_between_records_of_one_version(index: Index) -> None:
    """What anyone can state outranks nothing; what a trusted key vouches for answers, and the answer says so."""
    other = pithid.mint(paper(version=2, license="http://creativecommons.org/licenses/by/4.0/").record())
    with index.transaction():
        index.store.add([Addition(other, Origin.STATED)])
    assert index.resolve("2101.00001v2").status == "ambiguous"

    with index.transaction():
        index.store.add([Addition(other, Origin.RECEIPT)])
    resolution = index.resolve("2101.00001v2")

    assert resolution.number == str(other.number)
    assert resolution.more
    assert resolution.reason is not None
    assert "receipt" in resolution.reason


def test_two_papers_linked_to_one_doi_are_ambiguous(index: Index) -> None:
    """A journal DOI that two papers claim lists both."""
    with index.transaction():
        index.add([pithid.Paper("2101.0000" + n, 1, "T", "A", "cs.DL", TIME, dois=("10.1000/1",)) for n in "12"])

    assert len(index.resolve("10.1000/1").matches) == 2
    assert index.resolve("10.1000/1").status == "ambiguous"


def test_foreign_doi_beside_a_known_paper_decides_nothing(index: Index) -> None:
    """The journal's DOI, unknown here, does not stand in the way of the paper's own identifier."""
    resolution = index.resolve("arXiv:hep-th/9901001, doi:10.1000/1")

    assert resolution.status == "ok"
    assert resolution.reason == "10.1000/1 is not known here"


@given(st.text())
def test_resolve_never_raises(text: str) -> None:
    """Any text has an answer."""
    store = SqliteStore.open(starter_index(), published=True)
    try:
        assert resolve(store, text).status in {"ok", "not_found", "ambiguous", "invalid"}
    finally:
        store.close()


def test_plain_spellings_are_answered_as_the_recogniser_would() -> None:
    """The short way for canonical spellings gives the long way's answer, for every alias of every shipped record."""
    with Index.open(starter_index()) as index:
        for stored in index.store.records():
            number = str(stored.minted.number)
            values = [alias.value for alias in stored.minted.aliases]
            texts = [number, *values, *(f"arXiv:{values[n]}" for n in (0, 1)), f"https://arxiv.org/abs/{values[1]}"]
            for text in texts:
                short, long = index.resolve(text), resolve_identified(index.store, pithid.identify(text))
                assert (short.status, short.number) == (long.status, long.number) == ("ok", number)
