r"""Undo what transport does to text: escapes, entities, typographic and invisible characters; remember where.

Letters and digits of other scripts stay as they are, so that nothing here turns a look-alike into ASCII.
"""

import re
from bisect import bisect_left
from typing import Final, NamedTuple

from pithid.recognise.late import late

ENCODED_BLANK: Final = "\x1f"
"""Stands for `%20` and friends: an encoded blank inside a DOI is damage, while a plain blank ends it."""

_BLANKS: Final = "\t\n\v\f\r\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
# The overrides U+202D and U+202E are not in this list: with them, what is read differs from what is stored.
_INVISIBLE: Final = "\xad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202c\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff"
_DASHES: Final = "\u2010-\u2013\u2043\u2212\ufe58\ufe63"
_CJK: Final = {
    "\u3001": ", ", "\u3002": ". ", "\uff61": ". ", "\uff0c": ", ", "\uff1b": "; ",
    "\u3008": "<", "\u3009": ">", "\u300a": "<", "\u300b": ">", "\u300c": "[", "\u300d": "]", "\u300e": "[",
    "\u300f": "]", "\u3010": "[", "\u3011": "]", "\u3014": "[", "\u3015": "]",
}  # fmt: skip

_CHARACTER: Final = late(
    f"(?P<blank>[{_BLANKS}])|(?P<invisible>[{_INVISIBLE}])|(?P<dash>[{_DASHES}])|(?P<wide>[\uff01-\uff5e"
    f"{''.join(_CJK)}])"
)
_ENTITIES: Final = {
    "lt": "<", "gt": ">", "quot": '"', "apos": "'", "nbsp": " ", "amp": "&", "ndash": "-", "mdash": "-", "shy": "",
    "sol": "/", "colon": ":", "period": ".", "lowbar": "_", "num": "#", "lpar": "(", "rpar": ")",
}  # fmt: skip
# `%(?:25)*` and `&(?:amp;)*` also undo repeated encoding without a second pass.
_CODE: Final = late(
    r"(?P<percent>(?:%(?:25)*[0-9A-Fa-f]{2})+)"
    r"|&(?:amp;)*(?P<entity>[a-z]{2,6}|\#[0-9]{1,7}|\#[xX][0-9A-Fa-f]{1,6});"
    r"|(?P<escape>\$\\_\$|\{\\_\}|\\[_&%\#$/{}\"]|\$[<>]\$|\\text(?:less|greater|underscore)(?:\{\}|\ )?)"
    r"|\[(?P<label>[^\[\]()\s]{1,100})\]\((?:https?://|mailto:)(?P<link>[^()\s]{1,120}?)/?\)"
)
_SUSPECT: Final = re.compile(r"[^\x20-\x7e]|[%&\\]|\$[<>]|\]\(")
_ESCAPED: Final = {"\\textless": "<", "\\textgreater": ">", "\\textunderscore": "_"}


class Cleaned(NamedTuple):
    """The text after cleaning, and the place and repair word of each change, in order."""

    text: str
    places: tuple[int, ...] = ()
    words: tuple[str, ...] = ()

    def repairs(self, start: int, end: int) -> set[str]:
        """Return the words of the changes that touch `text[start:end]`."""
        return set(self.words[bisect_left(self.places, start) : bisect_left(self.places, end + 1)])


def clean(text: str) -> Cleaned:
    """Return `text` with transport damage undone, in one pass over codes and one over characters."""
    if _SUSPECT.search(text) is None:
        return Cleaned(text)
    decoded = _Builder()
    last = 0
    for match in _CODE.finditer(text):
        new, word = _decode(match)
        if word:
            decoded.change(text[last : match.start()], new, word)
            last = match.end()
    decoded.keep(text[last:])
    return _characters("".join(decoded.parts), decoded)


class _Builder:
    """Collects pieces of the new text and the places where it differs from the old."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.size = 0
        self.marks: list[tuple[int, int, str]] = []

    def keep(self, piece: str) -> None:
        self.parts.append(piece)
        self.size += len(piece)

    def change(self, before: str, new: str, word: str) -> None:
        self.keep(before)
        self.marks.append((self.size, len(new), word))
        self.keep(new)


def _characters(text: str, decoded: _Builder) -> Cleaned:
    """Replace single characters, carrying the marks of the first pass along."""
    built = _Builder()
    places: list[tuple[int, str]] = []
    last = carried = 0
    for match in _CHARACTER.finditer(text):
        at = match.start()
        while carried < len(decoded.marks) and decoded.marks[carried][0] <= at:
            place, _, word = decoded.marks[carried]
            places.append((built.size + place - last if place >= last else built.size, word))
            carried += 1
        new, word = _character(match)
        built.change(text[last:at], new, word)
        places.append((built.marks[-1][0], word))
        last = match.end()
    places += [(built.size + max(place - last, 0), word) for place, _, word in decoded.marks[carried:]]
    built.keep(text[last:])
    places.sort()
    return Cleaned("".join(built.parts), tuple(p for p, _ in places), tuple(w for _, w in places))


def _character(match: re.Match[str]) -> tuple[str, str]:
    kind, found = match.lastgroup, match[0]
    if kind == "blank":
        return " ", "whitespace"
    if kind == "invisible":
        return "", "invisible"
    if kind == "dash":
        return "-", "dash"
    return _CJK.get(found) or chr(ord(found) - 0xFEE0), "full-width"


def _decode(match: re.Match[str]) -> tuple[str, str]:
    """Return the decoded text of a code and its repair word; an empty word leaves the text alone."""
    kind = match.lastgroup
    if kind == "percent":
        data = bytes(int(code[-2:], 16) for code in re.findall(r"%(?:25)*[0-9A-Fa-f]{2}", match[0]))
        # No encoder touches ASCII letters and digits, so `%32` is a percent sign and a number.
        if any(chr(byte).isalnum() for byte in data if byte < 0x80):
            return "", ""
        try:
            return data.decode("utf-8").replace(" ", ENCODED_BLANK), "percent-encoding"
        except UnicodeDecodeError:
            return "", ""
    if kind == "entity":
        return _entity(match["entity"])
    if kind == "escape":
        return _ESCAPED.get(match[0].rstrip("{} ")) or match[0][1 if len(match[0]) == 2 else -2], "escape"
    label, link = match["label"], match["link"]
    return (label, "markdown") if label.casefold() == link.casefold() else ("", "")


def _entity(name: str) -> tuple[str, str]:
    if not name.startswith("#"):
        new = _ENTITIES.get(name)
        return ("", "") if new is None else (new, "html-entity")
    code = int("0" + name[1:], 16) if name[1] in "xX" else int(name[1:])
    return (chr(code), "html-entity") if 0x20 <= code <= 0x10FFFF else ("", "")
