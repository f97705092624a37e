"""Bundles in and out of the index, joined, and held to what is known already."""

import copy
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from pithid.core.canonical import Json
from pithid.core.errors import Malformed, Mismatch, NotFound
from pithid.core.events import Draft, SignerId, build
from pithid.core.keys import REGISTRY, Keyring, TrustEntry
from pithid.core.mint import Minted, mint
from pithid.core.paper import Paper
from pithid.core.records import CanonicalRecord
from pithid.core.signing import SeedSigner
from pithid.core.verify import verify_bundle
from pithid.service.bundles import Imported, Sealer, build_bundle, import_bundle, is_bundle, known, merge_bundles
from pithid.service.equivocation import check_equivocation_proof, conflicts_in, proofs_of
from pithid.service.event_log import (
    Author,
    Equivocation,
    InvalidPayload,
    NotAccepted,
    Statement,
    add_event,
    listed,
)
from pithid.service.trust import load_keyring, trusted
from pithid.store.contract import Addition
from pithid.store.origin import Origin
from pithid.store.places import data_file
from pithid.store.sqlite import SqliteStore

SEED = Path(__file__).parents[2] / "data" / "seeds" / "bundle-2010.10458v1.json"
RAW = SEED.read_bytes()
BUNDLE: dict[str, Any] = json.loads(RAW)
SHIPPED = load_keyring(data_file("trusted_keys.json"))
NOW = datetime(2026, 8, 1, 12, 0, 0, 5, tzinfo=UTC)
AUTHOR, RIVAL, REGISTRAR = (SeedSigner(bytes([n]) * 32) for n in (1, 2, 3))
ME, THEM = Author(SignerId.of_key(AUTHOR), AUTHOR), Author(SignerId.of_key(RIVAL), RIVAL)
CORRECTION: dict[str, Json] = {"payload_version": "1", "text": "Table 2 is in km.", "url": None}
MINTED = mint(Paper("2101.00001", 1, "A title", "An abstract.", "cs.DL", "2020-12-31T23:59:59Z").record())
REGISTRY_KEY = TrustEntry(REGISTRAR.key, "reg-1", "registry.example")
TRUST = Keyring((*SHIPPED.entries, REGISTRY_KEY))
OFFICE = Author(SignerId("registry.example", REGISTRY, "reg-1"), REGISTRAR)

Open = Callable[[str], SqliteStore]


@pytest.fixture
def new(tmp_path: Path) -> Iterator[Open]:
    """Return a function that makes an index that knows one invented record."""
    made = list[SqliteStore]()

    def make(name: str = "index") -> SqliteStore:
        store = SqliteStore.create(str(tmp_path / f"{name}.sqlite3"))
        made.append(store)
        with store.transaction():
            store.add([Addition(MINTED, Origin.COMPUTED)])
        return store

    yield make
    for store in made:
        store.close()


def take(store: SqliteStore, value: Json, keyring: Keyring = TRUST) -> Imported:
    """Import a bundle given as a value."""
    return import_bundle(store, value, json.dumps(value).encode(), keyring)


def number_of(bundle: dict[str, Any]) -> Any:  # noqa: ANN401 - PithNumber
    """Return the number of a bundle's record."""
    return minted_of(bundle).number


def minted_of(bundle: dict[str, Any]) -> Minted:
    """Return the record of a bundle."""
    return mint(CanonicalRecord.from_json(bundle["canonical_record"]))


def plain(value: Any) -> Any:  # noqa: ANN401 - for the tests to look into
    """Return a document for the type checker to let through."""
    return value


def correct(store: SqliteStore, author: Author, time: str, **more: Any) -> Any:  # noqa: ANN401
    """Add a correction to the invented record."""
    payload: Json = {**CORRECTION, "text": f"said at {time} {more.pop('text', '')}"}
    statement = Statement("correction", time, payload, **more)
    return plain(add_event(store, MINTED.number, statement, author, TRUST).event)


def built(store: SqliteStore, number: Any = MINTED.number, sealer: Sealer | None = None) -> dict[str, Any]:  # noqa: ANN401
    """Build a bundle of a record."""
    return build_bundle(store, number, TRUST, sealer, NOW)


