r"""`.abs` files, arXiv's own records of papers, one or many in a stream.

Source: docs/formats.md. Three lines of two backslashes enclose the header and the abstract; a line of dashes may
precede each record. Nothing here guesses where a damaged record ends: what does not belong makes it an error.
"""

import re
from collections.abc import Iterator
from typing import BinaryIO

from pithid.core.errors import InvalidDocument, Malformed, NotMintable, PithError
from pithid.core.paper import Paper
from pithid.formats.metadata.lines import KEPT, read_lines
from pithid.formats.metadata.model import Entry, Options
from pithid.formats.metadata.versions import latest_and_first

MAX_LINE = 1 << 20
MAX_ITEM = 4 << 20

_RULE = re.compile(rb"-{20,}\s*")
_MARK = re.compile(rb"\\\\(?:[ ]+\([^\n]*\)[ ]*)?\s*")
r"""Two backslashes; in mailings the last ones are followed by the paper's address in brackets."""
_FIELD = re.compile(r"([A-Za-z][A-Za-z-]*)(?:[ ]+\(([^)]*)\))?:[ \t]*(.*)")
_REVISED = re.compile(r"revised (v[0-9]+)")
_SIZE = re.compile(r"\s*\([^()]*\)\s*")
"""Size and flags after a date, such as `(9kb)` or `(0kb,I)`."""


def read(stream: BinaryIO, options: Options) -> Iterator[Entry]:
    """Yield an entry for every record, and one for every stretch of text that is in none."""
    del options
    for item in _records(stream):
        content = item.content()
        yield Entry(item.line, bytes(item.raw).strip(b"\r\n"), content)


class _Record:
    """The lines of one record, or of a text outside all records."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.raw = bytearray()
        self.marks = 0
        self._parts: list[list[bytes]] = [[], [], [], []]
        self._size = 0
        self._fault: PithError | None = None

    def add(self, data: bytes) -> None:
        """Append a line, separators included."""
        self._size += len(data)
        if self._size > MAX_ITEM:
            del self.raw[KEPT:]
            self._parts = [[], [], [], []]
            self._fault = self._fault or Malformed(f"longer than {MAX_ITEM} bytes, the limit of one record")
            return
        self.raw += data
        if _MARK.fullmatch(data):
            self.marks += 1
        else:
            self._parts[self.marks].append(data)

    def spoil(self, fault: PithError) -> None:
        """Make the record an error."""
        self._fault = self._fault or fault

    def content(self) -> Paper | PithError:
        """Read the record."""
        try:
            return self._paper()
        except PithError as error:
            return error

    def _paper(self) -> Paper:
        if self._fault is not None:
            raise self._fault
        if self.marks == 0:
            raise Malformed("text that is in no record; a record starts with a line of two backslashes")
        if self.marks < 3:
            raise Malformed(f"the record has {self.marks} of the 3 lines of two backslashes that enclose its parts")
        if any(not line.isspace() for line in self._parts[3]):
            raise Malformed("text after the abstract's end, so where the abstract ends is unclear")
        return _paper(_header(_decode(self._parts[1])), _decode(self._parts[2]))


def _records(stream: BinaryIO) -> Iterator[_Record]:
    """Cut the stream at the lines of dashes that precede a record, and where a record follows at once."""
    record: _Record | None = None
    rule: bytes | None = None
    for number, data, fault in read_lines(stream, MAX_LINE):
        mark = fault is None and _MARK.fullmatch(data) is not None
        if record is not None and mark and (rule is not None or record.marks in {0, 3}):
            yield record
            record, rule = None, None
        if record is not None and record.marks == 3 and not data.isspace() and (rule is not None or not data):
            yield record  # what follows is a text of its own, or the place where the stream broke
            record, rule = None, None
        if rule is not None and record is not None and not data.isspace():
            record.add(rule)  # dashes that no record follows are text
            rule = None
        if fault is None and _RULE.fullmatch(data):
            rule = data
            continue
        if record is None:
            if data.isspace():
                continue
            record, rule = _Record(number), None
        record.add(data)
        if fault is not None:
            record.spoil(fault)
    if record is not None:
        yield record


def _decode(lines: list[bytes]) -> str:
    data = b"".join(lines)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        why = f"the byte 0x{data[error.start]:02x} is not UTF-8; a text in Latin-1 would hash to another number"
        before = data[max(0, error.start - 20) : error.start].decode("utf-8", "replace")
        raise InvalidDocument("not-utf8", f"the place after {before!r}", why) from None


def _header(text: str) -> list[tuple[str, str, str]]:
    """Return name in lower case, bracketed remark and value of each field; continuation lines are joined by newline."""
    fields: list[tuple[str, str, str]] = []
    for line in text.split("\n"):
        if not line.strip():
            continue
        if line[0] in " \t":
            if not fields:
                raise Malformed(f"the header starts with a continuation line: {line[:60]!r}")
            name, remark, value = fields[-1]
            fields[-1] = name, remark, f"{value}\n{line}"
        elif (match := _FIELD.fullmatch(line.rstrip("\r"))) is not None:
            fields.append((match[1].lower(), match[2] or "", match[3]))
        else:
            raise Malformed(f"neither a field nor its continuation, which starts with blanks: {line[:60]!r}")
    return fields


def _paper(fields: list[tuple[str, str, str]], abstract: str) -> Paper:
    values: dict[str, str] = {}
    dates: list[tuple[str, str]] = []
    for name, remark, value in fields:
        if name == "date":
            dates.append((_version(remark), _SIZE.sub("", value)))
        elif name in values:
            raise NotMintable(name, "the field occurs twice")
        else:
            values[name] = value
    version, submitted_at = latest_and_first(dates)
    doi = values.get("doi", "").strip()
    return Paper(
        arxiv=_need(values, "arXiv", "Paper", field="id").strip(),
        version=version,
        title=_need(values, "Title", field="title"),
        abstract=abstract,
        categories=_need(values, "Categories", field="categories"),
        submitted_at=submitted_at,
        license=values.get("license", "").strip(),
        authors=" ".join(values.get("authors", values.get("author", "")).split()),
        dois=(doi,) if doi else (),
    )


def _version(remark: str) -> str:
    if not remark:
        return "v1"
    match = _REVISED.fullmatch(remark)
    if match is None:
        raise NotMintable("versions", f"a date of '{remark[:40]}', expected 'revised v2' or the like")
    return match[1]


def _need(values: dict[str, str], *names: str, field: str) -> str:
    for name in names:
        if name.lower() in values:
            return values[name.lower()]
    raise NotMintable(field, f"there is no line '{names[0]}:'; files of old versions may lack it")
