#!/usr/bin/env python3
"""Write the conformance set `data/conformance`: documents that a verifier must accept or refuse, with the reasons.

Everything is made from the registry's public bundle and from fixed test keys, so each run writes the same bytes.
`--check` regenerates and compares instead of writing; a test runs it.
"""

import argparse
import base64
import hashlib
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from pithid.core import bundle, events  # noqa: E402
from pithid.core.canonical import Json, load  # noqa: E402
from pithid.core.integrity import SCHEMA, evidence_hash, payload_sha256  # noqa: E402
from pithid.core.keys import Keyring, PublicKey, TrustEntry, read_document  # noqa: E402
from pithid.core.merge import merge, state_sha256  # noqa: E402
from pithid.core.mint import Minted, mint  # noqa: E402
from pithid.core.paper import Paper  # noqa: E402
from pithid.core.records import CanonicalRecord  # noqa: E402
from pithid.core.seals import seal  # noqa: E402
from pithid.core.snapshot import integrity_sha256, section_sha256  # noqa: E402
from tests.trust.mutations import Path as Steps  # noqa: E402
from tests.trust.mutations import at, put  # noqa: E402
from tests.trust.signers import TIME, Party  # noqa: E402

FOLDER = ROOT / "data" / "conformance"
SEEDS = ROOT / "data" / "seeds"
LATER = "2026-07-06T00:00:00Z"
L = 2**252 + 27742317777372353535851937790883648493
"""Order of the Ed25519 base point."""

Object = dict[str, Json]


@dataclass(frozen=True, slots=True)
class Case:
    """One folder: an input file and what a verifier must say of it.

    Attributes:
        name: ends in `_fail` unless the document verifies.
        why: one line.
        data: bytes of the input.
        failed: names of the failing checks, or how they begin.
        reasons: stable words that the verifier gives.
        exit: exit status of a command-line verifier.
        file: name of the input file; its stem is the kind of document.
    """

    name: str
    why: str
    data: bytes
    failed: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    exit: int = 0
    file: str = "bundle.json"

    @property
    def verdict(self) -> str:
        """The verdict that goes with the exit status."""
        return {0: "verified", 3: "malformed"}.get(self.exit, "failed")

    def files(self) -> dict[str, bytes]:
        """Return the files of the folder."""
        expected = {
            "verdict": self.verdict,
            "exit": self.exit,
            "failed": list(self.failed),
            "reasons": list(self.reasons),
        }
        return {
            self.file: self.data,
            "README.md": f"{self.why}\n".encode(),
            "expected.json": (json.dumps(expected, indent=1) + "\n").encode(),
        }


# --- who signs ---

REGISTRY = Party.registry("registry", "registry-2026")
SECOND = Party.registry("second registry", "second-2026", "second.test")
BOUNDED = Party.registry("bounded registry", "bounded-2026", "bounded.test")
REVOKED = Party.registry("revoked registry", "revoked-2026", "revoked.test")
UNKNOWN = Party.registry("unknown registry", "unknown-2026", "unknown.test")
IMPOSTOR = Party.registry("impostor", "registry-2026")
ALICE, BOB, REPUDIATED = Party.author("alice"), Party.author("bob"), Party.author("repudiated")


def pinned() -> tuple[TrustEntry, Object]:
    """Return the registry's pinned key as an entry, and its row of the project's own trust file."""
    row = at(load((ROOT / "data" / "trusted_keys.json").read_bytes()), (0,))
    key_id, key = read_document(at(row, ("document",)))
    return TrustEntry(key, key_id, str(at(row, ("signer_id",)))), _object(row)


def _object(value: Json) -> Object:
    if not isinstance(value, dict):
        raise TypeError("expected an object")
    return value


ENTRIES = (
    REGISTRY.entry(),
    SECOND.entry(),
    BOUNDED.entry(valid_from="2026-01-01T00:00:00Z", valid_until="2026-06-30T23:59:59Z"),
    REVOKED.entry(revoked=True),
    ALICE.entry(),
    REPUDIATED.entry(revoked=True),
)
KEYRING = Keyring((pinned()[0], *ENTRIES))


def trust_file() -> bytes:
    """Return the trust file: the registry's pinned key and the test keys."""
    rows: list[Json] = [pinned()[1]]
    rows += [
        {
            "document": entry.key.document(entry.key_id, notes="a test key; its seed is public"),
            "signer_id": entry.signer_id,
            "signer_type": entry.signer_type,
            "valid_from": entry.valid_from,
            "valid_until": entry.valid_until,
            "revoked": entry.revoked,
            "source": "scripts/make_conformance.py",
        }
        for entry in ENTRIES
    ]
    return (json.dumps(rows, indent=1, ensure_ascii=False) + "\n").encode()


# --- what is signed ---

RECORD = mint(Paper("2101.00001", 1, "A title", "An abstract.", "cs.DL", "2020-12-31T23:59:59Z").record())
OTHER = mint(Paper("2101.00001", 1, "Another title", "An abstract.", "cs.DL", "2020-12-31T23:59:59Z").record())
OLD = mint(Paper("hep-th/9309160", 6, "A title", "An abstract.", "hep-th", "1993-09-30T12:00:00Z").record())


def text(value: Json) -> bytes:
    """Return a document as it is written: compact, in raw UTF-8, in the order it was built."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def seed(name: str = "bundle-2010.10458v1") -> Object:
    """Return one of the registry's public documents."""
    return _object(load((SEEDS / f"{name}.json").read_bytes()))


def made(*more: Json, by: Party = REGISTRY, minted: Minted = RECORD, built_at: str = TIME) -> Object:
    """Return a signed bundle of a record and further events."""
    return by.bundle(minted, [by.created(minted), *more], KEYRING, built_at=built_at)


def only(*signed: Json, by: Party = REGISTRY, minted: Minted = RECORD, built_at: str = TIME) -> Object:
    """Return a signed bundle of exactly these events."""
    return by.bundle(minted, signed, KEYRING, built_at=built_at)


def unsigned(value: Object) -> Object:
    """Return a bundle without its signature."""
    return {name: item for name, item in value.items() if name != "bundle_signature"}


def changed(value: Json, *steps: str | int, to: Json) -> Object:
    """Return a copy with another value at a place."""
    return _object(put(value, steps, to))


def added(value: Json, *steps: str | int) -> Object:
    """Return a copy with a member more at a place."""
    return _object(put(value, steps, {**_object(at(value, steps)), "zz_injected": "x"}))


def removed(value: Json, *steps: str | int) -> Object:
    """Return a copy with a member less."""
    where: Steps = steps[:-1]
    return _object(put(value, where, {k: v for k, v in _object(at(value, where)).items() if k != steps[-1]}))


def remerged(value: Object) -> Object:
    """Return a bundle whose state follows from its events again."""
    minted = mint(CanonicalRecord.from_json(value["canonical_record"]))
    held, rows = value["events"], value["source_aliases"]
    if not isinstance(held, list) or not isinstance(rows, list):
        raise TypeError("expected lists")
    return {**value, "state": merge(minted, held, rows, KEYRING).state}


