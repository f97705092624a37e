"""Laws that hold for every identifier and every text."""

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pithid.core.errors import InvalidIdentifier
from pithid.core.identifiers import ArxivId, ArxivVersion, Doi, Identifier, PithNumber, PithPrefix, PithSuffix
from pithid.core.identifiers.arxiv import ARCHIVES
from pithid.recognise import REPAIRS, identify
from pithid.recognise.result import kind_of

_BASE32 = string.ascii_uppercase + "234567"
_NAMED_CHANGES = {"full-width", "dash", "invisible", "whitespace"}


@st.composite
def _arxiv(draw: st.DrawFn) -> ArxivId:
    if draw(st.booleans()):
        year, month = draw(st.integers(7, 99)), draw(st.integers(1, 12))
        month = max(month, 4) if year == 7 else month
        width = 4 if year < 15 else 5
        return ArxivId(f"{year:02}{month:02}.{draw(st.integers(1, 10**width - 1)):0{width}}")
    year, month = draw(st.sampled_from([*range(92, 100), *range(7)])), draw(st.integers(1, 12))
    return ArxivId(f"{draw(st.sampled_from(sorted(ARCHIVES)))}/{year:02}{month:02}{draw(st.integers(1, 999)):03}")


def _digits(least: int, most: int) -> st.SearchStrategy[str]:
    return st.text(_BASE32, min_size=least, max_size=most)


def _balanced(text: str) -> bool:
    return text.count("(") == text.count(")") and all(
        text.count("(", 0, at) >= text.count(")", 0, at) for at in range(len(text))
    )


_ARXIV = _arxiv()
_VERSIONS = st.builds(ArxivVersion, _ARXIV, st.integers(1, 9999))
_PITHS = st.one_of(st.builds(PithNumber, st.integers(0, 9999), _digits(26, 26)), st.builds(PithSuffix, _digits(26, 26)))
_PREFIXES = st.builds(PithPrefix, _digits(8, 25))
# Which characters end a DOI is decided by what stands around it, so this law is about plain ones.
_DOIS = st.builds(
    Doi.parse,
    st.from_regex(r"10\.[0-9]{4,9}/[a-z0-9]([a-z0-9.:_;()-]{0,20}[a-z0-9])?", fullmatch=True).filter(
        lambda text: _balanced(text) and "()" not in text
    ),
)
_EVERY = st.one_of(_ARXIV, _VERSIONS, _PITHS, _PREFIXES, _DOIS, _ARXIV.map(Doi.of_arxiv))

_ANY_WRAPPERS = (
    "{}",
    " {} ",
    "\t{}\n",
    "({})",
    "[{}]",
    '"{}"',
    "<{}>",
    "{{{}}}",
    "\u201c{}\u201d",
    "\ufeff{}",
    "{}.",
    "{},",
    "{};",
    "\u200b{}\u200b",
    "\u202a{}\u202c",
    "\xa0{}",
    "'{}'",
    "{}\r\n",
)
_ARXIV_WRAPPERS = (
    "arXiv:{}",
    "arxiv:{}",
    "ARXIV: {}",
    "arXiv {}",
    "[arXiv:{}]",
    "(arXiv:{}).",
    "https://arxiv.org/abs/{}",
    "http://arxiv.org/pdf/{}.pdf",
    "arxiv.org/abs/{}",
    "http://xxx.lanl.gov/abs/{}",
    "https://export.arxiv.org/abs/{}?x=1",
    "https://ar5iv.labs.arxiv.org/html/{}",
    "oai:arXiv.org:{}",
    "info:arxiv/{}",
    "urn:arxiv:{}",
    "eprint = {{{}}},",
    "eprint={{{}}}, archivePrefix={{arXiv}}",
    "@misc{{k, eprint={{{}}}, archivePrefix={{arXiv}}}}",
    "|arxiv={}|pmid=1234567}}}}",
    "arXiv:{} [cs.DC] 20 Oct 2020",
    "see arXiv:{}, and more words",
    "/URI(https://arxiv.org/abs/{})>>",
    "arXiv\uff1a{}",
    "https%3A%2F%2Farxiv.org%2Fabs%2F{}",
    "https:\\/\\/arxiv.org\\/abs\\/{}",
    "{}.pdf",
    "abs/{}",
    "arXiv preprint arXiv:{}",
    "https://web.archive.org/web/20111030210210/http://arxiv.org/abs/{}",
    "https://arxiv-org.ezproxy.example.edu/abs/{}",
    "https://pith.science/paper/{}",
    "https://pith.science/api/pith-number/resolve?arxiv={}&json=true",
    "&lt;arXiv:{}&gt;",
    "https://www.semanticscholar.org/arxiv/{}",
    "info:eu-repo/semantics/altIdentifier/arxiv/{}",
    "\\href{{https://arxiv.org/abs/{}}}{{x}}",
)
_DOI_WRAPPERS = (
    "doi:{}",
    "DOI: {}",
    "doi {}",
    "https://doi.org/{}",
    "http://dx.doi.org/{}",
    "doi.org/{}",
    "info:doi/{}",
    "(see {})",
    "doi = {{{}}},",
    "https://doi.org/{}?utm_source=x",
    "https://example.org/doi/full/{}",
    "I like {}",
    "|doi={}|pmid=1}}}}",
    '<a href="https://doi.org/{}">',
    "https://doi-org.proxy.example.edu/{}",
    "info:eu-repo/semantics/altIdentifier/doi/{}",
)
_SUFFIX_WRAPPERS = (
    "https://pith.science/pith/{}",
    "https://www.pith.science/pith/{}.json",
    "https://pith.science/pith/{}/bundle.json",
    "https://pith.science/.well-known/pith/{}/bundle.json",
    "https://pith.science/api/pith-number/{}/graph.json",
    "\\pithnumber{{{}}}",
    "pith:{}",
    "https://pith.science/pith/{}/state.json",
)


