"""The documentation is executed: every console block and every Python block, output included."""

import contextlib
import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
REST = "..."
"""A line that stands for any further lines of output."""


def blocks(page: Path, language: str) -> list[str]:
    """Return the fenced blocks of a language in a page, in order."""
    return [text for name, text in BLOCK.findall(page.read_text(encoding="utf-8")) if name == language]


def commands(block: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each command of a console block with the output shown under it; a backslash continues a command."""
    command, output = "", list[str]()
    for line in block.replace("\\\n", "").splitlines():
        if line.startswith("$ "):
            if command:
                yield command, output
            command, output = line[2:], []
        else:
            output.append(line)
    yield command, output


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """Return a folder as a reader's: the checkout's data beside, nothing of the user's."""
    for name in ("data", "scripts"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "home").mkdir()
    return tmp_path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_console_blocks_print_what_they_show(page: Path, desk: Path) -> None:
    """Each command shown prints exactly the output shown, on either stream, in the order of the page."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in {"PITHID_INDEX", "PITHID_TRUST", "XDG_DATA_HOME"}
    }
    environment = kept | {"PATH": path, "HOME": str(desk / "home"), "PYTHONUTF8": "1", "COLUMNS": "100"}
    for block in blocks(page, "console"):
        for command, shown in commands(block):
            done = subprocess.run(
                ["bash", "-c", command], cwd=desk, env=environment, capture_output=True, text=True, check=False
            )
            got = (done.stdout + done.stderr).splitlines() if "2>" not in command else done.stdout.splitlines()
            wanted = shown[:-1] if shown and shown[-1] == REST else shown
            assert (command, got if wanted is shown else got[: len(wanted)]) == (command, wanted)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_blocks_print_what_they_say(page: Path, desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each `print` of a Python block prints the comment behind it."""
    monkeypatch.chdir(desk)
    monkeypatch.setenv("HOME", str(desk / "home"))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    for block in blocks(page, "python"):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(block, page.name, "exec"), {})  # noqa: S102 - our own documentation
        assert said.getvalue().splitlines() == re.findall(r"print\(.*\)  # (.*)", block)


def test_quickstart_shows_the_main_job(desk: Path) -> None:
    """The first command of the README resolves a real paper from the shipped data."""
    if not (ROOT / ".venv" / "pithid-stamp").exists():
        pytest.skip("scripts/test has not set up .venv here, and this test must not fetch packages")
    done = subprocess.run(
        [ROOT / "scripts" / "quickstart"], cwd=desk, capture_output=True, text=True, check=True, timeout=300
    )

    assert "$ pithid resolve --arxiv 2010.10458\npith:2020:Z5NAPRQPUU4SIDOBV5N2FREXWZ\n" in done.stdout
    assert "Traceback" not in done.stderr


def test_every_page_is_linked_from_the_readme() -> None:
    """No page of the documentation is out of reach."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")

    assert [page.name for page in PAGES[1:] if f"docs/{page.name}" not in readme] == []


def test_starter_index_holds_the_shipped_records() -> None:
    """The shipped index is what its generator makes of the shipped records."""
    subprocess.run([sys.executable, ROOT / "scripts" / "make_starter.py", "--check"], check=True)
