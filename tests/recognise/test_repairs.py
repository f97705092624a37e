"""Every repair is named by its word, and damage is offered as candidates, never used."""

import pytest

from pithid.recognise import REPAIRS, identify

_MADE = [
    ("0" * 64, ("digest",)),
    ("arXiv:2010.10458", ("prefix",)),
    ("https://arxiv.org/abs/2010.10458v1", ("url",)),
    ("https://arxiv.org/pdf/2010.10458v1.pdf", ("url", "file-name")),
    ("https://arxiv.org/abs/2010.10458?context=cs", ("url", "query")),
    ("math.GT/0309136", ("subject-class",)),
    ("HEP-TH/9901001", ("case",)),
    ("2010.10458V2", ("case",)),
    ("hep-th9901001", ("squashed",)),
    ("hep-th//9901001", ("slashes",)),
    ("hep\u2013th/9901001", ("dash",)),
    ("\uff12010.10458", ("full-width",)),
    ("2010\u200b.10458", ("invisible",)),
    (" 2010.10458\n", ("whitespace",)),
    ("[2010.10458]", ("brackets",)),
    ("2010.10458.", ("punctuation",)),
    ("see arXiv:2010.10458 there", ("prefix", "surrounding-text")),
    ("2020arXiv201010458Y", ("bibcode",)),
    ("journals/corr/abs-2010-10458", ("dblp", "surrounding-text")),
    ("eprint={9901001}, archivePrefix={hep-th}", ("bibtex", "brackets", "surrounding-text")),
    ("10.48550/arXiv.2010.10458v2", ("arxiv-doi",)),
    ("10.1000/ABC", ("case",)),
    ("10.1000%2Fabc", ("percent-encoding",)),
    ("10.1000/a&lt;1:b&gt;c", ("html-entity",)),
    ("10.1000/a\\_b", ("escape",)),
    ("10.1000/a[3.0.co](http://3.0.co/);2", ("markdown",)),
    ("10.1037//0002", ("slashes",)),
    ("https://example.org/doi/10.1000/abc/full", ("url", "landing-page")),
    ("https://www.biorxiv.org/content/10.1101/2020.01.01.000001v2", ("url", "landing-page")),
    ("pith:Z5NAPRQP", ("prefix",)),
    ("pith:2020:z5naprqpuu4sidobv5n2frexwz", ("case",)),
    ("2020:Z5NAPRQPUU4SIDOBV5N2FREXWZ", ("prefix",)),
    ("2020:z5naprqpuu4sidobv5n2frexwz", ("prefix", "case")),
    ("see 1992:Z5NAPRQPUU4SIDOBV5N2FREXWZ.", ("prefix", "surrounding-text")),
]  # fmt: skip


@pytest.mark.parametrize(("text", "repairs"), _MADE)
def test_words(text: str, repairs: tuple[str, ...]) -> None:
    """The words name exactly what was changed, in the order of the table."""
    assert [found.repairs for found in identify(text).results] == [repairs]


