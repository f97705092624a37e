"""Key files: whole or absent, never overwritten, for the owner's eyes only, and silent about what they hold."""

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pithid.core.errors import Malformed, PithError, Unavailable
from pithid.core.keys import InvalidKey, PublicKey
from pithid.core.signing import SeedSigner
from pithid.service import keyfiles
from pithid.service.keyfiles import load_key, load_signer, new_key, parse_key, parse_signer, spelled_key, write_durably

SEED = bytes(range(100, 132))
SECRET = SEED.hex()
KEY = SeedSigner(SEED).key

posix = pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")


@pytest.fixture
def path(tmp_path: Path) -> str:
    """Return the path of a key file that is not there yet, in a folder of its own."""
    folder = tmp_path / "keys"
    folder.mkdir()
    return str(folder / "key.json")


def content(path: str) -> dict[str, Any]:
    """Return the members of a key file."""
    members: dict[str, Any] = json.loads(Path(path).read_text(encoding="utf-8"))
    return members


def write(path: str, value: Any) -> None:  # noqa: ANN401 - any JSON value
    """Write a private file."""
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    Path(path).write_bytes(data)
    os.chmod(path, 0o600)


def assert_silent(error: BaseException | None) -> None:
    """Assert that neither an error nor what led to it shows any part of the private key that could matter."""
    while error is not None:
        for text in (str(error), repr(error), repr(error.args)):
            assert SECRET[:12] not in text
            assert SECRET[-12:] not in text
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def test_round_trip(path: str) -> None:
    """What was written reads back to the same signer, and the file says what the key is."""
    made = new_key(path, seed=SEED)
    assert load_signer(path) == made == SeedSigner(SEED)
    assert content(path) == {
        "pithid_private_key": 1,
        "algorithm": "ed25519",
        "public_key_hex": str(KEY),
        "fingerprint": KEY.fingerprint,
        "did_key": KEY.did,
        "seed_hex": SECRET,
    }
    assert SECRET not in f"{made}{made!r}{load_key(path)}"


@given(st.binary(min_size=32, max_size=32))
def test_every_seed_round_trips(tmp_path_factory: pytest.TempPathFactory, seed: bytes) -> None:
    """Any seed is kept exactly."""
    path = str(tmp_path_factory.mktemp("keys") / "key.json")
    assert new_key(path, seed=seed).seed == load_signer(path).seed == seed


