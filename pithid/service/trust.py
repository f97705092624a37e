"""The trust store: which keys are accepted, for whom and when.

Three sources: the entries shipped with the package, the user's own file, or a file named by the caller, which replaces
both. An own entry overrides the shipped one of the same key and key id; a revocation holds whichever of the two states
it, so that neither an older own entry nor an older package undoes one. Whatever cannot be read or understood is an
error, never an empty keyring: a revocation must not get lost.
"""

import contextlib
import dataclasses
import json
import os
import re
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeAlias

from pithid.core.canonical import Json, load
from pithid.core.errors import InvalidDocument, InvalidIdentifier, Malformed, NotFound, PithError, Unavailable
from pithid.core.keys import SELF_CERTIFIED, InvalidKey, Keyring, PublicKey, TrustEntry, read_document
from pithid.core.signing import refuse_weak
from pithid.core.times import instant
from pithid.service.keyfiles import read_bounded, spelled_key, write_durably
from pithid.store.places import data_file, user_index

SHIPPED, OWN, NAMED = "shipped", "own", "file"
"""Where an entry comes from: the package, the user's own file, or a file that was named."""

MAX_TRUST_BYTES = 1024 * 1024
"""Largest trust file read: about a thousand entries."""
MAX_NAME = 200
"""Longest key id or signer id, in characters; both are printed beside results."""

_FILE = "trusted_keys.json"
_TEXTS = ("signer_id", "signer_type", "valid_from", "valid_until")
_MEMBERS = {"document", "revoked", "source", *_TEXTS}
_FINGERPRINT = re.compile(r"[0-9a-f]{32}")

_Row: TypeAlias = tuple[dict[str, Json], TrustEntry]


class InvalidTrust(Malformed):
    """A trust file, or an entry for one, breaks its rule."""

    code = "invalid-trust"


class WeakKey(PithError, ValueError):
    """A key under which one signature could be valid for every message."""

    code = "weak-key"


class TrustConflict(PithError):
    """Two statements about one key contradict each other."""

    code = "trust-conflict"


@dataclass(frozen=True, slots=True)
class Trusted:
    """An entry in force; `origin` says which file states it, `note` what the file says of its source."""

    entry: TrustEntry
    origin: str
    note: str = ""


def own_trust_file() -> str:
    """Return the path of the user's own trust file, beside the index; it need not be there."""
    return os.path.join(os.path.dirname(user_index()), _FILE)


def load_keyring(path: str | None) -> Keyring:
    """Return the keys to trust.

    Args:
        path: a trust file that replaces all others; None for the shipped entries with the user's own over them.

    Raises:
        InvalidTrust: a file breaks its rule.
        WeakKey: a file lists a weak key.
        TrustConflict: the user's own file and the shipped one give one key to two signers.
        Unavailable: a file cannot be read, or the named one is missing.
    """
    return Keyring(tuple(one.entry for one in trusted(path)))


def trusted(path: str | None) -> tuple[Trusted, ...]:
    """Return the entries in force with their origin, those of the package first; see `load_keyring`."""
    if path is not None:
        return _in_force([Trusted(entry, NAMED, _note(raw)) for raw, entry in _rows(path)])
    own = _rows(own_trust_file(), missing_is_empty=True)
    found = {_name(entry): Trusted(entry, SHIPPED, _note(raw)) for raw, entry in _rows(data_file(_FILE))}
    revoked = {one.entry.key for one in found.values() if one.entry.revoked}
    for raw, entry in own:
        if (shipped := found.get(_name(entry))) is not None:
            _refuse_other_signer(entry, shipped.entry)
        found[_name(entry)] = Trusted(entry, OWN, _note(raw))
    return _in_force(found.values(), revoked)


def read_trust_file(path: str) -> tuple[TrustEntry, ...]:
    """Return the entries of one trust file, in its order; see `load_keyring` for the errors."""
    return tuple(entry for _, entry in _rows(path))