def rebuilt(value: Object, by: Party = REGISTRY) -> Object:
    """Return a bundle that was changed inside, with its state and signature made right again."""
    return by.seal(remerged(value))


def said(party: Party, note: str, **more: Json) -> Object:
    """Return a correction."""
    return party.event("correction", RECORD, {"text": note}, **more)  # type: ignore[arg-type]


def signature_of(value: Json, *steps: str | int) -> str:
    """Return the text of a signature."""
    return str(at(value, (*steps, "signature_b64")))


# --- bundles that verify ---


def good_bundles() -> Iterator[Case]:
    """Yield bundles that verify."""
    public = seed()

    def case(name: str, why: str, value: Json) -> Case:
        return Case(name, why, text(value))

    yield Case("seed", "The registry's public bundle as served.", (SEEDS / "bundle-2010.10458v1.json").read_bytes())
    yield Case(
        "seed_sorted_indented",
        "Order of members and blanks carry no meaning: only the canonical form is hashed.",
        json.dumps(public, indent=2, sort_keys=True, ensure_ascii=False).encode(),
    )
    yield Case(
        "seed_escaped",
        "Escapes carry no meaning: a slash and a letter written as \\u escapes are the same text.",
        text(public).replace(b"https://pith.science", b"https:\\/\\/\\u0070ith.science"),
    )
    yield case(
        "seed_signed_at",
        "signed_at of the bundle signature is the one member that nothing signs.",
        changed(public, "bundle_signature", "signed_at", to="2026-07-09T00:00:00Z"),
    )
    yield case(
        "seed_unsigned", "Without bundle_signature the signed events still vouch for the record.", unsigned(public)
    )
    bare = unsigned(public)
    first, second = at(bare, ("events", 0)), at(bare, ("events", 1))
    yield case(
        "unsigned_links",
        "Without bundle_signature anyone may change links; a verifier must label them unverified.",
        changed(bare, "links", "resolver", to="https://mirror.test/"),
    )
    yield case(
        "unsigned_events_reversed",
        "The order of events carries no meaning for the merge.",
        {**bare, "events": [second, first]},
    )
    yield case(
        "unsigned_event_repeated", "A repeated event is one event.", {**bare, "events": [first, second, second, first]}
    )
    yield case(
        "unsigned_envelope",
        "The same event signed at another time is the same event.",
        changed(bare, "events", 1, "signature", "signed_at", to="2027-01-01T00:00:00Z"),
    )
    yield case(
        "unsigned_withheld",
        "A mirror that drops an event and rebuilds cannot be noticed from the bundle alone.",
        remerged({**bare, "events": [first]}),
    )
    yield from _good_made(case)


def _good_made(case: Callable[[str, str, Json], Case]) -> Iterator[Case]:
    own = said(ALICE, "a typo on page 3")
    chain_1 = said(ALICE, "first")
    chain_2 = said(ALICE, "second", prev_event=chain_1["event_id"], created_at=LATER)
    yield case("minimal", "A record and the event that creates it.", made())
    yield case(
        "old_arxiv_id", "An identifier with a slash; the year is that of the first submission.", made(minted=OLD)
    )
    yield case("second_registry", "Any trusted registry may vouch for a record.", made(by=SECOND))
    yield case("author", "An author signs as the did:key of the key itself.", made(own))
    yield case("authors", "Statements of two authors at one instant contradict nothing.", made(own, said(BOB, "yes")))
    yield case(
        "author_other_target",
        "Statements of one key at one instant about other targets are two positions.",
        made(own, ALICE.event("correction", RECORD, {"text": "x"}, target="graph")),
    )
    yield case(
        "superseded",
        "A correction replaces an earlier one of the same key.",
        made(own, said(ALICE, "on page 4", supersedes=[own["event_id"]])),
    )
    yield case(
        "supersedes_missing",
        "Replacing an event that is not there has no effect.",
        made(said(ALICE, "x", supersedes=["sha256:" + "0" * 64])),
    )
    yield case(
        "supersedes_other_key",
        "Nobody but its own key retires a statement: both stay in the state.",
        made(own, said(REGISTRY, "not so", supersedes=[own["event_id"]])),
    )
    yield case("chain", "Events of one key in a chain.", made(chain_1, chain_2))
    kinds = ("timestamp_anchor", "storage_attestation", "citation_signature", "replication_record", "mirror_hint")
    yield case(
        "all_types",
        "Every type of event; of the types of which many are normal, two at one instant contradict nothing.",
        made(
            *(ALICE.event(kind, RECORD, {"n": n}) for kind in kinds for n in (1, 2)),
            ALICE.event("author_attestation", RECORD, {}),
            REGISTRY.event("graph_snapshot", RECORD, {"graph_snapshot": snapshot()}, target="graph"),
            own,
        ),
    )
    yield case(
        "text_beyond_ascii",
        "Text is hashed as raw UTF-8; only control characters, quote and backslash are escaped.",
        made(said(ALICE, 'Poincar\u00e9 \U0001d4b3 \u2028 \u007f \u0000\u001f "\\/ e\u0301')),
    )
    yield case(
        "empty_snapshot_sections",
        "Section hashes of an empty snapshot.",
        made(REGISTRY.event("graph_snapshot", RECORD, {"graph_snapshot": snapshot()}, target="graph")),
    )
    detectors: list[Json] = [{"name": "doi_compliance", "version": "1.0.0", "findings_count": 0}]
    section: Object = {"findings": [], "detectors_run": detectors, "snapshot_sha256": integrity_sha256([], detectors)}
    yield case(
        "integrity_section",
        "The hash of an integrity section covers findings and detectors.",
        made(REGISTRY.event("graph_snapshot", RECORD, {"graph_snapshot": {"integrity": section}}, target="graph")),
    )
    yield case(
        "time_with_offset",
        "Both styles of time occur in signed documents: Z, and microseconds with +00:00.",
        made(said(ALICE, "x", created_at="2026-07-05T03:48:04.071734+00:00"), built_at="2026-07-05T03:48:05+00:00"),
    )
    for name, moment in (("first", "2026-01-01T00:00:00Z"), ("last", "2026-06-30T23:59:59Z")):
        yield case(
            f"validity_{name}_moment",
            "The bounds of a key's validity belong to it.",
            only(BOUNDED.created(RECORD, created_at=moment), by=BOUNDED, built_at=moment),
        )
    yield case(
        "validity_signed_at_later",
        "Only signed times are held against a key's validity, never signed_at.",
        changed(
            only(
                BOUNDED.created(RECORD, created_at="2026-06-01T00:00:00Z"), by=BOUNDED, built_at="2026-06-01T00:00:00Z"
            ),
            *("bundle_signature", "signed_at"),
            to="2030-01-01T00:00:00Z",
        ),
    )
    yield case("no_aliases", "The alias table may be empty: aliases follow from the record.", aliased(()))
    yield case("three_aliases", "Older bundles have three of the six aliases.", aliased((0, 1, 2)))
    yield case("no_public_keys", "The key document is a hint; trust comes from elsewhere.", keyed())
    anchor: Json = {"kind": "opentimestamps"}
    yield case(
        "timestamp_proofs",
        "Proofs of a form that is not known are kept, signed and not checked.",
        REGISTRY.seal(changed(made(), "timestamp_proofs", to=[anchor])),
    )


