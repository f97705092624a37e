"""Streams that are closed, full or without a reader: one line and a documented exit code, never a lost result."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from tests.cli.conftest import Ran, Run, environment

NUMBER = "pith:2020:Z5NAPRQPUU4SIDOBV5N2FREXWZ"
PITHID = f"{sys.executable} -m pithid"
COMMANDS = [
    "--help",
    "--version",
    "resolve --help",
    "bundle --help",
    "--show-completion bash",
    "resolve 2010.10458",
    "resolve 2010.10458 --json",
    "identify 2010.10458",
    "mint data/records.jsonl",
    "import data/records.jsonl --index $HOME/index.sqlite3",
    "lookup 2010.10458",
    "export",
    "export --output -",
    "export --output /dev/stdout",
    "index info",
    "index check",
    "verify data/seeds/bundle-2010.10458v1.json",
    "bundle show data/seeds/bundle-2010.10458v1.json",
    "bundle merge data/seeds/bundle-2010.10458v1.json",
    "bundle build 2010.10458",
    "keys list",
    "keys new",
    "event list 2010.10458 --json",
]

Shell: TypeAlias = Callable[..., Ran]

full = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")


@pytest.fixture
def shell(home: Path, root: Path) -> Shell:
    """Return a function that runs a shell command in the checkout."""

    def call(command: str, **extra: str) -> Ran:
        kept = {name: value for name, value in environment(home).items() if name != "PYTHONUNBUFFERED"}
        done = subprocess.run(
            ["bash", "-c", command],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            env=kept | extra,
            cwd=root,
            timeout=120,
            check=False,
        )
        out, err = done.stdout.decode(), done.stderr.decode()
        assert "Traceback" not in err, err
        assert "Exception ignored" not in err, err
        return Ran(done.returncode, out, err)

    return call


@full
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("command", COMMANDS)
def test_full_stdout_exits_6_with_one_line(shell: Shell, command: str, unbuffered: str) -> None:
    """A result that cannot be written is a fault of the machine, whichever command prints it and however buffered."""
    if command == "keys new":
        command = "keys new --json"  # it says where the key is before it prints
    ran = shell(f"{PITHID} {command} > /dev/full", PYTHONUNBUFFERED=unbuffered)

    lines = [line for line in ran.err.splitlines() if not line.startswith("pithid: private key written")]
    assert (ran.code, len(lines)) == (6, 1)
    assert "No space left" in lines[0]


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("command", [one for one in COMMANDS if one != "keys new"])
def test_reader_that_has_gone_is_no_error(shell: Shell, command: str, unbuffered: str) -> None:
    """A pipe that nobody reads any more ends every command quietly with 0."""
    script = f"{{ sleep 0.2; exec {PITHID} {command}; }} | true; exit ${{PIPESTATUS[0]}}"
    ran = shell(script, PYTHONUNBUFFERED=unbuffered)

    assert (ran.code, ran.err) == (0, "")


@pytest.mark.parametrize("command", COMMANDS)
def test_closed_stdout_exits_6_with_one_line(shell: Shell, command: str) -> None:
    """Without a stdout nothing is done, and one line says why."""
    assert shell(f"{PITHID} {command} >&-") == Ran(6, "", "pithid: unavailable: stdout is closed\n")


@pytest.mark.parametrize("stream", ["2>&-", pytest.param("2>/dev/full", marks=full), "2> >(true)"])
@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("resolve nope", 3),
        ("resolve 2101.99999", 4),
        ("resolve 2010.10458", 0),
        ("resolve 2010.10458 nope", 1),
        ("resolve 2010.10458 --index none.sqlite3", 6),
        ("resolve --unknown", 2),
        ("resolve", 2),
        ("identify nope", 3),
        ("mint /nonexistent", 6),
        ("mint README.md", 3),
        (f"keys revoke $({PITHID} keys list | head -1 | cut -f 1)", 2),
        ("import data/records.jsonl --index $HOME/index.sqlite3", 0),
    ],
)
def test_exit_code_holds_without_stderr(shell: Shell, command: str, code: int, stream: str) -> None:
    """Where nothing can be said on stderr the exit code is still the documented one."""
    assert shell(f"{PITHID} {command} {stream}").code == code


@full
def test_exit_code_holds_where_both_streams_are_full(shell: Shell) -> None:
    """A fault of stdout that cannot even be told exits with 6, in the front and behind it."""
    for command in ("resolve 2010.10458", "lookup 2010.10458"):
        assert shell(f"{PITHID} {command} > /dev/full 2>&1").code == 6


@pytest.mark.parametrize(
    "command",
    [
        "resolve -",
        "identify -",
        "identify --json-lines",
        "mint -",
        "import - --index $HOME/index.sqlite3",
        "verify -",
        "bundle show -",
        "keys show -",
    ],
)
def test_closed_stdin_exits_6_with_one_line(shell: Shell, command: str) -> None:
    """A command that is to read stdin says that there is none; one that is not does its work."""
    assert shell(f"{PITHID} {command} <&-") == Ran(6, "", "pithid: unavailable: stdin is closed\n")
    assert shell(f"{PITHID} resolve 2010.10458 <&-") == Ran(0, NUMBER + "\n", "")


def test_question_without_stdin_is_a_usage_error(shell: Shell) -> None:
    """What would be asked on a terminal is refused where there is no stdin at all."""
    ran = shell(f"{PITHID} keys revoke $({PITHID} keys list | head -1 | cut -f 1) <&-")

    assert ran.code == 2
    assert "--yes" in ran.err


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_results_before_a_fault_are_kept(shell: Shell, tmp_path: Path, unbuffered: str) -> None:
    """A file that cannot be read costs none of the numbers printed before it."""
    out = tmp_path / "numbers"
    ran = shell(f"{PITHID} mint data/records.jsonl /nonexistent > {out}", PYTHONUNBUFFERED=unbuffered)

    assert (ran.code, ran.err.count("/nonexistent")) == (6, 1)
    assert out.read_text() == shell(f"{PITHID} mint data/records.jsonl").out != ""


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["identify", "-", "2010.10458"], "stands alone"),
        (["identify", "-", "-"], "stands alone"),
        (["mint", "-", "--json", "--format", "plain"], "--format"),
        (["event", "add", "2010.10458", "--type", "correction"], "--payload"),
        (["export", "--format", "sqlite"], "--output"),
        (["export", "--format", "sqlite", "--output", "-"], "--output"),
        (["keys", "new", "--output", "-"], "not printed"),
    ],
)
def test_contradicting_arguments_are_a_usage_error(run: Run, arguments: list[str], hint: str) -> None:
    """What cannot be meant exits with 2 and names the argument, before anything is read."""
    ran = run(*arguments, stdin=b"2010.10458\n")

    assert (ran.code, ran.out) == (2, "")
    assert hint in " ".join(ran.err.split())


def test_json_and_its_own_format_agree(run: Run, root: Path) -> None:
    """`--json` beside the format it stands for is no contradiction."""
    records = str(root / "data" / "records.jsonl")

    assert run("mint", records, "--json", "--format", "jsonl") == run("mint", records, "--json")
    assert run("mint", records, "--format", "plain") == run("mint", records)


def test_missing_own_key_names_the_command_that_makes_one(run: Run) -> None:
    """Signing without a key says how to get one."""
    ran = run("event", "add", "2010.10458", "--type", "correction", "--payload", "-", stdin=b"{}")

    assert (ran.code, "pithid keys new" in ran.err) == (6, True)