def test_seed_bundle_is_rebuilt_with_the_same_events_and_state(new: Open) -> None:
    """Import the registry's bundle, build it again: the same events, ids, aliases, keys, mirrors and state hash."""
    store = new("seed")
    outcome = import_bundle(store, BUNDLE, RAW, SHIPPED)
    again = plain(build_bundle(store, number_of(BUNDLE), SHIPPED, None, NOW))

    assert outcome.verification.verdict == "verified"
    assert (outcome.origin, outcome.new_record, outcome.new_events) == (Origin.BUNDLE | Origin.RECEIPT, True, 2)
    assert outcome.warnings() == []
    kept = set(BUNDLE) - {"built_at", "links", "bundle_signature"}
    assert {name: again[name] for name in kept} == {name: BUNDLE[name] for name in kept}
    assert again["state"]["state_sha256"] == BUNDLE["state"]["state_sha256"]
    assert again["built_at"] == "2026-08-01T12:00:00Z"
    assert verify_bundle(again, SHIPPED).verdict == "verified"
    assert store.read(BUNDLE["pith_number"][-26:]).title.startswith("Towards Scalable")
    assert [one.raw for one in store.graph.bundles(BUNDLE["pith_number"][-26:])] == [RAW]


def test_importing_again_changes_nothing(new: Open) -> None:
    """A second import reports everything as known and leaves the same bundle to build."""
    store = new("seed")
    import_bundle(store, BUNDLE, RAW, SHIPPED)
    first = built(store, number_of(BUNDLE))
    again = import_bundle(store, BUNDLE, RAW, SHIPPED)

    assert (again.new_record, again.new_events, again.known_events, again.warnings()) == (False, 0, 2, [])
    assert built(store, number_of(BUNDLE)) == first
    assert list(store.check()) == []


def test_served_again_with_new_times_adds_no_event_to_the_rebuilt_one(new: Open) -> None:
    """The registry signs the same events anew on each request; the copies are kept, and one of each is given out."""
    store = new("seed")
    take(store, BUNDLE)
    later = copy.deepcopy(BUNDLE)
    for event in later["events"]:
        event["signature"]["signed_at"] = "2026-07-09T00:00:00Z"
    outcome = take(store, later)

    assert outcome.new_events == 2
    assert len(store.graph.events(BUNDLE["pith_number"][-26:])) == 4
    rebuilt = built(store, number_of(BUNDLE))
    assert len(rebuilt["events"]) == 2
    assert rebuilt["state"] == BUNDLE["state"]


def test_unknown_key_gives_a_stated_record_only(new: Open) -> None:
    """Without trust in the registry's key the record is known as stated, and its events are kept unaccepted."""
    store = new("seed")
    outcome = take(store, BUNDLE, Keyring())

    assert outcome.origin == Origin.STATED
    assert outcome.verification.verdict == "failed"
    assert store.read(BUNDLE["pith_number"][-26:]).origin == Origin.STATED
    merged = known(store, number_of(BUNDLE), Keyring())[1]
    assert [one.status for one in listed(merged)] == ["invalid", "invalid"]
    assert [one.status for one in listed(known(store, number_of(BUNDLE), SHIPPED)[1])] == ["valid", "valid"]


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("pith_number", "pith:2020:AAAAAAAAAAAAAAAAAAAAAAAAAA"),
        ("canonical_sha256", "0" * 64),
        ("source", {"kind": "arxiv", "id": "2010.10458", "version": True}),
        ("short_pith_number", "pith:AAAAAAAA"),
    ],
)
def test_bundle_that_misstates_its_record_is_refused(new: Open, member: str, value: Json) -> None:
    """A bundle whose number, hash or source is not that of its record is refused, and nothing is stored."""
    store = new("seed")
    with pytest.raises(Mismatch):
        take(store, {**BUNDLE, member: value})

    assert store.with_number(BUNDLE["pith_number"][-26:]) == []


