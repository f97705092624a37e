"""The command's entry: answers the plain `resolve` from sqlite3 alone, hands everything else to the command line.

Importing typer takes three times as long as a look-up in a fresh process, and `resolve` is what scripts call in loops.
So the forms below are answered here when they hit exactly one record; any other form, a miss, a doubt or a fault goes
to `pithid.cli`, which gives the same bytes and exit code. A test runs both over the same arguments.
"""

import os
import sys

from pithid.store.places import file_uri, is_there, starter_index, user_index
from pithid.store.schema import APPLICATION_ID, MIGRATIONS, SELECT_MATCH

_PREFIXES = ("arXiv:", "https://arxiv.org/abs/", "10.48550/arxiv.")
_OPTIONS = {"--arxiv": "arxiv", "--doi": "doi", "--pith": "pith", "--index": "index"}
_SCHEMA_VERSION = len(MIGRATIONS)
_BASE32 = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")


def main() -> int:
    """Run the command line; return the exit code."""
    if sys.argv[1:2] == ["resolve"]:
        number = _plain_answer(sys.argv[2:])
        if number:
            return _print(number)
    import gc  # noqa: PLC0415 - late: only the full command needs it

    gc.set_threshold(100_000)  # imports make no garbage: looking for it costs a twentieth of a start
    from pithid.cli import run  # noqa: PLC0415 - late: the reason for this module

    return run()


def _print(number: str) -> int:
    try:
        sys.stdout.write(number + "\n")
        sys.stdout.flush()
    except OSError as error:
        from pithid.cli import output_fault  # noqa: PLC0415 - late: rare

        return output_fault(error)
    return 0


def _plain_answer(arguments: list[str]) -> str | None:
    """Return the number when the arguments are of a plain form and hit one record without anything to report."""
    asked = _parsed(arguments)
    if asked is None or sys.stdout is None or sys.stderr is None:
        return None
    if sys.stderr.isatty():  # a terminal is shown the title as well
        return None
    kind, text, index = asked
    condition = _condition(kind, text)
    if condition is None:
        return None
    path = index or os.environ.get("PITHID_INDEX") or _default_index()
    if not path or not os.path.isfile(path):
        return None
    number = _looked_up(path, *condition)
    if text.startswith("pith:") and number != text:
        return None  # a full number states the year as well
    return number


def _parsed(arguments: list[str]) -> tuple[str, str, str] | None:
    """Return kind, text and index of `resolve [--arxiv|--doi|--pith] TEXT [--index PATH]`, in any order."""
    found: dict[str, str] = {}
    rest = iter(arguments)
    for word in rest:
        name, equals, value = word.partition("=")
        if name in _OPTIONS:
            kind = _OPTIONS[name]
            if not equals:
                value = next(rest, "")
            if not value or value.startswith("-"):
                return None
        elif word.startswith("-") or not word:
            return None
        else:
            kind, value = "any", word
        if kind in found:
            return None
        found[kind] = value
    index = found.pop("index", "")
    if len(found) != 1:
        return None
    ((kind, text),) = found.items()
    return kind, text, index


def _condition(kind: str, text: str) -> tuple[str, tuple[str | int, ...]] | None:
    """Return the look-up for a canonical spelling: the clause and its values.

    Only identifiers that obey every rule are in an index, so a hit needs no check of the rules here.
    """
    if text.startswith("pith:"):
        digits = text[10:]
        if kind in {"any", "pith"} and len(text) == 36 and text[9] == ":" and _BASE32.issuperset(digits):
            return "number = ?", (digits,)
        return None
    if kind == "pith":
        if len(text) == 26 and _BASE32.issuperset(text):
            return "number = ?", (text,)
        return ("number >= ? AND number < ? || '~'", (text, text)) if _is_short(text) else None
    is_doi = text.startswith("10.48550/")
    if kind in {"arxiv", "doi"} and is_doi != (kind == "doi"):
        return None
    for prefix in _PREFIXES:
        if text.startswith(prefix):
            text = text.removeprefix(prefix)
            break
    bare, v, version = text.rpartition("v")
    if v and 1 <= len(version) <= 4 and version.isdecimal() and version.isascii() and version[0] != "0" and not is_doi:
        return "source = 0 AND arxiv = ? AND version = ?", (bare, int(version))
    return "source = 0 AND arxiv = ?", (text,)


def _is_short(text: str) -> bool:
    return 8 <= len(text) <= 25 and _BASE32.issuperset(text)


def _default_index() -> str:
    """Return the path of the index that answers; empty where the folder of the user's own cannot be read."""
    own = user_index()
    try:
        return own if is_there(own) else starter_index()
    except OSError:
        return ""


def _looked_up(path: str, condition: str, values: tuple[str | int, ...]) -> str | None:
    """Return the full number if exactly one record matches, None for every other outcome."""
    import sqlite3  # noqa: PLC0415 - late: not every command needs it

    try:
        database = sqlite3.connect(file_uri(path, "mode=ro"), uri=True, timeout=30.0)
        try:
            if database.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
                return None
            if database.execute("PRAGMA user_version").fetchone()[0] != _SCHEMA_VERSION:
                return None
            rows = database.execute(f"{SELECT_MATCH}WHERE {condition} LIMIT 2", values).fetchall()
        finally:
            database.close()
    except (sqlite3.Error, ValueError):  # a lone surrogate stands for an argument that was no UTF-8
        return None
    if len(rows) != 1:
        return None
    return str(rows[0][0])


if __name__ == "__main__":
    sys.exit(main())
