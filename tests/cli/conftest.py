"""Runs the command as a user does: another process, bytes in, bytes and an exit code out."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import pytest


@dataclass(frozen=True, slots=True)
class Ran:
    """What a run left behind."""

    code: int
    out: str
    err: str


Run: TypeAlias = Callable[..., Ran]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return an empty home folder, so that no test sees or touches the user's index."""
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


def environment(home: Path) -> dict[str, str]:
    """Return the environment of a run: no index named, no colours, everything the user owns under `home`."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in {"PITHID_INDEX", "PITHID_TRUST", "XDG_DATA_HOME"}
    }
    return kept | {"HOME": str(home), "COLUMNS": "100", "PYTHONUTF8": "1"}


@pytest.fixture
def run(home: Path) -> Run:
    """Return a function that runs `pithid` with arguments, stdin bytes and extra environment."""

    def call(*arguments: str, stdin: bytes = b"", entry: tuple[str, ...] = ("-m", "pithid"), **extra: str) -> Ran:
        done = subprocess.run(
            [sys.executable, *entry, *arguments],
            input=stdin,
            capture_output=True,
            env=environment(home) | extra,
            cwd=home,
            timeout=120,
            check=False,
        )
        out, err = done.stdout.decode(), done.stderr.decode()
        assert "Traceback" not in err, err
        return Ran(done.returncode, out, err)

    return call
