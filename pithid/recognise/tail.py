"""What may follow the number of an arXiv identifier: a version, a subject class, a file ending, or more digits."""

import re
from typing import Final

from pithid.core.errors import InvalidIdentifier
from pithid.core.identifiers import ArxivId, ArxivVersion
from pithid.recognise.context import Hit
from pithid.recognise.late import late
from pithid.recognise.mend import mended, possible
from pithid.recognise.result import candidate

_FLAGS: Final = re.ASCII | re.IGNORECASE
_VERSION: Final = re.compile(r"(?P<gap> ?)v(?P<number>[0-9]+)(?![A-Za-z0-9])", _FLAGS)
_SUBJECT_AFTER: Final = late(r" ?\[[a-z-]{2,9}(?:\.[a-z-]{2,9})?(?:, ?[a-z.-]{2,18})*\]", _FLAGS)
_FILE: Final = re.compile(
    r"\.(?:pdf|ps|dvi|djvu|epub|tex|txt|html?|xml|bib|abs|tgz|zip|tar|gz)(?:\.gz)?(?![\w])", _FLAGS
)
_REST: Final = re.compile(r"/[a-z][\w./-]*|[?#][^\s\"<>)\]}]*", _FLAGS)
# A number that goes on is a measurement, a range or a damaged version, not an identifier.
_GOES_ON: Final = re.compile(
    r"[\w\x00-\x1e\x7f]|\.[0-9]|\([0-9]|[\^\xb1\xd7\xb0]|\+/?-|[-/+#?:=~*][0-9]|[^\w\s]v[0-9]", re.IGNORECASE
)
_ANOTHER: Final = late(r"/[0-9]{4}\.[0-9]{4,5}(?:v[0-9]{1,4})?(?![\w.])", _FLAGS)
_LOST_VERSION: Final = late(r"(?:[^\w]|[/?#]v)([0-9]{1,4})", _FLAGS)
_YEAR: Final = late(r"[ ,](?:19|20)[0-9]{2}$")
_OPEN: Final = re.compile(r"\[ ?$")
_SHUT: Final = late(r" ?\]")
_SET_APART: Final = late(r"[.,;:!?)\]}>\"'*\u201d\u2019\xbb]*(?:[ \x1f]|$)")
QUOTES: Final = "\u2018\u2019\u201c\u201d\u201e\u201a\xab\xbb\u2039\u203a\u2026\xb7\u2022\u2014"


def finish(text: str, span: tuple[int, int, int], name: str, repairs: set[str], *, firm: bool = True) -> Hit:
    """Read a version and what may follow, and check the rules of the scheme.

    Args:
        text: the cleaned text.
        span: start and end of the number, and start of the label or web address in front of it.
        name: the identifier without version, its archive already mended.
        repairs: what was mended so far.
        firm: whether a label or address says that this is an identifier.
    """
    start, end, first = span
    bare = first == start
    version = _VERSION.match(text, end)
    if version is not None and (not version["gap"] or firm or bare):
        end = version.end()
        repairs |= {"whitespace"} if version["gap"] else set()
        repairs |= {"case"} if version[0].lstrip()[0] == "V" else set()
        name = f"{name}v{version['number']}"
        firm = firm or (bare and not version["gap"] and _SET_APART.match(text, end) is not None)
    else:
        version = None
    try:
        identifier = ArxivId.parse(name) if version is None else ArxivVersion.parse(name)
    except InvalidIdentifier as error:
        return Hit(start, end, first, end, reason=str(error), candidates=mended(name))
    last = end
    if (file := _FILE.match(text, end)) is not None:
        repairs.add("file-name")
        last, firm = file.end(), firm or bare
    if (rest := _REST.match(text, last)) is not None:
        repairs.add("query")
        last = rest.end()
    following = text[last : last + 4]
    damaged = (_GOES_ON.match(following) and _ANOTHER.match(text, last) is None) or (
        not following[:1].isascii() and following[0] not in QUOTES
    )
    # Scripts written without blanks may follow a labelled identifier directly.
    if damaged and not (firm and "prefix" in repairs and "\u3040" <= following[:1] <= "\ud7a3"):
        odd = text[start : end + 8].split(" ", maxsplit=1)[0]
        what = f"{odd!r} goes on where {identifier} ends; compare it with its source"
        return Hit(start, end, first, end, reason=what, candidates=(candidate(identifier, "the rest dropped"),))
    lost = _LOST_VERSION.fullmatch(text, end, end + 8) if version is None or bare else None
    if lost is not None and len(text) <= end + 8 and not _YEAR.search(lost[0]):
        numbered = possible(f"{name}v{lost[1]}", "read as a version") if version is None else ()
        reason = f"the number after {identifier} may be a version; write v in front of it, or drop it"
        meant = (candidate(identifier, "without that number"), *numbered)
        return Hit(start, end, first, lost.end(), reason=reason, candidates=meant)
    boxed = _OPEN.search(text, max(0, start - 2), start) is not None and _SHUT.match(text, end) is not None
    firm = firm or boxed or _SUBJECT_AFTER.match(text, end) is not None
    return Hit(start, end, first, last, identifier, frozenset(repairs), firm)


def version_text(text: str, at: int) -> str:
    """Return the version at `text[at]`, such as `v2`, or an empty text."""
    version = _VERSION.match(text, at)
    return "" if version is None else f"v{version['number']}"
