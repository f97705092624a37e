"""Where in the text a number stands: inside which web address, behind which label, in whose quotation marks."""

import re
from typing import Final, NamedTuple

from pithid.core.identifiers import Identifier
from pithid.core.identifiers.arxiv import ARCHIVES
from pithid.recognise.late import late
from pithid.recognise.result import Candidate

WINDOW: Final = 300
"""Characters before a number that are looked at; keeps hostile text linear. Longer addresses are not real ones."""

_EDGES: Final = ' "<>\x1f'
_SCHEME: Final = re.compile(r"(?:https?|ftp|s3|gs)$", re.ASCII | re.IGNORECASE)
_FIRST: Final = late(r"(?:https?|ftp|s3|gs):/", re.ASCII | re.IGNORECASE)
_HOST: Final = late(r":/{1,3}(?:[^/@?#\s]{1,60}@)?([\w.-]{1,255})", re.ASCII)
_BARE: Final = late(
    r"(?<![\w.@:/-])(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}(?=(?::[0-9]{1,5})?(?:[/?#:]|$))", re.ASCII | re.IGNORECASE
)
_ARXIV_LABEL: Final = late(r"(?:[0-9]-)?(?:xxx|arxiv|ar5iv|alphaxiv|arxiv-[a-z]{2,8}|[a-z]+-arxiv-org)", re.ASCII)
_PAPER_HOSTS: Final = (
    "huggingface.co", "hf.co", "scirate.com", "emergentmind.com", "front.math.ucdavis.edu", "eprintweb.org",
    "pith.science", "babbage.sissa.it", "papers.cool", "arxiv-sanity-lite.com",
)  # fmt: skip
"""Hosts whose page addresses hold bare arXiv identifiers, besides arXiv itself and its mirrors."""


class Place(NamedTuple):
    """The surroundings of a position.

    Attributes:
        token: where the unbroken run of characters around the position starts.
        host: host of the web address that holds the position, in lower case, or None.
    """

    token: int
    host: str | None

    @property
    def arxiv(self) -> bool:
        """Whether the web address is one whose numbers are arXiv identifiers."""
        if self.host is None:
            return False
        if any(self.host == known or self.host.endswith("." + known) for known in _PAPER_HOSTS):
            return True
        return any(_ARXIV_LABEL.fullmatch(label) for label in self.host.split("."))

    @property
    def resolver(self) -> bool:
        """Whether the web address is that of a DOI resolver, which has no page endings of its own."""
        return self.host is not None and re.search(r"(?:^|[.-])(?:dx[.-])?doi[.-]", self.host) is not None


class Hit(NamedTuple):
    """Something that looks like an identifier.

    Attributes:
        start: start of the identifier proper, in the cleaned text.
        end: its end.
        first: start of its label or web address, at most `start`.
        last: end of what belongs to it, at least `end`.
        identifier: the strict value, None if a rule is broken.
        repairs: repair words found so far.
        firm: accepted whatever stands around it; otherwise only if nothing but separators does.
        reason: why there is no identifier.
        candidates: what may have been meant.
    """

    start: int
    end: int
    first: int
    last: int
    identifier: Identifier | None = None
    repairs: frozenset[str] = frozenset()
    firm: bool = True
    reason: str = ""
    candidates: tuple[Candidate, ...] = ()


def place(text: str, at: int) -> Place:
    """Return the surroundings of `text[at]`."""
    low = max(0, at - WINDOW)
    token = max(low, *(text.rfind(edge, low, at) + 1 for edge in _EDGES))
    head = text[token:at]
    if "/" not in head and ":" not in head and "?" not in head:
        return Place(token, None)
    # In an address that holds another one, as those of archives and proxies do, the inner one counts.
    scheme = head.rfind(":/")
    while scheme >= 0:
        if _SCHEME.search(head, max(0, scheme - 5), scheme) and (host := _HOST.match(head, scheme)) is not None:
            start = next(m.start() for m in _FIRST.finditer(head))
            return Place(token + start, host[1].lower())
        scheme = head.rfind(":/", 0, scheme)
    bare = _BARE.search(head, 0, 100)
    # A subject class makes an old identifier look like a host: `math.GT/0309136`.
    if bare is None or (bare.end() >= len(head) - 1 and bare[0].partition(".")[0].lower() in ARCHIVES):
        return Place(token, None)
    return Place(token + bare.start(), bare[0].lower())


def opened(text: str, start: int, character: str) -> bool:
    """Whether `character` occurs shortly before `start`, so that its partner behind it is no part of the name."""
    return character in text[max(0, start - 160) : start]
