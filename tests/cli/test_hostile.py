"""Hostile and broken input: one clear line each, the documented exit code, and nothing else lost."""

import gzip
import json
import sqlite3
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.test_commands import line

NAN = line().replace(b'"doi": null', b'"doi": NaN')
HAZARDS: dict[str, bytes] = {
    "duplicate key": line().replace(b'"doi": null', b'"doi": null, "title": "Another"'),
    "NaN": NAN,
    "infinity": NAN.replace(b"NaN", b"-Infinity"),
    "float out of range": NAN.replace(b"NaN", b"1e400"),
    "minus zero": NAN.replace(b"NaN", b"-0"),
    "integer out of range": NAN.replace(b"NaN", b"9007199254740993"),
    "lone surrogate": line(title="\ud800"),
    "invalid UTF-8": line().replace(b"An abstract", b"An \xff"),
    "UTF-16": line().decode().encode("utf-16-le").replace(b"\n\x00", b"\n"),
    "too deep": b"[" * 100_000 + b"\n",
    "not an object": b"[1]\n",
    "trailing text": line().rstrip() + b" x\n",
    "cut off": line()[:100] + b"\n",
    "float identifier": line().replace(b'"2101.00001"', b"1501.0001"),
    "identifier of 9 digits": line("2101.000010000"),
    "no versions": line(versions=[]),
    "versions as texts": line(versions=["v1"]),
    "no version 1": line(versions=[{"version": "v2", "created": "Fri, 1 Jan 2021 09:08:07 GMT"}]),
    "impossible date": line(versions=[{"version": "v1", "created": "Wed, 31 Feb 2021 09:08:07 GMT"}]),
    "date without zone": line(versions=[{"version": "v1", "created": "Fri, 1 Jan 2021 09:08:07"}]),
    "empty title": line(title="  \n "),
    "empty abstract": line(abstract=""),
    "no category": line(categories=" "),
    "bad category": line(categories="cs.DL 'x';--"),
    "licence with a line break": line(license="http://x/\ny"),
    "wrong type": line(title=7),
    "very long line": line(abstract="x" * 5_000_000),
}


@pytest.mark.parametrize("name", HAZARDS)
def test_bad_line_is_rejected_and_others_go_on(run: Run, tmp_path: Path, name: str) -> None:
    """The bad line is rejected with its number and a reason; the lines around it are stored."""
    index, rejects = str(tmp_path / "index.sqlite3"), tmp_path / "rejects.jsonl"
    stdin = line("2101.00002") + HAZARDS[name] + line("2101.00003")

    ran = run("import", "-", "--from", "kaggle", "--json", "--index", index, "--rejects", str(rejects), stdin=stdin)

    account = json.loads(ran.out)
    assert (ran.code, account["read"], account["stored"], account["rejected"]) == (1, 3, 2, 1)
    rejected = json.loads(rejects.read_text())
    assert rejected["line"] == 2
    assert len(rejected["reason"]) > 10
    assert ran.err.count("\n") == 1
    assert "-:2: " in ran.err


FILES: dict[str, bytes] = {
    "web page": b"<!DOCTYPE html><html></html>",
    "PDF": b"%PDF-1.7\n",
    "zip": b"PK\x03\x04" + bytes(100),
    "SQLite": b"SQLite format 3\x00" + bytes(100),
    "BibTeX": b"@article{a, title={x}}",
    "random bytes": bytes(range(256)),
    "entities": b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]><arXivRaw><id>&a;</id></arXivRaw>',
    "external entity": b'<!DOCTYPE x SYSTEM "file:///etc/passwd"><arXivRaw/>',
    "broken XML": b'<arXivRaw xmlns="http://arxiv.org/OAI/arXivRaw/"><id>2101.00001</arXivRaw>',
    "cut gzip": gzip.compress(line())[:-12],
    "gzip in gzip": gzip.compress(gzip.compress(line())),
    "bomb": gzip.compress(bytes(200_000_000), 9),
    "JSON list": b"[]",
}


@pytest.mark.parametrize("name", FILES)
def test_bad_file_is_refused_in_one_line(run: Run, tmp_path: Path, name: str) -> None:
    """A file that gives nothing exits with 3 and says why, naming the file."""
    path = tmp_path / "input"
    path.write_bytes(FILES[name])

    minted = run("mint", str(path))
    imported = run("import", str(path), "--json", "--index", str(tmp_path / "index.sqlite3"))

    assert (minted.code, minted.out) == (3, "")
    assert "input:" in minted.err
    account = json.loads(imported.out)
    assert (imported.code, account["stored"]) == (3, 0)
    assert account["read"] == account["rejected"] > 0


@pytest.mark.parametrize("data", [b"", b"   \n\n", b"\xef\xbb\xbf", gzip.compress(b"")])
def test_empty_input_is_no_error(run: Run, data: bytes) -> None:
    """Nothing in, nothing out, and a word about it."""
    ran = run("mint", "-", stdin=data)

    assert (ran.code, ran.out) == (0, "")
    assert "no metadata" in ran.err


@pytest.mark.parametrize(
    "text",
    ["x'; DROP TABLE record;--", "%", "_", "' OR 1=1 --", "pith:%", 'ar"xiv', "\x00", "2010.10458\x00", "a" * 100_000],
)
def test_text_is_never_part_of_a_query(run: Run, text: str) -> None:
    """Whatever the text, it is a value: no answer it has no right to, no fault."""
    ran = run("resolve", "-", stdin=text.encode() + b"\n")

    assert (ran.code, ran.out) == (1, "\n")
    assert run("index", "check").code == 0


def test_index_of_somebody_else_is_read_as_data(run: Run, tmp_path: Path) -> None:
    """A foreign index that states a wrong number for a record is found out when the record is shown."""
    index = str(tmp_path / "index.sqlite3")
    run("import", "-", "--index", index, stdin=line())
    with sqlite3.connect(index) as database:
        database.execute("UPDATE record SET number = 'AAAAAAAAAAAAAAAAAAAAAAAAAA'")
    database.close()

    shown, checked = run("lookup", "2101.00001", "--index", index), run("index", "check", "--index", index)

    assert (shown.code, checked.code) == (1, 1)
    assert "hashes to" in shown.err
    assert "1 records checked, 2 faults" in checked.out


def test_utf_16_list_is_refused_as_a_whole(run: Run) -> None:
    """A list in UTF-16 is told once, and not line by line."""
    ran = run("resolve", "-", stdin="2010.10458\n2007.03298\n".encode("utf-16"))

    assert (ran.code, ran.out, ran.err.count("\n")) == (3, "", 1)
    assert "UTF-16" in ran.err
