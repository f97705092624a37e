"""`pithid keys`: make and show keys, and say which ones to trust."""

import os
import re
import sys
from typing import Annotated

import typer

from pithid.cli.output import JsonOption, TrustOption, check_target, group, print_json, printable, say, stdin
from pithid.core.canonical import Json
from pithid.core.errors import PithError
from pithid.core.keys import REGISTRY, SELF_CERTIFIED, PublicKey, TrustEntry

app = group("keys", "Make and show keys, and say which ones to trust.")

KeyIdOption = Annotated[str | None, typer.Option("--key-id", metavar="ID", help="The name the signer gives the key.")]
KeyArgument = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="A key document, a private key file, or a file of 64 hex digits, did:key or base64; such a text; or -.",
    ),
]
_KEY = re.compile(r"[0-9a-f]{64}")


class NotConfirmed(PithError):
    """The key at hand is another than the one that was confirmed."""

    code = "not-confirmed"


@app.command("new")
def new(
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write the private key here. Default: beside your index."),
    ] = None,
    key_id: KeyIdOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the public key document instead.")] = False,
) -> None:
    """Make a private key in a file that only you can read, and print its public side.

    Whoever has that file can sign as you, and nothing can replace it: keep a copy somewhere safe.

    Example: pithid keys new --output author.json
    """
    import secrets

    from pithid.service.keyfiles import new_key, own_key_file

    if output == "-":
        raise typer.BadParameter("a private key is not printed; name a file", param_hint="--output")
    check_target(output, "--output")
    path = own_key_file() if output is None else output
    if output is None:
        os.makedirs(os.path.dirname(path), exist_ok=True)
    key = new_key(path, seed=secrets.token_bytes(32)).key
    say(f"private key written to {path}; keep it secret, and a copy of it safe")
    if as_json:
        print_json(key.document(key.did if key_id is None else key_id))
    else:
        _print_rows([("fingerprint", key.fingerprint), ("did", key.did)])


@app.command("show")
def show(
    source: KeyArgument,
    key_id: KeyIdOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the public key document.")] = False,
) -> None:
    """Show a public key in all its spellings; of a private key file, only the public side.

    Exits with 1 when the key is weak, 3 when there is no key.

    Example: pithid keys show did:key:z6MkrVMHBCSctGKsuG8E721iJW4sEL6DLz4NK9pw4jVct4Gz
    """
    key, stated = _read(source)
    name = stated if key_id is None else key_id
    if as_json:
        print_json(key.document(name or key.did))
        return
    rows = [
        ("hex", str(key)),
        ("base64", key.base64),
        ("fingerprint", key.fingerprint),
        ("fingerprint_b32", key.fingerprint_base32),
        ("did", key.did),
    ]
    _print_rows(([("key_id", printable(name))] if name else []) + rows)


@app.command("list")
def list_(as_json: JsonOption = False, trust_file: TrustOption = None) -> None:
    """List the trusted keys, one a line, in columns separated by tabs.

    The columns are fingerprint, key id, signer, signer type, first and last time accepted, trusted or revoked, and the
    source of the entry: shipped, own, or file.

    Example: pithid keys list
    """
    from pithid.service.trust import trusted

    found = trusted(trust_file)
    if as_json:
        print_json([{**_entry_json(one.entry), "source": one.origin, "note": one.note} for one in found])
    else:
        for one in found:
            sys.stdout.write(_line(one.entry, one.origin))


@app.command("trust")
def trust(
    source: KeyArgument,
    signer_id: Annotated[str, typer.Option("--signer-id", metavar="ID", help="Who signs with the key.")],
    signer_type: Annotated[str, typer.Option("--signer-type", metavar="TYPE", help="What it may sign as.")] = REGISTRY,
    key_id: KeyIdOption = None,
    valid_from: Annotated[str, typer.Option(metavar="TIME", help="Earliest signed time to accept.")] = "",
    valid_until: Annotated[str, typer.Option(metavar="TIME", help="Latest signed time to accept.")] = "",
    confirm: Annotated[
        str | None, typer.Option(metavar="HEX", help="The whole key, as you got it over another channel.")
    ] = None,
    trust_file: TrustOption = None,
) -> None:
    """Trust a key, after comparing all of it with what you got over another channel; or change its bounds.

    The key is given with --confirm, or typed where this runs on a terminal.

    Example: pithid keys trust registry.json --signer-id registry.example
    --confirm d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a
    """
    from pithid.service.trust import NAMED, OWN, add_entry, trusted

    key, stated = _read(source)
    named = _key_id(key, stated, key_id, signer_type)
    entry = TrustEntry(key, named, signer_id, signer_type, valid_from, valid_until)
    _confirm_key(key, confirm, f"{printable(signer_id)} {printable(named)}")
    add_entry(trust_file, entry, source="confirmed by the whole key, with pithid keys trust")
    for one in trusted(trust_file):
        if one.entry.key_id == named and one.entry.key != key:
            say(f"the key id {named} names another trusted key too: {one.entry.key.fingerprint}")
    sys.stdout.write(_line(entry, OWN if trust_file is None else NAMED))


