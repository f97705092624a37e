import io
import time

import pytest

from pithid.core.errors import Malformed
from pithid.formats.metadata import READERS, open_entries
from pithid.formats.metadata.detect import EMPTY, NAMES, UnknownFormat, detect


def test_the_names_are_those_of_the_readers() -> None:
    """The names are those of the readers."""
    assert set(NAMES) == set(READERS)


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (b'\n {"id": "2101.99901", "versions": [', "kaggle"),
        (b'{"abstract" : "says \\"canonical_record\\": nothing"}', "kaggle"),
        (b'\xef\xbb\xbf{"categories": "cs.AI"}', "kaggle"),
        (b'{"schema_version":"1.0"}', "canonical"),
        (b'{\n  "bundle_type": "x"', "canonical"),
        (b"<?xml version='1.0'?><!-- <feed> --><OAI-PMH>", "arxivraw"),
        (b"<arXivRaw xmlns='x'>", "arxivraw"),
        (b"<r:record\n>", "arxivraw"),
        (b"<!DOCTYPE a [<!ENTITY b '<feed>'>]><record>", "arxivraw"),
        (b'<feed xmlns="http://www.w3.org/2005/Atom">', "atom"),
        (b"<a:entry/>", "atom"),
        (b"-" * 78 + b"\n\\\\\narXiv:2101.99901\n", "abs"),
        (b"\\\\\r\narXiv:2101.99901\r\n", "abs"),
    ],
)
def test_formats_are_told_by_their_start(head: bytes, name: str) -> None:
    """Formats are told by their start."""
    assert detect(head) == name


@pytest.mark.parametrize(
    ("head", "found"),
    [
        (b"", EMPTY),
        (b" \n\t", EMPTY),
        (b"\xef\xbb\xbf", EMPTY),
        (b"%PDF-1.5\n", "a PDF file"),
        (b"SQLite format 3\0", "an SQLite database"),
        (b"PK\x03\x04", "a zip archive"),
        (b"BZh91AY", "bzip2 data"),
        (b"\xfd7zXZ\0", "xz data"),
        (b"PAR1", "a Parquet file"),
        ("{}".encode("utf-16"), "UTF-16 text"),
        (b"<!DOCTYPE html>\n<head>", "a web page"),
        (b"<HTML>", "a web page"),
        (b"<oai_dc:dc>", "oai_dc"),
        (b"<arXiv>", "the OAI format arXiv"),
        (b"<rss version='2.0'>", "an RSS news feed"),
        (b"<svg/>", "XML"),
        (b"<", "XML"),
        (b"% a comment\n@misc{a2021, title={x}}", "BibTeX"),
        (b"TY  - GEN\nTI  - x\n", "RIS"),
        (b'id,title,"abstract"\n2101.99901,x,y\n', "a table (CSV or TSV)"),
        (b"id\ttitle\n", "a table (CSV or TSV)"),
        (b'{"paper": 1}', "JSON"),
        (b"[1]", "JSON"),
        (b"Dear reader!", "'Dear reader!'"),
        (b"\0\1\2", "'\\x00\\x01\\x02'"),
    ],
)
def test_what_is_something_else_is_named_with_the_formats_read(head: bytes, found: str) -> None:
    """What is something else is named with the formats read."""
    with pytest.raises(UnknownFormat) as raised:
        detect(head)
    assert raised.value.found == found
    assert all(name in str(raised.value) for name in NAMES)


@pytest.mark.parametrize("piece", [b"\n", b"<!--", b"<!DOCTYPE ", b"a,", b"a ", b'{"', b"@a", b"<a", b"-", b" <?"])
def test_hostile_starts_take_no_time(piece: bytes) -> None:
    """Hostile starts take no time."""
    head = b"x" * (piece in {b"\n", b"a "}) + piece * (65_536 // len(piece))
    started = time.perf_counter()
    with pytest.raises(UnknownFormat):
        detect(head)
    assert time.perf_counter() - started < 1


def test_a_named_format_is_not_looked_for_but_a_binary_file_is_refused() -> None:
    """A named format is not looked for but a binary file is refused."""
    assert list(open_entries(io.BytesIO(b" \n"), name="kaggle")) == []
    with pytest.raises(UnknownFormat, match="unzip"):
        open_entries(io.BytesIO(b"PK\x03\x04"), name="kaggle")


def test_an_unknown_name_lists_the_known_ones() -> None:
    """An unknown name lists the known ones."""
    with pytest.raises(Malformed, match="kaggle, arxivraw, abs, atom, canonical"):
        open_entries(io.BytesIO(b""), name="bibtex")
