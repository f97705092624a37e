"""Ready-made canonical records: bare, in the registry's record documents and bundles, or in lines of an export.

Source: docs/protocol.md sections 3, 11 and 12. What a document states about its record is handed on, not believed.
"""

import re
from collections.abc import Iterator
from typing import BinaryIO

from pithid.core.canonical import MAX_BYTES, Json, load
from pithid.core.errors import InvalidDocument, PithError
from pithid.core.records import CanonicalRecord
from pithid.formats.metadata.lines import KEPT, read_lines
from pithid.formats.metadata.model import Entry, Options, Stated

_TYPES = {"record_type": "pith_number_record", "bundle_type": "pith_open_graph_bundle"}
"""Members that name a document's type, and the one value known of each."""

_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:"|\\?$)')
_CLOSED = re.compile(rb"\{.*\}\s*", re.DOTALL)


def read(stream: BinaryIO, options: Options) -> Iterator[Entry]:
    """Yield an entry for every document: one a line, or laid out over several lines."""
    del options
    for number, data, fault in _documents(stream):
        yield Entry(number, data, _content(data) if fault is None else fault)


def _documents(stream: BinaryIO) -> Iterator[tuple[int, bytes, PithError | None]]:
    """Cut the stream into documents.

    A line that opens more braces than it closes starts a document of several lines, which ends where they balance. A
    whole object alone on a line inside of it shows that it was a damaged line among others, and not such a start.
    """
    pending = _Pending()
    for number, data, fault in read_lines(stream, MAX_BYTES):
        if fault is not None:
            yield from pending.take()
            yield number, data, fault
        elif not pending:
            if data.isspace():
                continue
            if data.startswith(b"{") and _CLOSED.fullmatch(data) is None and _open_braces(data) > 0:
                pending.start(number, data)
            else:
                yield number, data.strip(b"\r\n"), None
        elif data.startswith(b"{") and _CLOSED.fullmatch(data) is not None and _open_braces(data) == 0:
            yield from pending.take()
            yield number, data.strip(b"\r\n"), None
        elif pending.add(data):
            yield from pending.take()
    yield from pending.take()


class _Pending:
    """A document of several lines that is not complete yet."""

    def __init__(self) -> None:
        self._number = 0
        self._data = bytearray()
        self._size = 0
        self._depth = 0

    def __bool__(self) -> bool:
        return self._number > 0

    def start(self, number: int, data: bytes) -> None:
        self._number, self._depth, self._size = number, 0, 0
        self.add(data)

    def add(self, data: bytes) -> bool:
        """Append a line; return whether it completes the document."""
        self._size += len(data)
        self._depth += _open_braces(data)
        if self._size <= MAX_BYTES:
            self._data += data
        else:
            del self._data[KEPT:]
        return self._depth <= 0

    def take(self) -> Iterator[tuple[int, bytes, PithError | None]]:
        """Yield the document, if there is one, and forget it."""
        if not self:
            return
        fault = None
        if self._size > MAX_BYTES:
            fault = InvalidDocument("too-large", "$", f"{self._size} bytes, the limit is {MAX_BYTES}")
        number, data = self._number, bytes(self._data).strip(b"\r\n")
        self._number, self._data = 0, bytearray()
        yield number, data, fault


def _open_braces(line: bytes) -> int:
    """Return how many braces and brackets a line opens and leaves open; those in strings do not count."""
    bare = _STRING.sub(b"", line)
    return bare.count(b"{") + bare.count(b"[") - bare.count(b"}") - bare.count(b"]")


def _content(data: bytes) -> Stated | PithError:
    try:
        return _stated(load(data))
    except PithError as error:
        return error


def _stated(value: Json) -> Stated:
    if isinstance(value, list):
        raise InvalidDocument("type", "$", "an array where one object a line is expected (jq -c '.[]' makes those)")
    if not isinstance(value, dict):
        raise InvalidDocument("type", "$", "expected an object")
    for name, known in _TYPES.items():
        if name in value and value[name] != known:
            raise InvalidDocument("type", f"$.{name}", f"expected {known!r}")
    if "canonical_record" not in value:
        return Stated(CanonicalRecord.from_json(value))
    paper = _paper(value)
    return Stated(
        record=CanonicalRecord.from_json(value["canonical_record"]),
        number=_optional_text(value, "pith_number"),
        sha256=_optional_text(value, "canonical_sha256"),
        title=_shown(paper, "title") or _shown(value, "title"),
        authors=_shown(paper, "authors_text") or _shown(value, "authors"),
        aliases=(*_aliases(value, "aliases"), *_aliases(value, "source_aliases")),
        computed=value.get("provenance") == ["computed"],
        dois=_texts(value, "linked_dois"),
        bundle=value if "bundle_type" in value else None,
    )


def _paper(value: dict[str, Json]) -> Json:
    """Return the display part of a record document, or that of a bundle's latest graph snapshot."""
    if isinstance(value.get("paper"), dict):
        return value["paper"]
    events = value.get("events")
    for event in reversed(events if isinstance(events, list) else []):
        if isinstance(event, dict) and event.get("event_type") == "graph_snapshot":
            paper = _member(_member(event.get("payload"), "graph_snapshot"), "paper")
            if paper is not None:
                return paper
    return None


def _aliases(value: dict[str, Json], name: str) -> tuple[tuple[str, str], ...]:
    rows = value.get(name)
    if rows is None:
        return ()
    if isinstance(rows, dict) and name == "aliases":  # the short form that minting prints
        rows = [{"alias_kind": kind, "alias_value": text} for kind, text in rows.items()]
    if not isinstance(rows, list):
        raise InvalidDocument("type", f"$.{name}", "expected a list")
    found: list[tuple[str, str]] = []
    for index, row in enumerate(rows):
        kind, text = _member(row, "alias_kind"), _member(row, "alias_value")
        if not isinstance(kind, str) or not isinstance(text, str):
            raise InvalidDocument("type", f"$.{name}[{index}]", "expected the texts 'alias_kind' and 'alias_value'")
        found.append((kind, text))
    return tuple(found)


def _texts(value: dict[str, Json], name: str) -> tuple[str, ...]:
    texts = value.get(name, [])
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise InvalidDocument("type", f"$.{name}", "expected a list of texts")
    return tuple(str(text) for text in texts)


def _optional_text(value: dict[str, Json], name: str) -> str | None:
    text = value.get(name)
    if text is not None and not isinstance(text, str):
        raise InvalidDocument("type", f"$.{name}", "expected a text")
    return text


def _shown(value: Json, name: str) -> str:
    """Return a text that is only shown; another type shows nothing."""
    text = _member(value, name)
    return text if isinstance(text, str) else ""


def _member(value: Json, name: str) -> Json:
    return value.get(name) if isinstance(value, dict) else None
