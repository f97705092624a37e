"""The commands on real input: what goes in comes out or is rejected with a reason, and faults have their exit codes."""

import csv
import gzip
import io
import json
import os
import pty
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run, environment

NUMBER = "pith:2020:Z5NAPRQPUU4SIDOBV5N2FREXWZ"


def line(arxiv: str = "2101.00001", **changes: Any) -> bytes:  # noqa: ANN401 - any JSON value
    """Return an invented snapshot line."""
    paper = {
        "id": arxiv,
        "authors": "A. Author",
        "title": "A title on\n  two lines",
        "doi": None,
        "categories": "cs.DL math.CO",
        "license": None,
        "abstract": "  An abstract.\n",
        "versions": [{"version": "v1", "created": "Fri, 1 Jan 2021 09:08:07 GMT"}],
    }
    return json.dumps(paper | changes).encode() + b"\n"


@pytest.fixture
def index(tmp_path: Path) -> str:
    """Return the path of an index that is not there yet."""
    return str(tmp_path / "index.sqlite3")


@pytest.fixture
def pair(tmp_path: Path, root: Path) -> str:
    """Return a file of the two records whose first 8 characters are the same."""
    records = json.loads((root / "data" / "vectors" / "colliding.json").read_text())["records"]
    path = tmp_path / "pair.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return str(path)


def test_import_accounts_for_every_line(run: Run, index: str, tmp_path: Path) -> None:
    """Read is stored plus already there plus rejected; rejects keep their bytes; a second run stores nothing."""
    rows = [line(), b"not json\n", line("2101.00002", license="x y"), b"\n", line("2113.00001"), line(), b"\xff\xfe{\n"]
    source, rejects = tmp_path / "snapshot.json", tmp_path / "rejects.jsonl"
    source.write_bytes(b"".join(rows))
    command = ["import", str(source), "--from", "kaggle", "--json", "--index", index, "--rejects", str(rejects)]

    first, second = run(*command), run(*command)

    accounts = [json.loads(ran.out) for ran in (first, second)]
    counts = [[account[name] for name in ("read", "stored", "already", "rejected")] for account in accounts]
    assert counts == [[6, 1, 1, 4], [6, 0, 2, 4]]
    assert (first.code, second.code) == (1, 1)
    rejected = [json.loads(text) for text in rejects.read_text().splitlines()]
    assert [one["line"] for one in rejected] == [2, 3, 5, 7]
    assert rejected[0]["raw"].strip() == "not json"
    assert all(one["reason"] and one["code"] for one in rejected)
    assert "raw_base64" in rejected[3]


def test_every_real_line_is_stored_or_rejected_with_reason(run: Run, index: str, shared: Path) -> None:
    """All 1,675 real lines import, and each paper resolves by every alias to the number it exports."""
    source = shared / "vectors" / "arxiv_real.jsonl"
    ran = run("import", str(source), "--json", "--index", index)
    account = json.loads(ran.out)
    total = len(source.read_bytes().splitlines())
    assert (account["read"], account["stored"], account["rejected"]) == (total, total, 0)

    exported = [json.loads(text) for text in run("export", "--format", "jsonl", "--index", index).out.splitlines()]
    assert len(exported) == total
    asked, expected = [], []
    for record in exported:
        for alias in record["aliases"]:
            prefix = "pith:" if alias["alias_kind"].startswith("pith") else ""
            asked.append(prefix + alias["alias_value"])
            expected.append(record["pith_number"])
    got = run("resolve", "-", "--index", index, stdin="\n".join(asked).encode())
    assert got.out.splitlines() == expected
    assert run("index", "check", "--index", index).out == f"{total} records checked, 0 faults\n"


@pytest.mark.parametrize("pack", ["plain", "gzip", "zstd"])
def test_compressed_input_and_stdin(run: Run, pack: str) -> None:
    """Minting reads plain, gzip and zstd alike, from stdin too."""
    data = line()
    if pack == "gzip":
        data = gzip.compress(data)
    elif pack == "zstd":
        data = pytest.importorskip("zstandard").compress(data)

    ran = run("mint", "-", stdin=data)

    assert (ran.code, ran.out.count("\n"), ran.err) == (0, 1, "")
    assert ran.out == run("mint", "-", "--from", "kaggle", stdin=line()).out


