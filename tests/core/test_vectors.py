"""The registry's real records and the adversarial vectors: the two together pin the protocol."""

import base64
import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pithid.core.aliases import KINDS
from pithid.core.canonical import Json, canonical_bytes, load
from pithid.core.errors import InvalidDocument, InvalidRecord, NotMintable, PithError
from pithid.core.identifiers import ArxivId, Doi, PithNumber
from pithid.core.mint import Minted, mint
from pithid.core.paper import Paper
from pithid.core.records import CanonicalRecord, Metadata, Source
from pithid.core.text import canonical_text, text_sha256

Row = dict[str, Any]
DATA = Path(__file__).parents[2] / "data"


def _rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _cases(name: str) -> list[Row]:
    cases: list[Row] = json.loads((DATA / "vectors" / name).read_text(encoding="utf-8"))["cases"]
    return cases


def _id(case: Row) -> str:
    return str(case["id"])


def _pairs(aliases: list[Row]) -> list[tuple[str, str]]:
    return [(alias["alias_kind"], alias["alias_value"]) for alias in aliases]


def _mint(document: Json) -> Minted:
    return mint(CanonicalRecord.from_json(document))


def _assert_is(minted: Minted, row: Row, aliases: list[Row]) -> None:
    """Assert everything that a record of the registry states about itself."""
    suffix = row["pith_number"][-26:]
    assert str(minted.number) == row["pith_number"]
    assert str(minted.digest) == row["canonical_sha256"]
    assert minted.record.to_json() == row["canonical_record"]
    assert [(alias.kind, alias.value) for alias in minted.aliases] == _pairs(aliases)
    assert (minted.short_8, minted.short_12, minted.short_16) == (suffix[:8], suffix[:12], suffix[:16])


RECORDS = _rows(DATA / "records.jsonl")
E2E = _rows(DATA / "vectors" / "e2e_hashes.jsonl")
SEED_PAGE = "seeds/record-page-2010.10458v1.txt"


@pytest.mark.parametrize("row", RECORDS, ids=lambda row: row["pith_number"])
def test_real_record(row: Row) -> None:
    """Every record of the registry mints to its own hash, number, short forms and six aliases, in order."""
    minted = _mint(row["canonical_record"])
    _assert_is(minted, row, row["aliases"])
    assert hashlib.sha256(minted.record.to_bytes()).hexdigest() == row["canonical_sha256"]


def test_real_records_are_all_there() -> None:
    """The corpus holds 162 records of 159 papers; old identifiers, empty licences and later versions are among them."""
    sources = [row["canonical_record"]["source"] for row in RECORDS]
    assert (len(RECORDS), len({source["id"] for source in sources})) == (162, 159)
    assert sum("/" in source["id"] for source in sources) == 16
    assert sum(source["version"] > 1 for source in sources) > 50
    assert sum(row["canonical_record"]["metadata"]["license"] == "" for row in RECORDS) > 10


def test_some_years_differ_from_the_identifier() -> None:
    """The year of a number is that of submission: the corpus holds papers whose identifier says another one."""
    minted = [_mint(row["canonical_record"]) for row in RECORDS]
    other = [m for m in minted if m.number.year != m.record.source.arxiv.year]
    assert other
    assert all(m.number.year == m.record.source.arxiv.year - 1 for m in other)


@pytest.mark.parametrize("row", RECORDS, ids=lambda row: row["pith_number"])
def test_aliases_parse_back(row: Row) -> None:
    """Every alias is a strict identifier, and all of them name the paper of the record."""
    minted = _mint(row["canonical_record"])
    values = {alias.kind: alias.value for alias in minted.aliases}
    assert tuple(values) == KINDS
    assert ArxivId.parse(values["arxiv"]) == minted.record.source.arxiv
    assert Doi.parse(values["doi"]).arxiv == minted.record.source.arxiv
    assert PithNumber.parse(row["pith_number"]) == minted.number
    assert all(str(minted.number.short(n)) == values[f"pith_short_{n}"] for n in (8, 12, 16))


