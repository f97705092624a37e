"""`pithid export`: the alias table out of the index."""

import enum
from typing import TYPE_CHECKING, Annotated

import typer

from pithid.cli.output import IndexOption, check_target, say, writing

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
    from pithid.service.index import index_files, open_to_read

    if output is Format.sqlite and target in {None, "-"}:
        raise typer.BadParameter("the format sqlite needs --output FILE", param_hint="--format")
    check_target(target, "--output", *index_files(index))
    store = open_to_read(index)
    try:
        with store.reading():
            if output is Format.sqlite:
                _sqlite(store, target or "")
                return
            with writing(target) as write:
                for piece in FORMATS[output.value](store):
                    write(piece)
    finally:
        store.close()


def _sqlite(store: "Store", target: str) -> None:
    from pithid.service.export_sqlite import to_sqlite

    say(f"{to_sqlite(store, target)} records written to {target}")