def matching(path: str | None, text: str) -> tuple[TrustEntry, ...]:
    """Return the entries in force of the key that a fingerprint (32 hex digits) or a spelling of the key names.

    Raises:
        InvalidIdentifier: the text is neither.
        NotFound: no such key is known here.
    """
    key = spelled_key(text)
    if key is None and _FINGERPRINT.fullmatch(text) is None:
        raise InvalidIdentifier("fingerprint or key", text, "expected 32 or 64 lower-case hex digits, or a did:key")
    entries = [one.entry for one in trusted(path)]
    found = tuple(entry for entry in entries if entry.key == key or entry.key.fingerprint == text)
    if not found:
        raise NotFound(f"no key {text} is trusted here")
    return found


def add_entry(path: str | None, entry: TrustEntry, *, source: str = "") -> None:
    """Trust a key, or change the bounds of one that is trusted; the caller has confirmed the whole key.

    Args:
        path: the trust file to write, made where missing; None for the user's own.
        entry: what to add.
        source: how the key came here, for people.

    Raises:
        WeakKey: the key is weak.
        InvalidTrust: the entry breaks a rule.
        TrustConflict: the key is revoked, or trusted for another signer.
        Unavailable: the file cannot be read or written.
    """
    raw = _raw(entry, source)
    _check_row(raw, "the entry")
    with _changing(path) as (target, rows):
        in_force = [one.entry for one in trusted(None)] if path is None else [old for _, old in rows]
        for known in in_force:
            if known.key == entry.key and known.revoked:
                raise TrustConflict(f"the key {entry.key.fingerprint} is revoked")
            if _name(known) == _name(entry):
                _refuse_other_signer(entry, known)
        kept = [old for old, known in rows if _name(known) != _name(entry)]
        _write(target, [*kept, raw])


def revoke(path: str | None, text: str) -> tuple[TrustEntry, ...]:
    """Revoke a key under every key id it is trusted with; return its entries as they are now.

    Nothing is deleted: what the key signed is still shown, and accepted no more.

    Args:
        path: the trust file to change; None for the user's own, which then overrides the shipped entry.
        text: a fingerprint or a spelling of the key.

    Raises:
        InvalidIdentifier: the text is neither.
        NotFound: no such key is known here.
        Unavailable: the file cannot be read or written.
    """
    with _changing(path) as (target, rows):
        revoked = tuple(dataclasses.replace(entry, revoked=True) for entry in matching(path, text))
        names = {_name(entry) for entry in revoked}
        here = {_name(entry) for _, entry in rows}
        changed = [raw | {"revoked": True} if _name(entry) in names else raw for raw, entry in rows]
        changed += [_raw(entry, "revoked here") for entry in revoked if _name(entry) not in here]
        if changed != [raw for raw, _ in rows]:
            _write(target, changed)
    return revoked


def _name(entry: TrustEntry) -> tuple[str, str]:
    """Return what a signature names a key by."""
    return entry.key.fingerprint, entry.key_id


def _note(raw: dict[str, Json]) -> str:
    return str(raw.get("source", ""))


def _in_force(found: Iterable[Trusted], also_revoked: Iterable[PublicKey] = ()) -> tuple[Trusted, ...]:
    """Let a revocation hold for the key, whatever key id it is listed under."""
    entries = tuple(found)
    revoked = {one.entry.key for one in entries if one.entry.revoked} | set(also_revoked)
    replace = dataclasses.replace
    return tuple(replace(one, entry=replace(one.entry, revoked=one.entry.key in revoked)) for one in entries)


def _refuse_other_signer(entry: TrustEntry, known: TrustEntry) -> None:
    if (entry.key, entry.signer_id, entry.signer_type) != (known.key, known.signer_id, known.signer_type):
        raise TrustConflict(
            f"the key {entry.key.fingerprint} with key id {entry.key_id!r} is stated for {entry.signer_type} "
            f"{entry.signer_id!r} and for {known.signer_type} {known.signer_id!r}; remove one of the two"
        )


def _rows(path: str, *, missing_is_empty: bool = False) -> list[_Row]:
    try:
        data = read_bounded(path, MAX_TRUST_BYTES)
    except FileNotFoundError:
        if missing_is_empty:
            return []
        raise Unavailable(f"there is no trust file at {path}") from None
    try:
        content = load(data, max_bytes=MAX_TRUST_BYTES)
    except InvalidDocument as error:
        raise InvalidTrust(f"{path}: {error}") from None
    if not isinstance(content, list):
        raise InvalidTrust(f"{path}: a trust file is a list of entries")
    rows = [_check_row(raw, f"{path}: entry {number}") for number, raw in enumerate(content, start=1)]
    seen: set[tuple[str, str]] = set()
    for number, (_, entry) in enumerate(rows, start=1):
        if _name(entry) in seen:
            raise InvalidTrust(f"{path}: entry {number}: its key and key id are listed twice")
        seen.add(_name(entry))
    return rows


