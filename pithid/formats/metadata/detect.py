"""Which metadata format an input has, told by its first bytes; what is something else is named with what to do."""

import re
from collections.abc import Iterator

from pithid.core.errors import Malformed

NAMES = ("kaggle", "arxivraw", "abs", "atom", "canonical")
"""Formats that can be read, the most frequent first."""

HEAD = 1 << 16
"""Bytes that are enough to tell: the longest real prologue and first line by far."""

EMPTY = "empty"
"""`UnknownFormat.found` of an input without content."""

_BINARY = (
    (b"%PDF-", "a PDF file", "metadata is needed, not the paper"),
    (b"SQLite format 3\0", "an SQLite database", "open it as an index, or export its rows"),
    (b"PK\x03\x04", "a zip archive", "unpack it first, for example with unzip -p"),
    (b"BZh", "bzip2 data", "unpack it first with bunzip2"),
    (b"\xfd7zXZ\0", "xz data", "unpack it first with unxz"),
    (b"PAR1", "a Parquet file", "convert it to JSON lines with all its fields"),
    (b"\xff\xfe", "UTF-16 text", "save it as UTF-8"),
    (b"\xfe\xff", "UTF-16 text", "save it as UTF-8"),
)
_XML = {
    "OAI-PMH": "arxivraw",
    "ListRecords": "arxivraw",
    "GetRecord": "arxivraw",
    "record": "arxivraw",
    "metadata": "arxivraw",
    "arXivRaw": "arxivraw",
    "feed": "atom",
    "entry": "atom",
}
_OTHER_XML = {
    "dc": ("oai_dc", "it lacks licence, version and time; harvest with metadataPrefix=arXivRaw"),
    "arXiv": ("the OAI format arXiv", "it lacks the time; harvest with metadataPrefix=arXivRaw"),
    "arXivOld": ("the OAI format arXivOld", "it lacks time and version; harvest with metadataPrefix=arXivRaw"),
    "rss": ("an RSS news feed", "its times are those of the mailing; ask arXiv's query interface for the papers"),
    "RDF": ("an RSS news feed", "its times are those of the mailing; ask arXiv's query interface for the papers"),
    "html": ("a web page", "save the metadata itself, not the page that shows it"),
}
_LISTS = "it is a list of papers, not their metadata; join it by identifier with a file that has all fields"
_TEXTS = (
    (re.compile(rb"^[ \t]*@[A-Za-z]+[ \t]*[{(]", re.MULTILINE), "BibTeX"),
    (re.compile(rb"^TY  - ", re.MULTILINE), "RIS"),
    (re.compile(rb"\A[\w .\"-]{1,80}(?:[,;\t][\w .\"-]{0,80})+\r?$", re.MULTILINE), "a table (CSV or TSV)"),
)
_PROLOGUE = 1 << 13
"""Bytes in which an XML root must start; few, as comments that never end cost the square of it."""
_ELEMENT = re.compile(rb"<(?:[A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)[\s/>]")
_ASIDE = re.compile(rb"<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[>]*(?:\[.*?\]\s*)?>", re.DOTALL)
_HTML = re.compile(rb"<(?:!doctype\s+)?html[\s>]", re.IGNORECASE)
_ABS = re.compile(rb"(?:-{20,}\s*\n)?\\\\[ \t\r]*\n")
_CANONICAL_MEMBERS = ("canonical_record", "schema_version", "record_type", "bundle_type")
_KAGGLE_MEMBERS = ("versions", "categories", "abstract", "authors_parsed")


class UnknownFormat(Malformed):
    """The input is in none of the formats that can be read; `found` names what it looks like."""

    code = "unknown-format"

    def __init__(self, found: str, why: str) -> None:
        super().__init__(f"{found}: {why}. Formats read: {', '.join(NAMES)}")
        self.found, self.why = found, why


def detect(head: bytes) -> str:
    """Return the name of the format that `head` starts.

    Args:
        head: the first bytes of the input, some tens of thousands if it has as many.

    Raises:
        UnknownFormat: it is something else, or empty.

    >>> detect(b'{"id": "2101.99901", "versions": []}')
    'kaggle'
    """
    refuse_binary(head)
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not text:
        raise UnknownFormat(EMPTY, "the input holds nothing to read")
    if text.startswith(b"<"):
        return _xml(text)
    if text.startswith((b"{", b"[")):
        return _json(text)
    if _ABS.match(text) is not None:
        return "abs"
    for pattern, found in _TEXTS:
        if pattern.search(text) is not None:
            raise UnknownFormat(found, _LISTS)
    raise UnknownFormat(repr(text[:20].decode("utf-8", "replace")), "the start of the input is in no format known here")


def refuse_binary(head: bytes) -> None:
    """Refuse what is no text at all, also where the format has been named.

    Raises:
        UnknownFormat: a binary file of a known kind.
    """
    for magic, found, why in _BINARY:
        if head.startswith(magic):
            raise UnknownFormat(found, why)


def _json(text: bytes) -> str:
    if any(_member(text, _CANONICAL_MEMBERS)):
        return "canonical"
    if any(_member(text, _KAGGLE_MEMBERS)):
        return "kaggle"
    raise UnknownFormat("JSON", "with the members of no format known here")


def _member(text: bytes, names: tuple[str, ...]) -> Iterator[bool]:
    """Tell of each name whether it is a member's; in a text within JSON its quotes would be escaped."""
    return (re.search(rb'(?<!\\)"%s"\s*:' % name.encode(), text) is not None for name in names)


def _xml(text: bytes) -> str:
    root = _ELEMENT.search(_ASIDE.sub(b"", text[:_PROLOGUE]))
    name = "" if root is None else root[1].decode("ascii", "replace")
    if _HTML.match(text) is not None or name.lower() == "html":
        name = "html"
    if name in _XML:
        return _XML[name]
    if name in _OTHER_XML:
        raise UnknownFormat(*_OTHER_XML[name])
    raise UnknownFormat("XML", f"the root <{name[:40]}> is none of {', '.join(sorted(_XML))}")
