"""`pithid import`: mint or verify, and index."""

import sys
from contextlib import ExitStack
from time import monotonic
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from pithid.cli.mint import FromOption, LicenseOption, Source, StrictOption, entries_of, report
from pithid.cli.output import IndexOption, JsonOption, exit_code_of_rows, json_line, opened, say

if TYPE_CHECKING:
    from pithid.service.import_ import Account
    from pithid.service.mint import Failure, Success

_SHOWN = 20
"""Rejects and warnings printed; the rest are counted, and all rejects go to the rejects file."""


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
    as_json: JsonOption = False,
    index: IndexOption = None,
) -> None:
    """Mint metadata, or check ready-made records, and add them to the index.

    Ends with an account: read = stored + already there + rejected. Running it again changes nothing. Exits with 1 when
    some entries were rejected, with 3 when all were.

    Example: pithid import arxiv-metadata-oai-snapshot.json --rejects rejected.jsonl
    """
    from pithid.formats.metadata.model import Options
    from pithid.service.import_ import Account, import_entries
    from pithid.service.index import open_to_write

    started, account = monotonic(), Account()
    with ExitStack() as stack:
        streams = [(name, stack.enter_context(opened(name))) for name in files]
        listing = _Reporter(stack.enter_context(open(rejects, "w", encoding="utf-8")) if rejects else None)
        store = open_to_write(index)
        stack.callback(store.close)
        for name, stream in streams:
            listing.name = name
            entries = entries_of(stream, source, Options(license_url))
            account += import_entries(store, entries, strict=strict, report=listing)
        path = store.path
    listing.finish()
    _print(account, monotonic() - started, path, as_json=as_json)
    if account.read == 0:
        say("there is no metadata in the input")
    raise typer.Exit(exit_code_of_rows(account.read, account.rejected))


class _Reporter:
    """Prints the first rejects and warnings, writes all rejects to a file, counts the rest."""

    def __init__(self, rejects: TextIO | None) -> None:
        self.name = ""
        self._rejects, self._seen = rejects, 0

    def __call__(self, outcome: "Success | Failure") -> None:
        from pithid.service.import_ import rejected_json
        from pithid.service.mint import Failure

        if self._rejects is not None and isinstance(outcome, Failure):
            self._rejects.write(json_line(rejected_json(outcome, self.name)))
        self._seen += 1
        if self._seen <= _SHOWN:
            report(self.name, outcome)

    def finish(self) -> None:
        if self._seen > _SHOWN:
            say(f"{self._seen - _SHOWN} more rejects or warnings; --rejects FILE keeps every reject")


def _print(account: "Account", seconds: float, path: str, *, as_json: bool) -> None:
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
                }
            )
        )
        return
    sys.stdout.write(
        f"read {account.read}, stored {account.stored}, already there {account.already}, "
        f"rejected {account.rejected}, warned {account.cautioned}\n"
    )
    say(f"index {path}, {seconds:.1f} s")