@pytest.mark.parametrize("value", [None, [], {}, {**BUNDLE, "events": {}}, {**BUNDLE, "more": 1}])
def test_what_is_no_bundle_is_refused(new: Open, value: Json) -> None:
    """Other shapes are malformed, named as such."""
    with pytest.raises(Malformed):
        take(new("seed"), value)


def test_is_bundle_looks_at_the_type_alone() -> None:
    """Any document that calls itself a bundle is taken for one."""
    assert is_bundle({"bundle_type": "pith_open_graph_bundle"})
    assert not is_bundle({"bundle_type": "x"})
    assert not is_bundle([BUNDLE])


def test_withheld_event_is_reported_and_stays(new: Open) -> None:
    """A mirror that drops an event and rebuilds is reported as behind; what is known stays known."""
    store = new("seed")
    take(store, BUNDLE)
    shorter = merge_bundles([{**BUNDLE, "events": BUNDLE["events"][:1]}], TRUST)
    outcome = take(store, shorter)

    assert outcome.lacking == (BUNDLE["events"][1]["event_id"],)
    assert "lacks 1 events" in outcome.warnings()[0]
    assert built(store, number_of(BUNDLE))["state"] == BUNDLE["state"]


def test_older_signed_bundle_is_flagged_and_merged(new: Open) -> None:
    """A rollback adds what it has, is reported with the newer time, and replaces nothing."""
    store = new("own")
    sealer = Sealer(REGISTRAR, "reg-1")
    add_event(store, MINTED.number, Statement("record_created", "2026-07-01T00:00:00Z"), OFFICE, TRUST)
    old = build_bundle(store, MINTED.number, TRUST, sealer, datetime(2026, 7, 1, tzinfo=UTC))
    correct(store, OFFICE, "2026-07-02T00:00:00Z")
    recent = build_bundle(store, MINTED.number, TRUST, sealer, datetime(2026, 7, 3, tzinfo=UTC))
    reader = new("reader")

    assert take(reader, recent).newest == ""
    outcome = take(reader, old)
    assert outcome.verification.verdict == "verified"
    assert outcome.newest == "2026-07-03T00:00:00Z"
    assert len(outcome.lacking) == 1
    assert built(reader)["state"] == recent["state"]
    assert take(reader, {**recent, "built_at": "2026-07-02T00:00:00Z"}).newest == "2026-07-03T00:00:00Z"


def test_damaged_copy_is_reported_and_changes_no_state(new: Open) -> None:
    """A broken copy of an event that is known intact is named, and the state stays what it was."""
    store = new("seed")
    take(store, BUNDLE)
    broken = copy.deepcopy(BUNDLE)
    broken["events"][1]["signature"]["signature_b64"] = broken["events"][0]["signature"]["signature_b64"]
    outcome = take(store, broken)

    assert outcome.damaged == (BUNDLE["events"][1]["event_id"],)
    assert built(store, number_of(BUNDLE))["state"] == BUNDLE["state"]
    assert built(store, number_of(BUNDLE))["events"] == BUNDLE["events"]


def test_false_alias_rows_do_not_enter_the_state(new: Open) -> None:
    """Rows that do not follow from the record are counted and left out of every state built here."""
    store = new("seed")
    false: list[Json] = [
        {"alias_kind": "doi", "alias_value": "10.1000/evil", "created_at": "2020-01-01T00:00:00Z"},
        {"alias_kind": "arxiv", "alias_value": "2010.10458", "created_at": "once"},
        {"alias_kind": 1, "alias_value": "2010.10458", "created_at": "2020-01-01T00:00:00Z"},
        "no row",
    ]
    outcome = take(store, {**BUNDLE, "source_aliases": [*BUNDLE["source_aliases"], *false]})

    assert outcome.refused_aliases == 4
    assert built(store, number_of(BUNDLE))["state"] == BUNDLE["state"]


