"""DOI names in text: where a name ends is the question, since nearly every character is legal in one.

Sources: DOI Handbook section 2; ANSI/NISO Z39.56 (SICI names, with `<`, `>`, `;` and a final `#`).
"""

import re
from typing import Final

from pithid.core.errors import InvalidIdentifier
from pithid.core.identifiers import ArxivId, ArxivVersion, Doi
from pithid.recognise.clean import ENCODED_BLANK, Cleaned
from pithid.recognise.context import Hit, Place, opened
from pithid.recognise.late import late
from pithid.recognise.mend import mended
from pithid.recognise.result import Candidate, candidate

LONGEST: Final = 700
"""Characters read at most; longer than any DOI the strict type takes, so that those are refused and not cut."""

_FLAGS: Final = re.ASCII | re.IGNORECASE
_RUN: Final = re.compile(r"[^ ]*")
_TAIL: Final = late(r"[^ \"<>\x1f)\]}|]*")
_LABEL: Final = late(
    r"(?:[a-z+.-]{1,12}:(?:[\w-]{1,24}/)*)?\(?(?<![a-z])(?:doi|crossref)(?:\.org)?\)?(?: ?(?:number|name|no\.?))?"
    r"[ :=/.]{0,4}[{\"]?(?:urn:|doi:){0,2} ?$",
    _FLAGS,
)
_LABELS: Final = late(r"doi|crossref", _FLAGS)
_NEXT: Final = late(r"[,;|&+](?=(?:doi:|https?://(?:dx\.)?doi\.org/)?10\.[0-9]{4,9}/|https?://|arxiv:|pith:)", _FLAGS)
_SICI: Final = late(r"<[^<>\s]{0,40}:[^<>\s]{0,40}>")
_TAG: Final = late(r"</|<(?:a|b|br|i|p|em|li|td|tr|div|sub|sup|span|strong|https?:)\b", _FLAGS)
_CONTINUES: Final = late(r"[-._/(]?\w")
_CLOSERS: Final = {")": "(", "]": "[", "}": "{", ">": "<"}
_QUOTES: Final = "\"'`|\u2014\u2015\u201c\u201d\u2018\u2019\u201e\xab\xbb\u2039\u203a"
_PARTNERS: Final = {"\u201d": "\u201c", "\u2019": "\u2018", "\xbb": "\xab", "\u203a": "\u2039"}
_PAGE: Final = late(
    r"(?:/(?:meta|e?pdf|pdfdirect|full|full-?text|abstract|summary|references|citedby|figures|tables|metrics|html"
    r"|download|related|standard|issuetoc|suppl_file|agency|asset|export|fulltext\.html?|full\.html?|full\.pdf|abs"
    r"|transform|epub|reader)(?:/.*)?|(?:v[0-9]{1,2})?\.(?:full|abstract|e?pdf|short|long|full-text|html?|xml|svg|json|ris"
    r"|bib|full\.pdf(?:\+html)?))$",
    _FLAGS,
)
_BOOK: Final = late(r"10\.1093/[a-z]+/[0-9]{13}\.[0-9]{3}\.[0-9]{4}(?=/)", _FLAGS)
_VERSIONED: Final = ("biorxiv.org", "medrxiv.org")
"""Hosts whose page addresses add a version to a DOI that has none."""
_SESSION: Final = late(r";jsessionid.*", _FLAGS)
_TRACKING: Final = late(r"[?&](?:utm_|fbclid|gclid|journalcode|needaccess|casa_token|via=|ref=|src=|source=).*", _FLAGS)
_ARXIV: Final = late(
    r"10\.48550/arxiv\.(?P<id>[0-9]{4}\.[0-9]+|(?P<archive>[a-z]+(?:-[a-z]+)?)(?P<subject>\.[a-z-]+)?/(?P<number>[0-9]+))"
    r"(?:v(?P<version>[0-9]+))?(?P<rest>.*)",
    _FLAGS | re.DOTALL,
)
_UPPER: Final = {code: code + 32 for code in range(65, 91)}


