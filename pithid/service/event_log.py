"""Signing statements about a record, and listing those that are known."""

from dataclasses import dataclass

from pithid.core import payloads, receipts
from pithid.core.canonical import Json
from pithid.core.errors import InvalidDocument, PithError
from pithid.core.events import RECORD_CREATED, REGISTRY_ONLY, TYPES, Draft, SignerId, build, check, record_payload
from pithid.core.identifiers import PithNumber
from pithid.core.keys import Keyring
from pithid.core.merge import Merged, merge
from pithid.core.mint import Minted
from pithid.core.seals import REASONS
from pithid.core.signing import Signer
from pithid.service.bundles import known
from pithid.store.contract import Addition
from pithid.store.origin import Origin
from pithid.store.sqlite import SqliteStore

BUILDER = "pithid-1"
"""What receipts issued here name as their builder."""


class InvalidPayload(InvalidDocument):
    """A payload is not in our form for its event type; `faults` has a line for each reason."""

    code = "invalid-payload"

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__("payload", faults[0].partition(":")[0], "; ".join(faults))
        self.faults = faults


class NotAccepted(PithError):
    """The signed event would be refused here, so it was not kept; `reasons` are words of `seals.REASONS`."""

    code = "not-accepted"

    def __init__(self, reasons: tuple[str, ...]) -> None:
        super().__init__("the event was not kept: " + "; ".join(f"{word}: {REASONS[word]}" for word in reasons))
        self.reasons = reasons


class Equivocation(PithError):
    """A signer would contradict an earlier statement of its own; `groups` has the ids, the new one included."""

    code = "equivocation"

    def __init__(self, groups: tuple[tuple[str, ...], ...]) -> None:
        ids = "; ".join(", ".join(group) for group in groups)
        super().__init__(f"the key would contradict itself; supersede the earlier event, or wait a second: {ids}")
        self.groups = groups


@dataclass(frozen=True, slots=True)
class Statement:
    """What is to be said about a record.

    Attributes:
        event_type: a type of `events.TYPES`.
        created_at: timestamp of the protocol, whole seconds.
        payload: in our form for the type; for `record_created` None, as it is made from the record.
        supersedes: ids of own events it replaces.
        prev_event: id of the event before it in a chain, None without one.
    """

    event_type: str
    created_at: str
    payload: Json = None
    supersedes: tuple[str, ...] = ()
    prev_event: str | None = None


@dataclass(frozen=True, slots=True)
class Author:
    """Who makes a statement: the name it gives itself, and what signs for it."""

    identity: SignerId
    signer: Signer


@dataclass(frozen=True, slots=True)
class Added:
    """A signed event that was kept; `loose` are ids it refers to without effect, as they are not known or not own."""

    event: dict[str, Json]
    loose: tuple[str, ...]


def add_event(store: SqliteStore, number: PithNumber, statement: Statement, author: Author, keyring: Keyring) -> Added:
    """Sign a statement about a record of the index and keep it.

    Args:
        store: an index open for writing, with no transaction open.
        number: the record.
        statement: what to say.
        author: who says and signs it; a registry must be in the keyring under its name.
        keyring: the keys trusted.

    Raises:
        NotFound: there is no such record.
        InvalidPayload: the payload is not in our form.
        NotAccepted: the event would not be valid here.
        Equivocation: the signer has said otherwise at the same place.
    """
    store.graph.wait_for_disk()
    with store.transaction():
        minted, before = known(store, number, keyring)
        event = _signed(statement, minted, author)
        reasons = check(event, str(minted.number), keyring).reasons
        if reasons:
            raise NotAccepted(reasons)
        store.graph.add_events(number.digits, [event])
        after = merge(minted, store.graph.events(number.digits), (), keyring)
        new = tuple(group for group in after.conflicts if event["event_id"] in group)
        if new:
            raise Equivocation(new)
        if statement.event_type == RECORD_CREATED:
            store.add([Addition(minted, Origin.RECEIPT)])
            rows = ((one.kind, one.value, statement.created_at) for one in minted.aliases)
            store.graph.add_aliases(number.digits, rows)
    return Added(event, _loose(event, before, after))


def _signed(statement: Statement, minted: Minted, author: Author) -> dict[str, Json]:
    kind, now = statement.event_type, statement.created_at
    payload = _payload(statement, minted, author)
    target = payloads.TARGETS.get(kind, "record")
    draft = Draft(kind, str(minted.number), target, payload, now, statement.supersedes, statement.prev_event)
    return build(draft, author.identity, author.signer, signed_at=now)


def _payload(statement: Statement, minted: Minted, author: Author) -> dict[str, Json]:
    kind, payload = statement.event_type, statement.payload
    if kind == RECORD_CREATED:
        if payload is not None:
            raise InvalidPayload(("$: the payload of record_created is made from the record; give none",))
        key_id, now = author.identity.key_id, statement.created_at
        receipt = receipts.issue(minted.digest, author.signer, key_id, now=now, builder=BUILDER)
        return record_payload(minted, receipt)
    faults = () if kind in REGISTRY_ONLY or kind not in TYPES else payloads.check(kind, payload)
    if faults or not isinstance(payload, dict):
        raise InvalidPayload(faults or ("$: no object",))
    if kind == "timestamp_anchor" and payload["canonical_sha256"] != str(minted.digest):
        raise InvalidPayload((f"$.canonical_sha256: the digest of the record is {minted.digest}",))
    return payload


def _loose(event: dict[str, Json], before: Merged, after: Merged) -> tuple[str, ...]:
    """Return the ids the event refers to without effect."""
    previous = event["prev_event"]
    unknown = [str(previous)] if previous is not None and previous not in {one.event_id for one in before.valid} else []
    return (*(target for by, target in after.loose if by == event["event_id"]), *unknown)


@dataclass(frozen=True, slots=True)
class Listed:
    """An event as it stands now.

    Attributes:
        event: as received.
        event_id: the id that follows from its content.
        status: `valid`, `retired` by a later event of the same key, `invalid`, or `damaged`.
        reasons: why it is not accepted; empty otherwise.
        faults: what keeps its payload from our form; empty where there is no form of ours.
    """

    event: dict[str, Json]
    event_id: str
    status: str
    reasons: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Json]:
        """Return it as a JSON object."""
        return {
            "event_id": self.event_id,
            "status": self.status,
            "reasons": list(self.reasons),
            "payload_faults": list(self.faults),
            "event": self.event,
        }


def listed(merged: Merged) -> list[Listed]:
    """Return every event of a merge with its standing: the valid ones in order, then the others."""
    found = []
    for one in merged.valid:
        kind = str(one.event["event_type"])
        faults = payloads.check(kind, one.event["payload"]) if kind in payloads.TYPES else ()
        status = "retired" if one.event_id in merged.retired else "valid"
        found.append(Listed(one.event, one.event_id, status, (), faults))
    for status, group in (("invalid", merged.invalid), ("damaged", merged.damaged)):
        found += [Listed(one.event, one.event_id, status, one.reasons) for one in group]
    return found