def test_event_of_another_record_is_no_loss_to_that_record(new: Open) -> None:
    """An event carried by a false bundle first is accepted when its own record's bundle comes."""
    store = new("both")
    add_event(store, MINTED.number, Statement("record_created", "2026-07-01T00:00:00Z"), OFFICE, TRUST)
    false = {**built(store), "events": BUNDLE["events"]}
    take(store, false)

    assert take(store, BUNDLE).new_events == 2
    assert built(store, number_of(BUNDLE))["state"] == BUNDLE["state"]


def test_independent_registry_from_mint_to_trust_file(new: Open, tmp_path: Path) -> None:
    """One key is a registry: it issues a receipt and a record event, and a reader with a trust file verifies all."""
    store = new("office")
    event = add_event(store, MINTED.number, Statement("record_created", "2026-07-01T00:00:00Z"), OFFICE, TRUST).event
    bundle = built(store, sealer=Sealer(REGISTRAR, "reg-1"))
    entry: dict[str, Json] = {
        "document": REGISTRAR.key.document("reg-1"),
        "signer_id": "registry.example",
        "signer_type": REGISTRY,
        "valid_from": "",
        "valid_until": "",
        "revoked": False,
    }
    path = tmp_path / "trust.json"
    path.write_text(json.dumps([entry]))

    assert [one.entry.signer_id for one in trusted(str(path))] == ["registry.example"]
    verification = verify_bundle(bundle, load_keyring(str(path)))
    assert verification.verdict == "verified"
    assert verification.trusted_by == (REGISTRY_KEY,)
    assert [alias["alias_kind"] for alias in bundle["source_aliases"]] == [alias.kind for alias in MINTED.aliases]
    assert bundle["state"]["current"]["record_created"]["event_id"] == event["event_id"]
    assert verify_bundle(bundle, SHIPPED).verdict == "failed"
    assert store.read(MINTED.digest.base32).origin == Origin.COMPUTED | Origin.RECEIPT


def test_mirrors_agree_after_exchanging_bundles(new: Open) -> None:
    """Two mirrors that saw different events and alias times come to one state, by import as by merge, in any order."""
    here, there = new("here"), new("there")
    for store, author, day in ((here, ME, 2), (there, THEM, 3)):
        add_event(store, MINTED.number, Statement("record_created", f"2026-07-0{day}T00:00:00Z"), OFFICE, TRUST)
        first = correct(store, author, f"2026-07-0{day}T01:00:00Z")
        correct(store, author, f"2026-07-0{day}T02:00:00Z", supersedes=(first["event_id"],))
    mine, theirs = built(here), built(there)
    assert mine["state"]["state_sha256"] != theirs["state"]["state_sha256"]

    take(here, theirs)
    take(there, mine)
    joined = merge_bundles([mine, theirs], TRUST)

    assert built(here) == built(there)
    assert built(here)["state"] == joined["state"]
    assert merge_bundles([theirs, mine, theirs], TRUST) == joined
    assert merge_bundles([joined, mine], TRUST) == joined
    assert verify_bundle(joined, TRUST).conflicts == tuple(map(tuple, conflicts_in(joined)))


def test_merging_needs_bundles_of_one_record(new: Open) -> None:
    """No bundle, and bundles of two records, are refused."""
    with pytest.raises(Malformed, match="no bundle"):
        merge_bundles([], TRUST)
    with pytest.raises(Malformed, match="different records"):
        merge_bundles([BUNDLE, built(new("x"))], TRUST)


def test_merged_bundle_keeps_links_only_where_all_agree() -> None:
    """Addresses are kept when every input has the same, and left out otherwise."""
    assert merge_bundles([BUNDLE], SHIPPED)["links"] == BUNDLE["links"]
    assert merge_bundles([BUNDLE, {**BUNDLE, "links": {}}], SHIPPED)["links"] == {}


def test_unknown_record_is_not_found(new: Open) -> None:
    """Nothing is built of a record the index does not know."""
    with pytest.raises(NotFound):
        built(new("x"), number_of(BUNDLE))


def twice(author: Author = ME, time: str = "2026-07-02T00:00:00Z") -> list[dict[str, Json]]:
    """Return two corrections of one key in one second."""
    who = (author.identity, author.signer)
    payloads: list[dict[str, Json]] = [{**CORRECTION, "text": text} for text in ("yes", "no")]
    return [
        build(Draft("correction", str(MINTED.number), "record", one, time), *who, signed_at=time) for one in payloads
    ]