def snapshot() -> Object:
    """Return an empty snapshot with its section hashes."""
    empty = section_sha256([])
    return {
        "claims": {"count": 0, "items": [], "snapshot_sha256": empty},
        "references": {"count": 0, "sample": [], "snapshot_sha256": empty},
        "formal_canon": {"evidence_count": 0, "snapshot_sha256": empty},
        "author_claims": {"count": 0, "strong_count": 0, "snapshot_sha256": empty},
        "integrity": {"findings": [], "detectors_run": [], "snapshot_sha256": integrity_sha256([], [])},
    }


def aliased(picked: tuple[int, ...], change: Callable[[list[Json]], list[Json]] | None = None) -> Object:
    """Return a bundle with some of the alias rows, changed, and everything else right."""
    rows = [bundle.alias_rows(RECORD.aliases, TIME)[index] for index in picked]
    value = {**made(), "source_aliases": change(rows) if change else rows}
    return rebuilt(value)


def keyed(*documents: Json) -> Object:
    """Return a bundle with other key documents."""
    return REGISTRY.seal({**made(), "public_keys": list(documents)})


# --- text that is no document ---


def malformed() -> Iterator[Case]:
    """Yield texts that two readers could understand differently, and documents of another shape."""
    good = text(made())

    def case(name: str, why: str, data: bytes, *reasons: str) -> Case:
        return Case(f"{name}_fail", why, data, (), reasons, 3)

    member = b'{"bundle_type"'
    number = b'"version":1}'
    if good.count(member) != 1 or number not in good:
        raise ValueError("the text of the bundle is not as expected")
    yield case("empty", "An empty file.", b"", "not-json")
    yield case("truncated", "The file ends early.", good[:-40], "not-json")
    yield case("trailing", "Something follows the document.", good + b"{}", "not-json")
    yield case("byte_order_mark", "A byte order mark.", b"\xef\xbb\xbf" + good, "byte-order-mark")
    yield case("utf16", "UTF-16.", b"\xff\xfe" + good.decode().encode("utf-16-le"), "not-utf8")
    yield case("latin1", "Latin-1: invalid UTF-8.", good.replace(b"a test key", b"a t\xe9st key"), "not-utf8")
    yield case("overlong", "UTF-8 in an overlong form.", good.replace(b"a test key", b"a test\xc0\xa0key"), "not-utf8")
    yield case(
        "duplicate_key",
        "A member twice, the genuine one last: readers keep the first or the last.",
        good.replace(b'"canonical_sha256":', b'"canonical_sha256":"EVIL","canonical_sha256":', 1),
        "duplicate-key",
    )
    yield case(
        "duplicate_key_nested",
        "A member twice, deep inside.",
        good.replace(b'"target":"record"', b'"target":"graph","target":"record"', 1),
        "duplicate-key",
    )
    yield case(
        "duplicate_key_escaped",
        "A member twice, once spelled with an escape.",
        good.replace(b'"target":"record"', b'"t\\u0061rget":"graph","target":"record"', 1),
        "duplicate-key",
    )
    for name, digits, why in (
        ("nan", b"NaN", "NaN is not JSON."),
        ("infinity", b"-Infinity", "Infinity is not JSON."),
        ("overflow", b"1e400", "A number beyond every double."),
        ("minus_zero", b"-0", "Minus zero has two spellings."),
        ("big_integer", b"9007199254740992", "An integer that not every reader keeps: 2^53."),
        ("huge_integer", b"1" * 5000, "An integer of 5,000 digits."),
    ):
        data = good.replace(number, b'"version":' + digits + b"}", 1)
        yield case(f"number_{name}", why, data, "number")
    yield case(
        "lone_surrogate",
        "Half of a surrogate pair has no UTF-8 form.",
        good.replace(b"a test key", b"a test \\ud800 key"),
        "lone-surrogate",
    )
    deep = b'{"a":' + b"[" * 70 + b"]" * 70 + b"}"
    yield case(
        "too_deep", "Nested 71 deep; the limit is 64.", good.replace(b'"links":{}', b'"links":' + deep), "too-deep"
    )
    yield from _misshaped(case)


def _misshaped(case: Callable[..., Case]) -> Iterator[Case]:
    value = made()
    shapes: list[tuple[str, str, Json]] = [
        ("list", "A list is no bundle.", [value]),
        ("null", "null is no bundle.", None),
        ("member_missing", "A bundle without events.", removed(value, "events")),
        ("member_unknown", "A bundle with an unknown member.", added(value)),
        ("member_case", "Names of members are exact.", {**removed(value, "links"), "Links": {}}),
        ("member_type", "events is a list.", {**value, "events": {}}),
        ("bundle_type", "Another type of document.", {**value, "bundle_type": "pith_open_graph"}),
        ("bundle_version", "A later version may mean something else.", {**value, "bundle_version": "1.1"}),
        ("bundle_version_number", "The version is a text.", {**value, "bundle_version": 1}),
        ("merge_version", "Another merge.", {**value, "merge_version": "pith-open-graph-merge-v2"}),
        ("built_at", "built_at is no UTC time.", {**value, "built_at": "2026-07-05 01:44:30"}),
        ("built_at_offset", "A time of another zone.", {**value, "built_at": "2026-07-05T03:44:30+02:00"}),
        ("built_at_date", "A day that does not exist.", {**value, "built_at": "2026-02-30T00:00:00Z"}),
        (
            "signature_renamed",
            "A signature under another name.",
            {**unsigned(value), "signature": value["bundle_signature"]},
        ),
    ]
    for name, why, other in shapes:
        yield case(
            name, why, text(REGISTRY.seal(other) if isinstance(other, dict) and "bundle_signature" in other else other)
        )


# --- records ---