def test_mint_json_lines_hold_errors_in_place(run: Run) -> None:
    """A line that cannot be minted is an object with its error, so that rows stay in step."""
    ran = run("mint", "-", "--format", "jsonl", "--from", "kaggle", stdin=line() + b"{}\n" + line("2101.00002"))

    answers = [json.loads(text) for text in ran.out.splitlines()]
    assert [("pith_number" in answer, "error" in answer) for answer in answers] == [
        (True, False),
        (False, True),
        (True, False),
    ]
    assert answers[1]["error"]["line"] == 2
    assert set(answers[0]) == {"pith_number", "canonical_sha256", "canonical_record", "aliases", "warnings"}
    assert ran.code == 1


def test_colliding_prefix_exits_5_and_lists_both(run: Run, index: str, pair: str) -> None:
    """Eight shared characters are a conflict with both candidates; twelve resolve."""
    assert run("import", pair, "--index", index).code == 0

    short = run("resolve", "PXJW43FJ", "--json", "--index", index)
    candidates = json.loads(short.out)["candidates"]
    assert (short.code, json.loads(short.out)["status"]) == (5, "ambiguous")
    assert [one["arxiv_version"] for one in candidates] == ["1504.82430v1", "1605.16061v1"]
    assert run("lookup", "pith:PXJW43FJ", "--index", index).code == 5
    plain = run("resolve", "PXJW43FJ", "--index", index)
    assert (plain.code, plain.out, plain.err.count("candidate")) == (5, "", 2)
    assert run("resolve", "PXJW43FJ2GOM", "--index", index).out == f"{candidates[0]['pith_number']}\n"


def test_versions_of_one_paper(run: Run, index: str) -> None:
    """The bare identifier and the DOI answer with the highest version, each version answers for itself."""
    versions = [{"version": f"v{n}", "created": "Fri, 1 Jan 2021 09:08:07 GMT"} for n in range(1, 11)]
    for known in (1, 9, 10):
        run("import", "-", "--index", index, stdin=line(versions=versions[:known]))

    asked = ["2101.00001", "10.48550/arXiv.2101.00001", "2101.00001v10", "2101.00001v9", "2101.00001v1", "2101.00001v2"]
    rows = list(csv.DictReader(io.StringIO(run("resolve", *asked, "--format", "csv", "--index", index).out)))

    assert [row["arxiv_version"].removeprefix("arxiv:2101.00001") for row in rows] == [
        "v10",
        "v10",
        "v10",
        "v9",
        "v1",
        "",
    ]
    assert "v1, v9, v10" in rows[-1]["reason"]
    shown = json.loads(run("lookup", "2101.00001v9", "--json", "--index", index).out)
    assert [one["arxiv_version"] for one in shown["versions"]] == ["2101.00001v10", "2101.00001v9", "2101.00001v1"]


def test_two_records_of_one_version_are_ambiguous(run: Run, index: str) -> None:
    """A licence changed between two snapshots gives two records; neither is chosen silently."""
    run("import", "-", "--index", index, stdin=line())
    run("import", "-", "--index", index, stdin=line(license="http://creativecommons.org/licenses/by/4.0/"))

    ran = run("resolve", "2101.00001v1", "--index", index)

    assert (ran.code, ran.out) == (5, "")
    assert "different metadata" in ran.err


def test_linked_doi_resolves_with_its_provenance(run: Run, index: str) -> None:
    """A journal DOI that the source gives leads to the paper, and lookup says where it came from."""
    run("import", "-", "--index", index, stdin=line(doi="10.1103/PhysRevD.76.013009 10.1000/B"))

    assert run("resolve", "--doi", "10.1103/PHYSREVD.76.013009", "--index", index).code == 0
    table = json.loads(run("lookup", "10.1000/b", "--json", "--index", index).out)["alias_table"]
    linked = [row for row in table if row["alias_kind"] == "linked_doi"]
    assert linked == [
        {"alias_kind": "linked_doi", "alias_value": value, "provenance": ["computed"]}
        for value in ("10.1000/b", "10.1103/physrevd.76.013009")
    ]