def torn(new: Open) -> dict[str, Any]:
    """Return the join of two bundles to which one key said different things."""
    bundles = []
    for name, event in zip("ab", twice(), strict=True):
        store = new(name)
        with store.transaction():
            store.graph.add_events(MINTED.digest.base32, [event])
        bundles.append(built(store))
    assert [conflicts_in(one) for one in bundles] == [[], []]
    return merge_bundles(bundles, TRUST)


def test_equivocation_is_exported_as_a_proof_anyone_can_check(new: Open) -> None:
    """Joining two mirrors shows the contradiction; the proof stands alone, and fails when anything in it is changed."""
    joined = torn(new)
    (proof,) = map(plain, proofs_of(joined, TRUST))

    assert conflicts_in(joined) == [[one["event_id"] for one in proof["events"]]]
    assert set(proof) == {"proof_type", "position", "events"}
    verification = check_equivocation_proof(proof, Keyring())
    assert verification.verdict == "verified"
    assert verification.trusted_by[0].key == AUTHOR.key
    assert len(verification.conflicts[0]) == 2
    outcome = take(new("reader"), joined)
    assert outcome.conflicts == verification.conflicts


def test_import_finds_what_no_bundle_shows_alone(new: Open) -> None:
    """A contradiction between a bundle and what is known already is reported by the import."""
    joined, (one, other) = torn(new), twice()
    store = new("reader")
    assert take(store, {**joined, "events": [one]}).conflicts == ()

    outcome = take(store, {**joined, "events": [other]})
    assert set(outcome.conflicts[0]) == {one["event_id"], other["event_id"]}
    assert any("contradicts itself" in line for line in outcome.warnings())


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("one_event", "malformed"),
        ("same_twice", "failed"),
        ("position", "failed"),
        ("payload", "failed"),
        ("other_key", "failed"),
        ("extra", "malformed"),
        ("subject", "malformed"),
    ],
)
def test_false_proof_proves_nothing(new: Open, name: str, verdict: str) -> None:
    """A proof with an event missing, repeated, changed, of another key, or at another position is refused."""
    proof: Any = copy.deepcopy(proofs_of(torn(new), TRUST)[0])
    first, second = proof["events"]
    changes: dict[str, dict[str, Any]] = {
        "one_event": {"events": [first]},
        "same_twice": {"events": [first, first]},
        "position": {"position": {"kind": "chain", "at": "x"}},
        "payload": {"events": [first, {**second, "payload": {}}]},
        "other_key": {"events": [first, twice(THEM)[1]]},
        "extra": {"note": 1},
        "subject": {"events": [{**first, "subject_pith_number": 5}, second]},
    }
    verification = check_equivocation_proof({**proof, **changes[name]}, Keyring())

    assert verification.verdict == verdict
    assert verification.conflicts == ()


@pytest.mark.parametrize("value", [None, 1, [], {}, {"proof_type": 1, "position": {}, "events": []}])
def test_checking_a_proof_is_total(value: Json) -> None:
    """Whatever is given as a proof gets an answer."""
    assert check_equivocation_proof(value, Keyring()).verdict == "malformed"


def test_proof_with_its_link_left_out_is_incomplete() -> None:
    """A replaced replacement is no contradiction, and hiding the link does not make it one."""
    who, time = (ME.identity, AUTHOR), "2026-07-02T00:00:00Z"

    def said(text: str, *supersedes: str) -> dict[str, Json]:
        payload: dict[str, Json] = {**CORRECTION, "text": text}
        draft = Draft("correction", str(MINTED.number), "record", payload, time, supersedes)
        return build(draft, *who, signed_at=time)

    first = said("a")
    link = said("b", str(first["event_id"]))
    last = said("c", str(link["event_id"]))
    at: Json = {"kind": "instant", "at": "correction record 2026-07-02T00:00:00+00:00"}

    def checked(*events: Json) -> Any:  # noqa: ANN401 - Verification
        proof: Json = {"proof_type": "pith_equivocation_proof", "position": at, "events": list(events)}
        return check_equivocation_proof(proof, Keyring())

    assert checked(first, link, last).verdict == "failed"
    hidden = checked(first, last)
    assert (hidden.verdict, hidden.conflicts) == ("failed", ())
    assert str(link["event_id"]) in hidden.checks[-1].detail


