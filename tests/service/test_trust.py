"""The trust store: what is trusted, for whom and when; a revocation never gets lost."""

import dataclasses
import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pithid.core.errors import InvalidIdentifier, NotFound, PithError, Unavailable
from pithid.core.keys import SELF_CERTIFIED, InvalidKey, Keyring, PublicKey, TrustEntry
from pithid.core.receipts import MESSAGE
from pithid.core.seals import check_seal, seal
from pithid.core.signing import SeedSigner
from pithid.core.times import instant
from pithid.service import trust
from pithid.service.trust import (
    InvalidTrust,
    TrustConflict,
    Trusted,
    WeakKey,
    add_entry,
    load_keyring,
    matching,
    own_trust_file,
    read_trust_file,
    revoke,
    trusted,
)
from pithid.store.places import data_file

SIGNER, SECOND = SeedSigner(bytes(range(32))), SeedSigner(bytes(range(1, 33)))
ENTRY = TrustEntry(SIGNER.key, "k", "registry.example")
WEAK = PublicKey(b"\x01" + bytes(31))
ROW: dict[str, Any] = {
    "document": SIGNER.key.document("k"),
    "signer_id": "registry.example",
    "signer_type": "pith_registry",
    "valid_from": "",
    "valid_until": "",
    "revoked": False,
}


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the path of the own trust file of a user who has none yet."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    return Path(own_trust_file())


def registry() -> TrustEntry:
    """Return the shipped entry."""
    (entry,) = read_trust_file(data_file("trusted_keys.json"))
    return entry


def put(path: Path, *rows: Any) -> str:  # noqa: ANN401 - any JSON value
    """Write a trust file as a person might, and return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(rows), encoding="utf-8")
    return str(path)


def row(entry: TrustEntry, **changes: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON value
    """Return an entry as a trust file has it."""
    members = dataclasses.asdict(entry)
    texts = {name: members[name] for name in ("signer_id", "signer_type", "valid_from", "valid_until", "revoked")}
    return {"document": entry.key.document(entry.key_id), **texts, **changes}


def reasons(entry_ring: Keyring, at: str = "2026-07-05T00:00:00Z") -> tuple[str, ...]:
    """Return what a check of a good seal says under a keyring."""
    digest = bytes(32)
    value = seal(digest, MESSAGE, SIGNER, "k", "2026-07-05T00:00:00Z")
    return check_seal(value, digest, MESSAGE, entry_ring, at=instant(at)).reasons


def test_shipped_key_alone() -> None:
    """Without a file of the user's, the registry's key is trusted and nothing is made."""
    (one,) = trusted(None)
    assert one.origin == "shipped"
    assert one.entry == TrustEntry(
        PublicKey.from_did("did:key:z6MkrVMHBCSctGKsuG8E721iJW4sEL6DLz4NK9pw4jVct4Gz"),
        "pith-v1-2026-05",
        "pith.science",
    )
    assert load_keyring(None) == Keyring((one.entry,))
    assert not os.path.exists(own_trust_file())


def test_added_key_is_trusted() -> None:
    """A key that was added is accepted, after the shipped ones, and only what was confirmed is kept of it."""
    assert reasons(load_keyring(None)) == ("key_unknown",)
    add_entry(None, ENTRY, source="a letter")
    assert trusted(None)[1:] == (Trusted(ENTRY, "own", "a letter"),)
    assert reasons(load_keyring(None)) == ()
    assert read_trust_file(own_trust_file()) == (ENTRY,)


def test_named_file_replaces_both(tmp_path: Path) -> None:
    """A named file is the only source, and is made where it is missing."""
    path = str(tmp_path / "only.json")
    add_entry(None, ENTRY)
    second = TrustEntry(SECOND.key, "k2", "other.example")
    add_entry(path, second)
    assert trusted(path) == (Trusted(second, "file"),)
    assert load_keyring(path).entries == (second,)
    put(Path(path))
    assert load_keyring(path) == Keyring()


def test_named_file_must_be_there(tmp_path: Path) -> None:
    """A named file that is missing is an error, never an empty keyring; so is a folder."""
    for name in ("none.json", ".", ""):
        path = str(tmp_path / name) if name else ""
        for use in (load_keyring, read_trust_file, lambda path: revoke(path, "0" * 32)):
            with pytest.raises(Unavailable):
                use(path)
    assert not (tmp_path / "none.json").exists()


def test_own_file_that_cannot_be_read_is_an_error(own: Path) -> None:
    """The user's own file is never passed over: it may hold a revocation."""
    own.mkdir(parents=True)
    with pytest.raises(Unavailable):
        load_keyring(None)
    own.rmdir()
    own.write_bytes(b"[")
    with pytest.raises(InvalidTrust, match=own.name):
        load_keyring(None)


