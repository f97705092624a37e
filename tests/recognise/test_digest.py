"""The other spellings of a record's digest name its number."""

import json
from pathlib import Path

import pytest

from pithid.core.digest import Digest
from pithid.recognise import identify

FIRST = json.loads((Path(__file__).parents[2] / "data" / "records.jsonl").read_text().splitlines()[0])
DIGEST = Digest.parse(FIRST["canonical_sha256"])


@pytest.mark.parametrize("text", [str(DIGEST), DIGEST.ni, DIGEST.cid, DIGEST.cid_base58, f" {DIGEST}\n"])
def test_digest_is_read_as_its_number(text: str) -> None:
    """Hex, `ni:` URI and both CIDs give the 26 characters, and say what was done."""
    found = identify(text).results

    assert [one.value for one in found] == [FIRST["pith_number"][-26:]]
    assert found[0].repairs == ("digest",)


@pytest.mark.parametrize(
    ("text", "repairs"),
    [
        (str(DIGEST).upper(), ("digest", "case")),
        (f"sha256:{DIGEST}", ("digest", "prefix")),
        (f"SHA256:{DIGEST}", ("digest", "prefix", "case")),
        (f"ipfs://{DIGEST.cid}", ("url", "digest")),
        (f"ipfs://{DIGEST.cid_base58}", ("url", "digest")),
        (f"/ipfs/{DIGEST.cid}", ("digest", "prefix")),
    ],
)
def test_digest_in_the_spelling_of_other_programs(text: str, repairs: tuple[str, ...]) -> None:
    """Checksum lists and IPFS write a label, an address or capitals, and each is named."""
    answer = identify(text)

    assert [(one.value, one.repairs) for one in answer.results] == [(FIRST["pith_number"][-26:], repairs)]


@pytest.mark.parametrize(
    "text", [DIGEST.ni + "=", f"sha256:{DIGEST.cid}", f"ipfs:///ipfs/{DIGEST.cid}", f"md5:{DIGEST}"]
)
def test_digest_behind_a_wrong_label_is_refused(text: str) -> None:
    """Padding and labels of something else are not dropped."""
    assert identify(text).results == ()


@pytest.mark.parametrize(
    "text", [str(DIGEST)[:-1], str(DIGEST) + "0", "g" + str(DIGEST)[1:], DIGEST.ni[:-1] + "R", DIGEST.cid[:-1] + "5"]
)
def test_what_is_no_digest_is_not_read_as_one(text: str) -> None:
    """A character lost, added or changed to one that no digest has gives nothing."""
    assert identify(text).results == ()
