"""`pithid bundle` and `pithid event`, as typer runs them: what they print, keep, refuse and exit with."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import typer
from typer.testing import CliRunner

from pithid.cli import bundle, event, import_, index
from pithid.cli.output import exit_code_of
from pithid.core.errors import PithError
from pithid.core.keys import REGISTRY
from pithid.core.paper import Paper
from pithid.service.bundles import import_bundle
from pithid.service.index import Index
from pithid.service.keyfiles import new_key
from pithid.service.trust import load_keyring
from pithid.store.sqlite import SqliteStore

SEED = Path(__file__).parents[2] / "data" / "seeds" / "bundle-2010.10458v1.json"
ARXIV = "2101.00001"
CORRECTION = json.dumps({"payload_version": "1", "text": "Table 2 is in km.", "url": None})

Run: TypeAlias = Callable[..., tuple[int, str, str]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working folder, which is also the user's home, with an index of one record and two keys."""
    monkeypatch.chdir(tmp_path)
    for name in ("PITHID_INDEX", "PITHID_TRUST"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("PITHID_INDEX", "index.sqlite3")
    with Index.create("index.sqlite3") as made, made.transaction():
        made.add([Paper(ARXIV, 1, "A title", "An abstract.", "cs.DL", "2020-12-31T23:59:59Z")])
    for number, name in enumerate(("author", "office")):
        key = new_key(f"{name}.json", seed=bytes([number + 1]) * 32).key
    entry = {
        "document": key.document("reg-1"),
        "signer_id": "registry.example",
        "signer_type": REGISTRY,
        "valid_from": "",
        "valid_until": "",
        "revoked": False,
    }
    (tmp_path / "trust.json").write_text(json.dumps([entry]))
    (tmp_path / "correction.json").write_text(CORRECTION)
    return tmp_path


@pytest.fixture
def run(folder: Path) -> Run:
    """Return a function that runs a command line and gives exit code, stdout and stderr."""
    assert folder.is_dir()
    app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)
    for module in (bundle, event, index):
        app.add_typer(module.app)
    app.command("import")(import_.command)

    def call(*arguments: str, stdin: str = "") -> tuple[int, str, str]:
        done = CliRunner().invoke(app, list(arguments), input=stdin)
        if isinstance(done.exception, PithError):  # what the application's group does with it
            return exit_code_of(done.exception), done.stdout, f"{done.exception.code}: {done.exception}"
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        return done.exit_code, done.stdout, done.stderr

    return call


AS_REGISTRY = ("--key", "office.json", "--signer-id", "registry.example", "--key-id", "reg-1", "--trust", "trust.json")


def add(run: Run, *more: str) -> Any:  # noqa: ANN401 - JSON
    """Add a correction by the author and return the event."""
    code, out, err = run(
        *("event", "add", ARXIV, "--type", "correction", "--payload", "correction.json", "--key", "author.json"), *more
    )
    assert code == 0, err
    return json.loads(out)


def test_registry_of_one_key_from_record_to_verified_bundle(run: Run) -> None:
    """Mint, receipt, record event, signed bundle, and a reader with the trust file: all on the command line."""
    code, out, err = run("event", "add", ARXIV, "--type", "record_created", *AS_REGISTRY)
    assert (code, err) == (0, "")
    assert json.loads(out)["payload"]["receipt"]["key_id"] == "reg-1"

    sealed = ("--sign-with", "office.json", "--key-id", "reg-1")
    code, out, err = run("bundle", "build", ARXIV, *sealed, "--trust", "trust.json", "--output", "b.json")
    assert (code, out, err) == (0, "", "")
    code, out, err = run("bundle", "show", "b.json", "--trust", "trust.json")
    assert (code, err) == (0, "")
    assert "signature  passed" in out
    assert "valid  record_created" in out
    assert "verdict    verified" in out
    assert run("bundle", "show", "b.json")[0] == 1


def test_author_corrects_and_supersedes(run: Run) -> None:
    """A key vouches for itself by its did:key; a later event retires an earlier one, and both are listed."""
    first = add(run)
    assert first["signer"]["signer_type"] == "did_key"
    second = add(run, "--supersedes", first["event_id"], "--prev", first["event_id"])

    code, out, err = run("event", "list", ARXIV)
    assert (code, err) == (0, "")
    assert {line.split("  ")[0] for line in out.splitlines()} == {"retired", "valid"}
    code, out, err = run("event", "list", ARXIV, "--json")
    listed = {one["event_id"]: one["status"] for one in json.loads(out)["events"]}
    assert listed == {first["event_id"]: "retired", second["event_id"]: "valid"}


def test_payload_from_stdin(run: Run) -> None:
    """A payload can come through a pipe."""
    arguments = ("event", "add", ARXIV, "--type", "correction", "--payload", "-", "--key", "author.json")
    assert run(*arguments, stdin=CORRECTION)[0] == 0


def test_own_key_is_the_default(run: Run, folder: Path) -> None:
    """Without --key the user's own key signs."""
    own = folder / "data" / "pithid"
    own.mkdir(parents=True)
    os.replace("author.json", own / "private_key.json")

    assert run("event", "add", ARXIV, "--type", "correction", "--payload", "correction.json")[0] == 0