def _check_row(raw: Json, where: str) -> _Row:
    """Hold an entry to every rule and return it with its meaning."""
    if not isinstance(raw, dict) or not set(raw) <= _MEMBERS or not _MEMBERS - set(raw) <= {"source"}:
        raise InvalidTrust(f"{where}: an entry has exactly the members {', '.join(sorted(_MEMBERS))}; source may lack")
    texts = {name: text for name, text in raw.items() if isinstance(text, str)}
    document, revoked = raw["document"], raw["revoked"]
    if not isinstance(revoked, bool) or set(raw) - set(texts) != {"document", "revoked"}:
        raise InvalidTrust(f"{where}: revoked is true or false, document an object, all other members are texts")
    try:
        key_id, key = read_document(document)
        signer_id, signer_type, first, last = (texts[name] for name in _TEXTS)
        entry = TrustEntry(key, key_id, signer_id, signer_type, first, last, revoked=revoked)
    except (InvalidKey, InvalidIdentifier) as error:
        raise InvalidTrust(f"{where}: {error}") from None
    if not isinstance(document, dict) or not set(document) <= set(key.document("")):
        raise InvalidTrust(f"{where}: the key document has unknown members")  # a misspelt one would be ignored
    _check_entry(entry, where)
    return raw, entry


def _check_entry(entry: TrustEntry, where: str) -> None:
    for name in ("key_id", "signer_id", "signer_type"):
        text = getattr(entry, name)
        if not text or len(text) > MAX_NAME or not text.isprintable() or text != text.strip():
            raise InvalidTrust(f"{where}: {name} is empty, over {MAX_NAME} characters, or not plain text")
    first, last = instant(entry.valid_from), instant(entry.valid_until)
    if first is not None and last is not None and first > last:
        raise InvalidTrust(f"{where}: valid_from is after valid_until")
    if entry.signer_type == SELF_CERTIFIED and {entry.key_id, entry.signer_id} != {entry.key.did}:
        raise InvalidTrust(f"{where}: a signer of type {SELF_CERTIFIED} has the did:key as key_id and signer_id")
    try:
        refuse_weak(entry.key)
    except InvalidKey as error:
        raise WeakKey(f"{where}: {error}") from None


def _raw(entry: TrustEntry, source: str) -> dict[str, Json]:
    """Return an entry as a trust file has it; hints of its document are not kept, as nobody vouched for them."""
    return {
        "document": entry.key.document(entry.key_id),
        **{name: getattr(entry, name) for name in _TEXTS},
        "revoked": entry.revoked,
        "source": source,
    }


@contextmanager
def _changing(path: str | None) -> Iterator[tuple[str, list[_Row]]]:
    """Yield a trust file's real path and rows, while no other process changes files in its folder."""
    target = os.path.realpath(own_trust_file() if path is None else path)
    folder = os.path.dirname(target)
    try:
        if path is None:
            os.makedirs(folder, exist_ok=True)
        lock = os.open(folder, os.O_RDONLY) if os.name == "posix" else None
    except OSError as error:
        raise Unavailable(f"{folder}: {error.strerror or error}") from None
    try:
        if lock is not None:
            import fcntl  # noqa: PLC0415 - only where there is one

            with contextlib.suppress(OSError):  # some network file systems lock no folders
                fcntl.flock(lock, fcntl.LOCK_EX)
        yield target, _rows(target, missing_is_empty=True)
    finally:
        if lock is not None:
            os.close(lock)


def _write(path: str, rows: list[dict[str, Json]]) -> None:
    try:
        mode = stat.S_IMODE(os.stat(path).st_mode)
    except FileNotFoundError:
        mode = 0o644
    text = json.dumps(rows, indent=2, ensure_ascii=False) + "\n"
    write_durably(path, text.encode("utf-8"), mode=mode, replace=True)
