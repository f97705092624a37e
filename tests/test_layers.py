"""The one-way rule: a module imports only from modules before it, and the core stays pure."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
CORE = [
    f"pithid.core.{name}"
    for name in """errors text canonical digest identifiers.arxiv identifiers.doi identifiers.pith identifiers records
    paper aliases mint times keys signing seals receipts snapshot payloads events merge checks bundle integrity status
    verify verify_documents""".split()
]
PACKAGES = [f"pithid.{name}" for name in "core recognise formats store service cli".split()]
IMPURE = set(
    """os sys pathlib io time random socket subprocess urllib http logging sqlite3 threading tempfile shutil locale
    asyncio""".split()
)
FOR_RECOGNISE = ("pithid.core.errors", "pithid.core.digest", "pithid.core.identifiers")
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted((ROOT / "pithid").rglob("*.py"))
}


def _imports(module: str) -> set[str]:
    """Return what `module` imports anywhere, inside functions too; names in a package count as its modules."""
    found = set()
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} line {node.lineno}: imports are absolute"
            full = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in MODULES else str(node.module) for name in full}
    return found


def _within(name: str, package: str) -> bool:
    return name == package or name.startswith(package + ".")


def _layer(module: str) -> int:
    """Return the place of the package of `module`; whatever is in none of them stands on top."""
    return next((i for i, package in enumerate(PACKAGES) if _within(module, package)), len(PACKAGES))


@pytest.mark.parametrize("module", MODULES)
def test_imports_go_one_way(module: str) -> None:
    """A module imports from its own package and from packages below it."""
    own = {name for name in _imports(module) if _within(name, "pithid")}
    assert {name for name in own if _layer(name) > _layer(module)} == set()


@pytest.mark.parametrize("module", [name for name in MODULES if _within(name, "pithid.core")])
def test_core_is_pure_and_ordered(module: str) -> None:
    """A module of the core imports only from modules before it, and nothing that reads the world."""
    imports = _imports(module)
    assert {name for name in imports if name.split(".")[0] in IMPURE} == set()
    own = {name for name in imports if _within(name, "pithid")}
    if module == "pithid.core":
        assert own == set()
        return
    assert module in CORE, f"{module} has no place in the order of the core: add it to CORE in this file"
    assert own <= set(CORE[: CORE.index(module)])


@pytest.mark.parametrize("module", [name for name in MODULES if _within(name, "pithid.recognise")])
def test_recognise_needs_only_identifiers(module: str) -> None:
    """The tolerant front end knows identifiers, not records: of the core it sees errors and identifiers."""
    core = {name for name in _imports(module) if _within(name, "pithid.core")}
    assert {name for name in core if not any(_within(name, allowed) for allowed in FOR_RECOGNISE)} == set()


def test_rules_bite() -> None:
    """The test sees the modules, and sees imports inside functions."""
    assert set(CORE) < set(MODULES)
    assert "base58" in _imports("pithid.core.digest")
    assert "pithid.core.identifiers.arxiv" in _imports("pithid.core.identifiers.doi")