@app.command("revoke")
def revoke(
    key: Annotated[str, typer.Argument(metavar="KEY", help="Its fingerprint, its 64 hex digits, or its did:key.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    trust_file: TrustOption = None,
) -> None:
    """Accept nothing that a key signed, from now on. What it signed is still shown.

    Exits with 4 when the key is not among the trusted ones.

    Example: pithid keys revoke 21fe31dfa154a261626bf854046fd227 --yes
    """
    from pithid.service.trust import NAMED, OWN, matching
    from pithid.service.trust import revoke as revoke_key

    known = matching(trust_file, key)
    if not yes:
        names = " and ".join(f"{entry.signer_id} {entry.key_id}" for entry in known)
        question = f"revoke the key {known[0].key.fingerprint} of {printable(names)}? [y/N] "
        if _ask(question, "--yes", "pass --yes to revoke without a question") not in {"y", "yes"}:
            raise NotConfirmed("nothing was revoked")
    for entry in revoke_key(trust_file, key):
        sys.stdout.write(_line(entry, OWN if trust_file is None else NAMED))


def _read(source: str) -> tuple[PublicKey, str]:
    """Return key and stated key id of a file, of stdin, or of a spelling of the key itself; refuse a weak key."""
    from pithid.core.signing import is_weak
    from pithid.service.keyfiles import MAX_KEY_BYTES, NamedKey, load_key, parse_key, spelled_key
    from pithid.service.trust import WeakKey

    if source == "-":
        found = parse_key(stdin().read(MAX_KEY_BYTES + 1), "stdin")
    else:
        spelled = spelled_key(source)
        found = load_key(source) if spelled is None else NamedKey(spelled)
    if is_weak(found.key):
        raise WeakKey("the key is weak: one signature could be valid for every message")
    return found.key, found.key_id


def _key_id(key: PublicKey, stated: str, wanted: str | None, signer_type: str) -> str:
    if wanted is not None and stated not in {"", wanted}:
        raise typer.BadParameter(f"the key document says {stated!r}", param_hint="--key-id")
    if wanted is None and not stated and signer_type != SELF_CERTIFIED:
        raise typer.BadParameter("no key document is given: name the id that signatures carry", param_hint="--key-id")
    return wanted or stated or key.did


def _confirm_key(key: PublicKey, given: str | None, whose: str) -> None:
    """Compare with the whole key: a fingerprint or a few digits can be matched by search."""
    hint = "compare the whole key over another channel, such as the signer's paper, and pass its 64 hex digits here"
    if given is None:
        question = f"fingerprint of the key of {whose}: {key.fingerprint}\ntype or paste the whole key, 64 hex digits: "
        given = _ask(question, "--confirm", hint)
    digits = "".join(given.split()).lower()
    if _KEY.fullmatch(digits) is None:
        raise typer.BadParameter(f"no whole key; {hint}", param_hint="--confirm")
    if digits != str(key):
        raise NotConfirmed("the key given is another than the one confirmed; nothing was trusted")


def _ask(question: str, option: str, hint: str) -> str:
    """Ask on a terminal; elsewhere say what to pass instead."""
    if sys.stdin is None or not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise typer.BadParameter(hint, param_hint=option)
    sys.stderr.write(question)
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower()


def _entry_json(entry: TrustEntry) -> dict[str, Json]:
    return {
        "key_id": entry.key_id,
        "public_key_hex": str(entry.key),
        "fingerprint_sha256_hex": entry.key.fingerprint,
        "did": entry.key.did,
        "signer_id": entry.signer_id,
        "signer_type": entry.signer_type,
        "valid_from": entry.valid_from,
        "valid_until": entry.valid_until,
        "revoked": entry.revoked,
    }


def _line(entry: TrustEntry, source: str) -> str:
    texts = (entry.key.fingerprint, entry.key_id, entry.signer_id, entry.signer_type)
    bounds = (entry.valid_from or "-", entry.valid_until or "-")
    return "\t".join(map(printable, (*texts, *bounds, "revoked" if entry.revoked else "trusted", source))) + "\n"


def _print_rows(rows: list[tuple[str, str]]) -> None:
    width = max(len(name) for name, _ in rows)
    sys.stdout.write("".join(f"{name:<{width}}  {text}\n" for name, text in rows))
