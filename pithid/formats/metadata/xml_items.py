"""XML cut into its items while it streams: each becomes a small tree, the rest is read past.

Refused: every document type declaration, and so every entity and external reference; other encodings than UTF-8; and
whatever is deeper, wider or longer than the limits of `xml_document`. Several documents may follow each other in one
stream, as in concatenated harvests. After a document that is not well-formed, reading goes on at the next XML
declaration.
"""

import re
from collections.abc import Collection, Generator, Iterator
from typing import BinaryIO
from xml.parsers import expat

from pithid.core.errors import Malformed, PithError
from pithid.formats.metadata.lines import stream_fault
from pithid.formats.metadata.xml_document import Document, Item

_CHUNK = 1 << 14
_BLANKS = b" \t\r\n"
_DECLARATION = re.compile(rb"<\?xml[ \t\r\n]+version[^<>]{1,100}\?>")
_DECLARATION_SIZE = 128
_NO_ELEMENT = expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS]
_CUT_OFF = {_NO_ELEMENT, expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_TOKEN]}


def read_items(stream: BinaryIO, names: Collection[str], may_be_empty: Collection[str] = ()) -> Iterator[Item]:
    """Yield the outermost elements whose local name is in `names`, and an error for whatever cannot be read.

    Args:
        stream: one XML document or several.
        names: local names of items.
        may_be_empty: roots of documents without an item that are no error.
    """
    read = getattr(stream, "read1", stream.read)  # read() would lose what precedes an error of the stream
    scanner = _Scanner(frozenset(names), frozenset(may_be_empty))
    while True:
        try:
            chunk = read(_CHUNK)
        except (PithError, OSError, EOFError) as error:
            yield Item(scanner.line, b"", stream_fault(error))
            return
        yield from scanner.feed(chunk)
        if not chunk:
            return


class _Scanner:
    """Documents one after the other."""

    def __init__(self, names: frozenset[str], may_be_empty: frozenset[str]) -> None:
        self._names, self._may_be_empty = names, may_be_empty
        self._line = 1
        self._document: Document | None = None
        self._searching = False
        self._finished = False
        self._carry = b""

    @property
    def line(self) -> int:
        """Line that reading has come to."""
        return self._line if self._document is None else self._document.line

    def feed(self, chunk: bytes) -> Iterator[Item]:
        """Yield what `chunk` completes; the empty chunk ends the stream."""
        data = chunk
        while True:
            if self._document is None:
                data = self._between(data)
                if not data:
                    return
                self._document = Document(self._names, self._line)
            document = self._document
            try:
                if not document.root and data.startswith((b"\xff\xfe", b"\xfe\xff")):
                    raise Malformed("UTF-16 text; save it as UTF-8")
                document.parse(data, final=not chunk)
            except (expat.ExpatError, PithError) as error:
                yield from self._completed(document)
                if not document.closed:
                    data = yield from self._broken(document, error)
                    continue
            else:
                yield from self._completed(document)
            if not document.closed:
                return
            # Whatever follows the root is read as a document of its own.
            document.release()
            data = document.rest(document.end)
            self._line, self._document, self._finished = document.end_line, None, True

    def _broken(self, document: Document, error: expat.ExpatError | PithError) -> Generator[Item, None, bytes]:
        """Yield the error and give up the document; return the bytes in which to look for the next one."""
        parser = document.parser
        if isinstance(error, PithError):
            at, line = document.refused or (parser.CurrentByteIndex, document.line)
            item = document.broken(line, error)
        else:
            at, line = parser.ErrorByteIndex, self._line + parser.ErrorLineNumber - 1
            item = document.broken(line, _not_well_formed(error, line, parser.ErrorColumnNumber + 1))
        # Comments and blanks may follow the last document.
        if not (self._finished and not document.root and getattr(error, "code", None) == _NO_ELEMENT):
            yield item
        document.release()
        self._line, self._document, self._searching = line, None, True
        return document.rest(at)[at <= 0 :]  # behind a document's first byte, or it would be found again

    def _completed(self, document: Document) -> Iterator[Item]:
        items, document.items = document.items, []
        yield from items
        if document.closed and not document.found and document.root not in self._may_be_empty:
            document.found = 1
            wanted = ", ".join(f"<{name}>" for name in sorted(self._names))
            why = f"nothing to read in this document: its root is <{document.root[:40]}>, expected one of {wanted}"
            yield Item(document.line, b"", Malformed(why))

    def _between(self, data: bytes) -> bytes:
        """Skip to where the next document starts and count the lines on the way; empty when it is not in sight."""
        if not self._searching:
            rest = data.lstrip(_BLANKS)
            self._line += data.count(b"\n", 0, len(data) - len(rest))
            return rest
        data = self._carry + data
        found = _DECLARATION.search(data)
        at = max(0, len(data) - _DECLARATION_SIZE) if found is None else found.start()
        self._line += data.count(b"\n", 0, at)
        self._searching, self._carry = found is None, data[at:] if found is None else b""
        return b"" if found is None else data[at:]


def _not_well_formed(error: expat.ExpatError, line: int, column: int) -> Malformed:
    why = expat.errors.messages.get(error.code, str(error))
    if error.code in _CUT_OFF:
        why = f"{why}: the input ends in the middle of the document"
    return Malformed(f"line {line} column {column}: not well-formed XML: {why}")
