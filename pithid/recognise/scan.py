"""Any text to the identifiers in it, with every repair named."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final, cast

from pithid.core.identifiers import Doi, Identifier
from pithid.core.identifiers.arxiv import ARCHIVES
from pithid.recognise import arxiv, bibtex, doi, pith, suggest
from pithid.recognise.beside import SEPARATORS, damage, gaps
from pithid.recognise.clean import Cleaned, clean
from pithid.recognise.context import Hit, place
from pithid.recognise.late import late
from pithid.recognise.result import REPAIRS, Found, Identification, candidate

# Every identifier but a bare Pith holds a run of four digits; all numbers start with a digit, which makes this fast.
_NUMBER: Final = re.compile(
    r"[0-9](?<![0-9].)(?:"
    r"(?P<doi>(?<=1)0\.[0-9]{4,9}(?:\.[0-9]{1,9}){0,4}/)"
    r"|(?P<bibcode>[0-9]{3}(?:arXiv[0-9]{4}(?:\.[0-9]{4}|[0-9]{5})|[a-z][a-z.]{5,12}[0-9]{4,5})[A-Za-z])"
    r"|(?P<new>[0-9]{3}[.-][0-9]{4,})"
    r"|(?P<run>[0-9]{5,})"
    r")"
)
_HINT: Final = re.compile(r"[0-9]{4}|(?i:pith)|[A-Z2-7]{26}")
_CHARACTERS: Final = late(r"[A-Z2-7:](?:(?<=:)[A-Za-z0-9]{26}|[A-Z2-7]{3}(?:[ -][A-Z2-7]{4}|[A-Z2-7]{22}))")
_PROMISING: Final = re.compile(r"\d{3}|[A-Z2-7]{8}|[a-z2-7]{26}|(?i:pith)")
_PROMISING_WIDE: Final = late(r"\d{3}|[A-Z2-7]{4}|[a-z2-7]{13}|(?i:pith)|[\uff10-\uff5a]{4}")
"""Without this, a text holds neither an identifier nor what may have been one."""
_BROKEN_OLD: Final = late(r"([a-z]+(?:-[a-z]+)?)(?:\.[a-z-]{2,9})?/$", re.ASCII | re.IGNORECASE)
_WORD: Final = re.compile(r"\w")
_RANK: Final = {word: number for number, word in enumerate(REPAIRS)}.__getitem__
_OUTSIDE: Final = (
    ("brackets", frozenset("()[]{}<>\"'`|\u201c\u201d\u2018\u2019\u201e\xab\xbb")),
    ("whitespace", frozenset(" ")),
)
_WRAPPED: Final = {"(": ")", "[": "]", "{": "}", "<": ">", '"': '"', "'": "'", "`": "`", "\u201c": "\u201d"}
_TORN: Final = late(
    r" (?![(\[{][^ ]*[)\]}][.,;]?$|[12][0-9]{3}[.,;)]?$)(?:[^ ]{1,80}"
    r"|(?:[^ (\[{][^ ]{0,39} ){1,3}(?=[^ ]*[0-9])(?=[^ ]*[A-Za-z.])[^ (\[{][^ ]{0,39})"
    r"|[.:;] (?![12][0-9]{3}[.,;)]?$)[0-9][^ ]{0,80}"
)
"""What makes the end of a DOI doubtful: one more piece, or a few of which the last mixes letters and digits."""


def search(text: str) -> Identification:
    """Find the identifiers in a text that is not simply one in its canonical spelling."""
    promising = (_PROMISING if text.isascii() else _PROMISING_WIDE).search(text)
    if promising is None and (len(text) < 26 or _CHARACTERS.search(text) is None):
        return Identification(text, reason=suggest.NOTHING if len(text) > 200 else suggest.kind(text.strip()))
    cleaned = clean(text)
    if (alone := _alone(text, cleaned)) is not None:
        return Identification(text, (alone,))
    hits = _scan(cleaned) if _HINT.search(cleaned.text) is not None or _characters(cleaned.text) else []
    if any(hit.identifier is not None for hit in hits):
        outside = gaps(cleaned.text, hits)
        if found := _settle(cleaned, hits, outside):
            other = damage(cleaned.text, hits, outside, found, _again)
            if other is None:
                return Identification(text, found)
            return Identification(text, found, other.candidates, other.reason, plausible=True)
    return suggest.explain(text, cleaned.text.strip(), hits, _again)


def _characters(text: str) -> bool:
    """Whether there may be 26 characters without label in `text`, in one piece, in groups or behind a year."""
    return len(text) > 25 and _CHARACTERS.search(text) is not None


def _again(text: str) -> Sequence[Identifier]:
    cleaned = clean(text)
    hits = _scan(cleaned)
    return [found.identifier for found in _settle(cleaned, hits, gaps(cleaned.text, hits))]


def _alone(text: str, cleaned: Cleaned) -> Found | None:
    """Return the bare suffix or prefix that the whole text is, in brackets at most."""
    core = cleaned.text.strip(" ")
    if len(core) > 40 or ":" in core or "/" in core:
        return None
    repairs = cleaned.repairs(0, len(cleaned.text))
    repairs |= {"whitespace"} if core != cleaned.text else set()
    while len(core) > 1 and _WRAPPED.get(core[0]) == core[-1]:
        core = core[1:-1].strip(" ")
        repairs.add("brackets")
    stripped = core.rstrip(".,;")
    if stripped != core:
        repairs.add("punctuation")
    identifier = pith.bare(stripped)
    if identifier is None or (repairs - {"case"} and len(stripped) < 8):
        return None
    repairs |= {"case"} if str(identifier) != stripped else set()
    return Found(identifier, () if str(identifier) == text else _ordered(repairs))


def _scan(cleaned: Cleaned) -> list[Hit]:
    """Return everything that looks like an identifier, in order, without overlaps."""
    text = cleaned.text
    hits = list(_numbers(cleaned))
    if "pith" in text.lower() or _characters(text):
        hits = sorted([*hits, *pith.scan(text)], key=lambda hit: hit.start)
    kept: list[Hit] = []
    for hit in hits:
        if kept and hit.start < kept[-1].end:
            if kept[-1].identifier is not None or hit.identifier is None:
                continue
            kept.pop()
        kept.append(hit)
    if len(kept) == 1 and isinstance(kept[0].identifier, Doi):
        kept = [_torn(text.rstrip(), kept[0])]
    return kept


def _torn(text: str, hit: Hit) -> Hit:
    """Refuse a DOI behind which the text goes on as if a blank had come into the name."""
    rest = text[hit.last : hit.last + 200]
    if len(text) - hit.last > 200 or _TORN.fullmatch(rest) is None or SEPARATORS.fullmatch(text[: hit.first]) is None:
        return hit
    joined = doi.joined(f"{hit.identifier}{rest.replace(' ', '')}")
    reason = f"a blank follows {hit.identifier}, then more; join the pieces of the DOI, or drop what is no part of it"
    candidates = (*joined, candidate(cast("Doi", hit.identifier), "cut at the blank"))
    return Hit(hit.start, hit.end, hit.first, hit.last, reason=reason, candidates=candidates)


def _numbers(cleaned: Cleaned) -> Iterator[Hit]:
    text = cleaned.text
    fields = bibtex.eprints(text) if "=" in text and re.search("(?i)eprint", text) else ()
    starts = [field.start for field in fields]
    consumed = 0
    for match in _NUMBER.finditer(text):
        start = match.start()
        if start < consumed:
            continue
        at = bisect_right(starts, start) - 1
        field = fields[at] if at >= 0 and start < fields[at].end else None
        hit: Hit | None
        if match.lastgroup == "doi":
            hit = doi.read(cleaned, match, place(text, start))
        elif match.lastgroup == "run" and len(match[0]) != 7:
            hit = _broken_old(text, match)
        else:
            hit = arxiv.read(text, match, place(text, start), field)
        if hit is not None:
            consumed = hit.end
            yield hit


def _broken_old(text: str, match: re.Match[str]) -> Hit | None:
    """Return a broken hit if an archive stands in front of a number of the wrong length."""
    found = _BROKEN_OLD.search(text[max(0, match.start() - 24) : match.start()])
    if found is None or found[1].lower() not in ARCHIVES:
        return None
    reason = f"an old arXiv identifier has 7 digits after the slash, not {len(match[0])}; compare it with its source"
    first = match.start() - len(found[0])
    return Hit(*match.span(), first, match.end(), reason=reason)


def _settle(cleaned: Cleaned, hits: Sequence[Hit], outside: Sequence[str]) -> tuple[Found, ...]:
    """Decide which hits count, and name the repairs of each."""
    pure = all(SEPARATORS.fullmatch(gap) for gap in outside)
    found: dict[str, Found] = {}
    continued = False
    around = _around(outside, several=len(hits) > 1)
    for number, hit in enumerate(hits):
        between = number > 0 and SEPARATORS.fullmatch(outside[number]) is not None
        continued = hit.identifier is not None and (hit.firm or pure or (continued and between))
        if hit.identifier is None or not continued or str(hit.identifier) in found:
            continue
        repairs = set(hit.repairs) | cleaned.repairs(hit.first, hit.last) | around
        found[str(hit.identifier)] = Found(hit.identifier, _ordered(repairs))
    return tuple(found.values())


def _around(outside: Sequence[str], *, several: bool) -> set[str]:
    """Return the repair words for what stands outside the identifiers."""
    joined = "".join(outside[:2]) if len(outside) == 2 else " ".join(outside[:50])
    if several:
        return {"list"} if all(SEPARATORS.fullmatch(gap) for gap in outside[:50]) else {"list", "surrounding-text"}
    if not joined:
        return set()
    words = {word for word, characters in _OUTSIDE if characters & set(joined)}
    rest = joined.strip(" ()[]{}<>\"'`|\u201c\u201d\u2018\u2019\u201e\xab\xbb")
    if _WORD.search(rest) is not None:
        return (words & {"brackets"}) | {"surrounding-text"}
    return words | ({"punctuation"} if rest else set())


def _ordered(repairs: set[str]) -> tuple[str, ...]:
    return tuple(sorted(repairs, key=_RANK))
