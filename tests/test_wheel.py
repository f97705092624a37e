"""The wheel works where only the run-time dependencies are, outside the checkout; the lock file is whole."""

import os
import re
import subprocess
import sys
import tomllib
import venv
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
GROUPS = PROJECT["dependency-groups"]


def _run(*command: str | Path, cwd: Path, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, f"{command} gave {done.returncode}:\n{done.stdout}{done.stderr}"
    return done.stdout


def _needed(requirements: list[str]) -> set[str]:
    """Return the names of the distributions that `requirements` need here, with all that those need."""
    found: set[str] = set()
    queue = [Requirement(line) for line in requirements]
    while queue:
        requirement = queue.pop()
        name = canonicalize_name(requirement.name)
        if name not in found and (requirement.marker is None or requirement.marker.evaluate({"extra": ""})):
            found.add(name)
            queue += [Requirement(line) for line in distribution(name).requires or ()]
    return found


def _link_dependencies(site: Path) -> None:
    """Make the run-time dependencies of pithid, and nothing else, importable from `site`."""
    for name in _needed(PROJECT["project"]["dependencies"]):
        files = distribution(name).files or ()
        for entry in {file.parts[0] for file in files} - {"..", "__pycache__"}:
            source = Path(str(distribution(name).locate_file(entry)))
            if source.exists() and not (site / entry).exists():
                (site / entry).symlink_to(source)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel as a release would be built."""
    folder = tmp_path_factory.mktemp("wheel")
    command = (sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT)
    _run(*command, cwd=folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of programs of an environment that has the wheel and its run-time dependencies only."""
    folder = tmp_path_factory.mktemp("installed")
    builder = venv.EnvBuilder(symlinks=os.name != "nt")
    builder.create(folder)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    site = _run(programs / "python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder)
    pip = (
        sys.executable,
        "-m",
        "pip",
        "--python",
        programs / "python",
        "install",
        "--quiet",
        "--no-index",
        "--no-deps",
    )
    _run(*pip, wheel, cwd=folder)
    _link_dependencies(Path(site.strip()))
    return programs


@pytest.fixture
def fresh(tmp_path: Path) -> dict[str, str]:
    """Return the environment variables of a user who has never run pithid."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PITHID", "PYTHON", "XDG"))}
    return kept | {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "data")}


def test_contents(wheel: Path) -> None:
    """The wheel holds the package, its type marker, its data and its licence, and no tests."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        assert archive.read("pithid/data/records.jsonl") == (ROOT / "data" / "records.jsonl").read_bytes()
    wanted = "__init__.py __main__.py py.typed core/mint.py data/records.jsonl data/starter.sqlite3"
    assert {f"pithid/{name}" for name in wanted.split()} <= set(names)
    assert [name for name in names if re.fullmatch(r"pithid-[^/]+\.dist-info/licenses/LICENSE", name)]
    tops = {name.split("/", maxsplit=1)[0] for name in names}
    assert {re.sub(r"-.*\.", ".", top) for top in tops} == {"pithid", "pithid.dist-info"}
    assert [name for name in names if "test" in name or name.endswith((".pyc", ".lock"))] == []


def test_no_development_dependency(installed: Path, tmp_path: Path) -> None:
    """The environment is the user's: neither pytest nor hypothesis nor the checkout is in it."""
    code = """
import importlib.util, pithid
assert not [name for name in ("pytest", "hypothesis", "rfc8785", "mypy") if importlib.util.find_spec(name)]
print(pithid.__file__)
"""
    found = Path(_run(installed / "python", "-c", code, cwd=tmp_path).strip())
    assert ROOT not in found.parents
    assert installed.parent in found.parents


def test_help(installed: Path, tmp_path: Path, fresh: dict[str, str]) -> None:
    """The command starts and explains itself."""
    text = _run(installed / "pithid", "--help", cwd=tmp_path, env=fresh)
    assert all(command in text for command in ("resolve", "lookup", "mint", "identify"))


def test_resolve(installed: Path, tmp_path: Path, fresh: dict[str, str]) -> None:
    """The first command of a new user answers from the shipped records, with the number and nothing else."""
    text = _run(installed / "pithid", "resolve", "--arxiv", "2010.10458", cwd=tmp_path, env=fresh)
    assert text == "pith:2020:Z5NAPRQPUU4SIDOBV5N2FREXWZ\n"


def test_module(installed: Path, tmp_path: Path, fresh: dict[str, str]) -> None:
    """`python -m pithid` is the command too."""
    text = _run(installed / "python", "-m", "pithid", "resolve", "2010.10458", cwd=tmp_path, env=fresh)
    assert text == "pith:2020:Z5NAPRQPUU4SIDOBV5N2FREXWZ\n"


def test_library(installed: Path, tmp_path: Path, fresh: dict[str, str]) -> None:
    """Every public name is there, and the library mints."""
    code = """
import pithid
for name in pithid.__all__:
    assert getattr(pithid, name) is not None, name
paper = pithid.Paper("2101.00001", 1, "A title", "An abstract.", "cs.DL", "2020-12-31T23:59:59Z")
print(pithid.mint(paper.record()).number)
"""
    assert _run(installed / "python", "-c", code, cwd=tmp_path, env=fresh) == "pith:2020:IAFYBKXV3V5GUQTEEGPG3JZPWI\n"


def _group(name: str) -> list[str]:
    lines: list[str] = []
    for item in GROUPS[name]:
        lines += _group(item["include-group"]) if isinstance(item, dict) else [item]
    return lines


def test_lock_is_whole() -> None:
    """The lock file pins every dependency with hashes, as the project asks for it, and names no place to fetch from."""
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    blocks = re.findall(
        r"^([a-z0-9-]+)==([^ ;\\]+)[^\n]*((?:\n +--hash=sha256:[0-9a-f]{64}(?: \\)?)+)", text, re.MULTILINE
    )
    pinned = {name: version for name, version, _ in blocks}
    assert len(pinned) == len(re.findall(r"^\S", text, re.MULTILINE))
    for line in [
        *PROJECT["project"]["dependencies"],
        *_group("dev"),
        *PROJECT["build-system"]["requires"],
        "editables",
    ]:
        requirement = Requirement(line)
        assert requirement.specifier.contains(pinned[canonicalize_name(requirement.name)]), line
    assert _needed([*PROJECT["project"]["dependencies"], *_group("dev")]) <= set(pinned)
    assert [word for word in ("://", "--index", "--find-links", "file:", "@") if word in text] == []
