"""The benchmark runs and its made-up metadata is sound; nothing here looks at a time."""

import io
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from itertools import pairwise
from pathlib import Path

import pytest

from pithid.formats.metadata import open_entries
from pithid.service.mint import Success, mint_entries

Lines = Callable[..., Iterator[bytes]]


@pytest.fixture(scope="module")
def lines(root: Path) -> Lines:
    """Return the generator of lines."""
    spec = spec_from_file_location("bench_data", root / "scripts" / "bench_data.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # a dataclass looks its module up
    spec.loader.exec_module(module)
    found: Lines = module.lines
    return found


def test_same_seed_same_lines(lines: Lines) -> None:
    """Two runs give the same bytes, another seed gives others."""
    first = list(lines(300, seed=7))
    assert first == list(lines(300, seed=7))
    assert first != list(lines(300, seed=8))
    assert len(first) == 300


def test_every_line_mints(lines: Lines) -> None:
    """Kaggle's form, both identifier schemes, every line minted without a doubt."""
    data = list(lines(2_000))
    outcomes = list(mint_entries(open_entries(io.BytesIO(b"".join(data))), strict=True))
    assert [outcome for outcome in outcomes if not isinstance(outcome, Success)] == []
    assert len(outcomes) == 2_000


def test_lines_are_like_the_real_ones(lines: Lines) -> None:
    """Ascending identifiers, and the lengths and shares the module states."""
    data = list(lines(2_000))
    items = [json.loads(line) for line in data]
    assert all(one["id"] < other["id"] for one, other in pairwise(items))
    assert sum("/" in item["id"] for item in items) == 285
    assert 1_350 < sum(map(len, data)) / 2_000 < 1_550
    assert 65 < sum(len(item["title"]) for item in items) / 2_000 < 85
    assert 850 < sum(len(item["abstract"]) for item in items) / 2_000 < 950
    assert 0.27 < sum(item["license"] is None for item in items) / 2_000 < 0.33
    assert 0.42 < sum(item["doi"] is not None for item in items) / 2_000 < 0.48
    assert {len(item["versions"]) for item in items} == {1, 2, 3, 4, 5}


def test_too_many_records(lines: Lines) -> None:
    """A month has only so many identifiers."""
    with pytest.raises(ValueError, match="expected 1 to"):
        next(lines(10**7))


def test_run(root: Path, tmp_path: Path) -> None:
    """Two sections on a small index: a table each, the same figures as JSON, exit code 0."""
    target = tmp_path / "figures.json"
    command = [sys.executable, str(root / "scripts" / "bench"), "size", "resolve"]
    command += ["--records", "2000", "--rounds", "1", "--json", str(target)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=300)
    assert (done.returncode, done.stderr) == (0, "")
    assert [line for line in done.stdout.splitlines() if line.startswith("## ")] == ["## resolve", "## size"]
    sections = json.loads(target.read_text(encoding="utf-8"))["sections"]
    assert all(row["name"] in done.stdout for rows in sections.values() for row in rows)
    rebuilt = [row["value"] for row in sections["size"] if row["name"].startswith("canonical records rebuilt")]
    assert rebuilt == [2_000]


def test_unknown_section(root: Path, tmp_path: Path) -> None:
    """A name that is no section is a usage error."""
    command = [sys.executable, str(root / "scripts" / "bench"), "nonsense"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=60)
    assert done.returncode == 2
    assert "no section nonsense" in done.stderr