def bad_records() -> Iterator[Case]:
    """Yield bundles whose record, number or aliases are wrong, although a trusted registry signed them."""

    def case(name: str, why: str, value: Json, *failed: str) -> Case:
        return Case(f"{name}_fail", why, text(value), failed, (), 1)

    value = made()
    record = ("canonical_record",)
    wrong: list[tuple[str, str, Steps, Json]] = [
        ("record_version_zero", "Versions start at 1.", ("source", "version"), 0),
        ("record_version_true", "true is not 1.", ("source", "version"), True),
        ("record_version_float", "1.0 is not 1.", ("source", "version"), 1.0),
        ("record_version_text", "A text is no version.", ("source", "version"), "1"),
        ("record_id_with_version", "The identifier has no version.", ("source", "id"), "2101.00001v1"),
        ("record_id_newline", "A trailing newline.", ("source", "id"), "2101.00001\n"),
        ("record_id_digits", "Digits are ASCII.", ("source", "id"), "2101.0000\u0661"),
        ("record_hash_upper", "Hashes are in lower case.", ("metadata", "title_canon_sha256"), "A" * 64),
        ("record_time_lower", "The time ends in a capital Z.", ("metadata", "submitted_at"), "2020-12-31T23:59:59z"),
        ("record_time_date", "A day that does not exist.", ("metadata", "submitted_at"), "2021-02-29T00:00:00Z"),
        ("record_cats_order", "Categories ascend.", ("metadata", "cross_cats_sorted"), ["math.CO", "cs.AI"]),
        ("record_cats_twice", "Each category once.", ("metadata", "cross_cats_sorted"), ["cs.AI", "cs.AI"]),
        ("record_cats_primary", "Without the primary.", ("metadata", "cross_cats_sorted"), ["cs.DL"]),
    ]
    for name, why, steps, new in wrong:
        yield case(name, why, REGISTRY.seal(changed(value, *record, *steps, to=new)), "canonical_record")
    yield case("record_member", "A member more.", REGISTRY.seal(added(value, *record, "metadata")), "canonical_record")
    yield case(
        "record_less",
        "A member less.",
        REGISTRY.seal(removed(value, *record, "metadata", "license")),
        "canonical_record",
    )
    stated: list[tuple[str, str, Steps, Json]] = [
        ("canonical_sha256", "The record hashes to something else.", ("canonical_sha256",), str(OTHER.digest)),
        ("number_year", "The year does not follow.", ("pith_number",), f"pith:2021:{RECORD.digest.base32}"),
        ("number_lower", "Inside documents the number has one spelling.", ("pith_number",), str(RECORD.number).lower()),
        ("short_number", "The short number is 8 characters.", ("short_pith_number",), f"pith:{RECORD.short_12}"),
        ("source_version", "The source is the record's.", ("source", "version"), 2),
        ("source_version_true", "true is not 1.", ("source", "version"), True),
    ]
    for name, why, steps, new in stated:
        yield case(name, why, REGISTRY.seal(changed(value, *steps, to=new)), str(steps[0]))
    bits = f"pith:2020:{_short_of_bits(OTHER)}"
    value_128 = REGISTRY.seal(changed(made(minted=OTHER), "pith_number", to=bits))
    yield case("number_128_bits", "The suffix has 130 bits of the digest, not 128.", value_128, "pith_number")
    yield case(
        "title_hash",
        "Another title: nothing that was signed is about this record.",
        REGISTRY.seal(changed(value, "canonical_record", to=OTHER.record.to_json())),
        *("canonical_sha256", "pith_number", "short_pith_number", "aliases", "event ", "record_created"),
        "state_recomputed",
    )
    yield from _bad_aliases(case)


def _short_of_bits(minted: Minted) -> str:
    """Return base32 of the first 16 bytes: a wrong last character."""
    suffix = base64.b32encode(minted.digest.value[:16]).decode().rstrip("=")
    if suffix == minted.digest.base32:
        raise ValueError("the last bits of this digest are zero")
    return suffix


def _bad_aliases(case: Callable[..., Case]) -> Iterator[Case]:
    every = tuple(range(6))

    def with_row(new: Json) -> Object:
        return aliased(every, lambda rows: [new, *rows[1:]])

    good = _object(bundle.alias_rows(RECORD.aliases, TIME)[0])
    for name, why, value in (
        ("value", "An alias of another paper.", with_row({**good, "alias_value": "2101.00002"})),
        ("lookalike", "A look-alike digit.", with_row({**good, "alias_value": "2101.0000\u0661"})),
        ("kind", "A kind of alias that does not follow.", with_row({**good, "alias_kind": 'ar"xiv'})),
        ("path", "An alias that is a path.", with_row({**good, "alias_value": "../../x"})),
        ("time", "No UTC time.", with_row({**good, "created_at": "2026-07-05T01:44:30z"})),
        ("twice", "A row twice.", aliased(every, lambda rows: [rows[0], *rows])),
        ("order", "Rows ascend by kind.", aliased(every, lambda rows: rows[::-1])),
    ):
        yield case(f"alias_{name}", why, value, "aliases")
    for name, why, row in (
        ("member", "A row with a member more.", {**good, "note": ""}),
        ("null", "A row that is null.", None),
    ):
        yield case(f"alias_{name}", why, with_row(row), "aliases")


# --- events ---


def bad_events() -> Iterator[Case]:
    """Yield bundles with one event that must not be applied; state and bundle signature take that into account."""
    good = said(ALICE, "a typo on page 3")
    mark = signature_of(good, "signature")

    def case(name: str, why: str, event: Json, *reasons: str) -> Case:
        return Case(f"{name}_fail", why, text(made(event)), ("event ",), reasons, 1)

    yield case("event_null", "null is no event.", None, "event_shape")
    yield case("event_member", "A member outside the signed set.", added(good), "event_shape")
    yield case("event_less", "A member less.", removed(good, "prev_event"), "event_shape")
    yield case("event_content", "The content was changed.", changed(good, "payload", "text", to="z"), "content_sha256")
    yield case("event_injected", "A member was put into the payload.", added(good, "payload"), "content_sha256")
    yield case("event_id", "The id of another event.", changed(good, "event_id", to="sha256:" + "0" * 64), "event_id")
    yield case(
        "event_id_upper",
        "Ids are in lower case.",
        changed(good, "event_id", to=str(good["event_id"]).upper()),
        "event_id",
    )
    yield case("event_hash", "Another content hash.", changed(good, "content_sha256", to="0" * 64), "content_sha256")
    yield case("event_type", "An unknown type.", ALICE.event("verdict", RECORD, {}), "event_type")
    yield case("event_subject", "About another record.", ALICE.event("correction", OTHER, {}), "subject_mismatch")
    yield case("event_time", "No UTC time.", said(ALICE, "x", created_at="2026-07-05T01:44:30"), "created_at")
    yield case("event_prev", "prev_event is an event id.", said(ALICE, "x", prev_event="first"), "prev_event")
    yield case(
        "event_supersedes", "Ids are distinct.", said(ALICE, "x", supersedes=["sha256:" + "0" * 64] * 2), "supersedes"
    )
    yield case(
        "event_subject_short", "The subject is the full number.", _about(f"pith:{RECORD.short_8}"), "subject_mismatch"
    )

    last = mark.rstrip("=")[-1]
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    bits = mark[:85] + alphabet[alphabet.index(last) ^ 1] + "=="
    raw = base64.b64decode(mark)
    plus_l = (int.from_bytes(raw[32:], "little") + L).to_bytes(32, "little")
    for name, why, spelled, reason in (
        ("pad_bits", "Other pad bits: a second spelling of the same bytes.", bits, "signature_encoding"),
        ("padding_more", "Padding more.", mark + "==", "signature_encoding"),
        ("padding_less", "Padding less.", mark.rstrip("="), "signature_encoding"),
        ("newline", "A newline at the end.", mark + "\n", "signature_encoding"),
        ("url_alphabet", "The URL alphabet.", _url_alphabet(mark), "signature_encoding"),
        ("empty", "No signature.", "", "signature_encoding"),
        ("65_bytes", "A zero byte more.", base64.b64encode(raw + b"\0").decode(), "signature_encoding"),
        ("63_bytes", "A byte less.", base64.b64encode(raw[:63]).decode(), "signature_encoding"),
        (
            "s_plus_l",
            "S + L: a second signature made of the first.",
            base64.b64encode(raw[:32] + plus_l).decode(),
            "signature_invalid",
        ),
        (
            "other",
            "The signature of something else.",
            signature_of(said(ALICE, "else"), "signature"),
            "signature_invalid",
        ),
        ("zero", "64 zero bytes.", base64.b64encode(bytes(64)).decode(), "signature_invalid"),
    ):
        yield case(f"signature_{name}", why, changed(good, "signature", "signature_b64", to=spelled), reason)
    for name, new, reason in (
        ("algorithm", "none", "signature_constant"),
        ("signature_status", "unsigned", "signature_constant"),
        ("signed_message", "bundle_sha256_bytes", "signature_constant"),
        ("key_id", "registry-2026", "key_unknown"),
        ("public_key_fingerprint", REGISTRY.signer.key.fingerprint, "key_unknown"),
        ("signed_at", "yesterday", "signed_at"),
    ):
        why = f"The member {name} of the signature was relabelled."
        yield case(f"relabelled_{name}", why, changed(good, "signature", name, to=new), reason)
    yield case("signature_member", "A member more.", added(good, "signature"), "signature_shape")
    yield case("signature_less", "A member less.", removed(good, "signature", "signed_at"), "signature_shape")
    yield case("signature_null", "No signature object.", {**good, "signature": None}, "signature_shape")
    yield from _bad_signers(case)