@pytest.mark.parametrize(
    ("more", "code", "text"),
    [
        (("--type", "correction", "--payload", "other.json"), 3, "invalid-payload: $.payload_version: missing"),
        (("--type", "correction"), 2, "--payload"),
        (("--type", "correction", "--payload", "broken.json"), 3, "invalid-document"),
        (("--type", "record_created"), 1, "signer_not_allowed"),
        (("--type", "nonsense", "--payload", "other.json"), 1, "event_type"),
        (("--type", "correction", "--signer-id", "x"), 2, "--key-id"),
    ],
)
def test_what_would_be_refused_is_not_kept(run: Run, folder: Path, more: tuple[str, ...], code: int, text: str) -> None:
    """A payload in another form, a type of registries, an unknown type: a reason, an exit code, and nothing kept."""
    (folder / "other.json").write_text('{"text": "x", "url": null}')
    (folder / "broken.json").write_text('{"text": "x", "text": "y"}')
    got, out, err = run("event", "add", ARXIV, "--key", "author.json", *more)
    assert (got, out) == (code, "")
    assert text in err
    assert json.loads(run("event", "list", ARXIV, "--json")[1])["events"] == []


def test_unknown_record_is_not_found(run: Run) -> None:
    """What the index does not know gets the exit code of a miss."""
    assert run("event", "list", "2010.10458")[0] == 4
    assert run("bundle", "build", "2010.10458")[0] == 4
    assert run("bundle", "build", "no identifier")[0] == 3


def test_reference_without_effect_is_said(run: Run) -> None:
    """Replacing an unknown event is kept with a warning."""
    unknown = f"sha256:{'0' * 64}"
    code, _, err = run(
        *("event", "add", ARXIV, "--type", "correction", "--payload", "correction.json", "--key", "author.json"),
        *("--supersedes", unknown),
    )
    assert code == 0
    assert f"warning: {unknown}" in err


def conflicting(run: Run, folder: Path) -> tuple[str, str]:
    """Return two bundles in which one key says different things at one place of a chain."""
    prev = add(run)["event_id"]
    names = ("a.json", "b.json")
    before = (folder / "index.sqlite3").read_bytes()
    for name, text in zip(names, ("yes", "no"), strict=True):
        for suffix in ("", "-wal", "-shm"):
            (folder / f"index.sqlite3{suffix}").unlink(missing_ok=True)
        (folder / "index.sqlite3").write_bytes(before)
        (folder / "correction.json").write_text(CORRECTION.replace("Table 2", text))
        add(run, "--prev", prev)
        assert run("bundle", "build", ARXIV, "-o", name)[0] == 0
    return names


def test_contradiction_is_exit_5_with_a_proof(run: Run, folder: Path) -> None:
    """Joining bundles in which a key contradicts itself exits with 5 and writes a proof; the join is written too."""
    one, other = conflicting(run, folder)
    code, out, err = run("bundle", "merge", one, other, "--equivocations", "proof.json")

    assert code == 5
    assert "equivocation: one key contradicts itself" in err
    assert len(json.loads(out)["events"]) == 3
    assert json.loads((folder / "proof.json").read_text())["proof_type"] == "pith_equivocation_proof"
    (folder / "joined.json").write_text(out)
    assert run("bundle", "show", "joined.json")[0] == 1  # no registry vouches for the record either
    assert json.loads(run("bundle", "show", "joined.json", "--json")[1])["verification"]["conflicts"]


def test_signing_a_contradiction_is_refused(run: Run, folder: Path) -> None:
    """The second event at one place of a chain is not signed into the index: exit 5 with both ids."""
    prev = add(run)["event_id"]
    first = add(run, "--prev", prev)["event_id"]
    (folder / "correction.json").write_text(CORRECTION.replace("km", "miles"))
    code, out, err = run(
        *("event", "add", ARXIV, "--type", "correction", "--payload", "correction.json", "--key", "author.json"),
        *("--prev", prev),
    )

    assert (code, out) == (5, "")
    assert first in err


def test_seed_goes_in_and_comes_out(run: Run) -> None:
    """The registry's own bundle: shown as verified, joined with itself unchanged, rebuilt from the index."""
    code, out, err = run("bundle", "show", str(SEED))
    assert (code, err) == (0, "")
    assert "verdict    verified" in out
    raw = SEED.read_bytes()
    store = SqliteStore.create("index.sqlite3")
    import_bundle(store, json.loads(raw), raw, load_keyring(None))
    store.close()

    seed = json.loads(raw)
    for arguments in (("build", "2010.10458"), ("merge", str(SEED), str(SEED))):
        code, out, err = run("bundle", *arguments)
        assert (code, err) == (0, "")
        assert json.loads(out)["state"] == seed["state"]
        assert json.loads(out)["events"] == seed["events"]
    assert run("index", "check")[0] == 0


def test_merge_names_what_failed(run: Run, folder: Path) -> None:
    """A bundle with a fault is joined all the same; the fault is named with its file, exit 1."""
    broken = json.loads(SEED.read_text())
    broken["events"][1]["payload"]["verdict_id"] = 7
    (folder / "broken.json").write_text(json.dumps(broken))
    code, out, err = run("bundle", "merge", str(SEED), "broken.json")

    assert code == 1
    assert "broken.json: event" in err
    assert json.loads(out)["state"]["valid_event_count"] == 2


@pytest.mark.parametrize("command", ["show", "merge"])
def test_what_is_no_bundle_is_malformed(run: Run, command: str) -> None:
    """Other documents are refused as malformed."""
    assert run("bundle", command, "correction.json")[0] == 3


def test_half_a_signature_is_a_usage_error(run: Run) -> None:
    """A key without its name, or a name without its key, is refused."""
    assert run("bundle", "build", ARXIV, "--key-id", "x")[0] == 2
    assert run("bundle", "build", ARXIV, "--sign-with", "office.json")[0] == 2


@pytest.mark.parametrize("words", ["bundle build", "bundle merge", "bundle show", "event add", "event list"])
def test_help_has_an_example(run: Run, words: str) -> None:
    """Every command's help ends in an example."""
    code, out, _ = run(*words.split(), "--help")
    assert code == 0
    assert f"Example: pithid {words} " in out