def test_own_entry_overrides_the_shipped_one(own: Path) -> None:
    """The user's bounds hold for a shipped key, in its place."""
    bounded = dataclasses.replace(registry(), valid_until="2026-06-01T00:00:00Z")
    add_entry(None, bounded)
    assert trusted(None) == (Trusted(bounded, "own"),)
    wider = dataclasses.replace(registry(), valid_from="2026-01-01T00:00:00Z")
    add_entry(None, wider)
    assert trusted(None) == (Trusted(wider, "own"),)
    assert len(json.loads(own.read_text())) == 1


def test_shipped_key_can_be_revoked(own: Path) -> None:
    """Revoking a shipped key writes an own entry, by which none of its signatures is accepted."""
    (now,) = revoke(None, registry().key.fingerprint)
    assert now == dataclasses.replace(registry(), revoked=True)
    assert trusted(None) == (Trusted(now, "own", "revoked here"),)
    before = own.read_bytes()
    assert revoke(None, str(registry().key)) == (now,)
    assert own.read_bytes() == before


def test_revoked_key_is_not_accepted() -> None:
    """A revoked key stays known, its signatures named as such."""
    add_entry(None, ENTRY)
    for text in (SIGNER.key.fingerprint, str(SIGNER.key), SIGNER.key.did, SIGNER.key.base64):
        assert revoke(None, text) == (dataclasses.replace(ENTRY, revoked=True),)
    assert reasons(load_keyring(None)) == ("key_revoked",)


def test_revocation_holds_for_the_key(tmp_path: Path, own: Path) -> None:
    """A key revoked under one key id is revoked under all, also where two files state them."""
    other_id = dataclasses.replace(ENTRY, key_id="k2")
    path = put(tmp_path / "named.json", row(ENTRY), row(other_id, revoked=True))
    assert [entry.revoked for entry in load_keyring(path).entries] == [True, True]
    put(own, row(dataclasses.replace(registry(), key_id="mine", signer_id="me"), revoked=True))
    assert [entry.revoked for entry in load_keyring(None).entries] == [True, True]
    path = put(tmp_path / "named.json", row(ENTRY), row(other_id))
    assert [entry.key_id for entry in revoke(path, str(SIGNER.key))] == ["k", "k2"]
    assert [entry.revoked for entry in read_trust_file(path)] == [True, True]


