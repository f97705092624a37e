"""The same paper in every format is the same record."""

import io
import string
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pithid.core.paper import LICENSES, Paper
from pithid.formats.metadata import READERS, Entry, Options, open_entries
from pithid.formats.metadata.taxonomy import CATEGORIES

Write = dict[str, Callable[[Paper], bytes]]
VISIBLE = string.ascii_letters + string.digits + string.punctuation
WORDS = st.lists(st.text(VISIBLE, min_size=1, max_size=9), min_size=1, max_size=12)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Words with blanks and line wraps, none of whose lines could separate the parts of an `.abs` file."""
    words = [word for word in draw(WORDS) if not word.startswith(("\\\\", "-"))] or ["word"]
    blanks = draw(st.lists(st.sampled_from([" ", "  ", "\n  ", "\n"]), min_size=len(words), max_size=len(words)))
    return "".join(word + blank for word, blank in zip(words, blanks, strict=True))


PAPERS = st.builds(
    Paper,
    arxiv=st.sampled_from(["2101.99901", "0704.9999", "hep-th/9901999", "math/0203002"]),
    version=st.integers(1, 12),
    title=texts(),
    abstract=texts(),
    categories=st.lists(st.sampled_from(sorted(CATEGORIES)), min_size=1, max_size=5, unique=True).map(" ".join),
    submitted_at=st.integers(0, 2**32).map(lambda t: f"{datetime.fromtimestamp(t, UTC):%Y-%m-%dT%H:%M:%SZ}"),
    license=st.sampled_from(LICENSES),
    authors=st.just("A. Author, B. Writer"),
)


def one(data: bytes, name: str, paper: Paper) -> Entry:
    """Read the one entry of an input."""
    (entry,) = open_entries(io.BytesIO(data), name=name, options=Options(paper.license))
    return entry


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(paper=PAPERS)
def test_every_format_reads_back_to_the_same_record(write: Write, paper: Paper) -> None:
    """Every format reads back to the same record."""
    for name, writer in write.items():
        content = one(writer(paper), name, paper).content
        assert isinstance(content, Paper), (name, content)
        assert content.record() == paper.record(), name


@pytest.mark.parametrize("name", ["kaggle", "arxivraw", "abs", "atom"])
def test_what_is_not_hashed_is_kept_for_display(write: Write, paper: Paper, name: str) -> None:
    """What is not hashed is kept for display."""
    entry = one(write[name](paper), name, paper)
    assert isinstance(entry.content, Paper)
    assert (entry.content.authors, entry.content.dois) == (paper.authors, paper.dois)
    assert entry.cautions == ()


@pytest.mark.parametrize("name", ["kaggle", "arxivraw", "abs", "atom"])
def test_the_format_is_found_by_itself(write: Write, paper: Paper, name: str) -> None:
    """The format is found by itself."""
    entry = one(write[name](paper), "auto", paper)
    assert isinstance(entry.content, Paper)


@pytest.mark.parametrize("name", ["kaggle", "arxivraw", "abs"])
def test_no_licence_is_the_empty_text(write: Write, paper: Paper, name: str) -> None:
    """No licence is the empty text."""
    bare = replace(paper, license="")
    content = one(write[name](bare), name, bare).content
    assert isinstance(content, Paper)
    assert content.license == ""


@pytest.mark.parametrize("name", ["kaggle", "arxivraw", "abs"])
def test_items_follow_each_other_with_their_lines_and_bytes(write: Write, paper: Paper, name: str) -> None:
    """Items follow each other with their lines and bytes."""
    item = write[name](paper)
    found = list(open_entries(io.BytesIO(item.rstrip(b"\n") + b"\n\n" + item), name=name))
    height = item.rstrip(b"\n").count(b"\n") + 2
    first = 2 if name == "abs" else 1  # the line of dashes is no part of a record
    assert [entry.line for entry in found] == [first, height + first]
    assert all(isinstance(entry.content, Paper) for entry in found)
    assert all(entry.raw in item and b"Schr" in entry.raw for entry in found)


@given(st.binary(max_size=400), st.sampled_from(sorted(READERS)))
def test_noise_never_raises(noise: bytes, name: str) -> None:
    """Noise never raises."""
    for prefix in (b"", b"{", b'{"id":', b"<record>", b"<?xml version='1.0'?>", b"\\\\\n"):
        for entry in READERS[name](io.BytesIO(prefix + noise), Options()):
            assert entry.line >= 1


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_cut_item_is_one_error_after_the_good_ones(write: Write, paper: Paper, data: st.DataObject) -> None:
    """A cut item is one error after the good ones."""
    name = data.draw(st.sampled_from(sorted(write)))
    good, item = write[name](paper), write[name](paper).rstrip(b"\n")
    end = item.index(b"</entry>") if name == "atom" else len(item) - 4  # an entry may be whole in a feed that is not
    cut = item[: data.draw(st.integers(90, end))]
    entries = list(open_entries(io.BytesIO(good + cut), name=name, options=Options("")))
    assert isinstance(entries[0].content, Paper)
    assert not any(isinstance(entry.content, Paper) for entry in entries[1:])
    assert len(entries) <= 2
