"""The way in: canonical spellings are answered at once, everything else is searched."""

import re
from typing import Final

from pithid.core.digest import Digest
from pithid.core.errors import InvalidIdentifier
from pithid.core.identifiers import ArxivId, ArxivVersion, Identifier, PithNumber, PithPrefix, PithSuffix
from pithid.recognise.late import late
from pithid.recognise.result import Found, Identification

_CANONICAL: Final = re.compile(
    r"(?P<arxiv>[0-9]{4}\.[0-9]{4,5}|[a-z-]{2,9}/[0-9]{7})|(?P<version>(?:[0-9]{4}\.[0-9]{4,5}|[a-z-]{2,9}/[0-9]{7})v[0-9]{1,4})"
    r"|(?P<number>pith:[0-9]{4}:[A-Z2-7]{26})|(?P<suffix>[A-Z2-7]{26})|(?P<prefix>[A-Z2-7]{8,25})"
)
_STRICT: Final[dict[str, type[Identifier]]] = {
    "arxiv": ArxivId, "version": ArxivVersion, "number": PithNumber, "suffix": PithSuffix, "prefix": PithPrefix,
}  # fmt: skip
_WHOLE: Final = late(
    r"(?:(?P<url>ipfs://)|(?P<path>/ipfs/))?(?P<cid>b[a-z2-7]{58}|z[1-9A-HJ-NP-Za-km-z]{48,49})|(?P<ni>ni:.{53,56})"
    r"|(?P<label>[Ss][Hh][Aa]256:)?(?P<hex>[0-9A-Fa-f]{64})"
)
"""The spellings of a whole digest, whose first 130 bits are the number."""


def identify(text: str) -> Identification:
    """Find the identifiers in `text`; never raises, and takes time proportional to the length of `text`.

    >>> identify("https://arxiv.org/abs/math.GT/0309136").results[0].value
    'math/0309136'
    >>> identify("2010.10458").results[0].repairs
    ()
    >>> identify("0706.00441v1").status
    'invalid'
    """
    if len(text) <= 40 and (exact := _exact(text)) is not None:
        return Identification(text, (Found(exact, ()),))
    if 40 < len(text) < 80 and (digest := _digest(text.strip())) is not None:
        return Identification(text, (digest,))
    from pithid.recognise.scan import search  # noqa: PLC0415 - late: its patterns cost more than most look-ups

    return search(text)


def _exact(text: str) -> Identifier | None:
    """Return the identifier whose canonical spelling `text` is; DOIs need a closer look at their ends."""
    shape = _CANONICAL.fullmatch(text)
    if shape is None or shape.lastgroup is None:
        return None
    try:
        return _STRICT[shape.lastgroup].parse(text)
    except InvalidIdentifier:
        return None


def _digest(text: str) -> Found | None:
    """Return the suffix that a whole hash, `ni:` URI or CID begins with."""
    shape = _WHOLE.fullmatch(text)
    if shape is None:
        return None
    try:
        if shape["hex"] is not None:
            digest = Digest.parse(shape["hex"].lower())
        else:
            digest = Digest.from_ni(text) if shape["ni"] is not None else Digest.from_cid(shape["cid"])
    except InvalidIdentifier:
        return None
    made = {
        "url": shape["url"] is not None,
        "digest": True,
        "prefix": shape["path"] is not None or shape["label"] is not None,
        "case": shape["hex"] is not None and text != text.lower(),
    }
    return Found(PithSuffix(digest.base32), tuple(word for word, was in made.items() if was))
