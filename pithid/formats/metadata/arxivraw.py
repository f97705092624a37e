"""arXivRaw, the harvesting format of arXiv that keeps TeX: single records and OAI-PMH responses.

Source: docs/formats.md. Elements are told by local name, so that records in a stripped or misspelled namespace still
read. The formats `arXiv` and `oai_dc` of the same service cannot mint: they convert TeX to Unicode and lack the time.
"""

from collections.abc import Iterator
from typing import BinaryIO

from pithid.core.errors import Malformed, NotFound, NotMintable, PithError
from pithid.core.paper import Paper
from pithid.formats.metadata.model import Entry, Options
from pithid.formats.metadata.nodes import Node
from pithid.formats.metadata.versions import latest_and_first
from pithid.formats.metadata.xml_items import read_items

NOT_MINTABLE = {
    "arXiv": "the format arXiv gives days without time and text converted to Unicode",
    "arXivOld": "the format arXivOld gives neither time nor version",
    "dc": "the format oai_dc gives no licence, no version and no time, and text converted to Unicode",
}
"""Metadata formats of the same service that cannot mint, by root element, and why."""

_NAMES = frozenset({"record", "arXivRaw", "error", *NOT_MINTABLE})


def read(stream: BinaryIO, options: Options) -> Iterator[Entry]:
    """Yield an entry for every record, deleted ones and error answers included."""
    del options
    for item in read_items(stream, _NAMES):
        content = item.content if isinstance(item.content, PithError) else _content(item.content)
        yield Entry(item.line, item.raw, content)


def _content(item: Node) -> Paper | PithError:
    try:
        if item.name == "error":
            code, text = item.attributes.get("code", "without a code"), " ".join(item.text.split())
            return Malformed(f"the server answered with the error {code[:80]}: {text[:400]}")
        return _paper(_metadata(item))
    except PithError as error:
        return error


def _metadata(item: Node) -> Node:
    """Find the arXivRaw element in a record."""
    if item.name != "record":
        return _mintable(item)
    for header in item.all("header"):
        if header.attributes.get("status") == "deleted":
            identifier = (header.plain("identifier") or "without an identifier").strip()
            raise NotFound(f"the record {identifier[:80]} is marked as deleted and has no metadata")
    inner = [child for metadata in item.all("metadata") for child in metadata.children]
    inner += [child for child in item.children if child.name == "arXivRaw"]
    if len(inner) != 1:
        raise Malformed(f"a record with {len(inner)} metadata elements where one is expected")
    return _mintable(inner[0])


def _mintable(node: Node) -> Node:
    if node.name == "arXivRaw":
        return node
    why = NOT_MINTABLE.get(node.name, f"<{node.name[:40]}> is no metadata format known here")
    raise NotMintable("format", f"{why}; harvest again with metadataPrefix=arXivRaw")


def _paper(node: Node) -> Paper:
    versions = ((one.attributes.get("version", ""), one.need("date", "versions")) for one in node.all("version"))
    version, submitted_at = latest_and_first(versions)
    doi = (node.plain("doi") or "").strip()
    return Paper(
        arxiv=node.need("id", "id").strip(),
        version=version,
        title=node.need("title", "title"),
        abstract=node.need("abstract", "abstract"),
        categories=node.need("categories", "categories"),
        submitted_at=submitted_at,
        license=(node.plain("license") or "").strip(),
        authors=" ".join((node.plain("authors") or "").split()),
        dois=(doi,) if doi else (),
    )
