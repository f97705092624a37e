"""The entry that answers plain `resolve` without typer: the same bytes, a fraction of the start."""

import json
import sys
from pathlib import Path

import platformdirs
import pytest

from pithid.store.places import user_index
from tests.cli.conftest import Run

TYPER = ("-c", "import sys; from pithid.cli import run; sys.exit(run())")
NUMBER = "pith:2020:Z5NAPRQPUU4SIDOBV5N2FREXWZ"
HEAVY = "typer rich pydantic sqlite_utils nacl numpy click dataclasses json re"

ARGUMENTS = [
    ["--arxiv", "2010.10458"],
    ["--arxiv=2010.10458"],
    ["--arxiv", "2010.10458v1"],
    ["--arxiv", "2010.10458v2"],
    ["--arxiv", "2010.10458v01"],
    ["--arxiv", "arXiv:2010.10458"],
    ["--arxiv", "ARXIV:2010.10458"],
    ["--arxiv", "https://arxiv.org/abs/2010.10458"],
    ["--arxiv", "10.48550/arxiv.2010.10458"],
    ["--arxiv", "arXiv:https://arxiv.org/abs/2010.10458"],
    ["--arxiv", NUMBER],
    ["--arxiv", ""],
    ["--arxiv"],
    ["--arxiv", "2010.10458", "--doi", "10.48550/arxiv.2010.10458"],
    ["--arxiv", "2010.10458", "2010.10458"],
    ["--arxiv", "2010.10458", "--format", "json"],
    ["--arxiv", "2010.10458", "--json"],
    ["--doi", "10.48550/arxiv.2010.10458"],
    ["--doi", "10.48550/arXiv.2010.10458"],
    ["--doi", "10.48550/arxiv.2010.10458v1"],
    ["--doi", "2010.10458"],
    ["--doi", "10.1000/1"],
    ["--pith", NUMBER],
    ["--pith", NUMBER.replace("2020", "2021")],
    ["--pith", NUMBER.lower()],
    ["--pith", "Z5NAPRQPUU4SIDOBV5N2FREXWZ"],
    ["--pith", "Z5NAPRQP"],
    ["--pith", "Z5NAPRQPUU4S"],
    ["--pith", "z5naprqp"],
    ["--pith", "pith:Z5NAPRQP"],
    ["--pith", "Z5NAPRQ"],
    ["--pith", "ZZZZZZZZ"],
    ["--pith", "2010.10458"],
    ["2010.10458"],
    ["2010.10458v1"],
    ["hep-th/9309160"],
    ["arXiv:2010.10458"],
    ["10.48550/arxiv.2010.10458"],
    ["10.48550/arxiv.2010.10458v1"],
    ["https://arxiv.org/abs/2010.10458"],
    ["https://arxiv.org/abs/2010.10458v1"],
    ["https://arxiv.org/abs/10.48550/arxiv.2010.10458"],
    [NUMBER],
    [f"pith:2021:{NUMBER[10:]}"],
    ["Z5NAPRQPUU4SIDOBV5N2FREXWZ"],
    ["Z5NAPRQP"],
    ["9999.99999"],
    ["2013.00001"],
    ["rubbish"],
    [""],
    ["-"],
    [],
    ["2010.10458", "2007.03298"],
    ["--index", "none.sqlite3", "2010.10458"],
    ["--index=none.sqlite3", "2010.10458"],
    ["--index", "", "2010.10458"],
    ["--index", "2010.10458"],
    ["--unknown", "2010.10458"],
    ["--help"],
    ["--", "2010.10458"],
    ["2010.10458v99999999999999999999"],
    ["2010.10458\n"],
    ["２０１０.10458"],
    ["2010.10458v²"],
]


@pytest.mark.parametrize("arguments", ARGUMENTS, ids=" ".join)
def test_front_and_typer_agree(run: Run, arguments: list[str]) -> None:
    """Whatever the arguments, both entries print the same bytes and exit with the same code."""
    assert run("resolve", *arguments) == run("resolve", *arguments, entry=TYPER)


def test_both_agree_on_an_index_of_ones_own(run: Run, tmp_path: Path, root: Path) -> None:
    """An index named by option or environment is read, and ambiguity is never answered by the first match."""
    index, records = str(tmp_path / "own.sqlite3"), tmp_path / "pair.jsonl"
    pair = json.loads((root / "data" / "vectors" / "colliding.json").read_text())["records"]
    records.write_text("".join(json.dumps(record) + "\n" for record in pair))
    assert run("import", str(records), "--index", index).code == 0

    for arguments in (["PXJW43FJ"], ["--pith", "PXJW43FJ"], ["--pith", "PXJW43FJ2GOM"], ["1504.82430"], ["2010.10458"]):
        for extra in ({"PITHID_INDEX": index}, {}):
            option = [] if extra else ["--index", index]
            front = run("resolve", *arguments, *option, **extra)
            assert front == run("resolve", *arguments, *option, entry=TYPER, **extra)


@pytest.mark.parametrize(
    "arguments", [["--arxiv", "2010.10458"], ["2010.10458v1"], [NUMBER], ["--pith", "Z5NAPRQP"], ["arXiv:2010.10458"]]
)
def test_plain_hit_loads_nothing_heavy(run: Run, arguments: list[str]) -> None:
    """A hit is answered from sqlite3 alone."""
    code = (
        "import sys\nfrom pithid.__main__ import main\ncode = main()\n"
        f"print([name for name in {HEAVY.split()!r} if name in sys.modules], file=sys.stderr)\nsys.exit(code)"
    )
    ran = run("resolve", *arguments, entry=("-S", "-E", "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{code}"))

    assert (ran.code, ran.out, ran.err.strip()) == (0, NUMBER + "\n", "[]")


@pytest.mark.parametrize("value", [None, "", "  ", "/somewhere/data", "relative/path"])
def test_default_place_is_the_platforms(home: Path, monkeypatch: pytest.MonkeyPatch, value: str | None) -> None:
    """The path computed without platformdirs, which is too slow to import, is the one that platformdirs gives."""
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    if value is not None:
        monkeypatch.setenv("XDG_DATA_HOME", value)

    assert user_index() == str(Path(platformdirs.user_data_dir("pithid", appauthor=False)) / "index.sqlite3")