def _values(text: str) -> list[str]:
    return [found.value for found in identify(text).results]


@given(_EVERY)
def test_canonical_text_needs_no_repair(identifier: Identifier) -> None:
    """The canonical spelling of every value gives that value, its kind, and no repairs."""
    answer = identify(str(identifier))
    assert [(f.identifier, f.kind, f.repairs) for f in answer.results] == [(identifier, kind_of(identifier), ())]
    assert answer.status == "ok"
    assert answer.candidates == ()


@given(st.one_of(_ARXIV, _VERSIONS), st.sampled_from(_ANY_WRAPPERS + _ARXIV_WRAPPERS))
def test_wrapped_arxiv(identifier: Identifier, wrapper: str) -> None:
    """No prefix, address, stamp or field around an arXiv identifier changes it, and each is reported."""
    answer = identify(wrapper.format(identifier))
    assert [f.identifier for f in answer.results] == [identifier]
    assert (answer.results[0].repairs != ()) == (wrapper != "{}")


@given(_DOIS, st.sampled_from(_ANY_WRAPPERS + _DOI_WRAPPERS))
def test_wrapped_doi(identifier: Doi, wrapper: str) -> None:
    """No prefix, resolver, bracket or field around a DOI changes it."""
    assert [f.identifier for f in identify(wrapper.format(identifier)).results] == [identifier]


@given(_digits(26, 26), st.sampled_from(_ANY_WRAPPERS + _SUFFIX_WRAPPERS), st.integers(0, 9999))
def test_wrapped_pith(digits: str, wrapper: str, year: int) -> None:
    """Neither the registry's addresses nor letter case behind a label changes a Pith Number."""
    assert _values(wrapper.format(digits)) == [digits]
    full = f"pith:{year:04}:{digits}"
    assert _values(full.lower()) == [full]
    assert _values(f"see {full}, which") == [full]


@given(
    st.lists(st.one_of(_ARXIV, _VERSIONS, _DOIS), min_size=2, max_size=5, unique_by=str),
    st.sampled_from([" ", ", ", "; ", "\n", " and "]),
)
def test_lists(identifiers: list[Identifier], separator: str) -> None:
    """Identifiers in a row are all found, in order, and several are ambiguous."""
    answer = identify(separator.join(map(str, identifiers)))
    assert [f.identifier for f in answer.results] == identifiers
    assert answer.status == "ambiguous"


@settings(max_examples=500)
@given(st.text(st.characters(codec=None), max_size=80))
def test_any_text(text: str) -> None:
    """No text raises, lone surrogates included; an answer is consistent with itself."""
    answer = identify(text)
    assert answer.text == text
    assert (answer.reason is None) == (bool(answer.results) and not answer.plausible)
    for found in answer.results:
        assert set(found.repairs) <= set(REPAIRS)
        assert _values(found.value) == [found.value]


@given(st.text("0123456789./:v-_arXivdoipth{}()[]<>%&;#? \"'\\10", max_size=60))
def test_text_of_the_right_characters(text: str) -> None:
    """Texts made of what identifiers are made of do not raise either, and candidates are sound."""
    for candidate in identify(text).candidates:
        assert candidate.value in _values(candidate.value)


def _sound(text: str) -> bool:
    for strict in (ArxivId, ArxivVersion, PithNumber, PithSuffix, PithPrefix):
        try:
            strict.parse(text)
        except InvalidIdentifier:
            continue
        return True
    return False


@settings(max_examples=400)
@given(st.one_of(_ARXIV, _VERSIONS, _PITHS), st.data())
def test_one_typing_error(identifier: Identifier, data: st.DataObject) -> None:
    """A text one ASCII character away is what it says itself, the same paper with the repair named, or nothing."""
    text = str(identifier)
    at = data.draw(st.integers(0, len(text)))
    new = data.draw(st.sampled_from([*string.printable, ""]))
    edited = text[:at] + new + text[at + data.draw(st.integers(0, 1)) :]
    for found in identify(edited).results:
        same = found.value.partition("v")[0] == text.partition("v")[0] or (text.endswith(found.value) and ":" in text)
        typed = found.value.lower() in edited.lower()
        assert found.repairs != () or edited == found.value
        assert same or typed or _sound(edited)


_TEXTS = ("2010.10458", "hep-th/9901001v1", "pith:2020:Z5NAPRQPUU4SIDOBV5N2FREXWZ", "FQDA5DN6EUPT")
_PLACES = [(text, at) for text in _TEXTS for at in range(len(text))]


@pytest.mark.parametrize("plane", [0, 1])
def test_no_other_script_passes(plane: int) -> None:
    """Outside ASCII, only the named changes lead to a result, whatever place the character takes."""
    first = max(0x80, plane * 0x10000)
    for number, code in enumerate(range(first, (plane + 1) * 0x10000)):
        # Each code point takes one place in turn here; all places of all planes are swept by hand before a release.
        text, at = _PLACES[number % len(_PLACES)]
        for found in identify(text[:at] + chr(code) + text[at + 1 :]).results:
            assert set(found.repairs) & _NAMED_CHANGES, (text, at, hex(code))


@pytest.mark.parametrize("digit", list("\u0661\u06f1\u0967\u09e7\u0e51\u2460\u00b9\U0001d7cf\U0001d7d9"))
def test_digits_of_other_scripts(digit: str) -> None:
    """A digit of another script is refused; if it has a decimal value, the reading is offered."""
    answer = identify(f"20{digit}0.10458")
    assert answer.results == ()
    if digit.isdecimal():
        assert [c.value for c in answer.candidates] == ["2010.10458"]
