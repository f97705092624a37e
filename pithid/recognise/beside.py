"""What stands beside the identifiers that were found and clearly is a damaged one, so that nothing is dropped silently.

A bare number among words may be anything, sound or not; behind a label, or where a text holds nothing but identifiers,
it is meant as one.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from pithid.core.identifiers import Identifier
from pithid.recognise import pith, suggest
from pithid.recognise.clean import ENCODED_BLANK
from pithid.recognise.context import Hit, place
from pithid.recognise.label import GROUPS, label_before
from pithid.recognise.late import late
from pithid.recognise.result import Candidate, Found

SEPARATORS: Final = re.compile(
    r"(?:[ ,;|&/.()\[\]{}<>\"'`*\u201c\u201d\u2018\u2019\u201e\xab\xbb]|\b(?:and|or|also|see|et|und)\b)*"
)
_MOST: Final = 100
"""Pieces looked at closely; keeps long lists and hostile texts cheap."""

_FLAGS: Final = re.ASCII | re.IGNORECASE
_DIGITS: Final = re.compile(
    "[0-9](?:[0-9][^ ,;()]{4}|(?<=[^ ,;()]{2})[0-9][^ ,;()]{3}|(?<=[^ ,;()]{3})[0-9][^ ,;()]{2}"
    "|(?<=[^ ,;()]{4})[0-9][^ ,;()]|(?<=[^ ,;()]{5})[0-9])"
)
"""Two digits in a run of six characters: nothing shorter is looked at, so that years and pages cost nothing."""
_LABELLED: Final = late(
    r"(?<![a-z0-9])(?:(?:arxiv: |arxiv\.org/(?:abs|pdf)/)(?=[0-9]{3,4}\.[0-9]|[0-9]{6})"
    r"|(?:doi: |doi\.org/)(?=10\.[0-9])|(?:arxiv|doi):(?=[^ \"<>,;)\]}]{0,80}[0-9]))[^ \"<>,;)\]}]{3,80}",
    _FLAGS,
)
_LABEL: Final = late(r"arxiv|doi|crossref|pith|e-?print|(?:abs|pdf|ps|html|src)/|^[0-9]{4}:$", _FLAGS)
_ARCHIVE: Final = late(r"([a-z]+(?:-[a-z]+)?)(?:\.[a-z-]{2,18})? ?/+ ?$", _FLAGS)
_BARE: Final = late(r"[0-9]{4}\.[0-9]", _FLAGS)
_MONTH: Final = late(r"[0-9]{2}(?:0[1-9]|1[0-2])", _FLAGS)
_VERSION: Final = late(r"v[0-9]+$", _FLAGS)
_EDGE: Final = " .,;:|&/()[]{}<>\"'`*\u201c\u201d\u2018\u2019\u201e\xab\xbb"
_SHUT: Final = late(r" ?[,;:.|)\]}](?![0-9])| ?$")
_OPEN: Final = late(r"(?:^|[,;:|(\[{]) ?$")
_GLUED: Final = late(r"(?![\xb1\xd7\xb0^%+]|\([0-9])[^ ,;]*")
_FLOAT: Final = late(r"[0-9]{3,4}\.[0-9]{3,20}", _FLAGS)
_PLAIN: Final = late(r"[0-9.]+", _FLAGS)
_PREFIX: Final = late(r"10\.[0-9]{4,9}", _FLAGS)
_PITH: Final = late(r"(?=[A-Z]{0,25}[0-9])(?=(?:[0-9]*[A-Z]){10})[A-Z0-9]{26}")


class Damage(NamedTuple):
    """Damaged identifiers of a text: what each may have been, and one line about them."""

    candidates: tuple[Candidate, ...]
    reason: str


class _Piece(NamedTuple):
    start: int
    spelling: str
    reason: str
    candidates: tuple[Candidate, ...]


def gaps(text: str, hits: Sequence[Hit]) -> list[str]:
    """Return what stands before, between and after the hits."""
    edges = [0, *(edge for hit in hits for edge in (hit.first, hit.last)), len(text)]
    return [text[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True)]


def damage(
    text: str,
    hits: Sequence[Hit],
    outside: Sequence[str],
    found: Sequence[Found],
    again: Callable[[str], Sequence[Identifier]],
) -> Damage | None:
    """Return the damaged identifiers beside those found, or None if there are none.

    Args:
        text: the cleaned text.
        hits: everything in it that looks like an identifier, sound or not.
        outside: its gaps.
        found: what counts among the hits.
        again: the recogniser, for texts in which a suspected slip is undone.
    """
    if len(hits) == len(found) and not _loose(" ".join(outside)):
        return None
    broken = [number for number, hit in enumerate(hits) if hit.identifier is None][:_MOST]
    loose = [number for number, gap in enumerate(outside[:_MOST]) if _loose(gap)]
    if not broken and not loose:
        return None
    near = _near_misses(hits, outside, again) if len(text) <= suggest.LONGEST else None
    pieces = list(near or ())
    only = near is not None or (bool(broken) and all(SEPARATORS.fullmatch(gap) for gap in outside))
    papers = {_VERSION.sub("", one.value) for one in found} if broken else set()
    for number in broken:
        if _counts(text, hits, number, outside, papers, only=only):
            hit = hits[number]
            candidates = hit.candidates or suggest.floats(text[hit.start : hit.end])
            pieces.append(_Piece(hit.start, text[hit.first : hit.end], hit.reason, candidates))
    if near is None:
        pieces += _labelled(outside, hits, loose, again)
    return _joined(sorted(pieces, key=lambda piece: piece.start), found[0].value) if pieces else None


def _loose(text: str) -> bool:
    """Whether there may be a damaged identifier in `text`, which holds no hit."""
    return _DIGITS.search(text) is not None or (len(text) > 25 and _PITH.search(text) is not None)


def _joined(pieces: Sequence[_Piece], value: str) -> Damage:
    candidates = {(c.kind, c.value): c for piece in reversed(pieces) for c in reversed(piece.candidates)}
    first = pieces[0]
    shown = repr(first.spelling[:80].replace(ENCODED_BLANK, "%20"))
    named = "" if shown in first.reason else f", {shown}"
    what = f"a damaged identifier{named}" if len(pieces) == 1 else f"{len(pieces)} damaged identifiers, first {shown}"
    return Damage(tuple(candidates.values())[::-1], f"beside {value} the text holds {what}: {first.reason}")


def _counts(  # noqa: PLR0913 - the text, cut up
    text: str, hits: Sequence[Hit], number: int, outside: Sequence[str], papers: set[str], *, only: bool
) -> bool:
    """Whether a broken hit is clearly meant as an identifier, and says something that those found do not."""
    hit = hits[number]
    front, own = text[hit.first : hit.start], text[hit.start : hit.end]
    if own.isalpha() and len(own) < 8:
        return False  # `pith:` and a short word
    host = place(text, hit.start)
    if host.host is not None and not (host.arxiv or host.resolver or own.startswith("10.") or "pith" in host.host):
        return label_before(text[max(0, hit.start - 64) : hit.start]) is not None
    archive = _ARCHIVE.search(front)
    if _LABEL.search(front) or "arxiv" in own.lower() or (archive is not None and archive[1].lower() in GROUPS):
        return True
    if not hit.candidates:
        return only and (archive is None or _MONTH.match(own) is not None)
    if {_VERSION.sub("", one.value) for one in hit.candidates} <= papers:
        return False
    if only or front or _BARE.match(own) is None:
        return True
    before, after = outside[number], outside[number + 1]
    left, right = SEPARATORS.fullmatch(before) is not None, SEPARATORS.fullmatch(after) is not None
    beside = (left and number > 0 and hits[number - 1].identifier is not None) or (
        right and number + 1 < len(hits) and hits[number + 1].identifier is not None
    )
    return beside and (left or _OPEN.search(before) is not None) and (right or _SHUT.match(after) is not None)


def _near_misses(
    hits: Sequence[Hit], outside: Sequence[str], again: Callable[[str], Sequence[Identifier]]
) -> list[_Piece] | None:
    """Return the near-misses that stand outside the hits, or None if anything but separators does besides."""
    found: list[_Piece] = []
    for number, gap in enumerate(outside):
        rest = gap
        if number > 0 and hits[number - 1].identifier is None and (glued := _GLUED.match(gap)) is not None:
            rest = gap[glued.end() :]
        if SEPARATORS.fullmatch(rest) is not None:
            continue
        for word in rest.split(" "):
            token = word.strip(_EDGE)
            if SEPARATORS.fullmatch(token) is not None:
                continue
            if len(token) > 80 or len(found) == _MOST or not _loose(token):
                return None
            piece = _near_miss(token, hits[number - 1].last if number > 0 else 0, again)
            if piece is None:
                return None
            found.append(piece)
    return found


def _near_miss(token: str, start: int, again: Callable[[str], Sequence[Identifier]]) -> _Piece | None:
    """Return what a word that no rule fits is, if it is close to an identifier."""
    if _PREFIX.fullmatch(token) is not None:
        return _Piece(start, token, "a DOI prefix without a name; copy all of it", ())
    if _PITH.fullmatch(token) is not None:
        return _Piece(start, token, pith.WRONG, ())
    if token.count(":") == 1 and _LABELLED.fullmatch(token) is not None:
        return _guessed(start, token, again)
    if _PLAIN.fullmatch(token) is None:
        candidates = suggest.guesses(token, again)
    else:
        candidates = suggest.floats(token) if _FLOAT.fullmatch(token) is not None else ()
    if not candidates:
        return None
    return _Piece(start, token, f"perhaps {candidates[0].value} ({candidates[0].why})", candidates)


def _labelled(
    outside: Sequence[str], hits: Sequence[Hit], loose: Sequence[int], again: Callable[[str], Sequence[Identifier]]
) -> Iterator[_Piece]:
    """Yield what stands behind a label in the gaps but holds no identifier in any shape."""
    for number in loose:
        gap = outside[number]
        lower = gap.lower()
        if "arxiv" not in lower and "doi" not in lower:
            continue
        for match in _LABELLED.finditer(gap):
            # What runs into a hit is the front of that.
            if match.end() < len(gap) or number == len(hits):
                yield _guessed(hits[number - 1].last if number > 0 else 0, match[0].rstrip("."), again)


def _guessed(start: int, spelling: str, again: Callable[[str], Sequence[Identifier]]) -> _Piece:
    reason = "no identifier follows the label; compare it with its source"
    return _Piece(start, spelling, reason, suggest.guesses(spelling, again))