def test_rows_in_are_rows_out(run: Run) -> None:
    """Every line of stdin gives one line, whatever it holds, in order."""
    lines = [
        "2010.10458",
        "",
        "rubbish",
        " 2007.03298 ",
        "\u202e2010.10458",
        "9" * 100_000,
        "pith:Z5NAPRQP",
        "2010.10458",
    ]
    stdin = b"\xef\xbb\xbf" + "\r\n".join(lines).encode() + b"\n\xff\xfe\n"

    plain, rows = run("resolve", "-", stdin=stdin), run("resolve", "-", "--format", "jsonl", stdin=stdin)

    answers = [json.loads(text) for text in rows.out.splitlines()]
    assert len(plain.out.splitlines()) == len(answers) == len(lines) + 1
    assert [answer.get("pith_number", "") for answer in answers] == plain.out.splitlines()
    assert plain.out.splitlines()[0] == plain.out.splitlines()[-2] == NUMBER
    assert (plain.code, rows.code) == (1, 1)


def test_identify_json_lines(run: Run) -> None:
    """One JSON string a line in, one object a line out, in order, for any string and for what is no string."""
    texts = ["2010.10458", "", "x\ny", "\ud800", "arXiv:hep-th/9901001 and 10.1000/1"]
    stdin = "".join(json.dumps(text) + "\n" for text in texts).encode() + b"not json\n[1]\n"

    answers = [json.loads(text) for text in run("identify", "--json-lines", stdin=stdin).out.splitlines()]

    assert [answer["input"] for answer in answers] == [*texts, "not json", "[1]"]
    assert all(set(answer) == {"input", "status", "results", "candidates", "reason"} for answer in answers)
    assert answers[0]["results"] == [{"kind": "arxiv", "value": "2010.10458", "repairs": []}]
    assert [one["value"] for one in answers[4]["results"]] == ["hep-th/9901001", "10.1000/1"]
    assert {answer["status"] for answer in answers[-2:]} == {"invalid"}


def test_export_is_deterministic_and_reads_back(run: Run, index: str, tmp_path: Path) -> None:
    """Two exports are equal byte for byte, and the JSON lines import again to the same table."""
    once, again = (run("export", "--format", "jsonl").out for _ in range(2))
    assert once == again
    table = tmp_path / "table.jsonl"
    table.write_text(once)

    assert run("import", str(table), "--index", index).code == 0
    assert run("export", "--format", "csv", "--index", index).out == run("export", "--format", "csv").out


def test_export_keeps_what_is_linked_and_known(run: Run, index: str, tmp_path: Path) -> None:
    """Authors, linked DOIs and provenance go through JSON lines into another index, and into the tables."""
    run("import", "-", "--index", index, stdin=line(doi="10.1000/A"))
    other = str(tmp_path / "other.sqlite3")
    exported = run("export", "--format", "jsonl", "--index", index)
    run("import", "-", "--index", other, stdin=exported.out.encode())

    assert run("export", "--format", "jsonl", "--index", other) == exported
    assert json.loads(exported.out)["linked_dois"] == ["10.1000/a"]
    assert json.loads(exported.out)["provenance"] == ["computed"]
    row = next(csv.DictReader(io.StringIO(run("export", "--index", other).out)))
    assert row["linked_dois"] == "doi:10.1000/a"


def test_minted_lines_import_again(run: Run, index: str) -> None:
    """What mint prints as JSON lines is read by import."""
    minted = run("mint", "-", "--json", stdin=line())

    assert run("import", "-", "--index", index, stdin=minted.out.encode()).code == 0


def test_bundles_among_records_and_packed_keep_their_events(run: Run, index: str, root: Path) -> None:
    """A bundle is imported whole wherever it stands: between lines, packed, or after a long member."""
    bundle = json.loads((root / "data" / "seeds" / "bundle-2010.10458v1.json").read_text())
    record = (root / "data" / "records.jsonl").read_bytes().splitlines()[5] + b"\n"
    stdin = gzip.compress(record + json.dumps(bundle).encode() + b"\n" + record)

    account = json.loads(run("import", "-", "--json", "--index", index, stdin=stdin).out)

    assert [account[name] for name in ("read", "stored", "already", "rejected")] == [3, 2, 1, 0]
    assert account["bundles"][0]["new_events"] == 2
    assert run("event", "list", "2010.10458", "--index", index).out.count("valid") == 2


def test_exported_cells_survive_type_guessing(run: Run, tmp_path: Path) -> None:
    """Identifiers carry their scheme, so that an importer which guesses types leaves them as text."""
    table, database = tmp_path / "a.csv", str(tmp_path / "a.db")
    run("export", "--output", str(table))
    command = [sys.executable, "-m", "sqlite_utils", "insert", database, "t", str(table), "--csv"]
    subprocess.run(command, check=True, capture_output=True)

    with sqlite3.connect(database) as imported:
        got = imported.execute("SELECT * FROM t").fetchall()
    imported.close()
    with table.open(newline="", encoding="utf-8") as stream:
        assert [tuple("" if cell is None else str(cell) for cell in row) for row in got] == [
            tuple(row) for row in csv.reader(stream)
        ][1:]


