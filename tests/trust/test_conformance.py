"""The conformance set: each document gets the verdict, the failing checks and the reasons its folder states."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from pithid.core.canonical import Json, load
from pithid.core.checks import Verification
from pithid.core.errors import InvalidDocument
from pithid.core.integrity import verify_integrity
from pithid.core.keys import Keyring
from pithid.core.verify import verify_bundle
from pithid.core.verify_documents import verify_receipt, verify_record, verify_state
from tests.trust.signers import read_trust

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "data" / "conformance"
CASES = sorted(path.name for path in FOLDER.iterdir() if path.is_dir())
VERIFIERS: dict[str, Callable[[Json, Keyring], Verification]] = {
    "bundle": verify_bundle,
    "record": verify_record,
    "receipt": verify_receipt,
    "state": verify_state,
    "integrity": verify_integrity,
}


@pytest.fixture(scope="module")
def trusted() -> Keyring:
    """Return the keys of the set's own trust file."""
    return read_trust(FOLDER / "trust.json")


def _input(name: str) -> Path:
    found = [path for path in (FOLDER / name).iterdir() if path.stem in VERIFIERS]
    assert len(found) == 1
    return found[0]


def _expected(name: str) -> dict[str, Json]:
    value = load((FOLDER / name / "expected.json").read_bytes())
    assert isinstance(value, dict)
    return value


def _texts(value: Json) -> list[str]:
    assert isinstance(value, list)
    return [str(item) for item in value]


@pytest.mark.parametrize("name", CASES)
def test_verdict(name: str, trusted: Keyring) -> None:
    """The verdict is the stated one; exactly the stated checks fail, and for the stated reasons."""
    path, expected = _input(name), _expected(name)
    if expected["verdict"] == "malformed" and expected["reasons"]:
        with pytest.raises(InvalidDocument) as failure:
            load(path.read_bytes())
        assert [failure.value.rule] == expected["reasons"]
        return
    result = VERIFIERS[path.stem](load(path.read_bytes()), trusted)
    assert result.verdict == expected["verdict"]
    if result.verdict == "malformed":
        return
    failed = {check.name: check.detail for check in result.checks if check.result == "failed"}
    stated = _texts(expected["failed"])
    assert [begin for begin in stated if not any(check.startswith(begin) for check in failed)] == []
    assert [check for check in failed if not check.startswith(tuple(stated))] == []
    details = "; ".join(failed.values())
    assert [word for word in _texts(expected["reasons"]) if f"{word}:" not in details] == []
    assert bool(result.conflicts) == ("equivocation" in stated)


@pytest.mark.parametrize("name", CASES)
def test_folder(name: str) -> None:
    """Each folder holds an input, one line that says why, and the expected outcome; its name tells the verdict."""
    expected = _expected(name)
    why = (FOLDER / name / "README.md").read_text(encoding="utf-8")
    assert why.count("\n") == 1
    assert why.endswith(".\n")
    assert set(expected) == {"verdict", "exit", "failed", "reasons"}
    assert name.endswith("_fail") == (expected["verdict"] != "verified") == (expected["exit"] != 0)
    assert expected["exit"] in {"verified": {0}, "failed": {1, 5}, "malformed": {3}}[str(expected["verdict"])]
    assert bool(expected["failed"]) == (expected["verdict"] == "failed")


def test_size() -> None:
    """The set is large enough to tell verifiers apart."""
    assert len(CASES) >= 80
    assert sum(name.endswith("_fail") for name in CASES) >= 50


def test_script_writes_the_set() -> None:
    """The set is what its script writes, byte for byte."""
    script = ROOT / "scripts" / "make_conformance.py"
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_pinned_key_is_in_the_trust_file(keyring: Keyring, trusted: Keyring) -> None:
    """The set is checked with the pinned registry key and with test keys, of which some are revoked or bounded."""
    assert trusted.entries[0] == keyring.entries[0]
    assert any(entry.revoked for entry in trusted.entries)
    assert any(entry.valid_from and entry.valid_until for entry in trusted.entries)


needs_command = pytest.mark.skipif(
    find_spec("pithid.cli.verify") is None, reason="the command line does not verify yet"
)


@needs_command
@pytest.mark.parametrize("name", CASES)
def test_command(name: str, tmp_path: Path) -> None:
    """The command line exits with the stated status, says the stated verdict and shows no traceback."""
    path, expected = _input(name), _expected(name)
    command = [sys.executable, "-m", "pithid", "verify", str(path), "--trust", str(FOLDER / "trust.json"), "--json"]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=ROOT, env={**os.environ, "HOME": str(tmp_path)}
    )
    assert "Traceback" not in done.stderr
    assert done.returncode == expected["exit"], done.stderr
    if expected["verdict"] != "malformed":
        assert json.loads(done.stdout)["verdict"] == expected["verdict"]
