"""`pithid import`: mint or verify, and index."""

import sys
from contextlib import ExitStack
from functools import cache
from time import monotonic
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from pithid.cli.mint import FromOption, LicenseOption, Source, StrictOption, entries_of, report
from pithid.cli.output import (
    EXIT_CONFLICT,
    EXIT_OK,
    EXIT_PARTLY,
    IndexOption,
    JsonOption,
    TrustOption,
    check_target,
    exit_code_of_rows,
    json_line,
    opened,
    say,
    writing,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pithid.core.canonical import Json
    from pithid.core.keys import Keyring
    from pithid.formats.metadata.model import Entry
    from pithid.service.bundles import Imported
    from pithid.service.import_ import Account
    from pithid.service.mint import Failure, Success
    from pithid.store.sqlite import SqliteStore

_SHOWN = 20
"""Rejects and warnings printed; the rest are counted, and all rejects go to the rejects file."""


class _Bundle(NamedTuple):
    """What importing a bundle gave; `outcome` is None where it was rejected."""

    account: "Account"
    code: int
    outcome: "Imported | None"


def command(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="Metadata files, plain, gzip or zstd, or - for stdin.")
    ],
    source: FromOption = Source.auto,
    license_url: LicenseOption = None,
    strict: StrictOption = False,
    rejects: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write rejected entries here, with reason and original bytes.")
    ] = None,
    trust: TrustOption = None,
    as_json: JsonOption = False,
    index: IndexOption = None,
) -> None:
    """Mint metadata, or check ready-made records and bundles, and add them to the index.

    Ends with an account: read = stored + already there + rejected. Running it again changes nothing. Exits with 1 when
    some entries were rejected, with 3 when all were. A bundle is verified and kept whole, with its events; a check that
    fails gives exit code 1, a key that contradicts itself 5.

    Example: pithid import arxiv-metadata-oai-snapshot.json --rejects rejected.jsonl
    """
    from pithid.formats.metadata.model import Options
    from pithid.service.import_ import Account, import_entries
    from pithid.service.index import index_files, open_to_write
    from pithid.service.trust import load_keyring, own_trust_file

    started, account, bundles = monotonic(), Account(), list[_Bundle]()
    with ExitStack() as stack:
        check_target(rejects, "--rejects", *files, trust or own_trust_file(), *index_files(index))
        streams = [(name, stack.enter_context(opened(name))) for name in files]
        listing = _Reporter(stack.enter_context(writing(rejects)) if rejects is not None else None)
        store = open_to_write(index)
        stack.callback(store.close)

        keyring = cache(lambda: load_keyring(trust))  # only bundles need it

        def take_bundle(entry: "Entry", document: "Json") -> None:
            bundles.append(_import_bundle(store, entry, document, keyring(), listing))

        for name, stream in streams:
            listing.name = name
            entries = _apart(entries_of(stream, source, Options(license_url)), take_bundle)
            account += import_entries(store, entries, strict=strict, report=listing)
        path = store.path
    account = sum((bundle.account for bundle in bundles), account)
    listing.finish()
    _print(account, monotonic() - started, path, bundles, as_json=as_json)
    if account.read == 0:
        say("there is no metadata in the input")
    code = exit_code_of_rows(account.read, account.rejected)
    raise typer.Exit(max([code, *(bundle.code for bundle in bundles)]))


class _Reporter:
    """Prints the first rejects and warnings, writes all rejects to a file, counts the rest."""

    def __init__(self, rejects: "Callable[[str], object] | None") -> None:
        self.name = ""
        self._rejects, self._seen = rejects, 0

    def __call__(self, outcome: "Success | Failure") -> None:
        from pithid.service.import_ import rejected_json
        from pithid.service.mint import Failure

        if self._rejects is not None and isinstance(outcome, Failure):
            self._rejects(json_line(rejected_json(outcome, self.name)))
        self._seen += 1
        if self._seen <= _SHOWN:
            report(self.name, outcome)

    def finish(self) -> None:
        if self._seen > _SHOWN:
            say(f"{self._seen - _SHOWN} more rejects or warnings; --rejects FILE keeps every reject")


def _apart(entries: "Iterator[Entry]", importer: "Callable[[Entry, Json], None]") -> "Iterator[Entry]":
    """Hand bundles to `importer` as they come; yield everything else."""
    from pithid.formats.metadata.model import Stated

    for entry in entries:
        if isinstance(entry.content, Stated) and entry.content.bundle is not None:
            importer(entry, entry.content.bundle)
        else:
            yield entry


def _import_bundle(
    store: "SqliteStore", entry: "Entry", document: "Json", keyring: "Keyring", report: "_Reporter"
) -> _Bundle:
    from pithid.core.errors import Malformed, Mismatch
    from pithid.service.bundles import import_bundle
    from pithid.service.import_ import Account
    from pithid.service.mint import Failure

    try:
        outcome = import_bundle(store, document, entry.raw, keyring)
    except (Malformed, Mismatch) as error:
        report(Failure(entry, error))
        return _Bundle(Account(read=1, rejected=1), EXIT_OK, None)
    for warning in outcome.warnings():
        say(f"{report.name}:{entry.line}: {warning}", code="warning")
    new = int(outcome.new_record)
    failed = outcome.verification.verdict == "failed"
    code = EXIT_CONFLICT if outcome.conflicts else EXIT_PARTLY if failed else EXIT_OK
    return _Bundle(Account(1, new, 1 - new, 0, int(failed)), code, outcome)


def _print(account: "Account", seconds: float, path: str, bundles: list[_Bundle], *, as_json: bool) -> None:
    if as_json:
        sys.stdout.write(
            json_line(
                {
                    "read": account.read,
                    "stored": account.stored,
                    "already": account.already,
                    "rejected": account.rejected,
                    "warned": account.cautioned,
                    "seconds": round(seconds, 3),
                    "index": path,
                    "bundles": [bundle.outcome.to_json() for bundle in bundles if bundle.outcome is not None],
                }
            )
        )
        return
    sys.stdout.write(
        f"read {account.read}, stored {account.stored}, already there {account.already}, "
        f"rejected {account.rejected}, warned {account.cautioned}\n"
    )
    sys.stdout.flush()
    say(f"index {path}, {seconds:.1f} s")