def _about(subject: str) -> Object:
    draft = events.Draft("correction", subject, "record", {"text": "x"}, TIME)
    return events.build(draft, ALICE.who, ALICE.signer, signed_at=TIME)


def _url_alphabet(mark: str) -> str:
    spelled = mark.replace("+", "-").replace("/", "_")
    if spelled == mark:
        raise ValueError("the signature has neither + nor /")
    return spelled


def _as(party: Party, signer_id: str, signer_type: str, key_id: str, kind: str = "correction") -> Object:
    """Return an event by one key that says another name."""
    who = events.SignerId(signer_id, signer_type, key_id)
    return Party(party.signer, who).event(kind, RECORD, {"text": "x"})


def _weak(key: bytes) -> Object:
    """Return an event under a key of small order, with a signature that some libraries take for any message."""
    public = PublicKey(key)
    who = events.SignerId(public.did, "did_key", public.did)
    event = Party(ALICE.signer, who).event("correction", RECORD, {"text": "x"})
    event = changed(event, "signer", "public_key_fingerprint", to=public.fingerprint)
    digest = events.content_digest(event)
    event |= {"content_sha256": digest.hex(), "event_id": f"sha256:{digest.hex()}"}
    identity = bytes([1]) + bytes(31)
    sealed = {**seal(digest, events.MESSAGE, ALICE.signer, public.did, TIME)}
    sealed["public_key_fingerprint"] = public.fingerprint
    sealed["signature_b64"] = base64.b64encode(identity + bytes(32)).decode()
    return {**event, "signature": sealed}


def _bad_signers(case: Callable[..., Case]) -> Iterator[Case]:
    did = ALICE.who.signer_id
    registry = REGISTRY.who
    yield case("signer_unknown", "A registry that nobody trusts.", said(UNKNOWN, "x"), "key_unknown")
    yield case("signer_revoked", "A key that was revoked.", said(REVOKED, "x"), "key_revoked")
    yield case("signer_impostor", "The trusted key id, another key.", said(IMPOSTOR, "x"), "key_unknown")
    yield case("signer_author_revoked", "An author whose key was revoked.", said(REPUDIATED, "x"), "key_revoked")
    yield case(
        "signer_early",
        "Signed before the key was valid.",
        said(BOUNDED, "x", created_at="2025-12-31T23:59:59.999999Z"),
        "key_outside_validity",
    )
    yield case(
        "signer_late",
        "Signed after the key was valid.",
        said(BOUNDED, "x", created_at="2026-06-30T23:59:59.000001Z"),
        "key_outside_validity",
    )
    yield case(
        "signer_posing",
        "An author says to be the registry.",
        _as(ALICE, registry.signer_id, registry.signer_type, registry.key_id),
        "key_unknown",
    )
    yield case("signer_other_did", "An author under another's did:key.", _as(BOB, did, "did_key", did), "key_unknown")
    yield case(
        "signer_key_id", "The key id of an author is the did:key.", _as(ALICE, did, "did_key", "alice"), "key_unknown"
    )
    yield case(
        "signer_registry_did",
        "A registry's key under another name.",
        _as(REGISTRY, "other.test", registry.signer_type, registry.key_id),
        "signer_mismatch",
    )
    yield case(
        "signer_other_registry",
        "One registry in the name of another.",
        _as(SECOND, registry.signer_id, registry.signer_type, SECOND.who.key_id),
        "signer_mismatch",
    )
    yield case(
        "signer_type",
        "An unknown type of signer.",
        _as(REGISTRY, registry.signer_id, "author", registry.key_id),
        "signer_mismatch",
    )
    yield case(
        "signer_long_did",
        "A did:key without end: refused by its length.",
        _as(ALICE, "did:key:z" + "2" * 5000, "did_key", "x"),
        "key_unknown",
    )
    yield case(
        "author_snapshot",
        "Only a registry makes snapshots.",
        ALICE.event("graph_snapshot", RECORD, {}),
        "signer_not_allowed",
    )
    yield case(
        "author_creates",
        "Only a registry creates records.",
        ALICE.created(RECORD, receipt=REGISTRY.receipt(RECORD)),
        "signer_not_allowed",
    )
    yield case(
        "key_identity",
        "The identity as key: one signature for every message.",
        _weak(bytes([1]) + bytes(31)),
        "key_weak",
    )
    yield case("key_small_order", "A key of order 4.", _weak(bytes(32)), "key_weak")
    yield case(
        "key_not_canonical", "The identity with y = p + 1.", _weak((2**255 - 18).to_bytes(32, "little")), "key_weak"
    )


