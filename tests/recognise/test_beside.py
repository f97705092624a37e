"""A damaged identifier beside a sound one is never dropped silently, and a plain number is never taken for one."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pithid.core.identifiers import ArxivId
from pithid.recognise import identify

_PITH = "Z5NAPRQPUU4SIDOBV5N2FREXWZ"


@pytest.mark.parametrize(
    ("text", "found", "offered"),
    [
        ("2010.1045 and 2007.03298", "2007.03298", ["2010.10450", "2010.01045"]),
        ("1904.0693800000001 and 2007.03298", "2007.03298", ["1904.06938"]),
        ("0713.0001, see arXiv:2007.03298", "2007.03298", []),
        ("2007.03298; arXiv:2010.10458v0", "2007.03298", ["2010.10458"]),
        ("see arXiv:2010.104587 by Smith, and arXiv:2007.03298", "2007.03298", []),
        ("https://arxiv.org/abs/2010.1045 and text, arXiv:2007.03298", "2007.03298", ["2010.10450", "2010.01045"]),
        ("hep-th/990100, hep-th/9901002", "hep-th/9901002", []),
        ("hepth/9901001 in words, hep-th/9901002", "hep-th/9901002", ["hep-th/9901001"]),
        ("arXiv:0112, see arXiv:2007.03298", "2007.03298", []),
        ("arXiv: 201010458 and text, see arXiv:2007.03298", "2007.03298", []),
        ("2010.1045, arXiv:2007.03298 by Smith", "2007.03298", ["2010.10450", "2010.01045"]),
        ("2010.10458_final.pdf and arXiv:2007.03298", "2007.03298", ["2010.10458"]),
        ("709.428, arXiv:2007.03298", "2007.03298", ["0709.4280"]),
        ("2O10.10458, arXiv:2007.03298", "2007.03298", ["2010.10458"]),
        (f"pith:2020:{_PITH[:-1]}8 and 2007.03298", "2007.03298", []),
        (f"2020:{_PITH[:-1]}8 in words and arXiv:2007.03298", "2007.03298", []),
        (f"{_PITH[:-1]}8, arXiv:2007.03298", "2007.03298", []),
        ("Z5NA PRQP UU4S IDOB V5N2 FREX WZ, arXiv:2007.03298", "2007.03298", [_PITH]),
        ("10.1103/ and 10.1000/abc", "10.1000/abc", []),
        ("10.1103 and https://doi.org/10.1000/abc", "10.1000/abc", []),
        ("doi:10.1103, see https://doi.org/10.1000/abc for more", "10.1000/abc", []),
        ("doi:10.1103/, arXiv:2007.03298", "2007.03298", []),
        ("10.1000/a%20b and words, arXiv:2007.03298", "2007.03298", ["10.1000/a_b", "10.1000/ab", "10.1000/a"]),
    ],
)
def test_damage_is_reported(text: str, found: str, offered: list[str]) -> None:
    """The sound one is listed, the likely readings of the other are offered, and the reason says what is there."""
    answer = identify(text)
    assert answer.status == "ambiguous"
    assert [one.value for one in answer.results] == [found]
    assert [one.value for one in answer.candidates] == offered
    assert (answer.reason or "").startswith(f"beside {found} the text holds a damaged identifier")


def test_several_sound_and_several_damaged() -> None:
    """All of each kind are listed, and the first damaged one is named."""
    answer = identify("2010.1045, 2007.03298, 2010.10458, 0706.00441")
    assert [one.value for one in answer.results] == ["2007.03298", "2010.10458"]
    assert [one.value for one in answer.candidates] == ["2010.10450", "2010.01045", "0706.0441"]
    assert "2 damaged identifiers, first '2010.1045'" in (answer.reason or "")


@pytest.mark.parametrize(
    "text",
    [
        "Math. Phys. 255, 577 (2005), hep-th/0306165",
        "arXiv:1501.00001v1 [cs.LG] 1 Jan 2015, 12 pages, 1234.5 MB",
        "arXiv:2007.03298, 1501.2345 MB",
        "total 1501.2345, arXiv:2007.03298",
        "arXiv:2007.03298 costs 1250.0000 EUR, or $1250.00",
        "1501.00012\xb10.0003, arXiv:2007.03298",
        "arXiv:2007.03298, p. 1234-56789, ISBN 978-3-16-148410-0, ISSN 2049-3630, tel. +49 30 1234567",
        "arXiv:2007.03298, numpy 1.24.3, torch==2.0.1, v2010.1.2",
        "arXiv:2007.03298, Phys. Rev. D 103 (2021) 012345, 1601.5 and 1702.123 eV",
        "https://example.org/v/2010.1045 arXiv:2007.03298",
        "https://example.org/physics/123456 arXiv:2007.03298",
        "report/1234567 arXiv:2007.03298",
        "2010.10458_final.pdf and arXiv:2010.10458",
        "pith: the core of arXiv:2007.03298",
        "@article{k, volume={255}, pages={577--580}, number={12}, year={2005}, eprint={hep-th/0306165}}",
    ],
)
def test_plain_numbers_change_nothing(text: str) -> None:
    """Years, pages, prices, measurements, catalogue numbers and addresses leave the answer as it is."""
    answer = identify(text)
    assert (answer.status, answer.candidates, answer.reason) == ("ok", (), None)


_IDS = st.builds(
    lambda year, month, number: f"{year:02}{month:02}.{number:05}",
    st.integers(15, 30), st.integers(1, 12), st.integers(1, 99999),
)  # fmt: skip
_DAMAGED = st.one_of(
    _IDS.map(lambda text: f"arXiv:{text[:-1]}"),
    _IDS.map(lambda text: f"arXiv:{text}7"),
    _IDS.map(lambda text: f"arXiv:{text}v0"),
    _IDS.map(lambda text: f"arXiv:{text[:2]}13{text[4:]}"),
    _IDS.map(lambda text: f"https://arxiv.org/abs/{text[:-1]}"),
    _IDS.map(lambda text: f"arXiv:{text.replace('.', '')}"),
    _IDS.map(lambda text: f"arXiv:{text[:4]}"),
    st.integers(1000, 99999).map(lambda number: f"doi:10.{number}/"),
    st.integers(1000, 99999).map(lambda number: f"doi:10.{number}"),
    st.integers(0, 25).map(lambda at: f"pith:2020:{_PITH[:at]}8{_PITH[at + 1 :]}"),
    st.integers(8, 25).map(lambda size: f"pith:2020:{_PITH[:size]}"),
    st.integers(92, 99).map(lambda year: f"hep-th/{year}0100"),
)
_FILLERS = st.sampled_from(["", "see ", "a text, 12 pages, 1999: ", "(Smith 2005) "])


_WRAPPERS = st.sampled_from(["arXiv:{}", "https://arxiv.org/abs/{}", "{}", "10.48550/arxiv.{}"])
_BETWEEN = st.sampled_from([" ", ", ", "; ", " and ", "\n", "\t", " with words and "])


@given(_DAMAGED, _IDS, _WRAPPERS, _BETWEEN, _FILLERS, st.booleans())
def test_a_sound_one_never_hides_a_damaged_one(  # noqa: PLR0917 - all parts of one text
    damaged: str,
    sound: str,
    wrapper: str,
    separator: str,
    filler: str,
    first: bool,  # noqa: FBT001 - drawn
) -> None:
    """Adding a sound identifier to a text with a damaged labelled one never gives `ok`."""
    ArxivId.parse(sound)
    assume(identify(damaged).status != "ok")
    pair = (damaged, wrapper.format(sound)) if first else (wrapper.format(sound), damaged)
    answer = identify(filler + separator.join(pair))
    assert answer.status != "ok"
    assert answer.reason or len(answer.results) > 1
