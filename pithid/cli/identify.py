"""`pithid identify`: what identifiers a text holds."""

import json
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, cast

import typer

from pithid.cli.output import (
    EXIT_CONFLICT,
    EXIT_OF_STATUS,
    JsonOption,
    exit_code_of_rows,
    input_lines,
    json_line,
    print_json,
    say,
)

if TYPE_CHECKING:
    from pithid.core.canonical import Json
    from pithid.recognise import Identification


def command(
    texts: Annotated[
        list[str] | None, typer.Argument(metavar="TEXT...", help="Texts, or - for one a line on stdin.")
    ] = None,
    as_json: JsonOption = False,
    json_lines: Annotated[
        bool, typer.Option("--json-lines", help="Read one JSON string a line from stdin, write one object a line.")
    ] = False,
) -> None:
    """Recognise identifiers in any text; no index is needed.

    Prints a line for each one found: its kind, a tab, its canonical form. Repairs and reasons go to stderr.

    Example: pithid identify 'see arXiv:2010.10458v1 [cs.DC]'
    """
    from pithid.recognise import identify

    if json_lines:
        raise typer.Exit(_json_lines())
    if not texts:
        raise typer.BadParameter("give a text, or - to read stdin", param_hint="TEXT")
    if "-" in texts and len(texts) > 1:
        raise typer.BadParameter("- reads stdin and stands alone", param_hint="TEXT")
    many = texts == ["-"] or len(texts) > 1
    found = map(identify, input_lines() if texts == ["-"] else texts)
    if as_json:
        raise typer.Exit(_as_document(list(found), many=many))
    raise typer.Exit(_print(found, many=many))


def _json(found: "Identification") -> "dict[str, Json]":
    return cast("dict[str, Json]", found.to_json())


def _exit_code(found: "Identification") -> int:
    """Return 0 where identifiers were found, however many, 5 where something damaged leaves it open what is meant."""
    if found.results and not found.plausible:
        return 0
    return EXIT_CONFLICT if found.status == "ambiguous" else EXIT_OF_STATUS["invalid"]


def _as_document(found: "list[Identification]", *, many: bool) -> int:
    print_json([_json(one) for one in found] if many else _json(found[0]))
    return _exit_code_of(found, many=many)


def _exit_code_of(found: "list[Identification]", *, many: bool) -> int:
    if not many:
        return _exit_code(found[0])
    return exit_code_of_rows(len(found), sum(not one.results for one in found))


def _print(found: "Iterable[Identification]", *, many: bool) -> int:
    total = failed = code = 0
    for one in found:
        total += 1
        failed += not one.results
        code = _exit_code(one)
        for result in one.results:
            sys.stdout.write(f"{result.kind}\t{result.value}\n")
            if result.repairs:
                say(f"{result.value}: repaired: {', '.join(result.repairs)}")
        for candidate in one.candidates:
            say(f"candidate {candidate.kind} {candidate.value}: {candidate.why}")
        if one.reason is not None:
            say((f"line {total}: " if many else "") + one.reason)
    return exit_code_of_rows(total, failed) if many else code


def _json_lines() -> int:
    total = failed = 0
    for answer in _answers():
        total += 1
        failed += answer["status"] == "invalid"
        sys.stdout.write(json_line(answer))
    return exit_code_of_rows(total, failed)


def _answers() -> "Iterator[dict[str, Json]]":
    from pithid.core.errors import InvalidDocument
    from pithid.recognise import identify

    for line in input_lines():
        try:
            text = json.loads(line)
            if not isinstance(text, str):
                raise InvalidDocument("type", "$", "not a JSON string")
        except (ValueError, RecursionError) as error:
            reason = f"the line is not a JSON string: {error}"
            yield {"input": line, "status": "invalid", "results": [], "candidates": [], "reason": reason}
            continue
        yield _json(identify(text))
