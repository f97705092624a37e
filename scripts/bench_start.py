"""CPU time of whole commands, as a user's shell starts them, against the start of an interpreter that has sqlite3.

The wheel is built and installed into an environment of its own, with bytecode, as users have it. A command's time
includes the wrapper that pip writes; which one that was is part of the result, as older pips import `re` in it.
"""

import os
import resource
import shutil
import statistics
import subprocess
import sys
import venv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import bench_data
from bench_report import Row, at_most, interleaved, median_ratio
from bench_work import Work

ROOT = Path(__file__).resolve().parents[1]
LEAST_ROUNDS = 15
GOAL, HARD_GOAL, OTHER_GOAL = 1.25, 1.5, 5.5
HEAVY = "typer click rich pydantic sqlite_utils nacl numpy".split()
IMPORTS = "builtins json typer pithid sqlite_utils".split()
"""What a script may start with, for scale."""
HIT = ["resolve", "--arxiv", "2010.10458"]
_NUMBER = "pith:2020:Z5NAPRQPUU4SIDOBV5N2FREXWZ"
_OLD_WRAPPER = """import re
import sys
from pithid.__main__ import main
if __name__ == '__main__':
    sys.argv[0] = re.sub(r'(-script\\.pyw|\\.exe)?$', '', sys.argv[0])
    sys.exit(main())
"""
_LOADED = """
import sys
sys.argv = ["pithid", *{arguments}]
from pithid.__main__ import main
assert main() == 0
print(*sorted({heavy} & {{name.partition(".")[0] for name in sys.modules}}), file=sys.stderr)
"""


