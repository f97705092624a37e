from collections.abc import Callable

import pytest

from pithid.core.errors import Malformed, NotMintable, PithError
from pithid.core.paper import Paper
from pithid.formats.metadata import Entry

Write = dict[str, Callable[[Paper], bytes]]
Entries = Callable[..., list[Entry]]
Fault = Callable[..., PithError]


@pytest.fixture
def feed(write: Write, paper: Paper) -> bytes:
    """A feed of one good entry."""
    return write["atom"](paper)


def test_classes_of_other_schemes_are_no_categories(feed: bytes, paper: Paper, entries: Entries) -> None:
    """Classes of other schemes are no categories."""
    assert b"81P05" in feed
    (entry,) = entries(feed, license_url="")
    assert isinstance(entry.content, Paper)
    assert set(entry.content.categories.split()) == set(paper.categories.split())
    assert entry.content.categories.startswith("quant-ph ")


def test_the_licence_must_be_given(feed: bytes, fault: Fault) -> None:
    """The licence must be given."""
    error = fault(feed)
    assert isinstance(error, NotMintable)
    assert (error.field, "--license" in str(error)) == ("license", True)


def test_a_category_newer_than_the_table_is_kept_with_a_caution(feed: bytes, entries: Entries) -> None:
    """A category newer than the table is kept with a caution."""
    (entry,) = entries(feed.replace(b'<category term="math-ph"/>', b'<category term="cs.ZZ"/>'), license_url="")
    assert isinstance(entry.content, Paper)
    assert "cs.ZZ" in entry.content.categories.split()
    assert [caution.code for caution in entry.cautions] == ["unknown-category"]


def test_the_time_is_that_of_version_1(feed: bytes, entries: Entries) -> None:
    """The time is that of version 1."""
    (entry,) = entries(feed.replace(b"2021-01-04T09:08:07Z", b"2021-01-04T04:08:07-05:00"), license_url="")
    assert isinstance(entry.content, Paper)
    assert entry.content.submitted_at == "2021-01-04T09:08:07Z"


def test_an_error_report_is_an_error_with_its_summary(feed: bytes, fault: Fault) -> None:
    """An error report is an error with its summary."""
    report = feed.replace(
        b"http://arxiv.org/abs/2101.99901v2", b"http://arxiv.org/api/errors#incorrect_id_format_for_17"
    )
    error = fault(report, license_url="")
    assert isinstance(error, Malformed)
    assert "We paint boxes" in str(error)
    bare = b"<feed><entry><title>Error</title><summary>no such thing</summary></entry></feed>"
    assert "no such thing" in str(fault(bare, license_url=""))


def test_a_paper_may_be_titled_error(feed: bytes, entries: Entries) -> None:
    """A paper may be titled "Error"."""
    start, end = feed.index(b"<title>On"), feed.index(b"</title><summary>")
    (entry,) = entries(feed[:start] + b"<title>Error" + feed[end:], license_url="")
    assert isinstance(entry.content, Paper)


def test_an_empty_feed_has_no_entry(entries: Entries) -> None:
    """An empty feed has no entry."""
    assert entries(b'<feed xmlns="http://www.w3.org/2005/Atom"><title>Query</title></feed>') == []


def test_a_document_that_is_no_feed_is_an_error(fault: Fault) -> None:
    """A document that is no feed is an error."""
    assert "root is <rss>" in str(fault(b"<rss/>", "atom"))


@pytest.mark.parametrize(
    ("old", "new", "field", "says"),
    [
        (b"99901v2", b"99901", "version", "names no version"),
        (b"http://arxiv.org/abs/", b"http://example.org/abs/", "id", "not the address"),
        (b"http://arxiv.org/abs/", b"oai:arXiv.org:", "submitted_at", "news feed"),
        (b"primary_category", b"first_category", "categories", "primary_category"),
        (b"published>", b"printed>", "submitted_at", "no element"),
        (b"T09:08:07Z</published>", b"</published>", "submitted_at", "expected a time"),
        (b"summary>", b"content>", "abstract", "no element"),
        (b"<title>On", b'<title type="html">On', "title", "html"),
        (b"</title><summary>", b"<i/></title><summary>", "title", "markup"),
    ],
)
def test_an_entry_that_lacks_something_names_it(  # noqa: PLR0917 - fixtures and parameters
    feed: bytes, fault: Fault, old: bytes, new: bytes, field: str, says: str
) -> None:
    """An entry that lacks something names it."""
    error = fault(feed.replace(old, new), license_url="")
    assert isinstance(error, NotMintable)
    assert error.field == field
    assert says in str(error)
