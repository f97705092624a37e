"""Lines of the arXiv metadata snapshot that Kaggle and Google distribute: one JSON object a line.

Source: docs/formats.md. Strict, as copies in tables lose or convert what is hashed: a number as identifier and a
missing member are errors that name the likely cause.
"""

import re
from collections.abc import Iterator
from typing import BinaryIO

from pithid.core.canonical import Json, load
from pithid.core.errors import InvalidDocument, NotMintable, PithError
from pithid.core.paper import Caution, Paper
from pithid.formats.metadata.lines import read_lines
from pithid.formats.metadata.model import Entry, Options
from pithid.formats.metadata.versions import latest_and_first

MAX_LINE = 4 << 20
"""Longest line read: twenty times the longest one of the snapshot."""

_FLOATED = re.compile(r"[0-9]{1,3}\.[0-9]+|[0-9]{4}\.(?:[0-9]{1,3}|[0-9]{6,})")
"""Identifiers that have been numbers on the way: leading or final zeros are gone, or digits were added."""
_FLOAT_HINT = (
    "a spreadsheet or data frame has turned the identifier into a number, which loses zeros; "
    "read the source again with identifiers as text (dtype=str)"
)
_COPY_HINT = "copies in CSV or Parquet often drop it; use the JSON snapshot itself"


_OWN_LICENSE = Caution("own-license", "the metadata states its own licence: the one given was not used")


def read(stream: BinaryIO, options: Options) -> Iterator[Entry]:
    """Yield an entry for every line that is not blank."""
    for number, data, fault in read_lines(stream, MAX_LINE):
        if fault is None and data.isspace():
            continue
        content = _content(data, options) if fault is None else fault
        unused = isinstance(content, Paper) and options.license not in {None, content.license}
        yield Entry(number, data.rstrip(b"\r\n"), content, (_OWN_LICENSE,) if unused else ())


def _content(data: bytes, options: Options) -> Paper | PithError:
    try:
        return _paper(load(data), options)
    except PithError as error:
        return error


def _paper(value: Json, options: Options) -> Paper:
    if not isinstance(value, dict):
        raise InvalidDocument("type", "$", "expected an object, one a line")
    if options.license is not None:
        value = {"license": options.license, **value}  # only where the line has none of its own
    # These two first: what lacks them is most likely another table of papers, and the hint then helps best.
    for name in ("versions", "license"):
        if name not in value:
            raise NotMintable(name, f"the member is missing; {_COPY_HINT}")
    version, submitted_at = latest_and_first(_versions(value["versions"]))
    doi = value.get("doi")
    authors = value.get("authors")
    return Paper(
        arxiv=_identifier(value),
        version=version,
        title=_text(value, "title"),
        abstract=_text(value, "abstract"),
        categories=_text(value, "categories"),
        submitted_at=submitted_at,
        license="" if value["license"] is None else _text(value, "license"),
        authors=" ".join(authors.split()) if isinstance(authors, str) else "",
        dois=(doi,) if isinstance(doi, str) and doi.strip() else (),
    )


def _identifier(value: dict[str, Json]) -> str:
    identifier = value.get("id")
    if isinstance(identifier, int | float) and not isinstance(identifier, bool):
        raise NotMintable("id", f"the number {identifier!r}, not a text: {_FLOAT_HINT}")
    text = _text(value, "id")
    if _FLOATED.fullmatch(text) is not None:
        raise NotMintable("id", f"{text[:40]!r}: {_FLOAT_HINT}")
    return text


def _versions(value: Json) -> list[tuple[str, str]]:
    """Return name and time of each version."""
    if not isinstance(value, list):
        raise NotMintable("versions", "expected a list of objects")
    found: list[tuple[str, str]] = []
    for item in value:
        if isinstance(item, str):
            raise NotMintable("versions", "a list of names without times, as in very old snapshots; use a newer one")
        name, created = (item.get("version"), item.get("created")) if isinstance(item, dict) else (None, None)
        if not isinstance(name, str) or not isinstance(created, str):
            raise NotMintable("versions", "expected objects with the texts 'version' and 'created'")
        found.append((name, created))
    return found


def _text(value: dict[str, Json], name: str) -> str:
    if name not in value:
        raise NotMintable(name, "the member is missing")
    text = value[name]
    if not isinstance(text, str):
        raise NotMintable(name, "expected a text")
    return text
