import io
import time
from collections.abc import Callable

import pytest

from pithid.core.errors import Malformed, NotFound, NotMintable, PithError
from pithid.core.paper import Paper
from pithid.formats.metadata import Entry, Options, arxivraw
from pithid.formats.metadata.xml_document import MAX_ITEM, MAX_NODES, MAX_TOKEN

Write = dict[str, Callable[[Paper], bytes]]
Entries = Callable[..., list[Entry]]
Fault = Callable[..., PithError]
NAME = "arxivraw"
DELETED = b'<record><header status="deleted"><identifier>oai:arXiv.org:2101.99903</identifier></header></record>'


@pytest.fixture
def raw(write: Write, paper: Paper) -> bytes:
    """A good record."""
    return write[NAME](paper)


def oai(*records: bytes, verb: bytes = b"ListRecords") -> bytes:
    """Write a response that holds records."""
    body = b"\n".join(records)
    return (
        b'<?xml version="1.0" encoding="UTF-8"?>\n<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">'
        b"<responseDate>2021-02-03T00:00:00Z</responseDate>\n<%b>\n%b\n"
        b"<resumptionToken>7|1001</resumptionToken></%b></OAI-PMH>\n" % (verb, body, verb)
    )


def record(raw: bytes) -> bytes:
    """Wrap metadata as a record of a response."""
    return b"<record><header><identifier>x</identifier></header><metadata>%b</metadata></record>" % raw


def test_responses_of_several_records_give_each_its_entry(raw: bytes, entries: Entries) -> None:
    """Responses of several records give each its entry."""
    first, deleted, last = entries(oai(record(raw), DELETED, record(raw)))
    assert isinstance(first.content, Paper)
    assert (first.line, first.raw) == (4, record(raw))
    assert isinstance(deleted.content, NotFound)
    assert "deleted" in str(deleted.content)
    assert "2101.99903" in str(deleted.content)
    assert isinstance(last.content, Paper)
    assert last.line == 4 + raw.count(b"\n") + 2


def test_a_single_response_is_read(raw: bytes, entries: Entries) -> None:
    """A single response is read."""
    (entry,) = entries(oai(record(raw), verb=b"GetRecord"))
    assert isinstance(entry.content, Paper)


def test_an_error_answer_names_its_code(fault: Fault) -> None:
    """An error answer names its code."""
    error = fault(b'<OAI-PMH><error code="noRecordsMatch">Nothing\n here</error></OAI-PMH>')
    assert "noRecordsMatch: Nothing here" in str(error)


def test_documents_may_follow_each_other(raw: bytes, entries: Entries) -> None:
    """Documents may follow each other."""
    found = entries(oai(record(raw)) + oai(record(raw)) + raw + raw)
    assert [type(entry.content) for entry in found] == [Paper] * 4
    height = raw.count(b"\n")
    assert [entry.line for entry in found] == [4, 9 + height, 11 + 2 * height, 11 + 3 * height]


def test_records_read_in_any_namespace(raw: bytes, fault: Fault, entries: Entries) -> None:
    """Records read in any namespace."""
    (entry,) = entries(raw.replace(b"http://arxiv.org/OAI/arXivRaw/", b"urn:copy"))
    assert isinstance(entry.content, Paper)
    assert isinstance(fault(raw.replace(b"arXivRaw", b"arXivRow"), NAME), Malformed)


@pytest.mark.parametrize(
    ("metadata", "says"),
    [
        (b'<arXiv xmlns="http://arxiv.org/OAI/arXiv/"><id>2101.99901</id></arXiv>', "without time"),
        (b'<dc xmlns="http://www.openarchives.org/OAI/2.0/oai_dc/"/>', "no licence"),
        (b"<arXivOld/>", "neither time"),
        (b"<marc/>", "marc"),
    ],
)
def test_formats_that_cannot_mint_say_why(fault: Fault, metadata: bytes, says: str) -> None:
    """Formats that cannot mint say why."""
    error = fault(oai(record(metadata)))
    assert isinstance(error, NotMintable)
    assert error.field == "format"
    assert says in str(error)
    assert "metadataPrefix=arXivRaw" in str(error)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (b"<id>2101.99901</id>", b"", "id: there is no element <id>"),
        (b"<title>", b"<title>a</title><title>", "title: there are 2"),
        (b"<abstract>", b"<abstract><p>x</p>", "abstract: holds the markup <p>"),
        (b'version="v1"', b'version="v3"', "version 1 is not listed"),
        (b'version="v1"', b"", "not a version's name"),
        (b" GMT", b"", "no zone"),
        (b"categories>", b"subjects>", "categories: there is no"),
        (b"date>", b"day>", "versions: there is no element <date>"),
    ],
)
def test_a_record_that_lacks_something_names_it(raw: bytes, fault: Fault, old: bytes, new: bytes, says: str) -> None:
    """A record that lacks something names it."""
    assert says in str(fault(raw.replace(old, new)))


def test_a_record_without_metadata_is_an_error(fault: Fault) -> None:
    """A record without metadata is an error."""
    assert "0 metadata elements" in str(fault(oai(b"<record/>")))


def test_an_empty_element_keeps_only_its_own_bytes(entries: Entries) -> None:
    """An empty element keeps only its own bytes."""
    first, second = entries(oai(b"<record/><record></record>"))
    assert (first.raw, second.raw) == (b"<record/>", b"<record></record>")