def bad_creations() -> Iterator[Case]:
    """Yield bundles whose event that creates the record must not be applied."""

    def case(name: str, why: str, event: Json, *reasons: str) -> Case:
        return Case(f"{name}_fail", why, text(only(event)), ("event ", "record_created"), reasons, 1)

    payload = _object(REGISTRY.created(RECORD)["payload"])

    def create(held: Object) -> Object:
        return REGISTRY.event("record_created", RECORD, held)

    receipt = _object(payload["receipt"])
    for name, why, held, reason in (
        ("no_record", "The payload holds no record.", removed(payload, "canonical_record"), "record_shape"),
        (
            "other_record",
            "The payload is about another record.",
            {**payload, "canonical_record": OTHER.record.to_json()},
            "record_hash",
        ),
        (
            "other_hash",
            "The payload states another hash.",
            {**payload, "canonical_sha256": str(OTHER.digest)},
            "record_hash",
        ),
        ("source", "The payload's source is not the record's.", {**payload, "source_version": 2}, "record_source"),
        ("source_true", "true is not 1.", {**payload, "source_version": True}, "record_source"),
        ("no_receipt", "No receipt.", removed(payload, "receipt"), "receipt_shape"),
        ("receipt_member", "A receipt with a member more.", added(payload, "receipt"), "receipt_invalid"),
        (
            "receipt_kind",
            "A receipt of another kind.",
            changed(payload, "receipt", "kind", to="receipt"),
            "receipt_shape",
        ),
        (
            "receipt_other",
            "A receipt for another record.",
            {**payload, "receipt": REGISTRY.receipt(OTHER)},
            "receipt_hash",
        ),
        (
            "receipt_moved",
            "Another record's receipt, relabelled.",
            {**payload, "receipt": {**REGISTRY.receipt(OTHER), "canonical_sha256": str(RECORD.digest)}},
            "receipt_invalid",
        ),
        (
            "receipt_unknown",
            "A receipt of a registry that nobody trusts.",
            {**payload, "receipt": UNKNOWN.receipt(RECORD)},
            "receipt_invalid",
        ),
        (
            "receipt_revoked",
            "A receipt by a revoked key.",
            {**payload, "receipt": REVOKED.receipt(RECORD)},
            "receipt_invalid",
        ),
        (
            "receipt_author",
            "A receipt by a trusted author, who is no registry.",
            {**payload, "receipt": ALICE.receipt(RECORD)},
            "receipt_invalid",
        ),
        (
            "receipt_padding",
            "A receipt's signature with padding more.",
            changed(payload, "receipt", "signature_b64", to=str(receipt["signature_b64"]) + "=="),
            "receipt_invalid",
        ),
        (
            "receipt_message",
            "A receipt that names another message.",
            changed(payload, "receipt", "signed_message", to="bundle_sha256_bytes"),
            "receipt_invalid",
        ),
    ):
        yield case(f"creation_{name}", why, create(held), reason)
    yield case("creation_subject", "Another record's creation.", REGISTRY.created(OTHER), "subject_mismatch")
    yield Case("creation_absent_fail", "No event creates the record.", text(only()), ("record_created",), (), 1)
    yield Case(
        "creation_repudiated_fail",
        "All is signed by a registry whose key was revoked.",
        text(only(REVOKED.created(RECORD), by=REVOKED)),
        ("public_keys", "event ", "record_created", "bundle_signature"),
        ("key_revoked",),
        1,
    )


# --- the bundle as a whole ---


def bad_bundles() -> Iterator[Case]:
    """Yield bundles whose parts are good, but not the whole."""
    value = made(said(ALICE, "a typo on page 3"))

    def case(name: str, why: str, other: Json, *failed: str, reasons: tuple[str, ...] = ()) -> Case:
        return Case(f"{name}_fail", why, text(other), failed, reasons, 1)

    whole = ("bundle_sha256", "bundle_signature")
    held = value["events"]
    if not isinstance(held, list):
        raise TypeError("expected a list")
    yield case("whole_built_at", "built_at was changed.", changed(value, "built_at", to=LATER), *whole)
    yield case(
        "whole_links", "A link was added.", changed(value, "links", to={"resolver": "https://evil.test/"}), *whole
    )
    yield case("whole_hint", "A mirror hint was added.", changed(value, "mirror_hints", to=[{}]), *whole)
    yield case(
        "whole_event_dropped",
        "An event was dropped and the state rebuilt.",
        remerged({**value, "events": held[:1]}),
        *whole,
    )
    yield case(
        "whole_event_added",
        "A genuine event was added and the state rebuilt.",
        remerged({**value, "events": [*held, said(BOB, "x")]}),
        *whole,
    )
    yield case(
        "whole_event_repeated",
        "An event was repeated; the state is the same.",
        {**value, "events": [*held, held[0]]},
        *whole,
    )
    yield case(
        "whole_alias_time",
        "An alias became older; the state was rebuilt.",
        remerged(changed(value, "source_aliases", 0, "created_at", to="2026-01-01T00:00:00Z")),
        *whole,
    )
    yield case(
        "whole_hash",
        "Another bundle hash.",
        changed(value, "bundle_signature", "bundle_sha256", to="0" * 64),
        "bundle_sha256",
    )
    yield case(
        "whole_hash_upper",
        "The bundle hash in capitals.",
        changed(value, "bundle_signature", "bundle_sha256", to=bundle.bundle_digest(value).hex().upper()),
        "bundle_sha256",
    )
    yield case(
        "whole_signature",
        "The signature of an event.",
        changed(value, "bundle_signature", "signature_b64", to=signature_of(value, "events", 0, "signature")),
        "bundle_signature",
        reasons=("signature_invalid",),
    )
    yield case(
        "whole_signature_null",
        "A signature that is null.",
        {**value, "bundle_signature": None},
        *whole,
        reasons=("signature_shape",),
    )
    yield case(
        "whole_signature_member",
        "A member more in the signature.",
        added(value, "bundle_signature"),
        "bundle_signature",
        reasons=("signature_shape",),
    )
    yield case(
        "whole_by_unknown",
        "Signed by a registry that nobody trusts.",
        UNKNOWN.seal(value),
        "bundle_signature",
        reasons=("key_unknown",),
    )
    yield case(
        "whole_by_revoked",
        "Signed by a revoked key.",
        REVOKED.seal(value),
        "bundle_signature",
        reasons=("key_revoked",),
    )
    yield case(
        "whole_by_bounded",
        "Signed after the key was valid, whatever signed_at says.",
        BOUNDED.seal(value, signed_at="2026-06-01T00:00:00Z"),
        "bundle_signature",
        reasons=("key_outside_validity",),
    )
    yield case(
        "whole_by_author",
        "Signed by a trusted author, who is no registry.",
        ALICE.seal(value),
        "bundle_signature",
        reasons=("signer_not_allowed",),
    )
    yield from _bad_states(case, value)
    yield from _bad_keys(case)


def _bad_states(case: Callable[..., Case], value: Object) -> Iterator[Case]:
    def stated(*steps: str | int, to: Json) -> Object:
        state = changed(value["state"], *steps, to=to)
        return REGISTRY.seal({**value, "state": {**state, "state_sha256": state_sha256(state)}})

    yield case(
        "state_hash",
        "The state does not hash to what it says.",
        REGISTRY.seal(changed(value, "state", "state_sha256", to="0" * 64)),
        "state_sha256",
        "state_recomputed",
    )
    yield case("state_count", "A count is wrong.", stated("event_count", to=3), "state_recomputed")
    yield case("state_count_float", "2.0 is not 2.", stated("event_count", to=2.0), "state_recomputed")
    yield case(
        "state_withheld", "The state hides a correction.", stated("current", "corrections", to=[]), "state_recomputed"
    )
    yield case(
        "state_record",
        "The state shows another record.",
        stated("current", "canonical_record", to=OTHER.record.to_json()),
        "state_recomputed",
    )
    yield case(
        "state_order",
        "Applied in another order.",
        stated("applied_event_ids", to=list(reversed(_list(at(value, ("state", "applied_event_ids")))))),
        "state_recomputed",
    )
    yield case(
        "state_member", "A member more.", REGISTRY.seal(added(value, "state")), "state_sha256", "state_recomputed"
    )
    broken = changed(at(value, ("events", 1)), "signature", "signature_b64", to="AAAA")
    yield case(
        "damaged_copy",
        "A broken copy of an event that is there intact: reported, and not in the state.",
        rebuilt({**value, "events": [*_list(value["events"]), broken]}),
        "event ",
        reasons=("signature_encoding",),
    )
    wrong = changed(snapshot(), "claims", "snapshot_sha256", to="0" * 64)
    yield case(
        "snapshot_section",
        "The hash of an empty section is wrong.",
        made(REGISTRY.event("graph_snapshot", RECORD, {"graph_snapshot": wrong}, target="graph")),
        "snapshot claims",
    )
    finding: Json = {"detector": "doi_compliance", "severity": "critical"}
    hidden = changed(snapshot(), "integrity", "findings", to=[finding])
    yield case(
        "snapshot_integrity",
        "The findings are not those that were hashed.",
        made(REGISTRY.event("graph_snapshot", RECORD, {"graph_snapshot": hidden}, target="graph")),
        "snapshot integrity",
    )


