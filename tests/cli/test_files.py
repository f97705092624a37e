"""Files the commands write: refused where they are read, replaced whole, and never anything else touched."""

import json
import os
import shutil
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pithid.core.errors import Unavailable
from pithid.service import index as service
from pithid.service.files import OutputFile, new_file, remove_leftovers
from pithid.service.index import Index
from pithid.store.origin import IndexFault
from pithid.store.places import is_there
from pithid.store.sqlite import SqliteStore
from tests.cli.conftest import Run, environment

NUMBER = "pith:2020:Z5NAPRQPUU4SIDOBV5N2FREXWZ"
WRITERS = [
    ["import", "in.jsonl", "--index", "own.sqlite3", "--rejects"],
    ["export", "--index", "own.sqlite3", "--output"],
    ["export", "--index", "own.sqlite3", "--format", "sqlite", "--output"],
    ["bundle", "build", "2010.10458", "--output"],
    ["bundle", "merge", "bundle.json", "--output"],
    ["bundle", "merge", "bundle.json", "--output", "both.json", "--equivocations"],
    ["keys", "new", "--output"],
]
REPLACING = [writer for writer in WRITERS if "sqlite" not in writer and "new" not in writer]

not_root = pytest.mark.skipif(os.name == "posix" and os.geteuid() == 0, reason="root reads and writes everywhere")


@pytest.fixture
def work(home: Path, root: Path, run: Run) -> Path:
    """Return the folder that commands run in, with an input, a bundle and an index."""
    shutil.copy(root / "data" / "records.jsonl", home / "in.jsonl")
    shutil.copy(root / "data" / "seeds" / "bundle-2010.10458v1.json", home / "bundle.json")
    assert run("import", "in.jsonl", "--index", "own.sqlite3").code == 0
    (home / "in.jsonl").write_text('{"versions": []}\n')
    return home


def names(folder: Path) -> set[str]:
    """Return the names in a folder, without those of the database's own files."""
    return {name for name in os.listdir(folder) if not name.endswith(("-wal", "-shm"))}


def link_hard(source: Path, link: Path) -> None:
    """Give a file a second name."""
    os.link(source, link)


def link_soft(source: Path, link: Path) -> None:
    """Let a name lead to a file."""
    link.symlink_to(source)


@pytest.mark.parametrize("writer", WRITERS, ids=" ".join)
@pytest.mark.parametrize("target", ["", "folder", "folder/", "none/"])
def test_output_without_a_files_name_is_a_usage_error(run: Run, work: Path, writer: list[str], target: str) -> None:
    """An empty name or a folder exits with 2, is named as what it is, and changes nothing."""
    (work / "folder").mkdir()
    before = names(work)
    ran = run(*writer, target)

    assert ran.code == 2
    assert ("name a file" if not target else "is a folder") in " ".join(ran.err.split())
    assert names(work) == before


@pytest.mark.parametrize("link", [None, link_hard, link_soft])
@pytest.mark.parametrize(
    ("writer", "read"),
    [
        (WRITERS[0], "in.jsonl"),
        (WRITERS[0], "own.sqlite3"),
        (WRITERS[1], "own.sqlite3"),
        (WRITERS[2], "own.sqlite3"),
        (["bundle", "build", "2010.10458", "--index", "own.sqlite3", "--output"], "own.sqlite3"),
        (["bundle", "build", "2010.10458", "--trust", "in.jsonl", "--output"], "in.jsonl"),
        (["bundle", "build", "2010.10458", "--sign-with", "in.jsonl", "--key-id", "x", "--output"], "in.jsonl"),
        (WRITERS[4], "bundle.json"),
        (WRITERS[5], "bundle.json"),
        (["bundle", "merge", "bundle.json", "--output", "in.jsonl", "--equivocations"], "in.jsonl"),
    ],
)
def test_output_over_an_input_is_a_usage_error(
    run: Run, work: Path, writer: list[str], read: str, link: Callable[[Path, Path], None] | None
) -> None:
    """A file that is read is never written over, by whatever name it comes."""
    target, before = work / read, (work / read).read_bytes()
    if link is not None:
        target = work / "link"
        link(work / read, target)
    ran = run(*writer, str(target))

    assert (ran.code, "same file" in " ".join(ran.err.split())) == (2, True)
    assert (work / read).read_bytes() == before


def test_output_over_stdin_or_a_file_to_be_made_is_a_usage_error(run: Run, work: Path) -> None:
    """The file behind stdin counts as read, and so does an index that is not there yet."""
    for command in ("bundle merge - --output bundle.json < bundle.json", "import - --rejects in.jsonl < in.jsonl"):
        shell = ["bash", "-c", f"{sys.executable} -m pithid {command}"]
        done = subprocess.run(shell, cwd=work, env=environment(work), capture_output=True, check=False)
        assert done.returncode == 2

    assert run("import", "in.jsonl", "--index", "new.sqlite3", "--rejects", "new.sqlite3").code == 2
    assert not (work / "new.sqlite3").exists()


