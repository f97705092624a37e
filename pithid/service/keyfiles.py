"""Key files: private keys on disk, and public keys in whatever spelling they come.

A private key never shows: not in a text form, not in an error, so what a broken file holds is not repeated either.
Randomness arrives as an argument.
"""

import contextlib
import json
import os
import re
import shlex
import stat
import tempfile
from dataclasses import dataclass

from pithid.core.canonical import Json, load
from pithid.core.errors import InvalidDocument, InvalidIdentifier, Unavailable
from pithid.core.keys import InvalidKey, PublicKey, read_document
from pithid.core.signing import SeedSigner
from pithid.service.files import place, sync
from pithid.store.places import user_index

MAX_KEY_BYTES = 65_536
"""Largest key file read: the registry's key document has 700 bytes."""

MARK = "pithid_private_key"
_VERSION = 1
_PRIVATE_MODE = 0o600
_HEX = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class NamedKey:
    """A public key that was read.

    Attributes:
        key: the key.
        key_id: the name its document gives it; empty where it came without a document.
        private: it was read from a private key file.
    """

    key: PublicKey
    key_id: str = ""
    private: bool = False


def own_key_file() -> str:
    """Return where the user's private key is when no file is named: beside the index."""
    return os.path.join(os.path.dirname(user_index()), "private_key.json")


def new_key(path: str, *, seed: bytes) -> SeedSigner:
    """Write a private key file that only its owner can read; an existing file is never overwritten.

    Args:
        path: the file to make.
        seed: 32 random bytes.

    Raises:
        InvalidKey: the seed has another length.
        Unavailable: there is such a file already, or it cannot be written; nothing is left behind.
    """
    signer = SeedSigner(seed)
    content: dict[str, Json] = {MARK: _VERSION, **_public_members(signer.key), "seed_hex": seed.hex()}
    write_durably(path, json.dumps(content, indent=2).encode() + b"\n", mode=_PRIVATE_MODE, replace=False)
    return signer


def load_signer(path: str) -> SeedSigner:
    """Read a private key file.

    Raises:
        InvalidKey: it is no private key file, or its public key does not follow from its seed.
        Unavailable: it cannot be read, or others than its owner can.
    """
    data, mode = _read(path)
    signer = parse_signer(data, path)
    _refuse_open(path, mode)
    return signer


def parse_signer(data: bytes, name: str) -> SeedSigner:
    """Read the content of a private key file; `name` is for messages.

    Raises:
        InvalidKey: it is no private key, or its members contradict each other.
    """
    content = _load(data, name)
    if not isinstance(content, dict) or type(content.get(MARK)) is not int or content[MARK] != _VERSION:
        raise InvalidKey(f"{name}: no private key file of pithid")
    seed = content.get("seed_hex")
    if not isinstance(seed, str) or _HEX.fullmatch(seed) is None:
        raise InvalidKey(f"{name}: seed_hex is not 64 lower-case hex digits")
    signer = SeedSigner(bytes.fromhex(seed))
    expected = {MARK: _VERSION, "seed_hex": seed, **_public_members(signer.key)}
    if set(content) != set(expected):
        raise InvalidKey(f"{name}: a private key file has exactly the members {', '.join(sorted(expected))}")
    for member, value in expected.items():
        if content[member] != value:
            raise InvalidKey(f"{name}: the member {member!r} does not follow from the seed")
    return signer


def spelled_key(text: str) -> PublicKey | None:
    """Return the key that 64 hex digits, a did:key or base64 spell; None for any other text."""
    for read in (PublicKey.parse, PublicKey.from_did, PublicKey.from_base64):
        with contextlib.suppress(InvalidIdentifier):
            return read(text)
    return None


def load_key(path: str) -> NamedKey:
    """Read the public key from a file of any kind; a private key file gives its public side.

    Raises:
        InvalidKey: the file holds no key.
        Unavailable: it cannot be read, or is a private key file that others than its owner can read.
    """
    data, mode = _read(path)
    found = parse_key(data, path)
    if found.private:
        _refuse_open(path, mode)
    return found


def parse_key(data: bytes, name: str) -> NamedKey:
    """Read a public key from a key document, a private key file, or one of its spellings.

    Raises:
        InvalidKey: there is none in it. The message never repeats the data, which could be a private key.
    """
    if data.lstrip().startswith(b"{"):
        content = _load(data, name)
        if isinstance(content, dict) and MARK in content:
            return NamedKey(parse_signer(data, name).key, private=True)
        try:
            key_id, key = read_document(content)
        except (InvalidKey, InvalidIdentifier) as error:
            raise InvalidKey(f"{name}: {error}") from None
        return NamedKey(key, key_id)
    key_text = spelled_key(data[:MAX_KEY_BYTES].decode("utf-8", "replace").strip())
    if key_text is None:
        raise InvalidKey(f"{name}: no key document, private key file, 64 hex digits, did:key or base64 of 32 bytes")
    return NamedKey(key_text)


def write_durably(path: str, data: bytes, *, mode: int, replace: bool) -> None:
    """Write a file so that after a crash at any moment all of it is there, or what was there before.

    Args:
        path: the file.
        data: its content.
        mode: its permissions; it never has wider ones.
        replace: whether a file of that name is replaced; otherwise it is left alone.

    Raises:
        Unavailable: it cannot be written, or is there already and may not be replaced.
    """
    folder, part = os.path.dirname(os.path.abspath(path)), ""
    taken = Unavailable(f"{path} exists already and is not overwritten; name another file")
    if not replace and os.path.lexists(path):
        raise taken
    try:
        descriptor, part = tempfile.mkstemp(prefix=".pithid-", suffix=".part", dir=folder)  # O_EXCL, mode 0600
        with open(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.chmod(part, mode)
            os.fsync(stream.fileno())
        if replace:
            os.replace(part, path)
            sync(folder)
        else:
            place(part, path, folder)
    except FileExistsError:
        raise taken from None
    except OSError as error:
        raise Unavailable(f"{path}: not written: {error.strerror or error}") from None
    finally:
        with contextlib.suppress(OSError):
            os.unlink(part)


def read_bounded(path: str, limit: int) -> bytes:
    """Read a file; of one beyond the limit, only enough to see that it is.

    Raises:
        FileNotFoundError: there is none.
        Unavailable: it cannot be read.
    """
    try:
        with open(path, "rb") as stream:
            return stream.read(limit + 1)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise Unavailable(f"{path}: {error.strerror or error}") from None


def _public_members(key: PublicKey) -> dict[str, Json]:
    return {
        "algorithm": "ed25519",
        "public_key_hex": str(key),
        "fingerprint": key.fingerprint,
        "did_key": key.did,
    }


def _read(path: str) -> tuple[bytes, int]:
    """Return content and mode, both of the one file that was opened."""
    try:
        with open(path, "rb") as stream:
            return stream.read(MAX_KEY_BYTES + 1), os.fstat(stream.fileno()).st_mode
    except OSError as error:
        raise Unavailable(f"{path}: {error.strerror or error}") from None


def _refuse_open(path: str, mode: int) -> None:
    if os.name == "posix" and mode & 0o077:
        shown = f"{stat.S_IMODE(mode):04o}"
        raise Unavailable(
            f"{path}: others than its owner have access to this private key (mode {shown}); "
            f"run: chmod 600 {shlex.quote(path)}"
        )


def _load(data: bytes, name: str) -> Json:
    try:
        return load(data, max_bytes=MAX_KEY_BYTES)
    except InvalidDocument as error:  # only the rule is said: path and reason can repeat parts of the text
        raise InvalidKey(f"{name}: the file breaks a rule of JSON: {error.rule}") from None
