"""Pith Numbers in text. No character is ever guessed: base32 has both O and I, and there is no check digit.

Sources: docs/protocol.md sections 2 and 15.
"""

import re
from collections.abc import Iterator
from typing import Final

from pithid.core.errors import InvalidIdentifier
from pithid.core.identifiers import PithNumber, PithPrefix, PithSuffix
from pithid.core.identifiers.pith import SHORT_LENGTHS
from pithid.recognise.context import Hit, Place, place
from pithid.recognise.late import late
from pithid.recognise.result import Candidate, candidate

_FLAGS: Final = re.ASCII | re.IGNORECASE
_ANCHOR: Final = late(
    r"pith(?:"
    r"(?P<colon>:(?P<gap> ?)(?:(?P<year>[0-9]{4}) ?: ?)?)"
    r"|(?P<path>(?:-number)?/)"
    r"|(?P<macro>number ?\{ ?)"
    r"|(?P<words>(?:[ -]number)?[ :#]{1,3}(?=[A-Z2-7]{8}))"
    r"|(?P<site>\.science/paper/)"
    r")(?P<digits>[A-Za-z0-9]{1,80})",
    _FLAGS,
)
_ALONE: Final = late(r"[A-Z2-7]{26}")
_BARE: Final = re.compile(r"[A-Z2-7]{8,26}|[a-z2-7]{26}")
_UPPER: Final = late(r"[A-Z2-7]{8,26}")
_PIECES: Final = late(r"((?:[ -][A-Z2-7]{1,25}){1,7})(?![A-Za-z0-9])")
_YEAR: Final = late(
    r"(?:^|(?<=[ (\[{<\"'`,;]))(?P<year>198[6-9]|199[0-9]|20[0-9]{2}):(?P<digits>[A-Z0-9]{26}|[a-z0-9]{26})(?![\w/])"
)
_GROUPED: Final = late(r"(?<![\w-])(?:[A-Z2-7][ -]?){25}[A-Z2-7](?![\w-])")
_GROUPS: Final = late(r"(?:[A-Z2-7]{4,5}[ -]){5,6}[A-Z2-7]{1,5}")
_WEB_REST: Final = late(r"[/.?#][^ \"<>)\]}]{0,300}")
_BRACE: Final = late(" ?}")
_CLOSE: Final = "\u201d\u2019\xbb\u2026"
_BEFORE: Final = ("", *" ([{<\"'`")
_AFTER: Final = ("", *" )]}>\"'`.,;")
_PIECED: Final = late(r"[A-Z2-7:](?:(?<=:)[A-Za-z0-9]{26}|[A-Z2-7]{3}[ -][A-Z2-7]{4})")
_BROKEN: Final = 20
"""Broken numbers looked at closely; one is enough for a reason, and a hostile text holds millions."""
WRONG: Final = "0, 1, 8 and 9 never occur in a Pith Number, and which letter was meant cannot be told; copy it again"


def scan(text: str) -> Iterator[Hit]:
    """Yield the Pith Numbers of a running text, sound and broken ones, those behind a label first."""
    consumed = broken = 0
    for match in _ANCHOR.finditer(text):
        if broken > _BROKEN and len(match["digits"]) < 8:
            continue
        hit = _read(text, match)
        if hit is not None:
            consumed, broken = hit.end, broken + (hit.identifier is None)
            yield hit
    if len(text) > 30 and _PIECED.search(text) is not None:
        yield from _years(text)
        yield from _grouped(text)
    if consumed == 0:
        for alone in _ALONE.finditer(text):
            before = text[alone.start() - 1 : alone.start()]
            set_apart = before in _BEFORE and text[alone.end() : alone.end() + 1] in _AFTER
            if not set_apart or re.search("[2-7]", alone[0]) is None:
                continue
            yield Hit(*alone.span(), *alone.span(), PithSuffix(alone[0]))


def _years(text: str) -> Iterator[Hit]:
    """Yield the numbers that only miss their `pith:`, such as `2020:Z5NAPRQPUU4SIDOBV5N2FREXWZ`."""
    for match in _YEAR.finditer(text):
        (start, end), digits = match.span("digits"), match["digits"]
        if re.search("[0189]", digits) is None:
            repairs = frozenset({"prefix"} if digits.isupper() else {"prefix", "case"})
            yield Hit(start, end, match.start(), end, PithNumber(int(match["year"]), digits.upper()), repairs)
        elif sum(map(str.isalpha, digits)) >= 10:
            yield Hit(start, end, match.start(), end, reason=WRONG)