def test_canonical_texts() -> None:
    """Every published title and abstract hashes to what the registry shows for it."""
    pairs = _rows(DATA / "vectors" / "canon_pairs.jsonl")
    assert len(pairs) == 97
    assert [pair for pair in pairs if text_sha256(pair["text"]) != pair["sha256"]] == []


def test_canonical_texts_that_are_not_published(shared: Path) -> None:
    """So does every title and abstract that may only be read here."""
    pairs = _rows(shared / "vectors" / "canon_pairs.jsonl")
    assert len(pairs) == 114
    assert [pair for pair in pairs if text_sha256(pair["text"]) != pair["sha256"]] == []


@pytest.mark.parametrize("row", E2E, ids=lambda row: row["pith_number"])
def test_paper_hashes(row: Row) -> None:
    """Metadata of arXiv with the two text hashes gives the registry's number, for 152 papers."""
    primary, *cross = row["categories"].split()
    hashes = row["title_canon_sha256"], row["abstract_canon_sha256"]
    record = CanonicalRecord(
        Source("arxiv", row["arxiv_id"], row["version"]),
        Metadata(*hashes, primary, tuple(sorted(cross)), row["license"], row["submitted_at"]),
    )
    assert str(mint(record).number) == row["pith_number"]
    assert str(mint(record).digest) == row["canonical_sha256"]


def test_paper_texts(shared: Path) -> None:
    """Raw title, abstract, categories, licence and date from arXiv give the registry's number, for 152 papers."""
    rows = _rows(shared / "vectors" / "e2e.jsonl")
    hashes = {row["pith_number"]: row for row in E2E}
    assert len(rows) == len(hashes) == 152
    names = ("version", "title", "abstract", "categories", "submitted_at", "license")
    for row in rows:
        paper = Paper(row["arxiv_id"], *(row[name] for name in names))
        minted = mint(paper.record())
        assert str(minted.number) == row["pith_number"]
        assert str(minted.digest) == row["canonical_sha256"]
        assert paper.cautions() == ()
        expected = hashes[row["pith_number"]]
        for name in ("title", "abstract"):
            assert text_sha256(row[name]) == expected[f"{name}_canon_sha256"]
            assert text_sha256(canonical_text(row[name])) == expected[f"{name}_canon_sha256"]


def test_seed_bundle() -> None:
    """The bundle's hash, number and aliases follow from its canonical record, in every place they stand."""
    bundle: Any = load((DATA / "seeds" / "bundle-2010.10458v1.json").read_bytes())
    minted = _mint(bundle["canonical_record"])
    _assert_is(minted, bundle, bundle["source_aliases"])
    assert bundle["short_pith_number"] == f"pith:{minted.short_8}"
    assert bundle["source"] == minted.record.source.to_json()
    created = bundle["events"][0]["payload"]
    assert created["canonical_record"] == bundle["canonical_record"]
    assert created["canonical_sha256"] == created["receipt"]["canonical_sha256"] == str(minted.digest)
    assert text_sha256(bundle["events"][1]["payload"]["graph_snapshot"]["paper"]["title"]) == (
        minted.record.metadata.title_canon_sha256
    )


def test_seed_event_hashes() -> None:
    """The hashes of the seed's events and bundle are taken over canonical bytes, free text included."""
    bundle: Any = load((DATA / "seeds" / "bundle-2010.10458v1.json").read_bytes())
    assert len(bundle["events"]) == 2
    for event in bundle["events"]:
        signed = {name: event[name] for name in event if name not in {"signature", "content_sha256", "event_id"}}
        assert hashlib.sha256(canonical_bytes(signed)).hexdigest() == event["content_sha256"]
    signed = {name: bundle[name] for name in bundle if name != "bundle_signature"}
    assert hashlib.sha256(canonical_bytes(signed)).hexdigest() == bundle["bundle_signature"]["bundle_sha256"]


def test_seed_record() -> None:
    """The record JSON's hash, number and aliases follow from its canonical record."""
    record: Any = load((DATA / "seeds" / "record-2007.03298v2.json").read_bytes())
    minted = _mint(record["canonical_record"])
    _assert_is(minted, record, record["aliases"])
    assert record["short_pith_number"] == f"pith:{minted.short_8}"
    assert text_sha256(record["paper"]["title"]) == minted.record.metadata.title_canon_sha256