def read(cleaned: Cleaned, match: re.Match[str], where: Place) -> Hit:
    """Read the DOI whose prefix is `match`."""
    text, start = cleaned.text, match.start()
    before = text[max(0, start - 60) : start]
    run = _RUN.match(text, match.end(), match.end() + LONGEST)
    raw = match[0] + (run[0] if run is not None else "")
    if before[-1:] == "." or (before[-1:].isalnum() and not before.lower().endswith("doi")):
        # All of it is passed over, so that no arXiv identifier is read out of somebody else's name.
        reason = "a DOI does not start in the middle of a word or number; compare it with its source"
        return Hit(start, start + len(raw), start, start + len(raw), reason=reason)
    first, repairs = _front(text, start, before, where)
    name, fault = _cut(text, start, raw, where, repairs)
    end = last = start + len(name)
    if where.host is not None:
        tail = _TAIL.match(text, end, end + LONGEST)
        last = tail.end() if tail is not None else end
        if where.resolver is False and text[end:last]:
            repairs.add("landing-page" if text[end] in "/.v" else "query")
    if fault:
        return Hit(start, max(end, start + len(raw)), first, max(last, start + len(raw)), reason=fault,
                   candidates=_both(name, raw))  # fmt: skip
    if (arxiv := _ARXIV.fullmatch(name)) is not None and (hit := _arxiv(arxiv, (start, end, first, last), repairs)):
        return hit
    if name != (folded := name.translate(_UPPER)):
        repairs.add("case")
    if "//" in folded[: len(match[0]) + 1]:
        folded, repairs = folded.replace("//", "/", 1), repairs | {"slashes"}
    try:
        identifier = Doi.parse(folded)
    except InvalidIdentifier as error:
        return Hit(start, end, first, last, reason=_why(error, folded), candidates=())
    return Hit(start, end, first, last, identifier, frozenset(repairs))


def _front(text: str, start: int, before: str, where: Place) -> tuple[int, set[str]]:
    """Return where the label or web address in front of a DOI starts, and the repair word for it."""
    if where.host is not None:
        return where.token, {"url"}
    label = _LABEL.search(before) if _LABELS.search(before) is not None else None
    if label is not None:
        return start - len(before) + label.start(), {"prefix"}
    if text[start - 1 : start] == "/" and where.token < start - 1:
        return where.token, {"prefix"}
    return start, set()


def _why(error: InvalidIdentifier, folded: str) -> str:
    if folded.endswith("/") and folded.count("/") == 1:
        return f"the DOI {folded!r} ends after its prefix; copy all of it"
    return str(error)


def _both(name: str, raw: str) -> tuple[Candidate, ...]:
    """Return the readings of a DOI that holds a character which either ends it or belongs to it."""
    found: list[Candidate] = []
    for text, why in (
        (re.sub(f"{ENCODED_BLANK}+", "_", raw), "the blank read as an underscore"),
        (re.sub(f"{ENCODED_BLANK}+", "", raw), "the blank left out"),
        (name, "cut at the odd character"),
    ):
        try:
            reading = candidate(Doi.parse(_strip(text).translate(_UPPER)), why)
        except InvalidIdentifier:
            continue
        if all(reading.value != other.value for other in found):
            found.append(reading)
    return tuple(found)


def joined(text: str) -> tuple[Candidate, ...]:
    """Return the DOI that `text` is once blanks in it are left out."""
    try:
        return (candidate(Doi.parse(_strip(text).translate(_UPPER)), "the pieces joined"),)
    except InvalidIdentifier:
        return ()


def _cut(text: str, start: int, raw: str, where: Place, repairs: set[str]) -> tuple[str, str]:
    """Return the name without what does not belong to it, and a fault if that cannot be told."""
    after = _NEXT.search(raw)
    if after is not None:
        raw = raw[: after.start()]
    if where.host is not None:
        raw = _page(raw, where)
    elif (tracking := _TRACKING.search(raw)) is not None:
        raw = raw[: tracking.start()]
        repairs.add("query")
    end, fault = _end(text, start, raw)
    return _strip(raw[:end]), fault