def test_shipped_revocation_outlives_an_own_entry(tmp_path: Path, own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a later package revokes a key, an older own entry does not undo it."""
    shipped = put(tmp_path / "shipped.json", row(ENTRY, revoked=True))
    monkeypatch.setattr(trust, "data_file", lambda _: shipped)
    put(own, row(ENTRY, valid_until="2026-06-01T00:00:00Z"))
    (one,) = trusted(None)
    assert (one.origin, one.entry.revoked, one.entry.valid_until) == ("own", True, "2026-06-01T00:00:00Z")
    assert reasons(load_keyring(str(own)), "2026-05-01T00:00:00Z") == ()


def test_revoked_key_cannot_be_added_again() -> None:
    """Trusting a revoked key is refused, under another key id and with other bounds too."""
    add_entry(None, ENTRY)
    revoke(None, SIGNER.key.fingerprint)
    for entry in (
        ENTRY,
        dataclasses.replace(ENTRY, key_id="k2"),
        dataclasses.replace(ENTRY, valid_from="2026-01-01T00:00:00Z"),
    ):
        with pytest.raises(TrustConflict, match="revoked"):
            add_entry(None, entry)
    assert [entry.revoked for entry in read_trust_file(own_trust_file())] == [True]


def test_one_key_for_two_signers_is_refused(tmp_path: Path, own: Path) -> None:
    """The same key and key id cannot belong to two signers: added, in one file, or in two."""
    other = dataclasses.replace(ENTRY, signer_id="other.example")
    add_entry(None, ENTRY)
    with pytest.raises(TrustConflict, match=r"registry\.example"):
        add_entry(None, other)
    with pytest.raises(InvalidKey, match="no signer type"):
        dataclasses.replace(ENTRY, signer_type="journal")
    with pytest.raises(InvalidTrust, match=r"entry 2: .*twice"):
        load_keyring(put(tmp_path / "named.json", row(ENTRY), row(other)))
    with pytest.raises(TrustConflict, match=r"pith\.science"):
        add_entry(None, dataclasses.replace(registry(), signer_id="other.example"))
    put(own, row(registry(), signer_id="other.example"))
    with pytest.raises(TrustConflict, match=r"pith\.science.*remove"):
        load_keyring(None)


def test_entry_listed_twice_is_refused(tmp_path: Path) -> None:
    """Two entries of one key and key id could have two bounds, so there is one."""
    with pytest.raises(InvalidTrust, match="entry 2"):
        load_keyring(put(tmp_path / "named.json", ROW, ROW | {"valid_until": "2026-06-01T00:00:00Z"}))


def test_one_key_id_of_two_keys() -> None:
    """A rotated key may keep its key id: the fingerprint tells the keys apart."""
    second = TrustEntry(SECOND.key, "k", "registry.example")
    add_entry(None, ENTRY)
    add_entry(None, second)
    revoke(None, SIGNER.key.fingerprint)
    ring = load_keyring(None)
    assert ring.find(SECOND.key.fingerprint, "k") == second
    assert reasons(ring) == ("key_revoked",)


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ("2026-05-01T00:00:00Z", ()),
        ("2026-06-01T00:00:00Z", ()),
        ("2026-04-30T23:59:59.999999Z", ("key_outside_validity",)),
        ("2026-06-01T00:00:00.000001Z", ("key_outside_validity",)),
    ],
)
def test_bounds_are_inclusive(at: str, expected: tuple[str, ...]) -> None:
    """The bounds of an entry are kept, and both instants belong to its validity."""
    add_entry(
        None, dataclasses.replace(ENTRY, valid_from="2026-05-01T00:00:00Z", valid_until="2026-06-01T00:00:00+00:00")
    )
    assert reasons(load_keyring(None), at) == expected


def test_weak_key_is_refused(tmp_path: Path) -> None:
    """A weak key is never trusted, and is not a mere fault of the form."""
    entry = TrustEntry(WEAK, "k", "registry.example")
    path = tmp_path / "named.json"
    with pytest.raises(WeakKey, match="weak"):
        add_entry(str(path), entry)
    assert not path.exists()
    with pytest.raises(WeakKey, match=r"entry 1: .*weak"):
        read_trust_file(put(path, row(entry)))


DOCUMENT: dict[str, Any] = ROW["document"]
BAD_ROWS: dict[str, Any] = {
    "no object": "x",
    "null": None,
    "list": [],
    "empty": {},
    "unknown member": ROW | {"valid_til": "2026-06-01T00:00:00Z"},
    "other case": ROW | {"Revoked": True},
    "revoked as text": ROW | {"revoked": "true"},
    "revoked as number": ROW | {"revoked": 1},
    "revoked as null": ROW | {"revoked": None},
    "source no text": ROW | {"source": None},
    "signer no text": ROW | {"signer_id": 7},
    "signer empty": ROW | {"signer_id": ""},
    "signer with escape": ROW | {"signer_id": "a\x1b[2J"},
    "signer with bidi": ROW | {"signer_id": "a\u202eb"},
    "signer with tab": ROW | {"signer_id": "a\tb"},
    "signer with blank": ROW | {"signer_id": " a"},
    "signer too long": ROW | {"signer_id": "a" * 201},
    "type empty": ROW | {"signer_type": ""},
    "bound no time": ROW | {"valid_from": "yesterday"},
    "bound without zone": ROW | {"valid_until": "2026-06-01T00:00:00"},
    "bound null": ROW | {"valid_until": None},
    "bounds exchanged": ROW | {"valid_from": "2026-06-01T00:00:00Z", "valid_until": "2026-05-01T00:00:00Z"},
    "document null": ROW | {"document": None},
    "document text": ROW | {"document": "x"},
    "document of two keys": ROW | {"document": DOCUMENT | {"public_key_b64": SECOND.key.base64}},
    "document with unknown member": ROW | {"document": DOCUMENT | {"revoked": True}},
    "document without fingerprint": ROW
    | {"document": {name: value for name, value in DOCUMENT.items() if name != "fingerprint_sha256_hex"}},
    "key id empty": ROW | {"document": DOCUMENT | {"key_id": ""}},
    "self-certified under another name": ROW | {"signer_type": SELF_CERTIFIED},
    **{f"no {name}": {member: value for member, value in ROW.items() if member != name} for name in ROW},
}


@pytest.mark.parametrize("name", BAD_ROWS)
def test_bad_entry(tmp_path: Path, name: str) -> None:
    """An entry that breaks a rule is named with its number, and nothing of the file is used."""
    path = put(tmp_path / "named.json", row(TrustEntry(SECOND.key, "k", "s")), BAD_ROWS[name])
    for read in (read_trust_file, load_keyring):
        with pytest.raises(InvalidTrust, match="entry 2: ") as failure:
            read(path)
        assert "\n" not in str(failure.value)


BAD_FILES: dict[str, bytes] = {
    "empty": b"",
    "no JSON": b"pith",
    "object": json.dumps(ROW).encode(),
    "cut off": json.dumps([ROW]).encode()[:-5],
    "duplicate member": json.dumps([ROW]).encode().replace(b'"revoked": false', b'"revoked": true, "revoked": false'),
    "byte order mark": b"\xef\xbb\xbf[]",
    "invalid UTF-8": b'["\xff"]',
    "two documents": b"[][]",
    "deep": b"[" * 100_000,
    "large": b" " * trust.MAX_TRUST_BYTES + b"[]",
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_bad_file(tmp_path: Path, name: str) -> None:
    """A file that two readers could understand differently is refused, and never written over."""
    path = tmp_path / "named.json"
    path.write_bytes(BAD_FILES[name])
    for use in (
        read_trust_file,
        load_keyring,
        lambda path: add_entry(path, ENTRY),
        lambda path: revoke(path, "0" * 32),
    ):
        with pytest.raises(InvalidTrust):
            use(str(path))
    assert path.read_bytes() == BAD_FILES[name]


def test_hints_of_a_document_are_read(tmp_path: Path) -> None:
    """The registry's own document, with its hints, is an entry; hints decide nothing."""
    document = DOCUMENT | {"url": "https://registry.example/key", "notes": "x", "rotates_at": "2027-01-01T00:00:00Z"}
    path = put(tmp_path / "named.json", ROW | {"document": document, "source": "a letter"})
    assert trusted(path) == (Trusted(ENTRY, "file", "a letter"),)
    revoke(path, SIGNER.key.fingerprint)
    (kept,) = json.loads(Path(path).read_text())
    assert kept == ROW | {"document": document, "source": "a letter", "revoked": True}


def test_self_certified_entry() -> None:
    """An author's did:key may be listed under its own name."""
    did = SIGNER.key.did
    entry = TrustEntry(SIGNER.key, did, did, SELF_CERTIFIED)
    add_entry(None, entry)
    assert load_keyring(None).find(SIGNER.key.fingerprint, did) == entry
    for wrong in ("k", SECOND.key.did):
        with pytest.raises(InvalidTrust):
            add_entry(None, dataclasses.replace(entry, key_id=wrong))


@pytest.mark.parametrize(
    "text", ["", "8d4b", "0" * 31, "0" * 65, "A" * 32, "A" * 64, "registry.example", "did:key:z6Mk", "k\n"]
)
def test_what_names_no_key(text: str) -> None:
    """Part of a fingerprint, a key id or a signer names no key: a key is revoked by all of it or its fingerprint."""
    with pytest.raises(InvalidIdentifier):
        matching(None, text)
    with pytest.raises(InvalidIdentifier):
        revoke(None, text)


def test_unknown_key_is_not_found(own: Path) -> None:
    """A key that is not listed cannot be revoked, and nothing is written."""
    for text in ("0" * 32, str(SIGNER.key), SIGNER.key.did):
        with pytest.raises(NotFound):
            revoke(None, text)
    assert not own.exists()


def _broken(*_: object, **__: object) -> None:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("function", ["fsync", "replace", "chmod"])
def test_a_failing_disk_keeps_the_old_file(own: Path, function: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a step of the write fails, the file is what it was, and nothing else is left in its folder."""
    add_entry(None, ENTRY)
    before = own.read_bytes()
    with monkeypatch.context() as patched:
        patched.setattr(os, function, _broken)
        for change in (
            lambda: add_entry(None, TrustEntry(SECOND.key, "k2", "s")),
            lambda: revoke(None, str(SIGNER.key)),
        ):
            with pytest.raises(Unavailable, match="No space left"):
                change()
    assert own.read_bytes() == before
    assert os.listdir(own.parent) == [own.name]


def test_folder_that_cannot_be_made(own: Path) -> None:
    """A data folder that cannot be made is a fault of the machine."""
    own.parent.parent.mkdir()
    own.parent.write_text("in the way")
    with pytest.raises(Unavailable):
        add_entry(None, ENTRY)


@pytest.mark.skipif(os.name != "posix", reason="modes and links are POSIX")
def test_mode_and_link_are_kept(tmp_path: Path, own: Path) -> None:
    """Nobody else can write a new trust file; an existing one keeps its mode, and a link stays a link."""
    before = os.umask(0)
    try:
        add_entry(None, ENTRY)
    finally:
        os.umask(before)
    assert stat.S_IMODE(own.stat().st_mode) == 0o644
    own.chmod(0o600)
    link = tmp_path / "link.json"
    link.symlink_to(own)
    add_entry(str(link), TrustEntry(SECOND.key, "k2", "s"))
    assert link.is_symlink()
    assert stat.S_IMODE(own.stat().st_mode) == 0o600
    assert len(read_trust_file(str(own))) == 2


@pytest.mark.skipif(os.name != "posix", reason="folders are locked on POSIX")
def test_changes_at_the_same_time_are_all_kept(tmp_path: Path) -> None:
    """Processes that add keys at once lose none of them."""
    code = """
import sys
from pithid.core.keys import InvalidKey, TrustEntry
from pithid.core.signing import SeedSigner
from pithid.service.trust import add_entry
for number in range(5):
    add_entry(sys.argv[1], TrustEntry(SeedSigner(bytes([int(sys.argv[2]), number] * 16)).key, "k", "s"))
"""
    path = str(tmp_path / "named.json")
    started = [subprocess.Popen([sys.executable, "-c", code, path, str(number)]) for number in range(4)]
    assert [process.wait() for process in started] == [0] * 4
    assert len(load_keyring(path).entries) == 20


def test_every_error_is_documented(tmp_path: Path) -> None:
    """Any single byte of a trust file may change: the answer is a keyring or a documented error."""
    path = tmp_path / "named.json"
    data = json.dumps([ROW]).encode()
    for place in range(0, len(data), 3):
        path.write_bytes(data[:place] + bytes([data[place] ^ 0x15]) + data[place + 1 :])
        try:
            load_keyring(str(path))
        except PithError:
            continue
