"""Atom feeds of arXiv's query interface.

Source: docs/formats.md. They carry all that is hashed except the licence, which a caller must know. Classes of
mathematics (MSC) and computing (ACM) come as categories too and are left out by arXiv's own taxonomy.
"""

import re
from collections.abc import Iterator
from typing import BinaryIO

from pithid.core.errors import Malformed, NotMintable, PithError
from pithid.core.paper import Caution, Paper
from pithid.formats.metadata.dates import from_iso
from pithid.formats.metadata.model import Entry, Options
from pithid.formats.metadata.nodes import Node
from pithid.formats.metadata.taxonomy import CATEGORIES, looks_like_category
from pithid.formats.metadata.xml_items import read_items

_ID = re.compile(r"https?://(?:[a-z]+\.)?arxiv\.org/abs/(.+)")
_VERSION = re.compile(r"(.+)v([1-9][0-9]{0,3})")


def read(stream: BinaryIO, options: Options) -> Iterator[Entry]:
    """Yield an entry for every entry of the feed; a feed without any yields nothing."""
    for item in read_items(stream, {"entry"}, may_be_empty={"feed"}):
        if isinstance(item.content, PithError):
            yield Entry(item.line, item.raw, item.content)
            continue
        try:
            paper, cautions = _paper(item.content, options)
        except PithError as error:
            yield Entry(item.line, item.raw, error)
        else:
            yield Entry(item.line, item.raw, paper, cautions)


def _paper(entry: Node, options: Options) -> tuple[Paper, tuple[Caution, ...]]:
    _check_kind(entry)
    arxiv, version = _identifier(entry)
    categories, cautions = _categories(entry)
    if options.license is None:
        raise NotMintable("license", "Atom carries no licence; give it with --license URL")
    authors = ((author.plain("name") or "").strip() for author in entry.all("author"))
    dois = (doi.text.strip() for doi in entry.all("doi"))
    paper = Paper(
        arxiv=arxiv,
        version=version,
        title=_text(entry, "title"),
        abstract=_text(entry, "summary"),
        categories=categories,
        submitted_at=from_iso(entry.need("published", "submitted_at")),
        license=options.license,
        authors=", ".join(name for name in authors if name),
        dois=tuple(doi for doi in dois if doi),
    )
    return paper, cautions


def _check_kind(entry: Node) -> None:
    """Refuse error reports, and entries of the news feeds, whose times are those of a mailing."""
    identifier, title = (entry.plain("id") or "").strip(), (entry.plain("title") or "").strip()
    # A paper may be titled "Error": it then has the identifier of a paper.
    if "/api/errors" in identifier or (title == "Error" and _ID.fullmatch(identifier) is None):
        summary = " ".join((entry.plain("summary") or "without a reason").split())
        raise Malformed(f"arXiv answered with an error: {summary[:400]}")
    if identifier.startswith("oai:") or entry.all("announce_type"):
        why = "an entry of a news feed, whose time is that of the mailing; ask the query interface for this paper"
        raise NotMintable("submitted_at", why)


def _identifier(entry: Node) -> tuple[str, int]:
    text = entry.need("id", "id").strip()
    address = _ID.fullmatch(text)
    if address is None:
        raise NotMintable("id", f"{text[:80]!r} is not the address of an arXiv abstract")
    parts = _VERSION.fullmatch(address[1])
    if parts is None:
        raise NotMintable("version", f"{text[:80]!r} names no version")
    return parts[1], int(parts[2])


def _categories(entry: Node) -> tuple[str, tuple[Caution, ...]]:
    """Return the categories, the primary first, without classes of other schemes."""
    primary = entry.only("primary_category")
    if primary is None or not (first := primary.attributes.get("term", "").strip()):
        raise NotMintable("categories", "there is no <primary_category> with a term")
    found, cautions = [first], []
    for node in entry.all("category"):
        term = node.attributes.get("term", "").strip()
        if term in CATEGORIES:
            found.append(term)
        elif looks_like_category(term):
            # Left out it would surely give another number if arXiv has added it since.
            found.append(term)
            why = f"the category {term[:40]!r} is not in the taxonomy known here: the number may differ"
            cautions.append(Caution("unknown-category", why))
    return " ".join(found), tuple(cautions)


def _text(entry: Node, name: str) -> str:
    node = entry.only(name)
    kind = "text" if node is None else node.attributes.get("type", "text")
    if kind != "text":
        raise NotMintable(name, f"of type {kind[:20]!r}, so it is not arXiv's own text")
    return entry.need(name, "abstract" if name == "summary" else name)
