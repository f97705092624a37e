"""`pithid export`: the alias table out of the index."""

import enum
import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from pithid.cli.output import IndexOption, say
from pithid.core.errors import Unavailable

if TYPE_CHECKING:
    from pithid.store.contract import Store


class Format(enum.StrEnum):
    """Export formats."""

    csv = "csv"
    tsv = "tsv"
    jsonl = "jsonl"
    sqlite = "sqlite"


def command(
    output: Annotated[Format, typer.Option("--format", help="The format of the table.")] = Format.csv,
    target: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Write here instead of stdout.")
    ] = None,
    index: IndexOption = None,
) -> None:
    """Write the alias table, a row a record, in the order of arXiv identifier and version.

    Identifiers in CSV and TSV carry their scheme (arxiv:, doi:, pith:), so that no spreadsheet turns them into numbers.
    The format sqlite writes flat tables for sqlite-utils and Datasette, and needs --output.

    Example: pithid export --format csv > aliases.csv
    """
    from pithid.service.export import FORMATS
    from pithid.service.index import open_to_read

    store = open_to_read(index)
    try:
        with store.reading():
            if output is Format.sqlite:
                _sqlite(store, target)
                return
            pieces = FORMATS[output.value](store)
            if target is None:
                _to_stdout(pieces)
            else:
                _to_file(pieces, target)
    finally:
        store.close()


def _to_stdout(pieces: Iterator[str]) -> None:
    """Write UTF-8 with the format's own line ends, whatever the locale says."""
    for piece in pieces:
        sys.stdout.buffer.write(piece.encode("utf-8"))
    sys.stdout.buffer.flush()


def _to_file(pieces: Iterator[str], target: str) -> None:
    """Write beside the target and rename, so that an interrupted export leaves no half table."""
    part = f"{target}.part"
    with open(part, "w", encoding="utf-8", newline="") as stream:
        stream.writelines(pieces)
    os.replace(part, target)


def _sqlite(store: "Store", target: str | None) -> None:
    from pithid.service.export_sqlite import to_sqlite

    if target is None:
        raise typer.BadParameter("the format sqlite needs --output FILE", param_hint="--format")
    if os.path.exists(target):
        raise Unavailable(f"{target} exists already; name another file or remove it")
    part = f"{target}.part"
    if os.path.exists(part):
        os.remove(part)
    written = to_sqlite(store, part)
    os.replace(part, target)
    say(f"{written} records written to {target}")
