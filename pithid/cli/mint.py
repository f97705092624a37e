"""`pithid mint`: numbers from metadata, nothing stored."""

import enum
import sys
from collections.abc import Iterator
from io import BufferedReader
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from pithid.cli.output import exit_code_of_rows, json_line, opened, say

if TYPE_CHECKING:
    from pithid.formats.metadata.model import Entry, Options
    from pithid.service.mint import Failure, Success


class Source(enum.StrEnum):
    """Metadata formats."""

    auto = "auto"
    kaggle = "kaggle"
    arxivraw = "arxivraw"
    abs = "abs"
    atom = "atom"
    canonical = "canonical"


class Format(enum.StrEnum):
    """Output formats."""

    plain = "plain"
    jsonl = "jsonl"


FilesArgument = Annotated[
    list[str] | None,
    typer.Argument(metavar="FILE...", help="Metadata files, plain, gzip or zstd, or - for stdin."),
]
FromOption = Annotated[Source, typer.Option("--from", help="The format of the files.")]
LicenseOption = Annotated[
    str | None,
    typer.Option("--license", metavar="URL", help="The licence, where the format carries none; '' for no licence."),
]
StrictOption = Annotated[
    bool, typer.Option("--strict", help="Refuse metadata that was most likely altered on its way, instead of warning.")
]


_START = 4096
"""Bytes kept of a file that cannot be read at all: it may be of any size."""

_NO_LICENSE = "no --license was given: minted as a paper without licence; say --license '' if that is right"


def command(
    files: FilesArgument = None,
    source: FromOption = Source.auto,
    license_url: LicenseOption = None,
    arxiv: Annotated[str | None, typer.Option(metavar="ID", help="arXiv identifier without version.")] = None,
    version: Annotated[int | None, typer.Option(metavar="N", help="Version the metadata describes.")] = None,
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="Title as arXiv has it, TeX kept.")] = None,
    abstract: Annotated[str | None, typer.Option(metavar="TEXT", help="Abstract as arXiv has it.")] = None,
    categories: Annotated[
        str | None, typer.Option(metavar="LIST", help="Categories, the primary first: 'cs.DC cs.AI'.")
    ] = None,
    submitted_at: Annotated[
        str | None, typer.Option(metavar="TIME", help="Submission of version 1: 2020-10-20T17:16:29Z.")
    ] = None,
    strict: StrictOption = False,
    output: Annotated[
        Format | None, typer.Option("--format", help="How to print the result. Default: plain.", show_default=False)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format jsonl: one object a record.")] = False,
) -> None:
    """Compute Pith Numbers from metadata, offline; nothing is stored.

    Prints a number a line, in order. What cannot be minted is reported on stderr with its line and the reason; the exit
    code is then 1, or 3 when nothing could be minted.

    Example: pithid mint --arxiv 2101.00001 --version 1 --title 'A title' --abstract 'An abstract.'
    --categories cs.DL --submitted-at 2020-12-31T23:59:59Z --license http://creativecommons.org/licenses/by/4.0/
    """
    from pithid.core.paper import Caution, Paper
    from pithid.formats.metadata.model import Entry, Options
    from pithid.service.mint import mint_entries

    flags = {"--arxiv": arxiv, "--version": version, "--title": title, "--abstract": abstract}
    flags |= {"--categories": categories, "--submitted-at": submitted_at}
    if as_json and output is Format.plain:
        raise typer.BadParameter("--json is --format jsonl; give one of them", param_hint="--format")
    shape = Format.jsonl if as_json else output or Format.plain
    if any(value is not None for value in flags.values()):
        missing = [name for name, value in flags.items() if value is None]
        if missing or files:
            why = f"also needs {', '.join(missing)}" if missing else "give either files or flags"
            raise typer.BadParameter(why, param_hint=" ".join(name for name in flags if flags[name] is not None))
        paper = Paper(
            *(arxiv or "", version or 0, title or "", abstract or "", categories or "", submitted_at or ""),
            license=license_url or "",
        )
        cautions = () if license_url is not None else (Caution("no-license", _NO_LICENSE),)
        outcomes = _named("", mint_entries([Entry(1, b"", paper, cautions)], strict=strict))
        raise typer.Exit(_print(outcomes, shape))
    if not files:
        raise typer.BadParameter("give a file, - for stdin, or --arxiv and the other flags", param_hint="FILE")
    outcomes = _from_files(files, source, Options(license_url), strict=strict)
    raise typer.Exit(_print(outcomes, shape))


def _named(name: str, outcomes: "Iterator[Success | Failure]") -> "Iterator[tuple[str, Success | Failure]]":
    for outcome in outcomes:
        yield name, outcome


def _from_files(
    files: list[str], source: Source, options: "Options", *, strict: bool
) -> "Iterator[tuple[str, Success | Failure]]":
    from pithid.service.mint import mint_entries

    for name in files:
        with opened(name) as stream:
            yield from _named(name, mint_entries(entries_of(stream, source, options), strict=strict))


def entries_of(stream: BinaryIO, source: Source, options: "Options") -> "Iterator[Entry]":
    """Return the entries of one file; a file of no known format is one refused entry, an empty one has none."""
    from pithid.core.errors import Malformed
    from pithid.formats.metadata import open_entries
    from pithid.formats.metadata.detect import UnknownFormat
    from pithid.formats.metadata.model import Entry

    start = stream.peek(_START)[:_START] if isinstance(stream, BufferedReader) else b""
    try:
        return open_entries(stream, name=source.value, options=options)
    except UnknownFormat as error:
        return iter(() if error.found == "empty" else (Entry(1, start, error),))
    except Malformed as error:
        return iter((Entry(1, start, error),))


def _print(outcomes: "Iterator[tuple[str, Success | Failure]]", shape: Format) -> int:
    from pithid.service.mint import Failure, Success, outcome_json

    total = failed = 0
    for name, outcome in outcomes:
        total += 1
        failed += isinstance(outcome, Failure)
        report(name, outcome)
        if shape is Format.jsonl:
            sys.stdout.write(json_line(outcome_json(outcome)))
        elif isinstance(outcome, Success):
            sys.stdout.write(f"{outcome.minted.number}\n")
    if total == 0:
        say("there is no metadata in the input")
    return exit_code_of_rows(total, failed)


def report(name: str, outcome: "Success | Failure") -> None:
    """Say on stderr why an entry was refused, or what makes its number doubtful."""
    from pithid.service.mint import Failure

    place = f"{name}:{outcome.entry.line}: " if name else ""
    if isinstance(outcome, Failure):
        say(f"{place}{outcome.error}", code=outcome.error.code)
        return
    for caution in outcome.cautions:
        say(f"{place}{caution}", code=f"warning: {caution.code}")
