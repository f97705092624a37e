"""What every command shares: options, exit codes, and text that is safe on a terminal."""

import errno
import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, Final

import typer

from pithid.core.errors import Ambiguous, Malformed, NotFound, PithError, Unavailable

if TYPE_CHECKING:
    from pithid.core.canonical import Json

EXIT_OK: Final = 0
EXIT_PARTLY: Final = 1
EXIT_MALFORMED: Final = 3
EXIT_NOT_FOUND: Final = 4
EXIT_CONFLICT: Final = 5
EXIT_ENVIRONMENT: Final = 6
EXIT_INTERRUPTED: Final = 130

EXIT_OF_STATUS: Final = {
    "ok": EXIT_OK,
    "invalid": EXIT_MALFORMED,
    "not_found": EXIT_NOT_FOUND,
    "ambiguous": EXIT_CONFLICT,
}

IndexOption = Annotated[
    str | None,
    typer.Option(
        "--index",
        envvar="PITHID_INDEX",
        show_envvar=True,
        metavar="PATH",
        help="The index file. Default: your own, or the shipped starter records while you have none.",
    ),
]
TrustOption = Annotated[
    str | None,
    typer.Option(
        "--trust",
        envvar="PITHID_TRUST",
        show_envvar=True,
        metavar="FILE",
        help="Trusted keys. Default: the shipped registry key and your own.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def exit_code_of(error: PithError) -> int:
    """Return the exit code of an error's family."""
    for family, code in (
        (Malformed, EXIT_MALFORMED),
        (NotFound, EXIT_NOT_FOUND),
        (Ambiguous, EXIT_CONFLICT),
        (Unavailable, EXIT_ENVIRONMENT),
    ):
        if isinstance(error, family):
            return code
    return EXIT_PARTLY


def exit_code_of_rows(total: int, failed: int, alone: int = EXIT_MALFORMED) -> int:
    """Return the exit code of many rows: 0, 1 when some failed, `alone` when nothing came through."""
    if not failed:
        return EXIT_OK
    return alone if failed == total else EXIT_PARTLY


def say(message: str, code: str = "") -> None:
    """Write one line to stderr, safe on a terminal."""
    label = f"pithid: {code}: " if code else "pithid: "
    if sys.stderr is not None:
        sys.stderr.write(label + printable(message) + "\n")


def output_fault(error: OSError) -> int:
    """Say what failed and return the exit code; nothing failed where the reader of stdout has gone.

    What was printed before is written out first. If that is what fails, stdout then points to nowhere, so that the
    interpreter's own last flush cannot fail again.
    """
    try:
        sys.stdout.flush()
    except OSError as output:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        error = output
    if error.errno == errno.EPIPE:
        return EXIT_OK
    say(f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror or error), code="unavailable")
    return EXIT_ENVIRONMENT


def printable(text: str) -> str:
    """Escape what could command a terminal or disguise text: controls, escapes, bidi and invisible characters."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def print_json(value: "Json") -> None:
    """Print one JSON document, indented, as UTF-8."""
    sys.stdout.write(_dumped(value, indent=2) + "\n")


def json_line(value: "Json") -> str:
    """Return one JSON object as one line."""
    return _dumped(value, separators=(",", ":")) + "\n"


def _dumped(value: "Json", **style: Any) -> str:  # noqa: ANN401 - passed on
    text = json.dumps(value, ensure_ascii=False, **style)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # lone surrogates stand for input that was no UTF-8
        return json.dumps(value, **style)
    return text


def stdin() -> BinaryIO:
    """Return stdin as bytes.

    Raises:
        Unavailable: it is closed.
    """
    if sys.stdin is None:
        raise Unavailable("stdin is closed")
    return sys.stdin.buffer


@contextmanager
def opened(name: str) -> Iterator[BinaryIO]:
    """Open a file, or stdin for `-`, as bytes."""
    if name == "-":
        yield stdin()
        return
    try:
        with open(name, "rb") as stream:
            yield stream
    except IsADirectoryError:
        raise Unavailable(f"{name} is a folder; name a file") from None


MAX_READ: Final = 32 * 1024 * 1024 + 1
"""One byte more than any document may have, so that a larger one is seen to be too large."""
MAX_LINE: Final = 1 << 24
"""Longest line of identifiers read, in bytes."""
_OVERLONG: Final = f"(a line of more than {MAX_LINE} bytes)".encode()


def input_lines() -> Iterator[str]:
    """Yield the lines of stdin without their ends; invalid UTF-8 becomes lone surrogates, which no identifier has."""
    first = True
    for line in _bounded(stdin()):
        text = line.removesuffix(b"\n").removesuffix(b"\r")
        if first:
            text, first = text.removeprefix(b"\xef\xbb\xbf"), False
        yield text.decode("utf-8", "surrogateescape")


def _bounded(stream: BinaryIO) -> Iterable[bytes]:
    while line := stream.readline(MAX_LINE):
        rest = line
        while not rest.endswith(b"\n") and len(rest) == MAX_LINE:
            rest, line = stream.readline(MAX_LINE), _OVERLONG
        yield line
