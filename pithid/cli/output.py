"""What every command shares: options, exit codes, and text that is safe on a terminal."""

import errno
import io
import json
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, Final

import typer

from pithid.core.errors import Ambiguous, Malformed, NotFound, PithError, Unavailable

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

    from pithid.core.canonical import Json

EXIT_OK: Final = 0
EXIT_PARTLY: Final = 1
EXIT_MALFORMED: Final = 3
EXIT_NOT_FOUND: Final = 4
EXIT_CONFLICT: Final = 5
EXIT_ENVIRONMENT: Final = 6
EXIT_BUG: Final = 70
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
    sys.stderr.write(label + printable(message) + "\n")


class _Forgiving(io.FileIO):
    """A descriptor where it is no fault that nothing can be written."""

    def write(self, data: "ReadableBuffer", /) -> int:
        try:
            return super().write(data)
        except OSError:
            return memoryview(data).nbytes


def forgive_stderr() -> None:
    """Let stderr be closed, full or without a reader: the exit code still says what happened."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - open until the end
        return
    encoding = sys.stderr.encoding
    if sys.stderr is sys.__stderr__:
        buffer = io.BufferedWriter(_Forgiving(2, "w", closefd=False))
        sys.stderr = io.TextIOWrapper(buffer, encoding=encoding, errors="backslashreplace", line_buffering=True)


def output_fault(error: OSError) -> int:
    """Say what failed and return the exit code; nothing failed where the reader of stdout has gone.

    What was printed before is written out first. If that is what fails, stdout then points to nowhere, so that the
    interpreter's own last flush cannot fail again.
    """
    forgive_stderr()
    try:
        sys.stdout.flush()
    except OSError as output:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        error = output
        error.filename = "stdout"
    if error.errno == errno.EPIPE:
        return EXIT_OK
    say(f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror or error), code="unavailable")
    return EXIT_ENVIRONMENT


def say_conflicts(groups: "Iterable[Iterable[str]]") -> None:
    """Say which events of one key contradict each other."""
    for ids in groups:
        say(f"one key contradicts itself: {', '.join(ids)}", code="equivocation")


def group(name: str, text: str) -> typer.Typer:
    """Return the application of a command that has commands of its own."""
    return typer.Typer(name=name, help=text, no_args_is_help=True, add_completion=False, rich_markup_mode=None)


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
        stream = open(name, "rb")  # noqa: SIM115 - closed below
    except IsADirectoryError:
        raise Unavailable(f"{name} is a folder; name a file") from None
    with stream:
        yield stream


def check_target(path: str | None, option: str, *read: str | None) -> None:
    """Refuse an output file that has no name, is a folder, or is one of the files that the command reads.

    Args:
        path: the file to write; None and `-` are stdout.
        option: the option that names it.
        read: what is read; None stands for nothing, `-` for stdin.
    """
    if path is None or path == "-":
        return
    if not path:
        raise typer.BadParameter("name a file", param_hint=option)
    if os.path.isdir(path) or path.endswith(os.sep):
        raise typer.BadParameter(f"{path} is a folder; name a file", param_hint=option)
    for name in read:
        if name and _is_same(path, name):
            what = "stdin" if name == "-" else name
            raise typer.BadParameter(f"{path} is the same file as {what}, which is read", param_hint=option)


def _is_same(path: str, other: str) -> bool:
    """Tell whether two names lead to one file. A device may be both, as the null device is."""
    try:
        if other == "-" and sys.stdin is None:
            return False
        found = os.fstat(0) if other == "-" else os.stat(other)
        return not stat.S_ISCHR(found.st_mode) and os.path.samestat(os.stat(path), found)
    except OSError:  # not there yet
        return other != "-" and os.path.realpath(path) == os.path.realpath(other)


@contextmanager
def writing(path: str | None) -> "Iterator[Callable[[str], object]]":
    """Open a file to write text to, or stdout for None and `-`; the text is UTF-8, with its own line ends.

    Raises:
        Unavailable: the file cannot be written; a regular one is then as it was.
    """
    if path is None or path == "-" or _is_stdout(path):
        sys.stdout.flush()
        binary = sys.stdout.buffer
        yield lambda text: binary.write(text.encode("utf-8"))
        binary.flush()
        return
    from pithid.service.files import OutputFile

    with OutputFile(path) as target:
        yield target.write


def _is_stdout(path: str) -> bool:
    from pithid.service.files import is_descriptor

    try:
        return is_descriptor(1, os.stat(path))
    except OSError:
        return False


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
            if text[:2] in {b"\xff\xfe", b"\xfe\xff"}:
                raise Malformed("stdin is UTF-16 text; save the list as UTF-8")
            text, first = text.removeprefix(b"\xef\xbb\xbf"), False
        yield text.decode("utf-8", "surrogateescape")


def _bounded(stream: BinaryIO) -> Iterable[bytes]:
    while line := stream.readline(MAX_LINE):
        rest = line
        while not rest.endswith(b"\n") and len(rest) == MAX_LINE:
            rest, line = stream.readline(MAX_LINE), _OVERLONG
        yield line
