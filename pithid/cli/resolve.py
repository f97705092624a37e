"""`pithid resolve`: identifiers to Pith Numbers, one or many."""

import csv
import enum
import io
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from pithid.cli.output import (
    EXIT_OF_STATUS,
    EXIT_PARTLY,
    IndexOption,
    JsonOption,
    exit_code_of_rows,
    input_lines,
    json_line,
    print_json,
    printable,
    say,
)

if TYPE_CHECKING:
    from pithid.core.canonical import Json
    from pithid.service.resolve import Resolution
    from pithid.store.contract import Store

PAGE = "https://pith.science/pith/"
"""Where the registry shows a record; the 26 characters follow."""


_PITH = frozenset({"pith"})


class Format(enum.StrEnum):
    """Output formats."""

    plain = "plain"
    json = "json"
    jsonl = "jsonl"
    csv = "csv"
    tsv = "tsv"
    url = "url"


def command(
    identifiers: Annotated[
        list[str] | None,
        typer.Argument(metavar="IDENTIFIER...", help="Identifiers in any spelling, or - for one a line on stdin."),
    ] = None,
    arxiv: Annotated[
        str | None, typer.Option(metavar="ID", help="An arXiv identifier, with or without version.")
    ] = None,
    doi: Annotated[str | None, typer.Option(metavar="DOI", help="A DOI.")] = None,
    pith: Annotated[str | None, typer.Option(metavar="NUMBER", help="A Pith Number, or its first 8 or more.")] = None,
    output: Annotated[
        Format | None, typer.Option("--format", help="How to print the answer. Default: plain.", show_default=False)
    ] = None,
    as_json: JsonOption = False,
    index: IndexOption = None,
) -> None:
    """Resolve identifiers to Pith Numbers.

    A bare arXiv identifier or arXiv DOI answers with the highest version known. Exits with 3 for what is no identifier,
    4 for what is not known here, 5 when several records match; for several identifiers with 0, or 1 when some have no
    answer. A row without an answer prints an empty line, so that rows stay in step.

    Example: pithid resolve --arxiv 2010.10458
    """
    from pithid.service.index import open_to_read

    texts, kinds = _asked(identifiers, arxiv, doi, pith)
    if as_json and output not in {None, Format.json}:
        raise typer.BadParameter("--json is --format json; give one of them", param_hint="--format")
    shape = Format.json if as_json else output or Format.plain
    store = open_to_read(index)
    try:
        with store.reading():
            many = kinds is None and (texts == ["-"] or len(texts) > 1)
            source = input_lines() if kinds is None and texts == ["-"] else iter(texts)
            code = _answer(store, map(_resolver(store, kinds), source), shape, many=many)
    finally:
        store.close()
    raise typer.Exit(code)


def _asked(
    identifiers: list[str] | None, arxiv: str | None, doi: str | None, pith: str | None
) -> tuple[list[str], frozenset[str] | None]:
    """Return the texts, and the kinds they must be of."""
    named = [
        (text, kinds)
        for text, kinds in (
            (arxiv, frozenset({"arxiv", "arxiv_version"})),
            (doi, frozenset({"doi"})),
            (pith, _PITH),
        )
        if text is not None
    ]
    if len(named) + bool(identifiers) != 1:
        raise typer.BadParameter("give one of IDENTIFIER, --arxiv, --doi, --pith", param_hint="IDENTIFIER")
    if identifiers:
        if "-" in identifiers and len(identifiers) > 1:
            raise typer.BadParameter("- reads stdin and stands alone", param_hint="IDENTIFIER")
        return identifiers, None
    return [named[0][0]], named[0][1]


def _resolver(store: "Store", kinds: frozenset[str] | None) -> "Callable[[str], Resolution]":
    from pithid.service.resolve import resolve, resolve_pith

    if kinds == _PITH:
        return lambda text: resolve_pith(store, text)
    return lambda text: resolve(store, text, kinds)


def _answer(store: "Store", resolutions: "Iterator[Resolution]", shape: Format, *, many: bool) -> int:
    if shape is Format.json:
        return _document(store, resolutions, many=many)
    counts = Counter[str]()
    write = _Writer(store, shape)
    sys.stdout.write(write.header())
    tells_why = shape in {Format.jsonl, Format.csv, Format.tsv}  # the rows hold reason and candidates themselves
    for resolution in resolutions:
        counts[resolution.status] += 1
        if not (many and tells_why):
            _explain(store, resolution, f"line {counts.total()}: " if many else "")
        if many or resolution.status == "ok" or tells_why:
            sys.stdout.write(write(resolution))
    return _code(counts, many=many)


