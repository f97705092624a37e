"""Golden output: help, results and messages of the command, compared byte for byte.

After a wanted change, refresh with `PITHID_REFRESH_GOLDEN=1 pytest tests/cli/test_golden.py` and read the difference.
"""

import os
from pathlib import Path

import pytest

from tests.cli.conftest import Run

GOLDEN = Path(__file__).parent / "golden"
REFRESH = os.environ.get("PITHID_REFRESH_GOLDEN") == "1"

FLAGS = "--version 1 --categories cs.DL --submitted-at 2020-12-31T23:59:59Z --abstract Abstract".split()
CASES: dict[str, list[str]] = {
    "help": ["--help"],
    "help-identify": ["identify", "--help"],
    "help-mint": ["mint", "--help"],
    "help-import": ["import", "--help"],
    "help-resolve": ["resolve", "--help"],
    "help-lookup": ["lookup", "--help"],
    "help-export": ["export", "--help"],
    "help-index": ["index", "--help"],
    "help-index-info": ["index", "info", "--help"],
    "help-index-check": ["index", "check", "--help"],
    "identify": ["identify", "see arXiv:2010.10458v1 [cs.DC] and doi:10.1000/ABC."],
    "identify-nothing": ["identify", "no identifier here"],
    "identify-damaged": ["identify", "1904.0693800000001"],
    "identify-json": ["identify", "--json", "math.GT/0309136"],
    "resolve": ["resolve", "--arxiv", "2010.10458"],
    "resolve-json": ["resolve", "--json", "arXiv:2010.10458v1"],
    "resolve-unknown": ["resolve", "2010.10459"],
    "resolve-unknown-version": ["resolve", "2010.10458v7"],
    "resolve-wrong-year": ["resolve", "pith:2019:Z5NAPRQPUU4SIDOBV5N2FREXWZ"],
    "resolve-rubbish": ["resolve", "2013.99999"],
    "resolve-wrong-kind": ["resolve", "--arxiv", "10.1000/1"],
    "resolve-many-csv": ["resolve", "--format", "csv", "2010.10458", "2007.03298v2", "nothing", "9912.12345"],
    "resolve-url": ["resolve", "--format", "url", "2010.10458"],
    "lookup": ["lookup", "Z5NAPRQP"],
    "lookup-json": ["lookup", "--json", "2007.03298"],
    "lookup-unknown": ["lookup", "ZZZZZZZZ"],
    "mint-flags": ["mint", "--arxiv", "2101.00001", "--title", "A title", *FLAGS],
    "mint-flags-json": ["mint", "--json", "--arxiv", "2101.00001", "--title", "A title", *FLAGS],
    "mint-converted": ["mint", "--arxiv", "2101.00001", "--title", "Schrödinger", *FLAGS],
    "mint-strict": ["mint", "--strict", "--arxiv", "2101.00001", "--title", "Schrödinger", *FLAGS],
    "mint-incomplete": ["mint", "--arxiv", "2101.00001"],
    "mint-bad-id": ["mint", "--arxiv", "2113.00001", "--title", "A title", *FLAGS],
    "mint-no-file": ["mint", "none.json"],
    "index-check": ["index", "check"],
    "no-such-index": ["lookup", "2010.10458", "--index", "none.sqlite3"],
    "no-such-command": ["resolv"],
}


@pytest.mark.parametrize("name", CASES)
def test_output_is_the_golden_one(run: Run, name: str) -> None:
    """The command prints exactly what is on file, and exits with the code on file."""
    ran = run(*CASES[name])
    got = f"exit {ran.code}\n--- stdout\n{ran.out}--- stderr\n{ran.err}".replace("\r\n", "\\r\\n\n")
    path = GOLDEN / f"{name}.txt"
    if REFRESH:
        path.parent.mkdir(exist_ok=True)
        path.write_text(got, encoding="utf-8")

    assert got == path.read_text(encoding="utf-8")


def test_no_golden_file_is_left_over() -> None:
    """Every file belongs to a case."""
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(CASES)