@pytest.mark.parametrize("writer", REPLACING, ids=" ".join)
def test_regular_file_is_replaced_whole(run: Run, work: Path, writer: list[str]) -> None:
    """The file behind a link is replaced, keeps its permissions, and nothing is left or touched beside it."""
    (work / "table").write_text("old")
    (work / "table").chmod(0o640)
    (work / "link").symlink_to("table")
    (work / "table.part").write_text("mine")
    before = names(work)
    run(*writer, "link")

    assert (work / "link").is_symlink()
    assert (work / "table").read_text() != "old"
    assert stat.S_IMODE((work / "table").stat().st_mode) == 0o640
    assert (work / "table.part").read_text() == "mine"
    assert names(work) - {"both.json"} == before


@pytest.mark.parametrize("writer", [one for one in WRITERS if one[0] != "keys"], ids=" ".join)
@pytest.mark.parametrize("mask", ["022", "077"])
def test_new_file_follows_the_umask(work: Path, writer: list[str], mask: str) -> None:
    """A file that was not there has the permissions the user's mask leaves."""
    shell = f"umask {mask}; {sys.executable} -m pithid {' '.join(writer)} new"
    subprocess.run(["bash", "-c", shell], cwd=work, env=environment(work), capture_output=True, check=False)

    assert stat.S_IMODE((work / "new").stat().st_mode) == 0o666 & ~int(mask, 8)


@pytest.mark.parametrize("writer", REPLACING, ids=" ".join)
def test_pipe_is_written_through(run: Run, work: Path, writer: list[str]) -> None:
    """A named pipe stays one, and its reader gets what a file would hold."""
    os.mkfifo(work / "pipe")
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append((work / "pipe").read_bytes()))
    reader.start()
    run(*writer, "pipe")
    reader.join(timeout=30)

    assert stat.S_ISFIFO((work / "pipe").stat().st_mode)
    run(*writer, "file")
    times = ("built_at", "state_id")
    lines = [
        [line for line in text.splitlines() if not any(word in line for word in times)]
        for text in (got[0].decode(), (work / "file").read_text())
    ]
    assert lines[0] == lines[1]


@pytest.mark.parametrize("writer", [*WRITERS[:1], WRITERS[1], WRITERS[3], WRITERS[4]], ids=" ".join)
def test_dash_is_stdout(run: Run, work: Path, writer: list[str]) -> None:
    """`-` makes no file of that name."""
    assert run(*writer, "-").out
    assert not (work / "-").exists()


@pytest.mark.parametrize("writer", WRITERS, ids=" ".join)
def test_missing_folder_is_a_fault_of_the_machine(run: Run, work: Path, writer: list[str]) -> None:
    """A folder that is not there exits with 6 and one line that names the file."""
    ran = run(*writer, "nodir/x")

    assert not (work / "nodir").exists()
    assert (ran.code, ran.err.count("\n")) == (6, 1)
    assert "nodir/x: not written: No such file or directory" in ran.err


@not_root
@pytest.mark.parametrize("writer", WRITERS, ids=" ".join)
def test_folder_that_cannot_be_written_is_a_fault_of_the_machine(run: Run, work: Path, writer: list[str]) -> None:
    """A folder that takes no files exits with 6 and one line."""
    (work / "shut").mkdir(mode=0o555)
    ran = run(*writer, "shut/x")

    assert (ran.code, ran.err.count("\n")) == (6, 1)


@pytest.mark.parametrize("writer", [WRITERS[2], WRITERS[6]], ids=" ".join)
def test_existing_file_of_a_kind_that_is_never_replaced(run: Run, work: Path, writer: list[str]) -> None:
    """A database or a private key takes no existing name, not even a pipe's."""
    (work / "old").write_text("old")
    os.mkfifo(work / "pipe")

    assert [run(*writer, name).code for name in ("old", "pipe")] == [6, 6]
    assert (work / "old").read_text() == "old"
    assert stat.S_ISFIFO((work / "pipe").stat().st_mode)


def test_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    """An error before the end, or at it, leaves the old content and nothing beside it."""
    path = tmp_path / "file"
    path.write_text("old")

    def fail() -> None:
        with OutputFile(str(path)) as target:
            target.write("new")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with new_file(str(tmp_path / "other")) as part:
        Path(part).write_text("mine")
        (tmp_path / "other").write_text("theirs")
        with pytest.raises(Unavailable, match="exists already"), new_file(str(tmp_path / "other")):
            pass
        (tmp_path / "other").unlink()
    assert {name.name: name.read_text() for name in tmp_path.iterdir()} == {"file": "old", "other": "mine"}


def test_rejects_hold_the_start_of_a_file_in_no_known_format(run: Run, work: Path) -> None:
    """A file that cannot be read at all is kept by its first 4096 bytes."""
    (work / "strange").write_bytes(b"\x00\xffstrange" * 1000)
    (work / "text").write_text("strange " * 1000)
    run("import", "strange", "text", "--index", "own.sqlite3", "--rejects", "rejects")
    raws = [json.loads(line) for line in (work / "rejects").read_text().splitlines()]

    assert "raw_base64" in raws[0]
    assert raws[1]["raw"] == "strange " * 512