def test_closed_pipe_is_no_error(home: Path) -> None:
    """`pithid export | head -1` ends quietly."""
    command = f"{sys.executable} -m pithid export --format jsonl | head -1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, env=environment(home), check=True, text=True)

    first, code = done.stdout.splitlines()
    assert json.loads(first)["pith_number"]
    assert (code, done.stderr) == ("0", "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
@pytest.mark.parametrize("command", ["resolve 2010.10458", "lookup 2010.10458", "export", "identify 2010.10458"])
def test_full_disk_exits_6(home: Path, command: str) -> None:
    """A result that cannot be written is a fault of the machine, told in one line."""
    shell = f"{sys.executable} -m pithid {command} > /dev/full"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, env=environment(home), check=False, text=True)

    assert done.returncode == 6
    assert done.stderr.count("\n") == 1
    assert "No space left" in done.stderr


def test_interrupted_import_keeps_whole_batches(home: Path, index: str) -> None:
    """Ctrl-C exits with 130 and one line; the index is sound and a re-run completes it."""
    command = [sys.executable, "-m", "pithid", "import", "-", "--index", index]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(home)
    ) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(line())
        process.stdin.flush()
        for _ in range(200):
            if os.path.exists(index):
                break
            time.sleep(0.05)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        error = process.stderr.read().decode()
        code = process.wait(timeout=30)

    assert code == 130
    assert "Traceback" not in error
    assert error.count("\n") == 1


def test_terminal_sees_titles_and_no_escapes(run: Run, home: Path, index: str) -> None:
    """On a terminal the title is shown beside the number, with its control characters written out."""
    title = "Evil \x1b[31mred\x1b[0m \u202etitle"
    run("import", "-", "--index", index, stdin=line(title=title))
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "pithid", "resolve", "2101.00001", "--index", index]
    done = subprocess.run(command, stderr=follower, stdout=subprocess.PIPE, env=environment(home), check=True)
    os.close(follower)
    shown = os.read(leader, 4096).decode()
    os.close(leader)

    assert done.stdout.startswith(b"pith:2021:")
    assert "\x1b" not in shown
    assert "\\x1b[31mred" in shown
    assert "\\u202e" in shown
    card = run("lookup", "2101.00001", "--index", index).out
    assert "\x1b" not in card


def test_import_starts_the_users_own_index_with_the_shipped_records(run: Run) -> None:
    """After a first import into the default place, what a fresh install answered is still answered."""
    assert run("import", "-", stdin=line()).code == 0

    assert run("resolve", "2010.10458").out == NUMBER + "\n"
    assert run("resolve", "2101.00001").code == 0
    assert json.loads(run("index", "info", "--json").out)["provenance"]["computed"] == 1


def test_index_in_a_folder_that_cannot_be_written(run: Run, tmp_path: Path) -> None:
    """An index is read where nothing can be written beside it, and importing there is a fault of the machine."""
    folder = tmp_path / "published"
    folder.mkdir()
    index = str(folder / "index.sqlite3")
    run("import", "-", "--index", index, stdin=line())
    if os.geteuid() == 0:
        pytest.skip("root writes everywhere")
    folder.chmod(0o555)

    assert run("resolve", "2101.00001", "--index", index).code == 0
    assert run("import", "-", "--index", index, stdin=line("2101.00002")).code == 6


def test_stated_number_must_be_the_computed_one(run: Run, root: Path, index: str) -> None:
    """A document that states another number, hash or alias than its record gives is rejected."""
    first = json.loads((root / "data" / "records.jsonl").read_text().splitlines()[0])
    wrong = [
        first | {"pith_number": first["pith_number"].replace("2020", "2021")},
        first | {"canonical_sha256": "0" * 64},
        first | {"aliases": [{"alias_kind": "arxiv", "alias_value": "2010.10459", "created_at": ""}]},
    ]
    stdin = "".join(json.dumps(one) + "\n" for one in [*wrong, first]).encode()

    account = json.loads(run("import", "-", "--json", "--index", index, stdin=stdin).out)

    assert (account["read"], account["stored"], account["rejected"]) == (4, 1, 3)
