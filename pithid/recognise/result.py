"""What `identify` answers: identifiers found, repairs made, candidates that only a person can confirm, or a reason."""

from dataclasses import dataclass
from typing import Final

from pithid.core.identifiers import ArxivId, ArxivVersion, Doi, Identifier

REPAIRS: Final = {
    "url": "the identifier stood in a web address",
    "digest": "the whole digest, as hex, ni: URI or CID, was cut to the number it begins with",
    "prefix": "a label such as arXiv:, doi:, oai: or eprint= was dropped, or a missing pith: was put in front",
    "bibtex": "fields of a BibTeX entry were read together",
    "bibcode": "decoded from an ADS bibcode",
    "dblp": "decoded from a DBLP key",
    "arxiv-doi": "an arXiv DOI with a version, which is no registered name, was read as that version of the paper",
    "subject-class": "a subject class, which is no part of an arXiv identifier, was dropped",
    "squashed": "the slash of an old arXiv identifier was put back",
    "case": "letter case was changed",
    "percent-encoding": "%XX was decoded",
    "html-entity": "an HTML entity was decoded",
    "escape": "a backslash of JSON, Markdown or TeX, or TeX math around a character, was dropped",
    "markdown": "a link that a program had put around part of the text was undone",
    "full-width": "full-width characters were replaced by ASCII",
    "dash": "a typographic dash was replaced by a hyphen",
    "invisible": "invisible characters were dropped",
    "slashes": "doubled slashes or hyphens were folded",
    "file-name": "the ending of a file name was dropped",
    "landing-page": "the ending of a publisher's page address was dropped",
    "query": "a query, a fragment or the rest of a path was dropped",
    "brackets": "brackets or quotation marks around the identifier were dropped",
    "punctuation": "punctuation around the identifier was dropped",
    "whitespace": "blanks or line breaks were dropped or stood in an unusual place",
    "list": "several identifiers stood in one text",
    "surrounding-text": "other words stood around the identifier",
}
"""Every word that `Found.repairs` may hold, in the order in which it is listed there."""


def kind_of(identifier: Identifier) -> str:
    """Return the public kind: `arxiv`, `arxiv_version`, `doi` or `pith`."""
    if isinstance(identifier, ArxivId):
        return "arxiv"
    if isinstance(identifier, ArxivVersion):
        return "arxiv_version"
    return "doi" if isinstance(identifier, Doi) else "pith"


@dataclass(frozen=True, slots=True)
class Found:
    """One identifier and what had to be changed in the text to read it.

    Attributes:
        identifier: the strict value.
        repairs: words of `REPAIRS`; empty if the text was the canonical spelling.
    """

    identifier: Identifier
    repairs: tuple[str, ...]

    @property
    def kind(self) -> str:
        """The kind in the words of the public interface."""
        return kind_of(self.identifier)

    @property
    def value(self) -> str:
        """The canonical spelling."""
        return str(self.identifier)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible reading of a damaged text; never used without a person's word.

    Attributes:
        kind: `arxiv`, `arxiv_version`, `doi` or `pith`.
        value: canonical spelling.
        why: what would have to be changed.
    """

    kind: str
    value: str
    why: str


def candidate(identifier: Identifier, why: str) -> Candidate:
    """Return `identifier` as a candidate."""
    return Candidate(kind_of(identifier), str(identifier), why)


@dataclass(frozen=True, slots=True)
class Identification:
    """The answer for one text.

    Attributes:
        text: the input, unchanged.
        results: distinct identifiers in order of appearance.
        candidates: possible readings of what is damaged.
        reason: one line that says what is wrong and what to do, if there are no results or something damaged as well.
        plausible: the text holds an identifier with several readings (`candidates`), or a damaged one beside `results`.
    """

    text: str
    results: tuple[Found, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    reason: str | None = None
    plausible: bool = False

    @property
    def status(self) -> str:
        """`ok` for one identifier and nothing damaged beside it; `invalid` for nothing that may be one."""
        if self.plausible or len(self.results) > 1:
            return "ambiguous"
        return "ok" if self.results else "invalid"

    def to_json(self) -> dict[str, object]:
        """Return the object that `pithid identify --json-lines` writes."""
        return {
            "input": self.text,
            "status": self.status,
            "results": [{"kind": f.kind, "value": f.value, "repairs": list(f.repairs)} for f in self.results],
            "candidates": [{"kind": c.kind, "value": c.value, "why": c.why} for c in self.candidates],
            "reason": self.reason,
        }
