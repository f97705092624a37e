"""The canonical record: what is hashed, and nothing besides.

Source: docs/protocol.md section 3. Six metadata fields, the source and its version. Unknown members are refused, as
they would change the hash without a meaning.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Self, cast

from pithid.core.canonical import MAX_INT, Json, canonical_bytes
from pithid.core.errors import InvalidIdentifier, InvalidRecord
from pithid.core.identifiers import ArxivId

SCHEMA_VERSION = "1.0"
SOURCE_KIND = "arxiv"
"""The only source kind whose records have been seen; metadata fields of other kinds are unknown."""

_HASH = re.compile(r"[0-9a-f]{64}")
_TIME = re.compile(r"[12][0-9]{3}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-9]{2}:[0-9]{2}Z")
_CATEGORY = re.compile(r"[A-Za-z0-9.-]{1,64}")
_LICENSE = re.compile(r"[!-~]{0,512}")


@dataclass(frozen=True, slots=True)
class Source:
    """Where a record comes from: `kind` is `arxiv`, `id` the identifier without version, `version` from 1."""

    kind: str
    id: str
    version: int

    def __post_init__(self) -> None:
        if self.kind != SOURCE_KIND:
            raise InvalidRecord("source.kind", f"{self.kind!r} is not a source kind known here")
        _version(self.version)
        try:
            ArxivId(self.id).at(self.version)
        except InvalidIdentifier as error:
            raise InvalidRecord("source", str(error)) from None

    @property
    def arxiv(self) -> ArxivId:
        """The identifier as a value."""
        return ArxivId(self.id)

    def to_json(self) -> dict[str, Json]:
        """Return the JSON object of the protocol."""
        return {"kind": self.kind, "id": self.id, "version": self.version}


@dataclass(frozen=True, slots=True)
class Metadata:
    """The hashed metadata.

    Attributes:
        title_canon_sha256: lower-case hex hash of the canonical title.
        abstract_canon_sha256: the same of the abstract.
        primary_cat: primary category.
        cross_cats_sorted: the other categories, ascending, each once, without the primary.
        license: licence URL exactly as arXiv gives it, empty when there is none.
        submitted_at: first submission, `YYYY-MM-DDTHH:MM:SSZ`, also for later versions.
    """

    title_canon_sha256: str
    abstract_canon_sha256: str
    primary_cat: str
    cross_cats_sorted: tuple[str, ...]
    license: str
    submitted_at: str

    def __post_init__(self) -> None:
        for name in ("title_canon_sha256", "abstract_canon_sha256"):
            if _HASH.fullmatch(getattr(self, name)) is None:
                raise InvalidRecord(f"metadata.{name}", "expected 64 lower-case hex digits")
        if _CATEGORY.fullmatch(self.primary_cat) is None:
            raise InvalidRecord("metadata.primary_cat", f"{self.primary_cat[:80]!r} is not a category")
        for category in self.cross_cats_sorted:
            if _CATEGORY.fullmatch(category) is None:
                raise InvalidRecord("metadata.cross_cats_sorted", f"{category[:80]!r} is not a category")
        if list(self.cross_cats_sorted) != sorted(set(self.cross_cats_sorted) - {self.primary_cat}):
            raise InvalidRecord("metadata.cross_cats_sorted", "expected ascending, each once, without the primary")
        if _LICENSE.fullmatch(self.license) is None:
            raise InvalidRecord("metadata.license", "expected a licence URL in ASCII, or an empty text")
        _check_time(self.submitted_at)

    @property
    def year(self) -> int:
        """The year shown in the number."""
        return int(self.submitted_at[:4])

    def to_json(self) -> dict[str, Json]:
        """Return the JSON object of the protocol."""
        return {
            "title_canon_sha256": self.title_canon_sha256,
            "abstract_canon_sha256": self.abstract_canon_sha256,
            "primary_cat": self.primary_cat,
            "cross_cats_sorted": list(self.cross_cats_sorted),
            "license": self.license,
            "submitted_at": self.submitted_at,
        }


@dataclass(frozen=True, slots=True)
class CanonicalRecord:
    """A canonical record; equal records have equal bytes, and different records different bytes."""

    source: Source
    metadata: Metadata
    schema_version: str = SCHEMA_VERSION

    def __post_init__(self) -> None:
        if self.schema_version != SCHEMA_VERSION:
            raise InvalidRecord("schema_version", f"{self.schema_version!r} is not {SCHEMA_VERSION!r}")

    @classmethod
    def from_json(cls, value: Json) -> Self:
        """Read the JSON object of the protocol, strictly; the inverse of `to_json()`.

        Raises:
            InvalidRecord: a member is missing, unknown, of another type, or breaks its rule.
        """
        top = _members(value, "$", ("schema_version", "source", "metadata"))
        source = _members(top["source"], "source", ("kind", "id", "version"))
        metadata = _members(top["metadata"], "metadata", tuple(Metadata.__dataclass_fields__))
        texts = {name: _text(metadata[name], f"metadata.{name}") for name in metadata if name != "cross_cats_sorted"}
        return cls(
            Source(
                _text(source["kind"], "source.kind"),
                _text(source["id"], "source.id"),
                _version(source["version"]),
            ),
            Metadata(cross_cats_sorted=_texts(metadata["cross_cats_sorted"]), **texts),
            _text(top["schema_version"], "schema_version"),
        )

    def to_json(self) -> dict[str, Json]:
        """Return the JSON object of the protocol."""
        return {
            "schema_version": self.schema_version,
            "source": self.source.to_json(),
            "metadata": self.metadata.to_json(),
        }

    def to_bytes(self) -> bytes:
        """Return the canonical bytes, which are hashed."""
        return canonical_bytes(self.to_json())


def _check_time(text: str) -> None:
    """Refuse what is not a time of the proleptic Gregorian calendar, or has another shape."""
    path = "metadata.submitted_at"
    if _TIME.fullmatch(text) is None:
        raise InvalidRecord(path, f"{text[:80]!r} is not of the form YYYY-MM-DDTHH:MM:SSZ")
    try:
        datetime.fromisoformat(text)
    except ValueError as error:
        raise InvalidRecord(path, f"{text!r}: {error}") from None


def _members(value: Json, path: str, names: tuple[str, ...]) -> dict[str, Json]:
    if not isinstance(value, dict):
        raise InvalidRecord(path, "expected an object")
    for name in names:
        if name not in value:
            raise InvalidRecord(path, f"the member {name!r} is missing")
    for name in value:
        if name not in names:
            raise InvalidRecord(path, f"the member {name[:80]!r} is unknown; a canonical record has no other members")
    return value


def _text(value: Json, path: str) -> str:
    if type(value) is not str:
        raise InvalidRecord(path, "expected a string")
    return value


def _texts(value: Json) -> tuple[str, ...]:
    if type(value) is not list or not all(type(item) is str for item in value):
        raise InvalidRecord("metadata.cross_cats_sorted", "expected a list of strings")
    return tuple(cast("list[str]", value))


def _version(value: Json) -> int:
    if type(value) is not int or not 1 <= value <= MAX_INT:  # True is 1 in Python, and so is 1.0
        raise InvalidRecord("source.version", "expected an integer from 1")
    return value