def test_signer_is_kept_from_contradicting_itself(new: Open) -> None:
    """A second correction in the same second is refused with both ids and not kept; superseding the first is fine."""
    store = new("x")
    first = correct(store, ME, "2026-07-02T00:00:00Z")
    with pytest.raises(Equivocation) as failure:
        correct(store, ME, "2026-07-02T00:00:00Z", text="no")

    assert first["event_id"] in failure.value.groups[0]
    assert store.graph.events(MINTED.digest.base32) == [first]
    second = correct(store, ME, "2026-07-02T00:00:00Z", text="no", supersedes=(first["event_id"],))
    merged = known(store, MINTED.number, TRUST)[1]
    assert {one.event_id: one.status for one in listed(merged)} == {
        first["event_id"]: "retired",
        second["event_id"]: "valid",
    }


def test_references_without_effect_are_named(new: Open) -> None:
    """Replacing another key's event, or following an unknown one, is kept and said to have no effect."""
    store = new("x")
    theirs = correct(store, THEM, "2026-07-02T00:00:00Z")["event_id"]
    unknown = f"sha256:{'0' * 64}"
    statement = Statement("correction", "2026-07-03T00:00:00Z", CORRECTION, (theirs,), unknown)

    assert add_event(store, MINTED.number, statement, ME, TRUST).loose == (theirs, unknown)


@pytest.mark.parametrize(
    ("statement", "author", "error"),
    [
        (Statement("correction", "2026-07-02T00:00:00Z", {"text": "x"}), ME, InvalidPayload),
        (Statement("correction", "2026-07-02T00:00:00Z", None), ME, InvalidPayload),
        (Statement("record_created", "2026-07-02T00:00:00Z", {}), OFFICE, InvalidPayload),
        (Statement("record_created", "2026-07-02T00:00:00Z"), ME, NotAccepted),
        (Statement("graph_snapshot", "2026-07-02T00:00:00Z", {}), ME, NotAccepted),
        (Statement("graph_snapshot", "2026-07-02T00:00:00Z", []), OFFICE, InvalidPayload),
        (Statement("no_such_type", "2026-07-02T00:00:00Z", {}), ME, NotAccepted),
        (Statement("correction", "2026-07-02T00:00:00Z", CORRECTION, ("x",)), ME, NotAccepted),
        (Statement("correction", "2026-07-02T00:00:00Z", CORRECTION, (), "x"), ME, NotAccepted),
        (
            Statement("correction", "2026-07-02T00:00:00Z", CORRECTION),
            Author(SignerId("registry.example", REGISTRY, "reg-1"), RIVAL),
            NotAccepted,
        ),
    ],
)
def test_what_would_be_refused_is_not_kept(
    new: Open, statement: Statement, author: Author, error: type[Exception]
) -> None:
    """A payload in another form, a type that is not the signer's, a key that is not trusted: nothing is kept."""
    store = new("x")
    with pytest.raises(error):
        add_event(store, MINTED.number, statement, author, TRUST)

    assert store.graph.events(MINTED.digest.base32) == []


def test_payload_in_another_form_is_accepted_and_reported(new: Open) -> None:
    """An event with an unknown payload form is valid in the merge; only the listing says what differs."""
    store = new("x")
    time = "2026-07-02T00:00:00Z"
    draft = Draft("correction", str(MINTED.number), "record", {"body": 1}, time)
    with store.transaction():
        store.graph.add_events(MINTED.digest.base32, [build(draft, ME.identity, AUTHOR, signed_at=time)])

    (found,) = listed(known(store, MINTED.number, TRUST)[1])
    assert found.status == "valid"
    assert '$["body"]: unknown member' in found.faults
