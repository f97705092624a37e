"""One XML document, parsed piece by piece into the items it holds, within limits.

Expat does the parsing; the limits are far above all that arXiv sends.
"""

from typing import NamedTuple, NoReturn
from xml.parsers import expat

from pithid.core.errors import Malformed, PithError
from pithid.formats.metadata.lines import KEPT
from pithid.formats.metadata.nodes import Node

MAX_DEPTH = 64
MAX_ATTRIBUTES = 64
MAX_TOKEN = 1 << 16
"""Bytes of one tag or comment, which expat keeps whole and scans again with every piece."""
MAX_ITEM = 4 << 20
"""Bytes of one item. The largest real ones hold some thousand authors."""
MAX_NODES = 50_000
"""Elements of one item: the cost of many empty ones is not in their bytes."""


class Item(NamedTuple):
    """One item, or what went wrong.

    Attributes:
        line: line it starts at, from 1 over the whole stream.
        raw: its own bytes, only the first ones when it is too long.
        content: its tree, or the error.
    """

    line: int
    raw: bytes
    content: Node | PithError


class _Open:
    """An element whose end has not come yet."""

    __slots__ = ("attributes", "children", "name", "namespace", "text")

    def __init__(self, name: str, namespace: str, attributes: dict[str, str]) -> None:
        self.name, self.namespace, self.attributes = name, namespace, attributes
        self.text: list[str] = []
        self.children: list[Node] = []

    def close(self) -> Node:
        return Node(self.name, self.namespace, self.attributes, "".join(self.text), tuple(self.children))


class Document:
    """One document: a parser, its handlers and the bytes that are still needed for `Item.raw`."""

    def __init__(self, names: frozenset[str], line: int) -> None:
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.XmlDeclHandler = self._declaration
        self.root = ""
        self.refused: tuple[int, int] | None = None
        self.end = -1
        self.end_line = line
        self.items: list[Item] = []
        self.found = 0
        self._names = names
        self._first_line = line
        self._depth = 0
        self._bare = False
        self._stack: list[_Open] = []
        self._window = bytearray()
        self._window_at = 0
        self._item_line = 0
        self._item_at = -1
        self._nodes = 0
        self._kept: bytes | None = None

    def parse(self, data: bytes, *, final: bool) -> None:
        """Feed bytes; completed items are in `items`."""
        self._window += data
        self.parser.Parse(data, final)
        fed = self._window_at + len(self._window)
        if fed - self.parser.CurrentByteIndex > MAX_TOKEN:
            raise Malformed(f"a tag or comment of more than {MAX_TOKEN} bytes")
        if self._stack and self._kept is None and fed - self._item_at > MAX_ITEM:
            self._give_up()
        if self.closed:
            needed = self.end
        else:
            needed = self._item_at if self._stack and self._kept is None else self.parser.CurrentByteIndex
        del self._window[: max(0, needed - self._window_at)]
        self._window_at = max(self._window_at, needed)

    def release(self) -> None:
        """Let go of the parser's handlers, whose cycle would keep every document in memory for long."""
        self.parser.StartElementHandler = self.parser.EndElementHandler = self.parser.CharacterDataHandler = None
        self.parser.StartDoctypeDeclHandler = self.parser.XmlDeclHandler = None

    @property
    def closed(self) -> bool:
        """Whether the root's end, at `end` and in line `end_line`, has been read."""
        return self.end >= 0

    @property
    def line(self) -> int:
        """Line of the whole stream that parsing has come to."""
        return self._first_line + self.parser.CurrentLineNumber - 1

    def rest(self, index: int) -> bytes:
        """Return the bytes fed so far from `index` of the document on."""
        return bytes(self._window[max(0, index - self._window_at) :])

    def broken(self, line: int, why: PithError) -> Item:
        """Return the item that an error in `line` cut short, or the error alone."""
        if not self._stack:
            return Item(line, b"", why)
        raw = self._window[max(0, self._item_at - self._window_at) :] if self._kept is None else self._kept
        return Item(self._item_line, bytes(raw[:KEPT]), why)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        self._bare = True
        namespace, _, local = name.rpartition(" ")
        if self._depth > MAX_DEPTH:
            self._refuse(f"elements nest deeper than {MAX_DEPTH} levels")
        if len(attributes) > MAX_ATTRIBUTES:
            self._refuse(f"<{local[:40]}> has more than {MAX_ATTRIBUTES} attributes")
        if self._depth == 1:
            self.root = local
        if not self._stack:
            if local not in self._names:
                return
            self._item_line, self._item_at = self.line, self.parser.CurrentByteIndex
            self._nodes, self._kept = 0, None
        self._nodes += 1
        if self._nodes > MAX_NODES and self._kept is None:
            self._give_up()
        plain = {key.rpartition(" ")[2]: value for key, value in attributes.items()}
        self._stack.append(_Open(local, namespace, plain if self._kept is None else {}))

    def _text(self, data: str) -> None:
        self._bare = False
        if self._stack and self._kept is None:
            self._stack[-1].text.append(data)

    def _end(self, _name: str) -> None:
        self._depth -= 1
        end = self._tag_end()
        self._bare = False
        if self._depth == 0:
            self.end = end
            start = self.parser.CurrentByteIndex - self._window_at
            self.end_line = self.line + self._window.count(b"\n", start, end - self._window_at)
        if not self._stack:
            return
        element = self._stack.pop()
        if self._stack:
            if self._kept is None:
                self._stack[-1].children.append(element.close())
            return
        self.found += 1
        if self._kept is None:
            raw = bytes(self._window[self._item_at - self._window_at : end - self._window_at])
            self.items.append(Item(self._item_line, raw, element.close()))
        else:
            why = Malformed(f"longer than {MAX_ITEM} bytes or {MAX_NODES} elements, the limits of one item")
            self.items.append(Item(self._item_line, self._kept, why))
        self._kept = None

    def _tag_end(self) -> int:
        """Return where the tag ends whose element is ending."""
        at = self.parser.CurrentByteIndex - self._window_at
        # Expat is at the start of an end tag here, but behind an element such as <record/>.
        if not (self._bare and self._window.endswith(b"/>", max(0, at - 2), at)):
            at = self._window.index(b">", at) + 1
        return at + self._window_at

    def _give_up(self) -> None:
        """Forget the contents of an item that is too long; its end is still looked for."""
        self._kept = self.rest(self._item_at)[:KEPT]
        for element in self._stack:
            element.text.clear()
            element.children.clear()
            element.attributes = {}

    def _doctype(self, *_: object) -> None:
        self._refuse("a document type declaration, which can define entities, is refused")

    def _declaration(self, _version: str, encoding: str | None, _standalone: int) -> None:
        if encoding is not None and encoding.lower() not in {"utf-8", "us-ascii", "ascii"}:
            self._refuse(f"the encoding {encoding[:40]!r}; save it as UTF-8")

    def _refuse(self, why: str) -> NoReturn:
        # Expat reads on to the end of its buffer, without handlers, so the place must be kept.
        self.refused = self.parser.CurrentByteIndex, self.line
        raise Malformed(f"line {self.line} column {self.parser.CurrentColumnNumber + 1}: {why}")
