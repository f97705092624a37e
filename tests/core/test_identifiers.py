"""Strict identifiers: one spelling each, ASCII only, and text that is read is written back the same."""

import functools
import sys
import unicodedata
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pithid.core.errors import InvalidIdentifier
from pithid.core.identifiers import ArxivId, ArxivVersion, Doi, Identifier, PithNumber, PithPrefix, PithSuffix
from pithid.core.identifiers.arxiv import ARCHIVES

Kind = type[ArxivId] | type[ArxivVersion] | type[Doi] | type[PithNumber] | type[PithSuffix] | type[PithPrefix]

SEED = "Z5NAPRQPUU4SIDOBV5N2FREXWZ"
NUMBER = f"pith:2020:{SEED}"

VALID: list[tuple[Kind, str, str]] = [
    (PithNumber, NUMBER, "a number of the registry"),
    (PithNumber, "pith:2018:" + "A" * 26, "all zero bits"),
    (PithNumber, "pith:2018:" + "7" * 26, "all one bits"),
    (PithNumber, "pith:1991:" + SEED, "the first year of arXiv"),
    (PithNumber, "pith:0000:" + SEED, "the smallest year"),
    (PithNumber, "pith:0999:" + SEED, "a year keeps its leading zero"),
    (PithNumber, "pith:9999:" + SEED, "the largest year"),
    (PithSuffix, SEED, "as URLs and LaTeX use it"),
    (PithSuffix, "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "all letters"),
    (PithSuffix, "234567" + "A" * 20, "all digits"),
    (PithPrefix, SEED[:8], "the short form"),
    (PithPrefix, SEED[:12], "an alias of the registry"),
    (PithPrefix, SEED[:16], "an alias of the registry"),
    (PithPrefix, SEED[:9], "any length between"),
    (PithPrefix, SEED[:25], "one short of the whole"),
    (PithPrefix, "22222222", "digits alone"),
    (ArxivId, "0704.0001", "the first of the new scheme"),
    (ArxivId, "0704.9999", "four digits in full"),
    (ArxivId, "1412.0001", "the last month of four digits"),
    (ArxivId, "1501.00001", "the first of five digits"),
    (ArxivId, "1501.99999", "five digits in full"),
    (ArxivId, "2010.10458", "the seed"),
    (ArxivId, "2012.00010", "trailing zero"),
    (ArxivId, "9912.00001", "the scheme lasts until 2099"),
    (ArxivId, "hep-th/9108001", "among the oldest"),
    (ArxivId, "math/9107001", "the first month of the old scheme"),
    (ArxivId, "math/0703999", "the last month of the old scheme"),
    (ArxivId, "math/0001001", "January 2000"),
    (ArxivId, "math/9912999", "December 1999"),
    (ArxivId, "math-ph/0612083", "an archive with a hyphen"),
    (ArxivId, "q-bio/0309001", "an archive with a hyphen"),
    (ArxivId, "cs/0512068", "two letters"),
    (ArxivId, "acc-phys/9411001", "a closed archive"),
    (ArxivId, "supr-con/9609001", "a closed archive"),
    (ArxivId, "cmp-lg/9404001", "a closed archive"),
    (ArxivVersion, "2010.10458v1", "the seed"),
    (ArxivVersion, "0704.0001v2", "four digits and a version"),
    (ArxivVersion, "2010.10458v10", "two digits"),
    (ArxivVersion, "2010.10458v9999", "the largest"),
    (ArxivVersion, "hep-th/9309160v3", "the old scheme"),
    (ArxivVersion, "astro-ph/9901001v9999", "the longest"),
    (Doi, "10.48550/arxiv.2010.10458", "an arXiv paper"),
    (Doi, "10.48550/arxiv.hep-th/9309160", "an old arXiv paper keeps its slash"),
    (Doi, "10.1103/physrevd.76.013009", "a journal"),
    (Doi, "10.1000/182", "the handbook"),
    (Doi, "10.1002/(sici)1096-8644(199601)99:1<1::aid-ajpa1>3.0.co;2-1", "a SICI name"),
    (Doi, "10.1000.10/123456", "a registrant with a subdivision"),
    (Doi, "10.123456789/x", "nine digits"),
    (Doi, "10.1000/a/b//c", "slashes in the suffix"),
    (Doi, "10.1000/x?y#z%20&=+", "characters that URLs escape"),
    (Doi, "10.1000/été", "letters beyond ASCII"),
    (Doi, "10.1000/É", "only ASCII letters have a lower case here"),
    (Doi, "10.1000/日本", "any script"),
    (Doi, "10.1000/\U0001f600", "beyond the basic plane"),
    (Doi, "10.48550/arxivx", "no arXiv paper, but a name all the same"),
    (Doi, "10.1000/" + "x" * 504, "512 characters"),
]

INVALID: list[tuple[Kind, str, str]] = [
    (PithNumber, "", "nothing"),
    (PithNumber, SEED, "only the suffix"),
    (PithNumber, f"2020:{SEED}", "no scheme"),
    (PithNumber, f"pith:{SEED}", "no year"),
    (PithNumber, f"pith:{SEED[:8]}", "a short form is no identity"),
    (PithNumber, f"pith:2020:{SEED[:8]}", "a short form is no identity"),
    (PithNumber, f"pith:2020:{SEED[:-1]}", "25 characters"),
    (PithNumber, f"pith:2020:{SEED}A", "27 characters"),
    (PithNumber, f"PITH:2020:{SEED}", "the scheme in capitals"),
    (PithNumber, f"pith:2020:{SEED.lower()}", "lower case is repaired elsewhere"),
    (PithNumber, f"pith:20:{SEED}", "two digits of year"),
    (PithNumber, f"pith:02020:{SEED}", "five digits of year"),
    (PithNumber, f"pith:+202:{SEED}", "a sign, which int() takes"),
    (PithNumber, f"pith:2_20:{SEED}", "an underscore, which int() takes"),
    (PithNumber, f"pith: 202:{SEED}", "a blank, which int() takes"),
    (PithNumber, f"pith:-202:{SEED}", "a negative year"),
    (PithNumber, f"pith:２０２０:{SEED}", "fullwidth digits, which int() takes"),
    (PithNumber, f"pith:٢٠٢٠:{SEED}", "Arabic digits, which int() takes"),
    (PithNumber, f"pith:2020:{SEED}\n", "a final newline"),
    (PithNumber, f"\npith:2020:{SEED}", "a newline before"),
    (PithNumber, f" pith:2020:{SEED}", "a blank before"),
    (PithNumber, f"pith:2020: {SEED}", "a blank inside"),
    (PithNumber, f"pith:2020:{SEED}=", "padding"),
    (PithNumber, f"pith:2020:{SEED}\x00", "a NUL"),
    (PithNumber, f"pith:2020:{SEED}\u200b", "a zero-width space"),
    (PithNumber, f"pith:2020/{SEED}", "another separator"),
    (PithNumber, f"pith：2020:{SEED}", "a fullwidth colon"),
    (PithNumber, f"https://pith.science/pith/{SEED}", "a URL"),
    (PithNumber, f"<pith:2020:{SEED}>", "brackets"),
    (PithSuffix, "", "nothing"),
    (PithSuffix, SEED[:-1], "25 characters"),
    (PithSuffix, SEED + "A", "27 characters"),
    (PithSuffix, SEED.lower(), "lower case"),
    (PithSuffix, SEED.replace("Z", "z", 1), "mixed case"),
    (PithSuffix, SEED[:-1] + "0", "0 is not in the alphabet"),
    (PithSuffix, SEED[:-1] + "1", "1 is not in the alphabet"),
    (PithSuffix, SEED[:-1] + "8", "8 is not in the alphabet"),
    (PithSuffix, SEED[:-1] + "9", "9 is not in the alphabet"),
    (PithSuffix, SEED[:-1] + "А", "Cyrillic A"),
    (PithSuffix, SEED[:-1] + "Ａ", "fullwidth A"),
    (PithSuffix, SEED + "\n", "a final newline"),
    (PithSuffix, SEED + "=" * 6, "padding"),
    (PithSuffix, "Z5NA-PRQP-UU4S-IDOB-V5N2-FREXWZ", "groups"),
    (PithPrefix, "", "nothing"),
    (PithPrefix, SEED[:7], "seven characters"),
    (PithPrefix, SEED, "the whole suffix is no prefix"),
    (PithPrefix, SEED[:8].lower(), "lower case"),
    (PithPrefix, "pith:" + SEED[:8], "a scheme"),
    (PithPrefix, SEED[:8] + "\n", "a final newline"),
    (PithPrefix, SEED[:8] + "*", "a wildcard"),
    (PithPrefix, "20201045", "a number of 8 digits with 0 and 1"),
    (ArxivId, "", "nothing"),
    (ArxivId, "arXiv:2010.10458", "a prefix"),
    (ArxivId, "2010.10458v1", "a version"),
    (ArxivId, "2010.10458 [cs.DC]", "a category"),
    (ArxivId, "2010.10458\n", "a final newline"),
    (ArxivId, " 2010.10458", "a blank"),
    (ArxivId, "2010.10458.", "a full stop after it"),
    (ArxivId, "2010.1045", "a digit short: a spreadsheet cut the zero"),
    (ArxivId, "2010.104580", "a digit too many"),
    (ArxivId, "704.0001", "a digit short: a spreadsheet cut the zero"),
    (ArxivId, "1412.00001", "five digits before 1501"),
    (ArxivId, "1501.0001", "four digits since 1501"),
    (ArxivId, "0703.0001", "the month before the new scheme"),
    (ArxivId, "0001.0001", "years before the new scheme"),
    (ArxivId, "2000.00001", "month 0"),
    (ArxivId, "2013.00001", "month 13"),
    (ArxivId, "2010.00000", "number 0"),
    (ArxivId, "2010,10458", "a decimal comma"),
    (ArxivId, "201010458", "no dot"),
    (ArxivId, "２010.10458", "a fullwidth digit"),
    (ArxivId, "2010.1045٨", "an Arabic digit"),
    (ArxivId, "2010·10458", "a middle dot"),
    (ArxivId, "hep-th/930916", "a digit short"),
    (ArxivId, "hep-th/93091600", "a digit too many"),
    (ArxivId, "hep-th/9309.160", "a dot"),
    (ArxivId, "hep-th9309160", "no slash"),
    (ArxivId, "9309160", "no archive"),
    (ArxivId, "HEP-TH/9309160", "capitals"),
    (ArxivId, "math.GT/0309136", "a subject class is not part of it"),
    (ArxivId, "hep-xx/9309160", "no such archive"),
    (ArxivId, "eess/0309136", "an archive younger than the scheme"),
    (ArxivId, "hep-th/9106001", "the month before the first"),
    (ArxivId, "hep-th/0704001", "the month after the last"),
    (ArxivId, "hep-th/9313001", "month 13"),
    (ArxivId, "hep-th/9300001", "month 0"),
    (ArxivId, "hep-th/9309000", "number 0"),
    (ArxivId, "hep‐th/9309160", "another hyphen"),
    (ArxivId, "hep-th\\9309160", "a backslash"),
    (ArxivId, "hep-th/9309160/", "a slash after it"),
    (ArxivId, "10.48550/arxiv.2010.10458", "a DOI"),
    (ArxivId, "2" * 1_000_000, "a million digits"),
    (ArxivVersion, "", "nothing"),
    (ArxivVersion, "2010.10458", "no version"),
    (ArxivVersion, "2010.10458v", "no number"),
    (ArxivVersion, "2010.10458v0", "versions count from 1"),
    (ArxivVersion, "2010.10458v01", "a leading zero"),
    (ArxivVersion, "2010.10458v-1", "a sign"),
    (ArxivVersion, "2010.10458v10000", "five digits"),
    (ArxivVersion, "2010.10458V1", "a capital V"),
    (ArxivVersion, "2010.10458 v1", "a blank"),
    (ArxivVersion, "2010.10458v1\n", "a final newline"),
    (ArxivVersion, "2010.10458\nv1", "a newline inside"),
    (ArxivVersion, "2010.10458v1v2", "two versions"),
    (ArxivVersion, "2010.10458v1.0", "a fraction"),
    (ArxivVersion, "2010.10458v１", "a fullwidth digit"),
    (ArxivVersion, "2010.10458v²", "a superscript digit"),
    (ArxivVersion, "2010.1045v1", "an identifier a digit short"),
    (ArxivVersion, "math.GT/0309136v1", "a subject class"),
    (Doi, "", "nothing"),
    (Doi, "doi:10.1000/182", "a prefix"),
    (Doi, "https://doi.org/10.1000/182", "a URL"),
    (Doi, "10.1000", "no suffix"),
    (Doi, "10.1000/", "an empty suffix"),
    (Doi, "10./182", "no registrant"),
    (Doi, "10.100/182", "three digits"),
    (Doi, "10.1234567890/182", "ten digits"),
    (Doi, "11.1000/182", "another directory"),
    (Doi, "10.1000.a/182", "a letter in the registrant"),
    (Doi, "10.1000./182", "an empty subdivision"),
    (Doi, "10.1000/ABC", "capitals"),
    (Doi, "10.1103/PhysRevD.76.013009", "capitals as printed"),
    (Doi, "10.48550/arXiv.2010.10458", "a capital as registered"),
    (Doi, "10.48550/arxiv.2010.10458v1", "arXiv DOIs have no version"),
    (Doi, "10.48550/arxiv.2010.1045", "not an arXiv paper: a digit short"),
    (Doi, "10.48550/arxiv.", "not an arXiv paper: empty"),
    (Doi, "10.48550/arxiv.2013.00001", "not an arXiv paper: month 13"),
    (Doi, "10.1000/1 82", "a blank inside"),
    (Doi, "10.1000/182 ", "a blank after"),
    (Doi, "10.1000/182\n", "a final newline"),
    (Doi, "10.1000/182\t", "a tab"),
    (Doi, "10.1000/182\x00", "a NUL"),
    (Doi, "10.1000/182\x7f", "a delete"),
    (Doi, "10.1000/1\u00a082", "a no-break space"),
    (Doi, "10.1000/1\u202882", "a line separator"),
    (Doi, "10.1000/1\u200b82", "a zero-width space"),
    (Doi, "10.1000/1\u202e82", "a reversed direction"),
    (Doi, "10.1000/1\ufeff82", "a byte order mark"),
    (Doi, "10.1000/1\ud80082", "half a character"),
    (Doi, "１0.1000/182", "a fullwidth digit"),
    (Doi, "10.100٠/182", "an Arabic digit"),
    (Doi, "10.1000∕182", "a division slash"),
    (Doi, "10.1000/" + "x" * 505, "513 characters"),
]


def _name(value: object) -> str | None:
    return value.__name__ if isinstance(value, type) else ascii(value)[:40]


@pytest.mark.parametrize(("kind", "text", "why"), VALID, ids=_name)
def test_valid(kind: Kind, text: str, why: str) -> None:
    """A canonical spelling is read and written back the same, and no other kind takes it."""
    value = kind.parse(text)
    assert str(value) == text, why
    assert kind.parse(str(value)) == value
    assert [other for other in Identifier.__args__ if other is not kind and _reads(other, text)] == []


@pytest.mark.parametrize(("kind", "text", "why"), INVALID, ids=_name)
def test_invalid(kind: Kind, text: str, why: str) -> None:
    """Anything else is refused with an error that keeps the text whole and its message short."""
    with pytest.raises(InvalidIdentifier) as failure:
        kind.parse(text)
    error = failure.value
    assert (error.code, isinstance(error, ValueError)) == ("invalid-identifier", True), why
    assert error.why
    assert len(str(error)) < 400


def test_tables_are_large_enough() -> None:
    """The tables do not shrink unseen, and no text stands in them twice."""
    assert (len(VALID), len(INVALID)) >= (40, 80)
    for table in (VALID, INVALID):
        assert len({(kind, text) for kind, text, _ in table}) == len(table)


def _reads(kind: Any, text: str) -> bool:  # noqa: ANN401 - any identifier type
    try:
        kind.parse(text)
    except InvalidIdentifier:
        return False
    return True


# --- properties ---

BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
SUFFIXES = st.text(BASE32, min_size=26, max_size=26)
MONTHS = st.integers(1, 12)


def _new(year: int, month: int, number: int) -> str:
    long = year >= 15
    return f"{year:02}{month:02}.{number:05}" if long else f"{year:02}{month:02}.{min(number, 9999):04}"


def _old(archive: str, months: int, number: int) -> str:
    year, month = divmod(months, 12)
    return f"{archive}/{year % 100:02}{month + 1:02}{number:03}"


ARXIV_IDS = st.builds(_new, st.integers(8, 99), MONTHS, st.integers(1, 99999)) | st.builds(
    _old, st.sampled_from(sorted(ARCHIVES)), st.integers(91 * 12 + 6, 107 * 12 + 2), st.integers(1, 999)
)
VALUES: st.SearchStrategy[Identifier] = st.one_of(
    st.builds(PithNumber, st.integers(0, 9999), SUFFIXES),
    st.builds(PithSuffix, SUFFIXES),
    st.builds(PithPrefix, st.text(BASE32, min_size=8, max_size=25)),
    st.builds(ArxivId, ARXIV_IDS),
    st.builds(ArxivVersion, st.builds(ArxivId, ARXIV_IDS), st.integers(1, 9999)),
    st.builds(Doi.of_arxiv, st.builds(ArxivId, ARXIV_IDS)),
)


@given(VALUES)
def test_parse_inverts_str(value: Identifier) -> None:
    """Every value is read back from its text, is equal to itself so read, and hashes alike."""
    again = type(value).parse(str(value))
    assert again == value
    assert hash(again) == hash(value)


@given(st.sampled_from(Identifier.__args__), st.text(max_size=40) | st.from_regex(r"pith:[0-9]{4}:[A-Z2-7]{26}"))
def test_str_inverts_parse(kind: Any, text: str) -> None:  # noqa: ANN401 - any identifier type
    """Whatever text is read is written back the same."""
    if _reads(kind, text):
        assert str(kind.parse(text)) == text


@given(VALUES, st.integers(0, 40), st.characters())
def test_one_more_character(value: Identifier, place: int, extra: str) -> None:
    """A character more gives another identifier or none, never the same one."""
    text = str(value)
    longer = text[:place] + extra + text[place:]
    if _reads(type(value), longer):
        assert type(value).parse(longer) != value


@given(st.lists(st.builds(PithNumber, st.integers(0, 9999), SUFFIXES), max_size=8))
def test_order(numbers: list[PithNumber]) -> None:
    """Numbers sort as their texts do."""
    assert [str(number) for number in sorted(numbers)] == sorted(str(number) for number in numbers)


@given(st.builds(ArxivId, ARXIV_IDS), st.integers(1, 9999))
def test_arxiv_parts(arxiv: ArxivId, version: int) -> None:
    """The parts of an identifier agree with its text."""
    year, text = arxiv.year, str(arxiv)
    assert arxiv.archive == (text.partition("/")[0] if "/" in text else None)
    assert f"{year % 100:02}" == text.rpartition("/")[2][:2]
    assert 1991 <= year <= 2007 if "/" in text else 2008 <= year <= 2099
    assert arxiv.at(version).id == arxiv
    assert Doi.of_arxiv(arxiv).arxiv == arxiv


@pytest.mark.parametrize("version", [0, -1, 10000])
def test_no_such_version(version: int) -> None:
    """Versions run from 1 to 9999, however the value is made."""
    with pytest.raises(InvalidIdentifier):
        ArxivId("2010.10458").at(version)


@pytest.mark.parametrize("year", [-1, 10000])
def test_no_such_year(year: int) -> None:
    """A year has four digits, however the value is made."""
    with pytest.raises(InvalidIdentifier):
        PithNumber(year, SEED)


@pytest.mark.parametrize("length", [0, 7, -1])
def test_no_such_prefix(length: int) -> None:
    """A prefix has at least 8 characters, except what a negative length cuts from the end."""
    number = PithNumber.parse(NUMBER)
    if length == -1:
        assert str(number.short(length)) == SEED[:-1]
        return
    with pytest.raises(InvalidIdentifier):
        number.short(length)


def test_parts_of_a_number() -> None:
    """A number gives its year, its suffix and its prefixes."""
    number = PithNumber.parse(NUMBER)
    assert (number.year, str(number.suffix)) == (2020, SEED)
    assert [str(number.short(n)) for n in range(8, 26)] == [SEED[:n] for n in range(8, 26)]


def test_journal_doi_names_no_arxiv_paper() -> None:
    """Only DOIs of the arXiv prefix name an arXiv paper."""
    assert Doi.parse("10.1103/physrevd.76.013009").arxiv is None


# --- every character of Unicode ---

EVERY = [chr(point) for point in range(sys.maxunicode + 1)]
ASCII = "".join(map(chr, range(128)))
DIGITS = "0123456789"
ARXIV, OLD, DOI = "2010.10458v1", "hep-th/9309160", "10.48550/arxiv.2010.10458"


@functools.cache
def _suspects() -> str:
    """Return what some library takes for a digit, a letter, a hyphen or a blank, and a sample of all others."""
    found = {*EVERY[0x80:0x300], *EVERY[0xFF00:0xFFFF], *EVERY[0x80::4099]}
    for character in EVERY[0x80:]:
        folded = character.lower(), character.upper(), unicodedata.normalize("NFKC", character)
        category = unicodedata.category(character)
        if category[0] in "NZ" or category == "Pd" or any(form.isascii() for form in folded):
            found.add(character)
    return "".join(sorted(found))


def _accepted(parse: Callable[[str], object], text: str, place: int, characters: Iterable[str]) -> str:
    """Return those `characters` that `parse` takes at `place` of `text`."""
    before, after = text[:place], text[place + 1 :]
    taken = []
    for character in characters:
        try:
            parse(before + character + after)
        except InvalidIdentifier:
            continue
        taken.append(character)
    return "".join(taken)


@pytest.mark.parametrize(
    ("kind", "text", "place", "alphabet"),
    [
        (PithNumber, NUMBER, 5, DIGITS),
        (PithNumber, NUMBER, 35, BASE32),
        (PithSuffix, SEED, 25, BASE32),
        (PithPrefix, SEED[:8], 0, BASE32),
        (PithPrefix, SEED[:8], 7, BASE32),
        (ArxivVersion, ARXIV, 9, DIGITS),
        (ArxivVersion, ARXIV, 11, DIGITS[1:]),
        (ArxivId, OLD, 0, "h"),
        (ArxivId, OLD, 13, DIGITS),
        (Doi, DOI, 4, DIGITS),
    ],
    ids=_name,
)
def test_every_character(kind: Kind, text: str, place: int, alphabet: str) -> None:
    """Of all 1,114,112 characters only those of the alphabet are taken."""
    assert _accepted(kind.parse, text, place, EVERY) == "".join(sorted(alphabet))


@pytest.mark.parametrize(
    ("kind", "text", "places"),
    [
        (PithNumber, NUMBER, range(36)),
        (PithSuffix, SEED, range(26)),
        (PithPrefix, SEED[:8], range(8)),
        (ArxivId, "2010.10458", range(10)),
        (ArxivVersion, ARXIV, range(12)),
        (ArxivId, OLD, range(14)),
        (Doi, DOI, range(len("10.48550/"))),
    ],
    ids=_name,
)
def test_suspect_characters(kind: Kind, text: str, places: range) -> None:
    """In every place, of all characters that pass elsewhere for digits or letters only ASCII ones are taken."""
    suspects = _suspects()
    assert len(suspects) > 4000
    for place in places:
        assert text[place] in _accepted(kind.parse, text, place, ASCII)
        assert _accepted(kind.parse, text, place, suspects) == ""


@pytest.mark.parametrize(
    ("kind", "text"), [(PithNumber, NUMBER), (PithSuffix, SEED), (ArxivId, OLD), (ArxivVersion, ARXIV)]
)
def test_suspect_characters_around(kind: Kind, text: str) -> None:
    """Nothing may stand before or after an identifier; after a version, only a further digit of it."""
    more = DIGITS if kind is ArxivVersion else ""
    assert _accepted(kind.parse, f" {text}", 0, ASCII + _suspects()) == ""
    assert _accepted(kind.parse, f"{text} ", len(text), ASCII + _suspects()) == more


def test_suffix_of_a_doi() -> None:
    """A DOI's suffix holds what can be seen but ASCII capitals; blanks, controls and joiners are refused."""
    taken = set(_accepted(Doi.parse, "10.1000/x-x", 9, EVERY))
    unseen = {c for c in EVERY if unicodedata.category(c) in {"Cc", "Cs", "Zs", "Zl", "Zp"}} | set(
        "\xad\u200b\u200d\u202e"
    )
    seen = {c for c in EVERY if unicodedata.category(c)[0] in "LNPS"} - set("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    assert not taken & unseen
    assert seen - taken <= set("\u115f\u1160\u3164\uffa0\ufffc\ufffd")  # fillers and stand-ins