def _list(value: Json) -> list[Json]:
    if not isinstance(value, list):
        raise TypeError("expected a list")
    return value


def _bad_keys(case: Callable[..., Case]) -> Iterator[Case]:
    document = REGISTRY.document()
    wrong_bits = base64.b32encode(hashlib.sha256(REGISTRY.signer.key.raw).digest()[:16]).decode().rstrip("=")
    for name, why, other in (
        ("unknown", "A key that nobody trusts.", UNKNOWN.document()),
        ("relabelled", "The trusted key id, another key.", IMPOSTOR.document()),
        ("fingerprint", "A fingerprint of another key.", {**document, "fingerprint_sha256_hex": "0" * 32}),
        (
            "128_bits",
            "The base32 fingerprint has 130 bits.",
            {**document, "fingerprint_sha256_b32_first128bits": wrong_bits},
        ),
        ("spellings", "Hex and base64 are two keys.", {**document, "public_key_b64": UNKNOWN.signer.key.base64}),
        ("member", "A member more.", {**document, "zz_injected": "x"}),
        ("algorithm", "Another algorithm.", {**document, "algorithm": "rsa"}),
    ):
        yield case(f"key_document_{name}", why, keyed(other), "public_keys")
    ring = Keyring((IMPOSTOR.entry(),))
    forged = IMPOSTOR.bundle(RECORD, [IMPOSTOR.created(RECORD)], ring)
    yield case(
        "key_substitution",
        "Everything signed again under the trusted key id, with the attacker's key in the bundle.",
        forged,
        *("public_keys", "event ", "record_created", "state_recomputed", "bundle_signature"),
        reasons=("key_unknown",),
    )


def conflicts() -> Iterator[Case]:
    """Yield bundles in which one key contradicts itself: nothing is false, but a person must look."""

    def case(name: str, why: str, *more: Json) -> Case:
        return Case(f"conflict_{name}_fail", why, text(made(*more)), ("equivocation",), (), 5)

    start = said(ALICE, "start")
    new, old = [start["event_id"]], start["event_id"]
    one, two = said(ALICE, "one"), said(ALICE, "two")
    yield case("instant", "Two corrections of one key at one instant.", one, two)
    yield case(
        "instant_style",
        "The same instant in two styles.",
        one,
        said(ALICE, "2", created_at="2026-07-05T01:44:30.000000+00:00"),
    )
    yield case(
        "chain", "Two events follow one.", start, *(said(ALICE, t, prev_event=old, created_at=LATER) for t in "ab")
    )
    yield case(
        "chain_types",
        "Two events of other types follow one.",
        start,
        said(ALICE, "a", prev_event=old),
        ALICE.event("mirror_hint", RECORD, {}, prev_event=str(old)),
    )
    yield case(
        "chain_missing",
        "Two events follow one that is not there.",
        *(said(ALICE, t, prev_event="sha256:" + "0" * 64) for t in "ab"),
    )
    yield case(
        "replace",
        "Two events replace one.",
        start,
        said(ALICE, "a", supersedes=new),
        said(ALICE, "b", supersedes=new, created_at=LATER),
    )
    yield case(
        "late_replacement",
        "Replacing one side later does not erase the evidence.",
        one,
        two,
        said(ALICE, "three", supersedes=[two["event_id"]], created_at=LATER),
    )
    yield case(
        "snapshots",
        "A registry shows two graphs at one instant.",
        *(REGISTRY.event("graph_snapshot", RECORD, {"n": n}, target="graph") for n in (1, 2)),
    )
    yield case("root", "A registry creates a record twice.", REGISTRY.created(RECORD, created_at=LATER))
    yield Case(
        "conflict_and_forgery_fail",
        "A contradiction beside a broken event: the failure counts.",
        text(made(one, two, changed(start, "payload", "text", to="z"))),
        ("equivocation", "event "),
        ("content_sha256",),
        1,
    )


# --- other documents ---


def documents() -> Iterator[Case]:
    """Yield record documents, states and receipts."""

    def case(  # noqa: PLR0913 - each is one fact of a case
        kind: str, name: str, why: str, value: Json, *failed: str, reasons: tuple[str, ...] = (), status: int = 1
    ) -> Case:
        if not failed and not reasons and status == 1:
            return Case(f"{kind}_document_{name}", why, text(value), file=f"{kind}.json")
        return Case(f"{kind}_document_{name}_fail", why, text(value), failed, reasons, status, f"{kind}.json")

    record = seed("record-2007.03298v2")
    receipt, state = _object(record["receipt"]), _object(seed()["state"])
    yield case("record", "seed", "The registry's public record document.", record)
    yield case(
        "record",
        "links",
        "Links are not signed; a verifier must label them unverified.",
        changed(record, "links", "html", to="https://mirror.test/"),
    )
    yield case(
        "record",
        "title_case",
        "Blanks and case of a title do not enter its hash.",
        changed(record, "paper", "title", to=f"  {str(at(record, ('paper', 'title'))).upper()} "),
    )
    yield case("record", "title", "Another title.", changed(record, "paper", "title", to="Another title"), "title")
    yield case("record", "hash", "Another hash.", changed(record, "canonical_sha256", to="0" * 64), "canonical_sha256")
    yield case(
        "record", "number", "Another number.", changed(record, "pith_number", to=str(RECORD.number)), "pith_number"
    )
    yield case(
        "record", "alias", "Another alias.", changed(record, "aliases", 0, "alias_value", to="2007.03299"), "aliases"
    )
    yield case(
        "record",
        "receipt",
        "A receipt for another record.",
        {**record, "receipt": REGISTRY.receipt(RECORD)},
        "receipt",
        reasons=("receipt_hash",),
    )
    yield case("record", "no_receipt", "No receipt.", removed(record, "receipt"), "receipt")
    yield case(
        "record",
        "receipt_unknown",
        "A receipt of a registry that nobody trusts.",
        {**record, "receipt": UNKNOWN.receipt(_minted(record))},
        "receipt",
        reasons=("key_unknown",),
    )
    yield case(
        "record",
        "receipt_author",
        "A receipt by a trusted author, who is no registry.",
        {**record, "receipt": ALICE.receipt(_minted(record))},
        "receipt",
        reasons=("signer_not_allowed",),
    )
    yield case("record", "shape", "The record is no object.", {**record, "canonical_record": []}, "canonical_record")
    yield case("receipt", "seed", "The receipt of the registry's public record document.", receipt)
    yield case(
        "receipt",
        "times",
        "The times of a receipt that stands alone are not signed.",
        changed(receipt, "signed_at", to=TIME),
    )
    yield case(
        "receipt",
        "hash",
        "About another digest.",
        changed(receipt, "canonical_sha256", to=str(RECORD.digest)),
        "receipt",
        reasons=("signature_invalid",),
    )
    yield case(
        "receipt",
        "key",
        "The trusted key id, another key.",
        IMPOSTOR.receipt(RECORD),
        "receipt",
        reasons=("key_unknown",),
    )
    yield case("receipt", "revoked", "By a revoked key.", REVOKED.receipt(RECORD), "receipt", reasons=("key_revoked",))
    yield case(
        "receipt",
        "message",
        "Another message.",
        changed(receipt, "signed_message", to="bundle_sha256_bytes"),
        "receipt",
        reasons=("signature_constant",),
    )
    yield case("receipt", "member", "A member more.", added(receipt), status=3)
    yield case("state", "seed", "The state of the registry's public bundle.", state)
    yield case(
        "state", "hash", "The state hashes to something else.", changed(state, "event_count", to=3), "state_sha256"
    )
    yield case("state", "version", "Another merge.", {**state, "merge_version": "v2"}, status=3)


