"""The command table: every command is there, and its line in the help is its own."""

from importlib import import_module

import pytest

from pithid.cli import app
from tests.cli.conftest import Run

COMMANDS = app._COMMANDS  # noqa: SLF001 - the table under test


@pytest.mark.parametrize("name", COMMANDS)
def test_line_in_the_help_is_the_commands_own(name: str) -> None:
    """The help lists each command with the first line of its own help."""
    module, line = COMMANDS[name]
    found = import_module(f"pithid.cli.{module}")
    text = found.app.info.help if hasattr(found, "app") else found.command.__doc__

    assert text.partition("\n")[0] == line


@pytest.mark.parametrize(("words", "expected"), [("pithid loo", "lookup"), ("pithid resolve --for", "--format")])
def test_completion_knows_commands_and_options(run: Run, words: str, expected: str) -> None:
    """Shell completion completes commands and their options."""
    ran = run(_PITHID_COMPLETE="complete_bash", COMP_WORDS=words, COMP_CWORD=str(words.count(" ")))

    assert ran.out.split() == [expected]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_script_is_shown(run: Run, shell: str) -> None:
    """The script for a shell can be printed, and speaks of our command."""
    assert "_PITHID_COMPLETE" in run("--show-completion", shell).out


def test_a_fault_of_our_own_is_one_line(run: Run) -> None:
    """An exception nobody expected is told in one line with its own exit code, and traced only when asked for."""
    code = (
        "import sys\nimport pithid.service.lookup as module\nmodule.lookup = lambda *_: 1 / 0\n"
        "from pithid.cli import run\nsys.exit(run())"
    )
    ran = run("lookup", "2010.10458", entry=("-c", code))

    assert (ran.code, ran.out, ran.err.count("\n")) == (70, "", 1)
    assert "ZeroDivisionError" in ran.err
