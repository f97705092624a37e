"""Minting entries and storing them, with an exact account."""

import base64
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pithid.core.canonical import Json
from pithid.formats.metadata.model import Entry
from pithid.service.mint import Failure, Success, mint_entries
from pithid.store.contract import Addition, Store

BATCH = 20_000
"""Records a transaction: an interrupted import keeps what earlier batches stored, and a re-run passes over it."""


@dataclass(frozen=True, slots=True)
class Account:
    """What became of the entries: read = stored + already + rejected, always."""

    read: int = 0
    stored: int = 0
    already: int = 0
    rejected: int = 0
    cautioned: int = 0

    def __add__(self, other: "Account") -> "Account":
        return Account(
            self.read + other.read,
            self.stored + other.stored,
            self.already + other.already,
            self.rejected + other.rejected,
            self.cautioned + other.cautioned,
        )


def import_entries(
    store: Store,
    entries: Iterable[Entry],
    *,
    strict: bool,
    report: Callable[[Success | Failure], None],
) -> Account:
    """Mint entries and store the records, a transaction a batch.

    Args:
        store: an index open for writing, with no transaction open.
        entries: what a metadata reader yields.
        strict: reject what gives a reason for caution.
        report: called for every rejected entry and every success with cautions, in order.
    """
    account, batch = Account(), list[Success]()
    for outcome in mint_entries(entries, strict=strict):
        if isinstance(outcome, Failure):
            report(outcome)
            account += Account(read=1, rejected=1)
            continue
        if outcome.cautions:
            report(outcome)
        batch.append(outcome)
        if len(batch) == BATCH:
            account += _stored(store, batch)
            batch = []
    return account + _stored(store, batch)


def _stored(store: Store, batch: list[Success]) -> Account:
    if not batch:
        return Account()
    with store.transaction():
        new = store.add(addition(success) for success in batch)
    cautioned = sum(bool(success.cautions) for success in batch)
    return Account(len(batch), new, len(batch) - new, 0, cautioned)


def addition(success: Success) -> Addition:
    """Return what the index stores of a minted entry."""
    return Addition(success.minted, success.origin, success.title, success.authors, linked_dois(success.dois))


def linked_dois(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the canonical DOIs of other objects in what a source gives as DOI; it may hold several, or none."""
    from pithid.recognise import identify  # noqa: PLC0415 - late: most imports link nothing

    found = [result for text in texts for result in identify(text).results if result.kind == "doi"]
    return tuple(dict.fromkeys(one.value for one in found if not one.value.startswith("10.48550/arxiv.")))


def rejected_json(failure: Failure, name: str) -> dict[str, Json]:
    """Return the object of a rejects file: place, reason and the original bytes."""
    error = failure.error
    place: dict[str, Json] = {
        "file": name,
        "line": failure.entry.line,
        "code": error.code,
        "reason": str(error),
    }
    try:
        return {**place, "raw": failure.entry.raw.decode("utf-8")}
    except UnicodeDecodeError:
        return {**place, "raw_base64": base64.b64encode(failure.entry.raw).decode("ascii")}