def test_seed_page() -> None:
    """The record printed on the page hashes to the hash printed on the page, and all its aliases stand there."""
    page = (DATA / SEED_PAGE).read_text(encoding="utf-8")
    minted = _mint(load(page[page.index("{\n") :]))
    assert f"# expect: {minted.digest}\n" in page
    assert f"\n{minted.number}\n" in page
    assert " · ".join(f"{alias.kind}: {alias.value}" for alias in minted.aliases) in page


@pytest.mark.parametrize("row", _rows(DATA / "vectors" / "receipts.jsonl"), ids=lambda row: row["pith_number"])
def test_receipts_name_their_number(row: Row) -> None:
    """A receipt's signed hash and its number agree."""
    suffix = base64.b32encode(bytes.fromhex(row["canonical_sha256"])).decode()[:26]
    assert PithNumber.parse(row["pith_number"]).digits == suffix


@pytest.mark.parametrize("case", _cases("canonical.json"), ids=_id)
def test_canonical_vector(case: Row) -> None:
    """Every document has the canonical bytes and hash its vector states, or is refused where and why it says."""
    document = bytes.fromhex(case["document_hex"])
    if case["valid"]:
        value = load(document)
        assert canonical_bytes(value).hex() == case["canonical_hex"]
        assert hashlib.sha256(canonical_bytes(value)).hexdigest() == case["sha256"]
        assert load(canonical_bytes(value)) == value
        return
    if case["refused_at"] == "canonical":
        value = load(document)
    with pytest.raises(InvalidDocument) as failure:
        canonical_bytes(value) if case["refused_at"] == "canonical" else load(document)
    assert (failure.value.code, failure.value.rule) == (case["error"], case["rule"])
    assert failure.value.path == case.get("path", failure.value.path)


def _minted_from(case: Row) -> Minted:
    return mint(Paper(**case["paper"]).record()) if "paper" in case else _mint(load(case["document"]))


@pytest.mark.parametrize("case", _cases("mint.json"), ids=_id)
def test_mint_vector(case: Row) -> None:
    """Every published vector mints to the bytes, hash, number and aliases, or fails with the code, that it states."""
    if case["valid"]:
        minted = _minted_from(case)
        assert minted.record.to_bytes().hex() == case["canonical_hex"]
        assert str(minted.digest) == case["sha256"]
        assert str(minted.number) == case["number"] != case.get("not_number")
        assert [[alias.kind, alias.value] for alias in minted.aliases] == [
            list(item) for item in case["aliases"].items()
        ]
        return
    with pytest.raises(PithError) as failure:
        _minted_from(case)
    error = failure.value
    assert error.code == case["error"]
    match error:
        case InvalidRecord():
            assert error.path == case["path"]
        case NotMintable():
            assert error.field == case["path"]
        case _:
            assert isinstance(error, InvalidDocument)


@pytest.mark.parametrize(("name", "valid", "invalid"), [("canonical.json", 35, 55), ("mint.json", 35, 85)])
def test_vector_files_are_whole(name: str, valid: int, invalid: int) -> None:
    """A vector file states its source and schema, gives each case a reason, and does not shrink unseen."""
    file: Row = json.loads((DATA / "vectors" / name).read_text(encoding="utf-8"))
    assert list(file) == ["source", "schema", "cases"]
    assert all(case["why"] for case in file["cases"])
    assert len({case["id"] for case in file["cases"]}) == len(file["cases"])
    assert sum(case["valid"] for case in file["cases"]) >= valid
    assert sum(not case["valid"] for case in file["cases"]) >= invalid


def test_vectors_are_generated(root: Path) -> None:
    """The vector files are what the independent generator writes, and the generator does not import pithid."""
    script = root / "scripts" / "make_vectors.py"
    done = subprocess.run([sys.executable, "-I", str(script), "--check"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "import pithid" not in script.read_text(encoding="utf-8")
    assert "from pithid" not in script.read_text(encoding="utf-8")