def _document(store: "Store", resolutions: "Iterable[Resolution]", *, many: bool) -> int:
    from pithid.service.answers import resolution_json

    everything = list(resolutions)
    if not many:
        _explain(store, everything[0], "")
    answers: list[Json] = [resolution_json(store, resolution) for resolution in everything]
    print_json(answers if many else answers[0])
    return _code(Counter(resolution.status for resolution in everything), many=many)


def _code(counts: Counter[str], *, many: bool) -> int:
    """Return the exit code; for many rows say on stderr what became of them."""
    if not many:
        return EXIT_OF_STATUS[next(iter(counts))]
    sys.stdout.flush()  # what goes wrong with the rows is said before their count
    say(f"{counts.total()} rows: " + ", ".join(f"{counts[status]} {status}" for status in EXIT_OF_STATUS))
    return exit_code_of_rows(counts.total(), counts.total() - counts["ok"], alone=EXIT_PARTLY)


class _Writer:
    """Renders one resolution a call."""

    def __init__(self, store: "Store", shape: Format) -> None:
        self._store, self._shape = store, shape
        self._buffer = io.StringIO()
        if shape in {Format.csv, Format.tsv}:
            comma = shape is Format.csv
            self._table = csv.writer(
                self._buffer, delimiter="," if comma else "\t", lineterminator="\r\n" if comma else "\n"
            )

    def header(self) -> str:
        """Return the line of column names where the format has one."""
        if self._shape not in {Format.csv, Format.tsv}:
            return ""
        return self._line(("input", "status", "pith_number", "arxiv_version", "title", "reason", "repairs"))

    def __call__(self, resolution: "Resolution") -> str:
        if self._shape is Format.jsonl:
            from pithid.service.answers import resolution_json

            return json_line(resolution_json(self._store, resolution))
        if self._shape in {Format.csv, Format.tsv}:
            return self._row(resolution)
        if resolution.number is None:
            return "\n"
        return (PAGE + resolution.matches[0].digits if self._shape is Format.url else resolution.number) + "\n"

    def _row(self, resolution: "Resolution") -> str:
        number, version, title = resolution.number or "", "", ""
        if number:
            match = resolution.matches[0]
            version = f"arxiv:{match.arxiv}v{match.version}"
            title = self._store.titles([match.digits]).get(match.digits, "")
        found = resolution.identification.results if resolution.identification is not None else ()
        repairs = " ".join(dict.fromkeys(word for one in found for word in one.repairs))
        reason = resolution.reason or ""
        return self._line((resolution.input, resolution.status, number, version, title, reason, repairs))

    def _line(self, cells: tuple[str, ...]) -> str:
        if self._shape is Format.tsv:
            cells = tuple(" ".join(cell.splitlines()).replace("\t", " ") for cell in cells)
        self._table.writerow(tuple(cell.encode("utf-8", "backslashreplace").decode() for cell in cells))
        text = self._buffer.getvalue()
        self._buffer.seek(0)
        self._buffer.truncate()
        return text


def _explain(store: "Store", resolution: "Resolution", place: str) -> None:
    """Say on stderr what the answer alone does not: reason, repairs, candidates; on a terminal the title too."""
    if resolution.reason is not None:
        say(place + resolution.reason, code=resolution.status.replace("_", "-") if resolution.status != "ok" else "")
    for found in resolution.identification.results if resolution.identification is not None else ():
        if found.repairs:
            say(f"{place}read as {found.value} ({', '.join(found.repairs)})")
    if resolution.status != "ok":
        titles = store.titles(match.digits for match in resolution.matches)
        for match in resolution.matches:
            title = titles.get(match.digits, "(no title)")
            say(f"{place}candidate {match.number} arxiv:{match.arxiv}v{match.version} {title}")
    elif sys.stderr is not None and sys.stderr.isatty():
        number = resolution.matches[0].digits
        for title in store.titles([number]).values():
            sys.stderr.write(f"{printable(title)}\n")