@posix
@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_mode_is_private_from_the_start(path: str, umask: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Under any umask the file is the owner's alone, at the moment its first byte is written too."""
    modes = []
    real = os.fsync

    def fsync(descriptor: int) -> None:
        modes.append(os.fstat(descriptor).st_mode)
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    before = os.umask(umask)
    try:
        new_key(path, seed=SEED)
    finally:
        os.umask(before)
    files = [stat.S_IMODE(mode) for mode in modes if stat.S_ISREG(mode)]
    assert files == [0o600]
    assert any(stat.S_ISDIR(mode) for mode in modes), "the folder is synced as well"
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600


@pytest.mark.parametrize("kind", ["file", "folder", "link to nothing"])
def test_nothing_is_overwritten(path: str, kind: str) -> None:
    """Whatever has the name already stays as it is."""
    if kind == "file":
        new_key(path, seed=bytes(32))
    elif kind == "folder":
        os.mkdir(path)
    else:
        os.symlink("nowhere", path)
    before = os.lstat(path)
    with pytest.raises(Unavailable, match="exists already"):
        new_key(path, seed=SEED)
    assert os.lstat(path).st_ino == before.st_ino
    assert os.listdir(os.path.dirname(path)) == ["key.json"]
    if kind == "file":
        assert load_signer(path).seed == bytes(32)


def _broken(*_: object, **__: object) -> None:
    raise OSError(28, "No space left on device")


def _no_links(*_: object, **__: object) -> None:
    raise OSError(1, "Operation not permitted")


FAULTS: dict[str, dict[str, Callable[..., None]]] = {
    "fsync": {"fsync": _broken},
    "link and rename": {"link": _no_links, "replace": _broken},
    "link and open": {"link": _broken, "open": _broken},
    "chmod": {"chmod": _broken},
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_failing_disk_leaves_nothing(path: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a step fails there is no half file, no whole one, and no leftover; the error says why."""
    with monkeypatch.context() as patched:
        for function, fault in FAULTS[name].items():
            patched.setattr(os, function, fault)
        with pytest.raises(Unavailable, match="No space left") as failure:
            new_key(path, seed=SEED)
    assert_silent(failure.value)
    assert os.listdir(os.path.dirname(path)) == []
    new_key(path, seed=SEED)


@posix
def test_folder_that_cannot_be_synced(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key whose name may not survive a crash is taken back, so that the command can be repeated."""
    real = os.fsync

    def fsync(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(5, "Input/output error")
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(Unavailable, match="Input/output error"):
        new_key(path, seed=SEED)
    assert os.listdir(os.path.dirname(path)) == []


def test_file_system_without_links(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there are no hard links a key is written all the same, and still overwrites nothing."""
    monkeypatch.setattr(os, "link", _no_links)
    new_key(path, seed=SEED)
    assert load_signer(path).seed == SEED
    with pytest.raises(Unavailable, match="exists already"):
        new_key(path, seed=bytes(32))
    assert load_signer(path).seed == SEED
    assert os.listdir(os.path.dirname(path)) == ["key.json"]


def test_interrupted_write_leaves_nothing(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupt during the write is passed on, and no private key is left behind."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "link", interrupt)
    with pytest.raises(KeyboardInterrupt):
        new_key(path, seed=SEED)
    assert os.listdir(os.path.dirname(path)) == []


def test_missing_folder(tmp_path: Path) -> None:
    """A folder that is not there is a fault of the machine, named."""
    with pytest.raises(Unavailable, match="No such file"):
        new_key(str(tmp_path / "none" / "key.json"), seed=SEED)


def test_replacing_keeps_the_old_file_until_the_new_one_is_whole(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A replacement that fails at any step leaves the old content."""
    write_durably(path, b"old", mode=0o644, replace=True)
    for function in ("fsync", "replace", "chmod"):
        with monkeypatch.context() as patched:
            patched.setattr(os, function, _broken)
            with pytest.raises(Unavailable):
                write_durably(path, b"new", mode=0o644, replace=True)
        assert Path(path).read_bytes() == b"old"
        assert os.listdir(os.path.dirname(path)) == ["key.json"]
    write_durably(path, b"new", mode=0o644, replace=True)
    assert Path(path).read_bytes() == b"new"


@posix
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o620, 0o602, 0o610, 0o777])
def test_file_open_to_others_is_refused(path: str, mode: int) -> None:
    """A private key that others can reach is refused, with the command that mends it."""
    new_key(path, seed=SEED)
    os.chmod(path, mode)
    for read in (load_signer, load_key):
        with pytest.raises(Unavailable, match=r"chmod 600 .*key\.json") as failure:
            read(path)
        assert_silent(failure.value)
    os.chmod(path, 0o400)
    assert load_signer(path).seed == SEED


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(64)])
def test_seed_of_another_length(path: str, seed: bytes) -> None:
    """Nothing is written for a seed of another length."""
    with pytest.raises(InvalidKey):
        new_key(path, seed=seed)
    assert os.listdir(os.path.dirname(path)) == []


@pytest.fixture
def members(path: str) -> dict[str, Any]:
    """Return the members of a good file at `path`."""
    new_key(path, seed=SEED)
    return content(path)


@pytest.mark.parametrize("name", ["pithid_private_key", "algorithm", "public_key_hex", "fingerprint", "did_key"])
@pytest.mark.parametrize("value", [None, True, 2, 1.0, "", "x", [], {}, SECRET, "gone"])
def test_mutated_member(path: str, members: dict[str, Any], name: str, value: Any) -> None:  # noqa: ANN401 - any JSON
    """A member that is missing or another than the seed gives is refused, and the error shows no secret."""
    if value == "gone":
        del members[name]
    else:
        members[name] = value
    write(path, members)
    with pytest.raises(InvalidKey) as failure:
        load_signer(path)
    assert_silent(failure.value)


BAD_SEEDS: dict[str, Any] = {
    "null": None,
    "number": 7,
    "empty": "",
    "short": SECRET[:-1],
    "long": SECRET + "0",
    "upper case": SECRET.upper(),
    "newline": SECRET + "\n",
    "list": [SECRET],
}


@pytest.mark.parametrize("name", BAD_SEEDS)
def test_mutated_seed(path: str, members: dict[str, Any], name: str) -> None:
    """A seed that is no 64 lower-case hex digits is refused without being shown."""
    write(path, members | {"seed_hex": BAD_SEEDS[name]})
    with pytest.raises(InvalidKey, match="seed_hex") as failure:
        load_signer(path)
    assert_silent(failure.value)


def test_key_of_another_seed(path: str, members: dict[str, Any]) -> None:
    """A public side that does not follow from the seed is refused: it would sign as someone else."""
    for other in (bytes(32), SEED[::-1]):
        write(path, members | {"seed_hex": other.hex()})
        with pytest.raises(InvalidKey, match="does not follow"):
            load_signer(path)


def test_unknown_member(path: str, members: dict[str, Any]) -> None:
    """A member that no key file has is refused."""
    write(path, members | {"passphrase": "x"})
    with pytest.raises(InvalidKey, match="exactly"):
        load_signer(path)


BROKEN: dict[str, bytes] = {
    "empty": b"",
    "not JSON": SECRET.encode(),
    "cut off": b'{"pithid_private_key": 1, "seed_hex": "' + SECRET.encode(),
    "a seed as key, twice": f'{{"{SECRET}": 1, "{SECRET}": 2}}'.encode(),
    "a seed without quotes": b'{"seed_hex": ' + SECRET.replace("a", "1").encode() + b"}",
    "a number of 64 digits": b'{"pithid_private_key": 1, "seed_hex": ' + (SECRET[:12] * 6).encode() + b"}",
    "duplicate member": f'{{"pithid_private_key": 1, "seed_hex": "{SECRET}", "seed_hex": "{SECRET}"}}'.encode(),
    "a list": f'["{SECRET}"]'.encode(),
    "a text": f'"{SECRET}"'.encode(),
    "byte order mark": b"\xef\xbb\xbf{}",
    "invalid UTF-8": b'{"seed_hex": "\xff' + SECRET.encode() + b'"}',
    "UTF-16": f'{{"seed_hex": "{SECRET}"}}'.encode("utf-16"),
    "deep": b"[" * 100_000,
    "large": b'{"x": "' + b"x" * keyfiles.MAX_KEY_BYTES + b'"}',
    "a public key document": json.dumps(KEY.document("k")).encode(),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_file(path: str, name: str) -> None:
    """Whatever else a file holds, it is refused in one line without showing any of it."""
    write(path, BROKEN[name])
    with pytest.raises(InvalidKey) as failure:
        load_signer(path)
    assert "\n" not in str(failure.value)
    assert_silent(failure.value)


@pytest.mark.parametrize("name", [name for name in BROKEN if name not in {"not JSON", "a public key document"}])
def test_broken_public_file(name: str) -> None:
    """Read as a public key, a broken file is refused as silently: it may have been a private one."""
    with pytest.raises(InvalidKey) as failure:
        parse_key(BROKEN[name], "file")
    assert_silent(failure.value)


@given(st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    """No content raises anything but the documented error."""
    for parse in (parse_key, parse_signer):
        try:
            parse(data, "file")
        except Malformed:
            continue


@given(st.integers(0, 10_000), st.integers(0, 255))
def test_any_byte_changed(tmp_path_factory: pytest.TempPathFactory, place: int, byte: int) -> None:
    """A damaged key file gives its own key or an error that shows nothing."""
    path = tmp_path_factory.mktemp("keys") / "key.json"
    new_key(str(path), seed=SEED)
    data = bytearray(path.read_bytes())
    data[place % len(data)] = byte
    try:
        assert parse_signer(bytes(data), "file").seed == SEED
    except PithError as error:
        assert_silent(error)


def test_missing_and_folder(tmp_path: Path) -> None:
    """A file that is missing or a folder is a fault of the machine."""
    for name in ("none", "."):
        for read in (load_signer, load_key):
            with pytest.raises(Unavailable):
                read(str(tmp_path / name))


SPELLINGS = {"hex": str(KEY), "base64": KEY.base64, "did": KEY.did}


@pytest.mark.parametrize("kind", SPELLINGS)
def test_spellings(tmp_path: Path, kind: str) -> None:
    """Each spelling is read as a text and from a file, with or without a line end."""
    text = SPELLINGS[kind]
    assert spelled_key(text) == KEY
    assert spelled_key(text + "\n") is None
    for end in ("", "\n", "\r\n"):
        path = tmp_path / "key.txt"
        path.write_text(text + end, newline="")
        found = load_key(str(path))
        assert (found.key, found.key_id, found.private) == (KEY, "", False)


def test_documents(path: str) -> None:
    """A key document gives its key id, a private key file the public side alone."""
    write(path, KEY.document("an id"))
    os.chmod(path, 0o644)
    assert (load_key(path).key, load_key(path).key_id) == (KEY, "an id")
    os.unlink(path)
    new_key(path, seed=SEED)
    found = load_key(path)
    assert (found.key, found.key_id, found.private) == (KEY, "", True)
    assert SECRET not in repr(found)


def test_document_that_contradicts_itself(path: str) -> None:
    """A key document of two keys is refused, with the name of the file."""
    write(path, KEY.document("x") | {"public_key_b64": PublicKey(bytes(32)).base64})
    with pytest.raises(InvalidKey, match=r"key\.json.*public_key_b64"):
        load_key(path)
