import io
from collections.abc import Callable

import pytest

from pithid.core.errors import NotMintable, PithError
from pithid.core.paper import Paper
from pithid.formats.metadata import Entry, Options, abs_file
from pithid.formats.metadata.abs_file import MAX_ITEM, MAX_LINE

Write = dict[str, Callable[[Paper], bytes]]
Entries = Callable[..., list[Entry]]
Fault = Callable[..., PithError]


@pytest.fixture
def item(write: Write, paper: Paper) -> bytes:
    """A good record."""
    return write["abs"](paper)


def test_continuation_lines_belong_to_their_field(item: bytes, entries: Entries) -> None:
    """Continuation lines belong to their field."""
    (entry,) = entries(item.replace(b"  and other", b"  Note: and other"))
    assert isinstance(entry.content, Paper)
    assert entry.content.title.split("\n") == ['On the colour of Schr\\"odinger boxes', "  Note: and other parcels"]


def test_line_ends_of_windows_give_the_same_record(item: bytes, paper: Paper, entries: Entries) -> None:
    """Line ends of Windows give the same record."""
    (entry,) = entries(item.replace(b"\n", b"\r\n"))
    assert isinstance(entry.content, Paper)
    assert entry.content.record() == paper.record()


def test_a_withdrawn_version_and_a_mailing_address_are_read(item: bytes, paper: Paper, entries: Entries) -> None:
    """A withdrawn version and a mailing address are read."""
    mailed = item.replace(b"(9kb)", b"(0kb,I)").rstrip(b"\n") + b" ( https://arxiv.org/abs/2101.99901 ,  9kb)\n"
    for data in (mailed, mailed + b"-" * 78 + b"\n"):
        (entry,) = entries(data)
        assert isinstance(entry.content, Paper)
        assert entry.content.record() == paper.record()


def test_dashes_within_an_abstract_are_text(item: bytes, entries: Entries) -> None:
    """Dashes within an abstract are text."""
    (entry,) = entries(item.replace(b"they dry.", b"-" * 30))
    assert isinstance(entry.content, Paper)
    assert "-" * 30 in entry.content.abstract


def test_records_may_follow_without_dashes(item: bytes, entries: Entries) -> None:
    """Records may follow without dashes."""
    bare = item[79:]
    found = entries(bare + bare + item)
    assert [type(entry.content) for entry in found] == [Paper] * 3
    height = bare.count(b"\n")
    assert [entry.line for entry in found] == [1, 1 + height, 2 + 2 * height]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (b"Categories: quant-ph math-ph math.MP\n", b"", "categories: there is no line 'Categories:'"),
        (b"arXiv:2101.99901\n", b"", "id: there is no line 'arXiv:'"),
        (b"Title:", b"Heading:", "title: there is no line 'Title:'"),
        (b"Date:", b"Day:", "versions: version 1 is not listed"),
        (b"(revised v2)", b"(revised)", "versions: a date of 'revised'"),
        (b"(revised v2)", b"(revised v1)", "versions: v1 occurs twice"),
        (b" GMT", b"", "no zone"),
        (b"Authors:", b"Title: x\nAuthors:", "title: the field occurs twice"),
        (b"Authors:", b"no field here\nAuthors:", "neither a field"),
        (b"\\\\\narXiv", b"\\\\\n  x\narXiv", "continuation line"),
        (b"paint", b"p\xe9int", "0xe9 is not UTF-8"),
    ],
)
def test_a_record_that_is_damaged_says_where(item: bytes, fault: Fault, old: bytes, new: bytes, says: str) -> None:
    """A record that is damaged says where."""
    assert says in str(fault(item.replace(old, new)))


def test_an_abstract_that_seems_to_end_twice_gives_no_paper(item: bytes, entries: Entries) -> None:
    """An abstract that seems to end twice gives no paper."""
    found = entries(item.replace(b"they dry.", b"\\\\"))
    assert "text after the abstract's end" in str(found[0].content)
    assert all(isinstance(entry.content, PithError) for entry in found)


def test_a_record_that_is_not_closed_is_an_error_and_the_next_is_read(item: bytes, entries: Entries) -> None:
    """A record that is not closed is an error and the next is read."""
    cut = item[: item.index(b"they dry")]
    first, second = entries(cut + b"\n" + item)
    assert "2 of the 3 lines" in str(first.content)
    assert isinstance(first.content, PithError)
    assert isinstance(second.content, Paper)


def test_text_outside_records_is_an_error_of_its_own(item: bytes, entries: Entries) -> None:
    """Text outside records is an error of its own."""
    first, good, last = entries(b"To: readers\nSubject: news\n\n" + item + b"-" * 78 + b"\n\nunsubscribe here\n", "abs")
    assert "in no record" in str(first.content)
    assert first.line == 1
    assert isinstance(good.content, Paper)
    assert "in no record" in str(last.content)
    assert last.raw == b"unsubscribe here"


def test_no_licence_line_is_no_licence_and_a_missing_title_is_none(item: bytes, fault: Fault) -> None:
    """No licence line is no licence and a missing title is none."""
    error = fault(item.replace(b"Title: ", b"Comments: "))
    assert isinstance(error, NotMintable)
    assert error.field == "title"


@pytest.mark.parametrize("filling", [b"x" * (MAX_LINE + 10), b"\n".join([b"word " * 200] * (MAX_ITEM // 900))])
def test_a_record_beyond_the_limits_is_refused_and_the_next_is_read(
    item: bytes, entries: Entries, filling: bytes
) -> None:
    """A record beyond the limits is refused and the next is read."""
    huge, after = entries(item.replace(b"they dry.", filling) + item)
    assert "limit" in str(huge.content)
    assert len(huge.raw) < MAX_LINE
    assert isinstance(after.content, Paper)


def test_a_stream_that_breaks_keeps_the_complete_record_before(item: bytes) -> None:
    """A stream that breaks keeps the complete record before."""

    class Breaking(io.BytesIO):
        def readline(self, size: int | None = -1, /) -> bytes:
            line = super().readline(size)
            if not line:
                raise EOFError("no more")
            return line

    first, broken = abs_file.read(Breaking(item), Options())
    assert isinstance(first.content, Paper)
    assert "cut off" in str(broken.content)
