"""`pithid event`: sign statements about records, and list those that are known."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from pithid.cli.bundle import event_lines
from pithid.cli.output import (
    EXIT_CONFLICT,
    EXIT_OK,
    MAX_READ,
    IndexOption,
    JsonOption,
    TrustOption,
    group,
    opened,
    print_json,
    printable,
    say,
    say_conflicts,
)

if TYPE_CHECKING:
    from pithid.core.canonical import Json
    from pithid.service.event_log import Author

app = group("event", "Sign statements about records, and list those that are known.")

NumberArgument = Annotated[str, typer.Argument(metavar="NUMBER", help="The record, by any of its identifiers.")]


@app.command("add")
def add(
    number: NumberArgument,
    event_type: Annotated[str, typer.Option("--type", metavar="TYPE", help="The event type, such as correction.")],
    payload: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="The payload as JSON, or - for stdin; record_created needs none."),
    ] = None,
    key: Annotated[
        str | None, typer.Option(metavar="KEYFILE", help="Sign with this private key. Default: your own.")
    ] = None,
    supersedes: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="An own event that this one replaces; may be repeated.")
    ] = None,
    prev: Annotated[str | None, typer.Option(metavar="ID", help="The event before this one in a chain.")] = None,
    signer_id: Annotated[
        str | None, typer.Option("--signer-id", metavar="ID", help="Sign as the registry of this name.")
    ] = None,
    key_id: Annotated[
        str | None, typer.Option("--key-id", metavar="ID", help="The registry's name of the key.")
    ] = None,
    trust: TrustOption = None,
    index: IndexOption = None,
) -> None:
    """Sign a statement about a record of the index, keep it there, and print it as JSON.

    Without --signer-id the key vouches for itself, by its did:key. A registry needs --signer-id, --key-id and an entry
    for its key in the trust store; only registries sign record_created and graph_snapshot. The payload must be in
    pithid's form for the type (data/schemas/event.schema.json). Exits with 1 when the event would be refused here, with
    3 for a payload in another form, with 5 when the key would contradict an earlier event of its own; nothing is kept
    then.

    Example: pithid event add Z5NAPRQP --type correction --payload correction.json --key author.json
    """
    from datetime import UTC, datetime

    from pithid.core.canonical import load
    from pithid.core.events import RECORD_CREATED
    from pithid.core.times import stamp
    from pithid.service.event_log import Equivocation, Statement, add_event
    from pithid.service.index import Index, open_to_write
    from pithid.service.trust import load_keyring

    if (signer_id is None) != (key_id is None):
        raise typer.BadParameter("a registry gives both --signer-id and --key-id", param_hint="--signer-id")
    if payload is None and event_type != RECORD_CREATED:
        raise typer.BadParameter(
            f"only {RECORD_CREATED} needs none; give a file, or - for stdin", param_hint="--payload"
        )
    author, keyring = _author(key, signer_id, key_id), load_keyring(trust)
    content = None
    if payload is not None:
        with opened(payload) as stream:
            content = load(stream.read(MAX_READ))
    statement = Statement(event_type, stamp(datetime.now(UTC)), content, tuple(supersedes or ()), prev)
    store = open_to_write(index, make=False)
    try:
        added = add_event(store, Index(store).number(number), statement, author, keyring)
    except Equivocation as error:
        say(str(error), code=error.code)
        raise typer.Exit(EXIT_CONFLICT) from None
    finally:
        store.close()
    for event_id in added.loose:
        say(f"{event_id} is not known here, or another key's: referring to it has no effect so far", code="warning")
    print_json(added.event)


@app.command("list")
def list_(
    number: NumberArgument,
    trust: TrustOption = None,
    as_json: JsonOption = False,
    index: IndexOption = None,
) -> None:
    """List the events known of a record: valid, retired by a later one of the same key, invalid or damaged.

    Exits with 4 for what is not known here, with 5 when one key contradicts itself.

    Example: pithid event list Z5NAPRQP
    """
    from pithid.service.bundles import known
    from pithid.service.event_log import listed
    from pithid.service.index import Index, open_to_read
    from pithid.service.trust import load_keyring

    keyring = load_keyring(trust)
    store = open_to_read(index)
    try:
        with store.reading():
            minted, merged = known(store, Index(store).number(number), keyring)
    finally:
        store.close()
    events, conflicts = listed(merged), merged.conflicts
    if as_json:
        entries: list[Json] = [one.to_json() for one in events]
        groups: list[Json] = [list(group) for group in conflicts]
        print_json({"pith_number": str(minted.number), "events": entries, "conflicts": groups})
    else:
        sys.stdout.write("".join(printable(line) + "\n" for line in event_lines(events)))
    say_conflicts(conflicts)
    raise typer.Exit(EXIT_CONFLICT if conflicts else EXIT_OK)


def _author(path: str | None, signer_id: str | None, key_id: str | None) -> "Author":
    from pithid.core.errors import Unavailable
    from pithid.core.events import SignerId
    from pithid.core.keys import REGISTRY
    from pithid.service.event_log import Author
    from pithid.service.keyfiles import load_signer, own_key_file
    from pithid.store.places import is_there

    if path is None:
        path = own_key_file()
        if not is_there(path):
            raise Unavailable(f"you have no key at {path}; make one with 'pithid keys new', or name one with --key")
    signer = load_signer(path)
    if signer_id is None or key_id is None:
        return Author(SignerId.of_key(signer), signer)
    return Author(SignerId(signer_id, REGISTRY, key_id), signer)
