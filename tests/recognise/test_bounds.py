"""Hostile texts cost time in proportion to their length: nothing looks further back or ahead than a fixed distance."""

import pytest

from pithid.recognise import context, doi, identify
from pithid.recognise.context import place

_HOSTILE = [
    "a", "(", "10.", "10.1000/", "arXiv:", "%25", "&amp;", "{", "pith:", "http://", "https://a.b/", "2010.", "eprint={",
    "2010.10458 ", "hep-th/9901001,", "[a](", "\\", "1904.069380", "10.1000/<a:", "10.1000/a%20", "a/1234567 ",
    "\u200b", "ABCD ", "arXiv:2010.10458 doi:10.1103 ",
    "\uff11",
]  # fmt: skip


@pytest.mark.parametrize("piece", _HOSTILE)
def test_repeated_pieces(piece: str) -> None:
    """A hundred thousand characters of any piece are answered."""
    answer = identify(piece * (100_000 // len(piece)))
    assert answer.status in {"ok", "ambiguous", "invalid"}


@pytest.mark.parametrize("piece", _HOSTILE)
def test_looks_back_a_fixed_distance(piece: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of positions whose surroundings are looked at grows no faster than the text."""
    for size in (2_000, 4_000, 8_000):
        calls = 0

        def counted(text: str, at: int) -> context.Place:
            nonlocal calls
            calls += 1
            return place(text, at)

        monkeypatch.setattr("pithid.recognise.scan.place", counted)
        monkeypatch.setattr("pithid.recognise.pith.place", counted)
        repeats = size // len(piece)
        identify(piece * repeats)
        assert calls <= 3 * repeats + 8


def test_window_is_bounded() -> None:
    """A web address is recognised by the characters just before a number, not by what stands far in front."""
    assert place("https://arxiv.org/" + "a" * 100, 118).host == "arxiv.org"
    assert place("https://arxiv.org/" + "a" * 2 * context.WINDOW, 18 + 2 * context.WINDOW).host is None


def test_overlong_doi_is_refused() -> None:
    """A DOI beyond the limit is refused as a whole, not cut to something that fits."""
    assert identify("10.1000/" + "a" * (doi.LONGEST + 100)).results == ()
    assert identify("10.1000/" + "a" * 500).results != ()
