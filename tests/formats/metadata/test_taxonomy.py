import json
from collections.abc import Callable, Iterator

from pithid.formats.metadata.taxonomy import CATEGORIES, looks_like_category


def test_every_category_of_real_papers_is_known(shared_lines: Callable[[str], Iterator[bytes]]) -> None:
    """Every category of real papers is known."""
    for name in ("arxiv_real.jsonl", "e2e.jsonl"):
        for row in map(json.loads, shared_lines(name)):
            assert set(row["categories"].split()) <= CATEGORIES


def test_old_archives_and_aliases_are_categories() -> None:
    """Old archives and aliases are categories."""
    assert set("hep-th alg-geom q-alg math.MP cs.SY cond-mat astro-ph supr-con q-fin.EC".split()) <= CATEGORIES
    assert not any(map(looks_like_category, ["14D20 (Primary)", "I.2.9; J.3", "math", "F.2.2", "hep-th.XX", ""]))