def _end(text: str, start: int, raw: str) -> tuple[int, str]:
    """Return where the name ends in `raw`, before what closes something opened in front of it."""
    depth = dict.fromkeys("([{<", 0)
    at = raw.find("/") + 1
    while at < len(raw):
        character = raw[at]
        if character == "<":
            sici = _SICI.match(raw, at)
            if sici is None:
                return at, "" if _TAG.match(raw, at) or opened(text, start, "<") else _stops(text, start, raw, at)
            at = sici.end()
            continue
        if character in depth:
            depth[character] += 1
        elif character in _CLOSERS or character in _QUOTES or character == ENCODED_BLANK:
            if character in _CLOSERS and depth[_CLOSERS[character]] > 0:
                depth[_CLOSERS[character]] -= 1
            else:
                return at, _stops(text, start, raw, at)
        at += 1
    return at, ""


def _stops(text: str, start: int, raw: str, at: int) -> str:
    """Return a fault if the character at `raw[at]` may as well be part of the name."""
    character, rest = raw[at], raw[at + 1 :]
    partner = _CLOSERS.get(character, _PARTNERS.get(character, character))
    if not rest.strip("".join(_CLOSERS) + _QUOTES + ".,;:" + ENCODED_BLANK) or opened(text, start, partner):
        return ""
    if character == ENCODED_BLANK:
        if re.match(f"{ENCODED_BLANK}*(?:and|or|&|[(\\[])", rest) or "?" in text[max(0, start - 160) : start]:
            return ""
        return "there is an encoded blank (%20) inside the DOI; compare it with its source"
    if character not in "\u2014\u2015" and _CONTINUES.match(rest) is None:
        return ""
    return f"there is a stray {character!r} inside the DOI; compare it with its source"


def _strip(name: str) -> str:
    """Drop closing punctuation and unbalanced closing brackets from the end."""
    while name:
        last = name[-1]
        if last in _CLOSERS:
            if name.count(last) <= name.count(_CLOSERS[last]):
                break
        elif last == "#":
            if name[-3:-2] in {";", "-"} or name[-2] == "-":
                break
        elif last not in ".,;:!?*\\&+([{<" + _QUOTES + ENCODED_BLANK and not (last == "/" and name.count("/") > 1):
            break
        name = name[:-1]
    return name


def _page(raw: str, where: Place) -> str:
    """Drop query, fragment and page endings of the web address around a DOI."""
    for mark in "?#&":
        cut = raw.find(mark)
        if cut >= 0 and not (mark == "#" and raw[cut - 2 : cut] in {"2-", "3-"}):
            raw = raw[:cut]
    raw = _SESSION.sub("", raw)
    if where.resolver:
        return raw
    if (book := _BOOK.match(raw)) is not None:
        return book[0]
    shorter = _PAGE.sub("", raw)
    if where.host is not None and where.host.endswith(_VERSIONED):
        shorter = re.sub(r"v[0-9]{1,2}$", "", shorter)
    return shorter if shorter.count("/") >= 1 and not shorter.endswith("/") else raw


def _arxiv(match: re.Match[str], span: tuple[int, int, int, int], repairs: set[str]) -> Hit | None:
    """Read a DOI of arXiv's, whose identifier must obey arXiv's rules."""
    start, end, first, last = span
    name = match["id"] if match["archive"] is None else f"{match['archive'].lower()}/{match['number']}"
    if match["subject"]:
        repairs.add("subject-class")
    rest = re.sub(r"(?i)^(?:\.pdf|/|[?#].*)$", "", match["rest"])
    try:
        paper = ArxivId.parse(name)
        version = ArxivVersion.parse(f"{name}v{match['version']}") if match["version"] else None
    except InvalidIdentifier as error:
        base = f"{name}v{match['version']}" if match["version"] else name
        reason = f"{match[0]!r} cannot be an arXiv DOI: {error.why}"
        return Hit(start, end, first, last, reason=reason, candidates=mended(base))
    if rest:
        reason = f"{rest!r} follows the arXiv identifier in {match[0]!r}; compare it with its source"
        return Hit(start, end, first, last, reason=reason, candidates=(candidate(paper, "the rest dropped"),))
    if version is not None:
        return Hit(start, end, first, last, version, frozenset(repairs | {"arxiv-doi"}))
    doi = Doi.of_arxiv(paper)
    if match[0] != doi.text:
        repairs.add("case")
    return Hit(start, end, first, last, doi, frozenset(repairs))