def test_every_word_occurs() -> None:
    """The table holds no word that is never used."""
    used = {word for text, _ in _MADE for found in identify(text).results for word in found.repairs}
    used |= {word for found in identify("2010.10458, 2010.10459").results for word in found.repairs}
    assert used == set(REPAIRS)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("quan-ph/9803083v2", "quant-ph/9803083v2"),
        ("hepth/9901001", "hep-th/9901001"),
        ("709.428", "0709.4280"),
        ("1501.0001", "1501.00010"),
        ("1904.0693800000001", "1904.06938"),
        ("0706.00441v1", "0706.0441v1"),
        ("2O10.10458", "2010.10458"),
        ("\u0430rXiv:2010.10458", "2010.10458"),
        ("2010.10458v0", "2010.10458"),
        ("math.ph/0309136", "math-ph/0309136"),
        ("physi cs/9707012", "physics/9707012"),
        ("10.1103/Phys RevLett.13.321", "10.1103/physrevlett.13.321"),
        ("10.1007/978-3-319-33693-0%206", "10.1007/978-3-319-33693-0_6"),
        ("scalar quantum 1610.07877", "1610.07877"),
        ("pith:2020:Z5NAPRQPUU4SI DOBV5N2FREXWZ", "pith:2020:Z5NAPRQPUU4SIDOBV5N2FREXWZ"),
        ("Z5NA PRQP UU4S IDOB V5N2 FREX WZ", "Z5NAPRQPUU4SIDOBV5N2FREXWZ"),
        ("Z5NAP-RQPUU-4SIDO-BV5N2-FREXW-Z", "Z5NAPRQPUU4SIDOBV5N2FREXWZ"),
        ("the number Z5NA PRQP UU4S IDOB V5N2 FREX WZ.", "Z5NAPRQPUU4SIDOBV5N2FREXWZ"),
        ("pith:Z5NA PRQP UU4S IDOB V5N2 FREX WZ", "Z5NAPRQPUU4SIDOBV5N2FREXWZ"),
        ("pith:2020:Z5NA-PRQP-UU4S-IDOB-V5N2-FREX-WZ", "pith:2020:Z5NAPRQPUU4SIDOBV5N2FREXWZ"),
    ],
)
def test_damage_is_only_offered(text: str, wanted: str) -> None:
    """A damaged identifier is refused with a reason, and the likely reading is a candidate."""
    answer = identify(text)
    assert answer.status == "invalid"
    assert answer.reason
    assert wanted in [c.value for c in answer.candidates]


@pytest.mark.parametrize(
    "text",
    [
        "1985:Z5NAPRQPUU4SIDOBV5N2FREXWZ",
        "2100:Z5NAPRQPUU4SIDOBV5N2FREXWZ",
        "2020:Z5NAPRQPUU4SIDOBV5N2FREXW",
        "2020:Z5NAPRQPUU4SIDOBV5N2FREXWZ2",
        "2020:Z5NAPRQPUU4SIDOBV8N2FREXWZ",
        "12020:Z5NAPRQPUU4SIDOBV5N2FREXWZ",
        "THEIR GREAT MODEL TAKES WHEEL A",
        "Z5NA PRQP UU4S IDOB V5N2 FREX W",
    ],
)
def test_characters_that_are_no_number(text: str) -> None:
    """Neither a year that cannot be, nor a wrong count of characters, nor words in capitals are offered."""
    answer = identify(text)
    assert (answer.results, answer.candidates) == ((), ())


def test_number_without_archive() -> None:
    """An old number alone is an identifier with several readings; archives closed by then are no candidates."""
    answer = identify("arXiv:0112019")
    values = [c.value for c in answer.candidates]
    assert answer.status == "ambiguous"
    assert {"astro-ph/0112019", "math/0112019", "quant-ph/0112019"} <= set(values)
    assert "alg-geom/0112019" not in values


@pytest.mark.parametrize("text", ["pith:2020:Z5NAPRQPUU4SIDOBV1N2FREXWZ", "pith:Z5NAPRQ0", "pith:2020:Z5NAPRQP8"])
def test_wrong_characters_are_never_guessed(text: str) -> None:
    """0, 1, 8 and 9 in a Pith Number are refused with a hint and without a guess."""
    answer = identify(text)
    assert (answer.results, answer.candidates) == ((), ())
    assert "0, 1, 8 and 9" in (answer.reason or "")


def test_kind_of_an_arxiv_doi() -> None:
    """An arXiv DOI stays a DOI."""
    assert [found.kind for found in identify("10.48550/arXiv.2010.10458").results] == ["doi"]


def test_json() -> None:
    """The object has exactly the keys of the command's contract."""
    assert identify("arXiv:2010.10458").to_json() == {
        "input": "arXiv:2010.10458",
        "status": "ok",
        "results": [{"kind": "arxiv", "value": "2010.10458", "repairs": ["prefix"]}],
        "candidates": [],
        "reason": None,
    }