@dataclass(frozen=True, slots=True)
class Installed:
    """An environment that has the wheel, and a user who has never run it."""

    programs: Path
    home: Path

    def environment(self) -> dict[str, str]:
        """Return the variables of that user."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PITHID", "XDG"))}
        return kept | {"HOME": str(self.home)}

    def run(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment with nothing on stdin and no terminal."""
        command = [str(self.programs / program), *arguments]
        return subprocess.run(  # noqa: S603 - our own programs
            command,
            cwd=self.home,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    def seconds(self, program: str, *arguments: str, code: int = 0) -> float:
        """Return the CPU seconds of one run, which must end with `code`."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = self.run(program, *arguments)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode != code:
            raise SystemExit(f"{program} {arguments} gave {done.returncode}: {done.stdout}{done.stderr}")
        return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def run(work: Work) -> list[Row]:
    """Measure hits and the other commands in rounds that run each of them once."""
    installed = install(work.folder)
    sample = work.folder / "twenty.jsonl"
    sample.write_bytes(b"".join(bench_data.lines(20)))
    hits, others = _hits(installed), _others(installed, sample)
    old = installed.programs / "pithid-old-wrapper"
    old.write_text(f"#!{installed.programs / 'python'}\n{_OLD_WRAPPER}", encoding="utf-8")
    old.chmod(0o755)
    base = _timed(installed, "python", "-c", "import sqlite3")
    imports = {f"python -c 'import {name}'": _timed(installed, "python", "-c", f"import {name}") for name in IMPORTS}
    older = _timed(installed, old.name, *HIT)
    rounds = max(work.rounds, LEAST_ROUNDS)
    found = interleaved(rounds, {"base": base, "older": older, **imports, **hits, **others})
    return [
        Row(
            "python -c 'import sqlite3'",
            1000 * statistics.median(found["base"]),
            "ms",
            note=f"{rounds} rounds; wrapper of pip {_pip_version(installed)} {_wrapper(installed)}",
        ),
        *(Row(name, median_ratio(found[name], found["base"]), "x") for name in imports),
        *(_hit(name, found[name], found["base"]) for name in hits),
        Row("hit by id, wrapper of older pip", median_ratio(found["older"], found["base"]), "x", note="it imports re"),
        *(at_most(name, median_ratio(found[name], found["base"]), "x", OTHER_GOAL) for name in others),
        _heavy(installed),
    ]


def _hit(name: str, own: Sequence[float], base: Sequence[float]) -> Row:
    ratio = median_ratio(own, base)
    note = "" if ratio <= HARD_GOAL else f"also over the hard limit {HARD_GOAL}"
    return at_most(name, ratio, "x", GOAL, note)


def install(folder: Path) -> Installed:
    """Build the wheel of this checkout and install it with the newest pip; a second call finds it anew."""
    place, home = folder / "installed", folder / "home"
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir()
    venv.EnvBuilder(with_pip=True, clear=True, symlinks=os.name != "nt").create(place)
    installed = Installed(place / ("Scripts" if os.name == "nt" else "bin"), home)
    wheels = folder / "wheels"
    shutil.rmtree(wheels, ignore_errors=True)
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(wheels), str(ROOT)]
    done = subprocess.run(build, capture_output=True, text=True, check=False)  # noqa: S603 - our own command
    if done.returncode:
        raise SystemExit(f"the wheel cannot be built:\n{done.stdout}{done.stderr}")
    (wheel,) = wheels.glob("*.whl")
    for arguments in (["--upgrade", "pip"], ["--compile", str(wheel)]):
        pip = installed.run("python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *arguments)
        if pip.returncode:
            raise SystemExit(f"pip install {arguments} failed:\n{pip.stderr}")
    if installed.run("pithid", *HIT).stdout != _NUMBER + "\n":
        raise SystemExit("the installed command does not resolve the first record")
    return installed


def _timed(installed: Installed, program: str, *arguments: str, code: int = 0) -> Callable[[], float]:
    return lambda: installed.seconds(program, *arguments, code=code)


def _hits(installed: Installed) -> dict[str, Callable[[], float]]:
    return {
        name: _timed(installed, "pithid", *arguments)
        for name, arguments in {
            "hit by id": HIT,
            "hit by DOI": ["resolve", "--doi", "10.48550/arxiv.2010.10458"],
            "hit by number": ["resolve", _NUMBER],
            "hit by 8 characters": ["resolve", "--pith", "Z5NAPRQP"],
        }.items()
    }


def _others(installed: Installed, sample: Path) -> dict[str, Callable[[], float]]:
    flags = ["--arxiv", "2101.00001", "--version", "1", "--title", "A title", "--abstract", "An abstract."]
    flags += ["--categories", "cs.DL", "--submitted-at", "2020-12-31T23:59:59Z"]
    fresh = count()
    return {
        "--help": _timed(installed, "pithid", "--help"),
        "resolve --json": _timed(installed, "pithid", *HIT, "--json"),
        "resolve, a miss": _timed(installed, "pithid", "resolve", "--arxiv", "2010.00001", code=4),
        "lookup": _timed(installed, "pithid", "lookup", "2010.10458"),
        "identify TEXT": _timed(installed, "pithid", "identify", "see arXiv:2010.10458v1 [cs.DC]"),
        "mint from flags": _timed(installed, "pithid", "mint", *flags),
        "mint, 20 lines": _timed(installed, "pithid", "mint", str(sample)),
        "import, 20 lines, fresh index": lambda: installed.seconds(
            "pithid", "import", str(sample), "--index", str(installed.home / f"fresh-{next(fresh)}.sqlite3")
        ),
        "index info": _timed(installed, "pithid", "index", "info"),
        "export, starter records": _timed(installed, "pithid", "export"),
    }


def _heavy(installed: Installed) -> Row:
    """Return how many slow packages a hit has imported; they are named in the note."""
    done = installed.run("python", "-c", _LOADED.format(arguments=HIT, heavy=set(HEAVY)))
    if done.returncode or done.stdout != _NUMBER + "\n":
        raise SystemExit(f"the hit failed: {done.stdout}{done.stderr}")
    loaded = done.stderr.split()
    note = "imported: " + " ".join(loaded) if loaded else f"none of {' '.join(HEAVY)}"
    return at_most("heavy packages imported by a hit", len(loaded), "modules", 0, note)


def _pip_version(installed: Installed) -> str:
    return installed.run("python", "-m", "pip", "--version").stdout.split()[1]


def _wrapper(installed: Installed) -> str:
    text = (installed.programs / "pithid").read_text(encoding="utf-8", errors="replace")
    return "imports re" if "import re\n" in text else "does not import re"
