"""`pithid bundle`: build, merge and show bundles."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from pithid.cli.output import (
    EXIT_CONFLICT,
    EXIT_OK,
    EXIT_PARTLY,
    MAX_READ,
    IndexOption,
    JsonOption,
    TrustOption,
    check_target,
    group,
    json_line,
    opened,
    print_json,
    printable,
    say,
    say_conflicts,
    writing,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pithid.core.canonical import Json
    from pithid.service.bundles import Sealer
    from pithid.service.event_log import Listed

app = group("bundle", "Build, merge and show bundles: a record with everything signed about it.")

OutputOption = Annotated[
    str | None, typer.Option("--output", "-o", metavar="FILE", help="Write here instead of stdout.")
]


@app.command("build")
def build(
    number: Annotated[str, typer.Argument(metavar="NUMBER", help="The record, by any of its identifiers.")],
    sign_with: Annotated[
        str | None, typer.Option("--sign-with", metavar="KEYFILE", help="Sign the bundle with this private key.")
    ] = None,
    key_id: Annotated[
        str | None, typer.Option("--key-id", metavar="ID", help="The name that readers trust the key under.")
    ] = None,
    output: OutputOption = None,
    trust: TrustOption = None,
    index: IndexOption = None,
) -> None:
    """Build a bundle of all that the index knows of a record, as one JSON document.

    Unsigned unless --sign-with is given. Exits with 4 for what is not known here; with 5 when one key contradicts
    itself, and the bundle, which shows both sides, is written then too.

    Example: pithid bundle build Z5NAPRQP --output bundle.json
    """
    from datetime import UTC, datetime

    from pithid.service.bundles import build_bundle
    from pithid.service.index import Index, index_files, open_to_read
    from pithid.service.trust import load_keyring, own_trust_file

    check_target(output, "--output", sign_with, trust or own_trust_file(), *index_files(index))
    sealer, keyring = _sealer(sign_with, key_id), load_keyring(trust)
    store = open_to_read(index)
    try:
        with store.reading():
            bundle = build_bundle(store, Index(store).number(number), keyring, sealer, datetime.now(UTC))
    finally:
        store.close()
    raise typer.Exit(_delivered(bundle, output))


@app.command("merge")
def merge(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Bundles of one record, or - for stdin.")],
    equivocations: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write a proof for each contradiction here, one JSON document a line."),
    ] = None,
    output: OutputOption = None,
    trust: TrustOption = None,
) -> None:
    """Join bundles: the union of their events and aliases, and the state these merge to, whatever the order.

    The result is unsigned. Exits with 1 when a bundle failed a check, and with 5 when one key contradicts itself; the
    result is written in both cases.

    Example: pithid bundle merge mine.json theirs.json --output both.json
    """
    from pithid.service.bundles import merge_bundles
    from pithid.service.bundles import opened as verified
    from pithid.service.equivocation import proofs_of
    from pithid.service.trust import load_keyring, own_trust_file

    read = (*files, trust or own_trust_file())
    check_target(output, "--output", *read)
    if equivocations is not None:
        if equivocations == (output or "-"):
            raise typer.BadParameter("it goes where the bundle goes; name another file", param_hint="--equivocations")
        check_target(equivocations, "--equivocations", *read, None if output == "-" else output)
    keyring = load_keyring(trust)
    values = [_loaded(name)[0] for name in files]
    bundle = merge_bundles(values, keyring)
    failed = 0
    for name, value in zip(files, values, strict=True):
        for check in verified(value, keyring)[2].checks:
            if check.result == "failed" and check.name != "equivocation":
                failed += 1
                say(f"{name}: {check.name}: {check.detail}", code="failed")
    if equivocations is not None:
        with writing(equivocations) as write:
            write("".join(map(json_line, proofs_of(bundle, keyring))))
    code = _delivered(bundle, output)
    raise typer.Exit(EXIT_PARTLY if code == EXIT_OK and failed else code)


@app.command("show")
def show(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A bundle, or - for stdin.")],
    trust: TrustOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what a bundle says, event by event, and which of it is vouched for.

    'pithid verify' lists every check. Exits with 1 when a check failed, with 3 when it is no bundle, with 5 when the
    only fault is that one key contradicts itself.

    Example: pithid bundle show bundle.json
    """
    from pithid.service.bundles import shown
    from pithid.service.event_log import listed
    from pithid.service.trust import load_keyring

    bundle, merged, verification = shown(_loaded(file)[0], load_keyring(trust))
    events = listed(merged)
    if as_json:
        facts: dict[str, Json] = {name: bundle[name] for name in ("pith_number", "source", "built_at")}
        entries: list[Json] = [one.to_json() for one in events]
        print_json({**facts, "events": entries, "verification": verification.to_json()})
    else:
        failed = [f"{one.name}: {one.detail}" for one in verification.checks if one.result == "failed"]
        signature = next(one.result for one in verification.checks if one.name == "bundle_signature")
        rows = [
            f"{bundle['pith_number']}",
            f"  built_at   {bundle['built_at']}",
            f"  signature  {signature}",
            *(f"  event      {line}" for line in event_lines(events)),
            *(f"  failed     {line}" for line in failed),
            f"  verdict    {verification.verdict}",
        ]
        sys.stdout.write("".join(printable(row) + "\n" for row in rows))
    if verification.conflicts:
        say_conflicts(verification.conflicts)
    only_conflicts = {one.name for one in verification.checks if one.result == "failed"} == {"equivocation"}
    raise typer.Exit(EXIT_CONFLICT if only_conflicts else EXIT_PARTLY if verification.verdict == "failed" else EXIT_OK)


def event_lines(events: "Sequence[Listed]") -> list[str]:
    """Return a line for each event: standing, type, time, signer, id, and what is wrong with it."""
    lines = []
    for one in events:
        signer = one.event.get("signer")
        who = signer.get("signer_id") if isinstance(signer, dict) else None
        why = "; ".join((*one.reasons, *(f"payload {fault}" for fault in one.faults)))
        words = (one.status, one.event.get("event_type"), one.event.get("created_at"), who, one.event_id, why)
        lines.append("  ".join(str(word) for word in words if word))
    return lines


def _sealer(path: str | None, key_id: str | None) -> "Sealer | None":
    if (path is None) != (key_id is None):
        raise typer.BadParameter("give both --sign-with and --key-id, or neither", param_hint="--sign-with")
    if path is None or key_id is None:
        return None
    from pithid.service.bundles import Sealer
    from pithid.service.keyfiles import load_signer

    return Sealer(load_signer(path), key_id)


def _loaded(name: str) -> "tuple[Json, bytes]":
    from pithid.core.canonical import load

    with opened(name) as stream:
        data = stream.read(MAX_READ)
    return load(data), data


def _delivered(bundle: "dict[str, Json]", output: str | None) -> int:
    """Print or save a bundle; return the exit code its contradictions ask for."""
    import json

    from pithid.service.equivocation import conflicts_in

    if output is None or output == "-":
        print_json(bundle)
    else:
        with writing(output) as write:
            write(json.dumps(bundle, ensure_ascii=False, indent=2) + "\n")
    conflicts = conflicts_in(bundle)
    say_conflicts(conflicts)
    return EXIT_CONFLICT if conflicts else EXIT_OK