def finding(by: Party, audited_at: str = TIME) -> Object:
    """Return a signed event of an integrity document."""
    evidence: Object = {"doi": "10.1/x", "checked_sources": ["doi_org_head"]}
    payload: Object = {
        "event_type": "pith.integrity.v1",
        "detector": "doi_compliance",
        "detector_version": "1.0.0",
        "finding_type": "unresolvable_identifier",
        "verdict_class": "cross_source",
        "severity": "critical",
        "arxiv_id": "2101.00001",
        "evidence": evidence,
        "evidence_hash": evidence_hash("doi_compliance", evidence),
        "audited_at": audited_at,
    }
    digest = payload_sha256(payload)
    return {
        "event_id": 1,
        "event_type": "pith.integrity.v1",
        "payload_sha256": digest,
        "signature_b64": base64.b64encode(by.signer.sign(bytes.fromhex(digest))).decode(),
        "signing_key_id": by.who.key_id,
        "created_at": TIME,
        "payload": payload,
    }


def integrity(*signed: Json) -> Object:
    """Return an integrity document."""
    section: Object = {
        "findings": [],
        "detectors_run": [],
        "clean": True,
        "snapshot_sha256": integrity_sha256([], []),
    }
    return {
        "schema": SCHEMA,
        "pith_number": "2101.00001",
        "arxiv_id": "2101.00001",
        "integrity": section,
        "events": list(signed),
    }


def integrity_documents() -> Iterator[Case]:
    """Yield integrity documents."""

    def case(name: str, why: str, value: Json, *failed: str) -> Case:
        if not failed:
            return Case(f"integrity_document_{name}", why, text(value), file="integrity.json")
        return Case(f"integrity_document_{name}_fail", why, text(value), failed, (), 1, "integrity.json")

    good = finding(REGISTRY)
    document = integrity(good)
    payload = ("events", 0, "payload")
    early = finding(BOUNDED, "2026-01-01T00:00:00Z")
    yield case("signed", "A signed finding.", document)
    yield case("empty", "Nothing found, and nothing signed.", integrity())
    yield case("validity", "The audit lies within the key's validity.", integrity(early))
    yield case(
        "payload",
        "The severity was changed.",
        changed(document, *payload, "severity", to="advisory"),
        *("event 0 payload", "event 0 signature"),
    )
    yield case(
        "payload_repaired",
        "The severity was changed and the hash repaired.",
        _rehashed(changed(document, *payload, "severity", to="advisory")),
        "event 0 signature",
    )
    yield case(
        "evidence",
        "The evidence is not what was hashed, although all is signed.",
        integrity(_resigned(changed(good, "payload", "evidence", "doi", to="10.1/y"))),
        "event 0 evidence",
    )
    yield case(
        "paper",
        "A finding about another paper.",
        integrity(_resigned(changed(good, "payload", "arxiv_id", to="2101.00002"))),
        "event 0 paper",
    )
    yield case(
        "padding",
        "A signature with padding more.",
        changed(document, "events", 0, "signature_b64", to=f"{good['signature_b64']}=="),
        "event 0 signature",
    )
    for name, why, party in (
        ("unknown", "By a registry that nobody trusts.", UNKNOWN),
        ("impostor", "The trusted key id, another key.", IMPOSTOR),
        ("revoked", "By a revoked key.", REVOKED),
        ("author", "By a trusted author, who is no registry.", ALICE),
        ("late", "Audited after the key was valid.", BOUNDED),
    ):
        yield case(f"by_{name}", why, integrity(finding(party)), "event 0 signature")
    yield case(
        "section",
        "The section's hash is wrong.",
        changed(document, "integrity", "snapshot_sha256", to="0" * 64),
        "section hash",
    )
    yield case("clean", "Clean means no finding.", changed(document, "integrity", "clean", to=False), "clean")


def _rehashed(document: Object) -> Object:
    return changed(document, "events", 0, "payload_sha256", to=payload_sha256(at(document, ("events", 0, "payload"))))


def _resigned(event: Object) -> Object:
    digest = payload_sha256(event["payload"])
    signature = base64.b64encode(REGISTRY.signer.sign(bytes.fromhex(digest))).decode()
    return {**event, "payload_sha256": digest, "signature_b64": signature}


def _minted(record: Object) -> Minted:
    return mint(CanonicalRecord.from_json(record["canonical_record"]))


# --- writing ---


def cases() -> list[Case]:
    """Return all cases by name."""
    found = [
        *good_bundles(),
        *malformed(),
        *bad_records(),
        *bad_events(),
        *bad_creations(),
        *bad_bundles(),
        *conflicts(),
        *documents(),
        *integrity_documents(),
    ]
    names = [case.name for case in found]
    if len(set(names)) != len(names):
        raise ValueError(f"names occur twice: {sorted({name for name in names if names.count(name) > 1})}")
    return sorted(found, key=lambda case: case.name)


def tree() -> dict[str, bytes]:
    """Return the files of the set by their path inside it."""
    files = {"trust.json": trust_file()}
    for case in cases():
        files |= {f"{case.name}/{name}": data for name, data in case.files().items()}
    return files


def main() -> int:
    """Write the set, or compare it under `--check`."""
    parser = argparse.ArgumentParser(description="Write data/conformance.")
    parser.add_argument("--check", action="store_true", help="compare instead of writing; exit 1 if a file differs")
    check: bool = parser.parse_args().check
    files = tree()
    held = {str(path.relative_to(FOLDER).as_posix()) for path in FOLDER.rglob("*") if path.is_file()}
    stale = sorted(held - files.keys())
    for name, data in files.items():
        path = FOLDER / name
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        elif not path.exists() or path.read_bytes() != data:
            stale.append(name)
    for name in stale:
        print(f"data/conformance/{name} differs from what scripts/make_conformance.py writes", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