@pytest.mark.parametrize(
    ("document", "says"),
    [
        (b"<OAI-PMH><ListIdentifiers/></OAI-PMH>", "root is <OAI-PMH>"),
        (b"<html/>", "root is <html>"),
        (b"words", "line 1 column 1"),
        (b'<?xml version="1.0" encoding="latin-1"?><record/>', "encoding"),
        (b"<a>" * 65, "deeper"),
        (b"<a%b/>" % b"".join(b' a%d=""' % n for n in range(65)), "attributes"),
        (b"<record><id>\xff</id></record>", "not well-formed"),
        (b"<oai:record/>", "unbound prefix"),
    ],
)
def test_a_document_that_cannot_be_read_is_one_error(fault: Fault, document: bytes, says: str) -> None:
    """A document that cannot be read is one error."""
    assert says in str(fault(document, NAME))


def test_text_in_utf_16_is_refused() -> None:
    """Text in UTF-16 is refused."""
    (entry,) = arxivraw.read(io.BytesIO("<record/>".encode("utf-16")), Options())
    assert "UTF-16" in str(entry.content)


def test_comments_may_follow_a_document(raw: bytes, entries: Entries) -> None:
    """Comments may follow a document."""
    first, second = entries(raw + b"<!-- one -->\n<?note two?>" + raw + b"\n<!-- last -->\n")
    assert isinstance(first.content, Paper)
    assert isinstance(second.content, Paper)


def test_a_refusal_goes_on_at_the_next_document(raw: bytes, entries: Entries) -> None:
    """A refusal goes on at the next document."""
    deep, after = entries(b"<a>" * 70 + b"</a>" * 70 + b"\n\n<?xml version='1.0'?>\n" + raw, NAME)
    assert "line 1 column 193" in str(deep.content)
    assert isinstance(after.content, Paper)
    assert after.line == 4


def test_malformed_xml_names_line_and_column_and_keeps_what_precedes(raw: bytes, entries: Entries) -> None:
    """Malformed XML names line and column and keeps what precedes."""
    good = record(raw)
    first, broken, after = entries(oai(good, b"<record><header></record>") + oai(good))
    assert isinstance(first.content, Paper)
    assert isinstance(broken.content, Malformed)
    line = 4 + good.count(b"\n") + 1
    assert f"line {line} column 19" in str(broken.content)
    assert broken.line == line
    assert broken.raw.startswith(b"<record><header>")
    assert isinstance(after.content, Paper)


def test_a_document_type_is_refused_before_anything_expands(raw: bytes, entries: Entries) -> None:
    """A document type is refused before anything expands."""
    levels = b"".join(b'<!ENTITY e%d "%b">' % (n, b"&e%d;" % (n - 1) * 10) for n in range(1, 10))
    bomb = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e0 "lol">%b]>\n<record>&e9;</record>' % levels
    started = time.perf_counter()
    error, after = entries(bomb + b'\n<?xml version="1.0"?>\n' + raw, NAME)
    assert time.perf_counter() - started < 1
    assert "document type" in str(error.content)
    assert isinstance(after.content, Paper)
    (external,) = entries(b'<!DOCTYPE record SYSTEM "file:///etc/passwd"><record/>')
    assert "document type" in str(external.content)


@pytest.mark.parametrize(
    "inside", [b"<x>" + b"a" * (MAX_ITEM + 100_000) + b"</x>", b"<a/>" * (MAX_NODES + 1), b"a &lt; " * 800_000]
)
def test_an_item_beyond_the_limits_is_refused_and_the_next_is_read(raw: bytes, entries: Entries, inside: bytes) -> None:
    """An item beyond the limits is refused and the next is read."""
    huge, after = entries(b"<list>\n<record>%b</record>\n%b</list>" % (inside, raw), NAME)
    assert "limits of one item" in str(huge.content)
    assert huge.line == 2
    assert huge.raw.startswith(b"<record><x>aaa" if inside.startswith(b"<x>") else b"<record>")
    assert len(huge.raw) <= 4096
    assert isinstance(after.content, Paper)


@pytest.mark.parametrize("text", [b"word " * 60_000, b"<![CDATA[%b]]>" % (b"word < " * 60_000), b"&amp; " * 60_000])
def test_long_texts_within_the_limits_are_read(raw: bytes, entries: Entries, text: bytes) -> None:
    """Long texts within the limits are read."""
    (entry,) = entries(raw.replace(b"<abstract>", b"<abstract>" + text))
    assert isinstance(entry.content, Paper)
    assert len(entry.content.abstract.split()) >= 60_000
    assert len(entry.raw) > 300_000


def test_a_tag_without_end_is_refused(entries: Entries) -> None:
    """A tag without end is refused."""
    (entry,) = entries(b"<record><a " + b"x" * (2 * MAX_TOKEN), NAME)
    assert "tag or comment" in str(entry.content)


def test_a_stream_that_breaks_is_the_last_entry(raw: bytes) -> None:
    """A stream that breaks is the last entry."""

    class Breaking(io.BytesIO):
        def read1(self, size: int | None = -1, /) -> bytes:
            data = super().read1(size)
            if not data:
                raise OSError("the cable is out")
            return data

    first, broken = arxivraw.read(Breaking(raw), Options())
    assert isinstance(first.content, Paper)
    assert "the cable is out" in str(broken.content)


def test_pieces_of_any_size_give_the_same_entries(raw: bytes) -> None:
    """Pieces of any size give the same entries."""

    class Dripping(io.BytesIO):
        def read1(self, _size: int | None = -1, /) -> bytes:
            return super().read1(7)

    data = oai(record(raw), b"<record/>") + oai(record(raw)) + b"junk" + oai(record(raw))
    whole, pieces = (
        [(entry.line, entry.raw, str(entry.content)) for entry in arxivraw.read(stream, Options())]
        for stream in (io.BytesIO(data), Dripping(data))
    )
    assert len(whole) == 5
    assert pieces == whole