def _grouped(text: str) -> Iterator[Hit]:
    """Yield 26 characters that somebody wrote in groups; words in capitals look the same, so they are only offered."""
    for match in _GROUPED.finditer(text):
        digits = re.sub("[ -]", "", match[0])
        if _GROUPS.fullmatch(match[0]) is None or digits.isalpha():
            continue
        reason = "26 characters in groups may be a Pith Number; join them if they are"
        meant = (candidate(PithSuffix(digits), "the groups joined"),)
        yield Hit(*match.span(), *match.span(), reason=reason, candidates=meant)


def _read(text: str, match: re.Match[str]) -> Hit | None:
    """Read one number behind its label, or return None if the label means something else."""
    start, end = match.span("digits")
    digits, year = match["digits"], match["year"]
    before = text[match.start() - 1 : match.start()] if match.start() else ""
    if len(digits) < 8 and match["colon"] is None:
        return None
    where = place(text, match.start()) if before not in {"", " "} else Place(match.start(), None)
    if before.isalnum() or (before and before in "_-." and where.host is None and match["site"] is None):
        return None
    if not _meant(match, where.host):
        return None
    web = where.host is not None or match["site"] is not None
    first = where.token if web else match.start() - (match["macro"] is not None and before == "\\")
    after = text[end : end + 1]
    fault, candidates = _fault(match, text[end : end + 40])
    if not fault and (after.isalnum() or after == "_" or (after and not after.isascii() and after not in _CLOSE)):
        fault = f"{after!r} follows the Pith Number; set it apart"
    if fault:
        return Hit(start, end, first, end, reason=fault, candidates=candidates)
    checks = {
        "url": web,
        "prefix": not web and (year is None or match["colon"] is None),
        "whitespace": " " in match[0],
        "case": digits != digits.upper() or (match["colon"] is not None and not match[0].startswith("pith")),
        "brackets": match["macro"] is not None,
    }
    rest = (_WEB_REST if web else _BRACE).match(text, end) if web or match["macro"] is not None else None
    last = end if rest is None else rest.end()
    repairs = frozenset(word for word, made in checks.items() if made)
    return Hit(start, end, first, last, _strict(digits.upper(), year), repairs)


def _meant(match: re.Match[str], host: str | None) -> bool:
    """Whether the characters are meant as a number at all, sound or not."""
    digits = match["digits"]
    if match["path"] is not None:
        ours = host is not None and "pith" in host
        return len(digits) == 26 or (ours and (len(digits) in SHORT_LENGTHS or 20 <= len(digits) <= 32))
    if match["site"] is not None:
        return len(digits) == 8 and _UPPER.fullmatch(digits) is not None
    if match["words"] is not None:
        return (len(digits) == 26 or _UPPER.fullmatch(digits) is not None) and not digits.isalpha()
    if match["colon"] is not None and digits.isdigit() and len(digits) < 8 and match["year"] is None:
        return not match["gap"]
    if match["gap"] and match["year"] is None:
        return len(digits) == 26 or _UPPER.fullmatch(digits) is not None
    return True


def _strict(digits: str, year: str | None) -> PithNumber | PithSuffix | PithPrefix:
    if year is not None:
        return PithNumber(int(year), digits)
    return PithSuffix(digits) if len(digits) == 26 else PithPrefix(digits)


def _fault(match: re.Match[str], after: str) -> tuple[str, tuple[Candidate, ...]]:
    """Return what is wrong with the characters, and what may have been meant."""
    digits, year = match["digits"].upper(), match["year"]
    if len(digits) < 8 and digits.isdigit() and year is None:
        return "the year of a Pith Number has four digits and a colon follows it, then 26 characters", ()
    if re.search("[0189]", digits):
        return WRONG, ()
    joined = _PIECES.match(after)
    if joined is not None and (year is not None or match["colon"] is not None):
        whole = digits + re.sub("[ -]", "", joined[1])
        if len(whole) == 26 and (year is not None or not whole.isalpha()):
            number = PithSuffix(whole) if year is None else PithNumber(int(year), whole)
            return "the number is broken by blanks; join its 26 characters", (candidate(number, "the pieces joined"),)
    size = len(digits)
    if year is not None and size != 26:
        prefix = (candidate(PithPrefix(digits), "as a prefix, without the year"),) if 8 <= size <= 25 else ()
        return f"a full Pith Number has 26 characters after the year, not {size}; copy it again", prefix
    if size > 26 or (match["path"] is not None and size not in {*SHORT_LENGTHS, 26}):
        return f"a Pith Number has 26 characters, not {size}; copy it again", ()
    return (f"a Pith prefix has at least 8 characters, not {size}", ()) if size < 8 else ("", ())


def bare(text: str) -> PithSuffix | PithPrefix | None:
    """Return the suffix or prefix that `text` is, or None; lower case only for all 26 characters."""
    if _BARE.fullmatch(text) is None:
        return None
    try:
        return PithSuffix(text.upper()) if len(text) == 26 else PithPrefix(text)
    except InvalidIdentifier:
        return None
