"""From entries of any metadata format to minted records, one outcome for each entry."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pithid.core.canonical import Json
from pithid.core.errors import Mismatch, NotMintable, PithError
from pithid.core.mint import Minted, mint
from pithid.core.paper import Caution, Paper
from pithid.core.text import text_sha256
from pithid.formats.metadata.model import Entry, Stated
from pithid.store.origin import Origin


@dataclass(frozen=True, slots=True)
class Success:
    """A minted record, with what its source says beside it."""

    entry: Entry
    minted: Minted
    origin: Origin
    title: str
    authors: str
    dois: tuple[str, ...]
    cautions: tuple[Caution, ...]


@dataclass(frozen=True, slots=True)
class Failure:
    """An entry that gives no record, and why."""

    entry: Entry
    error: PithError


def mint_entries(entries: Iterable[Entry], *, strict: bool = False) -> Iterator[Success | Failure]:
    """Mint every entry; exactly one outcome each, in order.

    Args:
        entries: what a metadata reader yields.
        strict: refuse an entry that gives a reason for caution instead of passing the caution on.
    """
    for entry in entries:
        try:
            yield _outcome(entry, strict=strict)
        except PithError as error:
            yield Failure(entry, error)


def _outcome(entry: Entry, *, strict: bool) -> Success:
    content = entry.content
    if isinstance(content, PithError):
        raise content
    if isinstance(content, Stated):
        return _stated(entry, content)
    cautions = (*entry.cautions, *content.cautions())
    if strict and cautions:
        raise NotMintable(cautions[0].code, cautions[0].message)
    return minted_paper(entry, content, cautions)


def minted_paper(entry: Entry, paper: Paper, cautions: tuple[Caution, ...] = ()) -> Success:
    """Mint a paper; what is shown of it is kept with single blanks."""
    title, authors = (" ".join(text.split()) for text in (paper.title, paper.authors))
    return Success(entry, mint(paper.record()), Origin.COMPUTED, title, authors, paper.dois, cautions)


def _stated(entry: Entry, stated: Stated) -> Success:
    """Mint a ready-made record and hold its document to what it states."""
    minted = mint(stated.record)
    if stated.sha256 is not None and stated.sha256 != str(minted.digest):
        raise Mismatch("canonical_sha256", stated.sha256, str(minted.digest))
    if stated.number is not None and stated.number != str(minted.number):
        raise Mismatch("Pith Number", stated.number, str(minted.number))
    computed = {alias.kind: alias.value for alias in minted.aliases}
    for kind, value in stated.aliases:
        if computed.get(kind, value) != value:
            raise Mismatch(f"{kind} alias", value, computed[kind])
    title, cautions = " ".join(stated.title.split()), entry.cautions
    if title and text_sha256(title) != stated.record.metadata.title_canon_sha256:
        title, cautions = "", (*cautions, Caution("title", "the title beside the record does not hash to it: left out"))
    only_computed = stated.computed or (stated.number is None and stated.sha256 is None)
    origin = Origin.COMPUTED if only_computed else Origin.STATED
    return Success(entry, minted, origin, title, " ".join(stated.authors.split()), stated.dois, cautions)


def outcome_json(outcome: Success | Failure) -> dict[str, Json]:
    """Return the object of `pithid mint --json` for one outcome."""
    if isinstance(outcome, Failure):
        error: dict[str, Json] = {
            "code": outcome.error.code,
            "message": str(outcome.error),
            "line": outcome.entry.line,
        }
        return {"error": error}
    minted = outcome.minted
    return {
        "pith_number": str(minted.number),
        "canonical_sha256": str(minted.digest),
        "canonical_record": minted.record.to_json(),
        "aliases": {alias.kind: alias.value for alias in minted.aliases},
        "warnings": [{"code": caution.code, "message": caution.message} for caution in outcome.cautions],
    }
