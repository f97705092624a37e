"""Why a text holds no identifier, and what may have been meant."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Final

from pithid.core.errors import InvalidIdentifier
from pithid.core.identifiers import ArxivId, Identifier
from pithid.core.identifiers.arxiv import ARCHIVES
from pithid.recognise.context import Hit
from pithid.recognise.late import late
from pithid.recognise.mend import mended
from pithid.recognise.result import Candidate, Identification, candidate

NOTHING: Final = "no arXiv identifier, DOI or Pith Number in it"
LONGEST: Final = 2000
"""Longer texts are searched for identifiers, but not for what a damaged one may have been."""

CLOSED: Final = frozenset(
    """acc-phys adap-org alg-geom ao-sci atom-ph bayes-an chao-dyn chem-ph cmp-lg comp-gas dg-ga funct-an mtrl-th
    patt-sol plasm-ph q-alg solv-int supr-con""".split()
)
"""Archives that had been merged into others by the end of 1999."""

_LOOK_ALIKE: Final = str.maketrans(
    "\u2014\u0430\u0435\u043e\u0440\u0441\u0445\u0443\u0456\u0458\u0455\u0501\u04bb\u051b\u0432\u043c\u043d\u0442\u043a\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425"
    "\u03b1\u03bf\u03c1\u03bd\u03b9\u03ba\u03c4\u03c5\u03c7\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u0131\u0251\u0261\u2044\u2215\u2236\u0589\xdf",
    "-aeopcxyijsdhqvmhtkABEKMHOPCTX" + "aopvikTvxABEZHIKMNOPTYXiag//::" + "e",
)
_SLIP: Final = late(r"(?<=[0-9./])[lIoO|](?=[0-9lIoO|.v]|$)|(?<![A-Za-z])[lIoO|](?=[0-9lIoO|]{0,3}[.][0-9])")
_FLOAT: Final = late(r"(?:arxiv[: ]{0,2})?([0-9]{3,4})\.([0-9]{2,20})", re.ASCII | re.IGNORECASE)
_NUMBER: Final = late(
    r"(?:arxiv[: ]{0,2}|/|(?:https?://)?(?:www\.|export\.)?arxiv\.org/(?:abs|pdf)/)?([0-9]{7})(v[1-9][0-9]{0,3})?(?:\.pdf)?",
    re.ASCII | re.IGNORECASE,
)
_OTHER: Final = late(r"(?i)vixra|ascl|hal-|[a-z]{3}rxiv|chinaxiv|[a-z]{2,}:")
_BARE: Final = "if the bare number is meant as an identifier"
_KINDS: Final = tuple(
    (late(pattern, re.ASCII | re.IGNORECASE), reason)
    for pattern, reason in (
        (r"vixra|ascl:|hal-[0-9]|[a-z]{3,}rxiv", "a number of another archive; only arXiv is known here"),
        (r"^(?:doi:|https?://doi\.org/)?10/[a-z0-9]+$", "a shortDOI; give the full DOI that it stands for"),
        (r"doi.{0,4}10\.1\.1\.", "a CiteSeerX number, which is no DOI"),
        (r"^(?:pmid|pmcid|pmc|isbn|issn)\b|^pmc[0-9]", "a number of another catalogue; give the DOI"),
        (r"^(?:97[89][- ]?)?(?:[0-9][- ]?){9}[0-9x]$", "looks like an ISBN; give the DOI or arXiv identifier"),
        (r"^(?:hdl:|ark:)|^[0-9]+(?:\.[0-9]+)?/", "a Handle, ARK or date; DOIs start with 10. and 4 to 9 digits"),
        (r"arxiv\.org/", "an arXiv address without a paper in it; give the address of an abstract page"),
        (r"\b10\.[0-9]+/?$", "a DOI prefix without a name; copy all of it"),
        (r"^https?://", "a web address without an identifier that can be read from it"),
        (r"arxiv", "arXiv is mentioned, but no identifier such as 2010.10458 or math/0309136 follows"),
        (r"pith", "Pith is mentioned, but no number such as pith:2020: and 26 characters follows"),
    )
)  # fmt: skip


_ANY_KIND: Final = late(r"rxiv|ascl|hal-|doi|^pm|^is[bs]n|hdl|ark:|^[0-9]|10[./]|http|pith", re.ASCII | re.IGNORECASE)


def explain(
    text: str, cleaned: str, hits: Sequence[Hit], again: Callable[[str], Sequence[Identifier]]
) -> Identification:
    """Return the answer for a text without results.

    Args:
        text: the input.
        cleaned: the input after cleaning, without outer blanks.
        hits: what broke a rule or stood in the wrong surroundings.
        again: the recogniser, for texts in which a suspected slip is undone.
    """
    if len(cleaned) > LONGEST:
        return Identification(text, reason=hits[0].reason if hits else NOTHING)
    if (number := _NUMBER.fullmatch(cleaned)) is not None and (papers := _archives_of(number[1], number[2] or "")):
        reason = (
            f"{number[1]} is a number that each old archive gave out; put the archive in front, as in math/{number[1]}"
        )
        return Identification(text, candidates=papers, reason=reason, plausible=True)
    bare = [hit for hit in hits if hit.identifier is not None and not _OTHER.search(cleaned)]
    found = [c for hit in hits for c in hit.candidates] + list(floats(cleaned))
    found += [candidate(hit.identifier, _BARE) for hit in bare if hit.identifier is not None]
    if not found and sum(map(str.isdigit, cleaned)) >= 4:
        found = _slips(cleaned, again)
    unique = tuple({(c.kind, c.value): c for c in reversed(found)}.values())[::-1]
    reason = next((hit.reason for hit in hits if hit.reason), "") or kind(cleaned)
    if bare and not any(hit.reason for hit in hits):
        reason = "a bare number in a text may be anything; write arXiv: in front of it if it is an identifier"
    elif unique and not any(hit.reason for hit in hits):
        reason = f"damaged or unclear ({unique[0].why}); if one of the candidates is meant, give that"
    return Identification(text, candidates=unique, reason=reason)


def kind(text: str) -> str:
    """Return a reason from what the text looks like."""
    if not text:
        return "the text is empty; give an arXiv identifier, a DOI or a Pith Number"
    if _ANY_KIND.search(text) is None:
        return NOTHING
    return next((reason for pattern, reason in _KINDS if pattern.search(text)), NOTHING)


def guesses(text: str, again: Callable[[str], Sequence[Identifier]]) -> tuple[Candidate, ...]:
    """Return what one word of a text may have been."""
    if (number := _NUMBER.fullmatch(text)) is not None and (papers := _archives_of(number[1], number[2] or "")):
        return papers
    return floats(text) or tuple(_slips(text, again))


def _archives_of(number: str, version: str) -> tuple[Candidate, ...]:
    """Return the papers that an old number without archive may name."""
    found = []
    for archive in sorted(ARCHIVES if number.startswith("9") else ARCHIVES - CLOSED):
        try:
            paper = ArxivId(f"{archive}/{number}")
        except InvalidIdentifier:
            return ()
        whole: Identifier = paper.at(int(version[1:])) if version else paper
        found.append(candidate(whole, f"if the paper is in {archive}"))
    return tuple(found)


def floats(text: str) -> tuple[Candidate, ...]:
    """Return the identifiers that a spreadsheet or data frame may have made `text` from."""
    match = _FLOAT.fullmatch(text)
    if match is None:
        return ()
    month, number = match[1].zfill(4), match[2]
    wanted = 4 if month <= "1412" else 5
    if len(number) >= 10:
        rounded = str(round(int(number[: wanted + 4]) / 10**4)).zfill(wanted)
        options = [(rounded, "rounding noise of a floating-point number")]
    else:
        options = [(number, "a leading zero was cut")] if len(number) == wanted else []
        if wanted - 2 <= len(number) < wanted:
            options.append((number.ljust(wanted, "0"), "zeros were cut as from a decimal number"))
    found = []
    for digits, why in options:
        try:
            found.append(candidate(ArxivId(f"{month}.{digits}"), why))
        except InvalidIdentifier:
            continue
    return tuple(found) + (mended(match[0]) if len(number) < 8 else ())


def _slips(text: str, again: Callable[[str], Sequence[Identifier]]) -> list[Candidate]:
    """Return what is found once look-alike characters and lost or odd blanks are undone."""
    latin = text
    if not text.isascii():
        latin = "".join(str(unicodedata.decimal(c, c)) for c in text.translate(_LOOK_ALIKE))
    readings = [(latin, "letters or digits of another script that look like Latin ones")] if latin != text else []
    digits = _SLIP.sub(lambda m: "0" if m[0] in "oO" else "1", latin)
    if digits != latin:
        readings.append((digits, "letters that look like digits"))
    if " " in text and len(text) <= 300:
        readings.append((text.replace(" ", ""), "all blanks left out"))
    for reading, why in readings:
        found = [candidate(identifier, why) for identifier in again(reading)]
        if found:
            return found
    return []
