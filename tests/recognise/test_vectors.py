"""Every recorded text is read as recorded."""

import json
from pathlib import Path
from typing import Any

import pytest

from pithid.recognise import REPAIRS, identify

_FOLDER = Path(__file__).parents[2] / "data" / "vectors"


def _cases() -> list[Any]:
    lines = [
        line
        for name in ("identifiers.jsonl", "identifiers_more.jsonl")
        for line in (_FOLDER / name).read_text("utf-8").splitlines()
    ]
    return [pytest.param(case, id=case["id"]) for case in map(json.loads, lines)]


def _agrees(case: dict[str, Any], answer: dict[str, Any]) -> bool:
    values = [result["value"] for result in answer["results"]]
    candidates = {c["value"] for c in answer["candidates"]}
    accepted = case.get("accept", [])
    if case["kind"] == "invalid":
        agrees = values == []
    elif case["form"] == "candidates":
        agrees = answer["status"] == "ambiguous" and values == [] and set(case["normalized"]) <= candidates
    elif case["kind"] == "ambiguous":
        agrees = values == case["normalized"] and answer["status"] == "ambiguous"
    else:
        agrees = [(r["kind"], r["value"]) for r in answer["results"]] == [(case["kind"], case["normalized"])]
    return agrees or (None in accepted and values == []) or (len(values) == 1 and values[0] in accepted)


@pytest.mark.parametrize("case", _cases())
def test_recorded_texts(case: dict[str, Any]) -> None:
    """The kind and value are those recorded, or among those the record accepts; nothing invalid gets through."""
    answer: dict[str, Any] = identify(case["input"]).to_json()
    assert _agrees(case, answer), answer
    assert all(set(result["repairs"]) <= set(REPAIRS) for result in answer["results"])
    if not answer["results"]:
        assert answer["reason"]
        assert "\n" not in answer["reason"]
        if "suggest" in case:
            assert case["suggest"] in {c["value"] for c in answer["candidates"]}
    alone = len(answer["results"]) == 1 and answer["reason"] is None
    assert (answer["status"] == "ok") == alone