def test_folder_among_the_inputs_is_named(run: Run, work: Path) -> None:
    """The folder that was to be read is the one the message names."""
    (work / "folder").mkdir()
    ran = run("import", "in.jsonl", "folder", "--index", "own.sqlite3")

    assert (ran.code, ran.err) == (6, "pithid: unavailable: folder is a folder; name a file\n")


@pytest.mark.parametrize(
    "command",
    [["resolve", "2010.10458"], ["lookup", "2010.10458"], ["export"], ["index", "info"], ["import", "in.jsonl"]],
)
def test_folder_as_index_is_named_as_one(run: Run, work: Path, command: list[str]) -> None:
    """`--index FOLDER` exits with 6 and says what is wrong, reading and writing."""
    (work / "folder").mkdir()
    ran = run(*command, "--index", "folder")

    assert (ran.code, ran.err) == (6, "pithid: index-fault: folder is a folder; name the index file\n")


def test_adding_an_event_makes_no_index(run: Run, work: Path) -> None:
    """A mistyped index is missing, as it is when reading, and stays so."""
    (work / "payload.json").write_text(json.dumps({"payload_version": "1", "text": "In km.", "url": None}))
    assert run("keys", "new").code == 0
    command = ["event", "add", "2010.10458", "--type", "correction", "--payload", "payload.json", "--index"]
    ran = run(*command, "typo.sqlite3")

    assert (ran.code, "there is no index at typo.sqlite3" in ran.err) == (6, True)
    assert not (work / "typo.sqlite3").exists()
    assert run(*command, "own.sqlite3").code == 0


@not_root
def test_own_index_that_cannot_be_reached_is_no_missing_one(run: Run, home: Path) -> None:
    """Where permissions hide the own index, the shipped records do not answer in its place."""
    assert run("import", "-", stdin=b"").code == 0
    folder = home / ".local" / "share" / "pithid"
    folder.chmod(0o000)
    try:
        assert run("lookup", "2010.10458").code == 6
    finally:
        folder.chmod(0o755)


def test_only_a_missing_file_counts_as_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path that cannot be looked at is an error, not an absence."""
    assert not is_there(str(tmp_path / "none" / "index"))
    (tmp_path / "file").touch()
    assert not is_there(str(tmp_path / "file" / "index"))
    monkeypatch.setattr(service, "user_index", lambda: str(tmp_path / "own"))

    def refuse(path: object) -> None:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(os, "stat", refuse)
    for opening in (service.open_to_read, service.open_to_write):
        with pytest.raises(IndexFault, match="own: Permission denied"):
            opening(None)


def test_own_index_is_never_there_without_the_shipped_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A first start that fails while the records are copied leaves no index; the next one has them."""
    own = tmp_path / "data" / "index.sqlite3"
    monkeypatch.setattr(service, "user_index", lambda: str(own))

    def fail(*_: object) -> int:
        assert not own.exists()
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(SqliteStore, "add", fail)
        with pytest.raises(KeyboardInterrupt):
            service.open_to_write(None)
    assert os.listdir(own.parent) == []

    service.open_to_write(None).close()
    with Index.open(own) as index:
        assert str(index.number("2010.10458")) == NUMBER
    assert names(own.parent) == {"index.sqlite3"}


def test_processes_that_make_the_own_index_at_once_agree(run: Run, home: Path, root: Path) -> None:
    """Of several first imports each keeps what it read, beside the shipped records."""
    lines = (root / "data" / "records.jsonl").read_bytes().splitlines(keepends=True)[:4]
    with ThreadPoolExecutor() as pool:
        ran = list(pool.map(lambda line: run("import", "-", stdin=line), lines))

    assert [one.code for one in ran] == [0] * len(lines)
    assert run("resolve", "2010.10458").out == NUMBER + "\n"
    assert names(home / ".local" / "share" / "pithid") == {"index.sqlite3"}


def test_leftovers_are_removed_once_they_are_old(tmp_path: Path) -> None:
    """What a killed process left goes after an hour; fresh ones and other files stay."""
    for name in (".pithid-old", ".pithid-new", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "part").touch()
    (tmp_path / ".pithid-old.part").touch()
    for name in (".pithid-old", ".pithid-old.part", "other"):
        os.utime(tmp_path / name, (time.time() - 4000,) * 2)
    remove_leftovers(str(tmp_path))

    assert names(tmp_path) == {".pithid-new", "other"}


def test_index_takes_path_objects(tmp_path: Path) -> None:
    """The library opens and makes an index at a path of either kind."""
    with Index.create(tmp_path / "index.sqlite3"), Index.open(tmp_path / "index.sqlite3") as index:
        assert index.resolve("2010.10458").status == "not_found"
