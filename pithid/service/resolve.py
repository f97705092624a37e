"""Any text to the one record it names, or the reason why there is not exactly one."""

import re
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from pithid.core.errors import InvalidIdentifier
from pithid.core.identifiers import ArxivId, ArxivVersion, Doi, Identifier, PithNumber, PithPrefix, PithSuffix
from pithid.store.contract import Store
from pithid.store.origin import VOUCHED, Match, Origin

if TYPE_CHECKING:
    from pithid.recognise import Identification

OK, NOT_FOUND, AMBIGUOUS, INVALID = "ok", "not_found", "ambiguous", "invalid"
MAX_CANDIDATES = 100
"""Most candidates listed for a prefix; eight characters meet at most two or three records of all arXiv."""

# The canonical spellings, which need no recogniser. What the pattern admits but no rule allows is in no index, and a
# miss goes the long way, so nothing is decided here.
_PLAIN = re.compile(
    r"(?:arXiv:|https://arxiv\.org/abs/|(?:https://doi\.org/)?10\.48550/ar[xX]iv\.)?"
    r"([0-9]{4}\.[0-9]{4,5}|[a-z]+(?:-[a-z]+)?/[0-9]{7})(?:v([1-9][0-9]{0,3}))?"
    r"|(pith:[0-9]{4}:[A-Z2-7]{26})|(?:pith:)?([A-Z2-7]{8,26})",
).fullmatch
_DOI_PREFIX = "10.48550/"


class Resolution(NamedTuple):
    """The answer to one text; a tuple, because one is built on every look-up of the hot path.

    Attributes:
        input: the text as given.
        status: `ok`, `not_found`, `ambiguous` or `invalid`.
        matches: the record that is meant; for `ambiguous` all that could be.
        more: further records of the paper are known (other versions, or the same version with other metadata).
        identification: what the recogniser made of the text; None when it was in its canonical spelling.
        reason: one line for a person where the status is not `ok`, or where something was left aside.
    """

    input: str
    status: str
    matches: Sequence[Match]
    more: bool = False
    identification: "Identification | None" = None
    reason: str | None = None

    @property
    def number(self) -> str | None:
        """The full Pith Number as text, None unless the status is `ok`."""
        return self.matches[0].number if self.status == OK else None


_made = partial(tuple.__new__, Resolution)
"""Makes a resolution of all its members in half the time of calling its class."""


def resolve(store: Store, text: str, kinds: frozenset[str] | None = None) -> Resolution:
    """Resolve one text: an identifier in any spelling, or a line that holds one.

    A bare arXiv identifier or arXiv DOI answers with the highest version known here. Where several records claim one
    version, one that a checked signature vouches for answers; else they are ambiguous. Both are our choice.

    Args:
        store: the index.
        text: any text.
        kinds: identifier kinds to accept; others make the answer `invalid`. None accepts all.
    """
    plain = _PLAIN(text)
    if plain is not None:
        arxiv, version, number, digits = plain.groups()
        answer = None
        if arxiv is not None and version is None and kinds is None:  # the most frequent case, with the fewest steps
            found = store.latest(arxiv)
            if len(found) == 1:
                return _made((text, OK, found, False, None, None))
            answer = _highest(text, found)
        elif kinds is None or _kind(text, version, number or digits) in kinds:
            answer = _plain_answer(store, text, arxiv, version, number, digits)
        if answer is not None:
            return answer
    from pithid.recognise import identify  # noqa: PLC0415 - late: canonical spellings need no recogniser

    return resolve_identified(store, identify(text), kinds)


def _highest(text: str, found: Sequence[Match]) -> Resolution | None:
    """Answer with the highest version among a paper's latest records, unless two records claim it."""
    if not found or (len(found) > 1 and found[0].version == found[1].version):
        return None
    return Resolution(text, OK, found[:1], len(found) > 1)


def _plain_answer(  # noqa: PLR0913, PLR0917 - the groups of the pattern
    store: Store, text: str, arxiv: str | None, version: str | None, number: str | None, digits: str | None
) -> Resolution | None:
    """Answer a canonical spelling when it hits exactly one record without anything to report."""
    if version is None and arxiv is not None:
        return _highest(text, store.latest(arxiv))
    if number is not None:
        found = [match for match in store.with_number(number[10:]) if match.number == number]
    elif digits is not None:
        found = store.with_prefix(digits)
    elif arxiv and version and _DOI_PREFIX not in text:  # a DOI with a version is a repair, to be reported
        found = store.at_version(arxiv, int(version))
    else:
        return None
    return _made((text, OK, found, False, None, None)) if len(found) == 1 else None


def _kind(text: str, version: str | None, number: str | None) -> str:
    if number is not None:
        return "pith"
    if _DOI_PREFIX in text:
        return "doi"
    return "arxiv" if version is None else "arxiv_version"


def resolve_pith(store: Store, text: str) -> Resolution:
    """Resolve a text that is known to be a Pith Number, the start of one, or a spelling of these.

    Letters alone are a prefix here, while in any other text they could be a word.
    """
    from pithid.recognise import Found, Identification  # noqa: PLC0415 - late: see `resolve`

    for kind in (PithSuffix, PithPrefix):
        try:
            answer = _look_up(store, kind.parse(text))
        except InvalidIdentifier:
            continue
        return _combined(Identification(text, (Found(answer.identifier, ()),), (), None), [answer])
    as_is = resolve(store, text, frozenset({"pith"}))
    return (
        as_is if as_is.status != INVALID else resolve(store, f"pith:{text}", frozenset({"pith"}))._replace(input=text)
    )


def resolve_identified(
    store: Store, identification: "Identification", kinds: frozenset[str] | None = None
) -> Resolution:
    """Resolve what the recogniser found, where it is of the kinds accepted."""
    text, results = identification.text, identification.results
    if not results:
        return Resolution(text, INVALID, (), identification=identification, reason=_why_invalid(identification))
    wrong = [found for found in results if kinds is not None and found.kind not in kinds]
    if wrong:
        reason = f"{wrong[0].value} is of kind {wrong[0].kind}, which was not asked for"
        return Resolution(text, INVALID, (), identification=identification, reason=reason)
    answers = [_look_up(store, found.identifier) for found in results]
    if identification.plausible:  # something damaged stands beside: it may be what was meant
        matches = sorted({match for answer in answers for match in answer.matches})
        return Resolution(text, AMBIGUOUS, matches, identification=identification, reason=_why_invalid(identification))
    return _combined(identification, answers)


def _why_invalid(identification: "Identification") -> str:
    reason = identification.reason or "no identifier in it"
    if identification.candidates:
        reason += "; did you mean " + " or ".join(candidate.value for candidate in identification.candidates[:5]) + "?"
    return reason


class _Answer(NamedTuple):
    """What the index holds for one identifier."""

    identifier: Identifier
    matches: Sequence[Match] = ()
    reason: str | None = None
    more: bool = False


def _combined(identification: "Identification", answers: list[_Answer]) -> Resolution:
    """Join the answers for the identifiers of one text, which must all name one record.

    A DOI of another object that nothing here links decides nothing. Beside an identifier of an exact record, the
    bare one of the same paper adds nothing.
    """
    text = identification.text
    reason = "; ".join(answer.reason for answer in answers if answer.reason is not None) or None
    known = [answer for answer in answers if answer.matches]
    if not known:
        return Resolution(text, NOT_FOUND, (), identification=identification, reason=reason)
    exact = [answer for answer in known if not isinstance(answer.identifier, ArxivId | Doi)]
    papers = {match.arxiv for answer in known for match in answer.matches}
    meant = exact if exact and len(papers) == 1 else known
    matches = list(dict.fromkeys(match for answer in meant for match in answer.matches))
    missing = any(not answer.matches and not _is_foreign(answer.identifier) for answer in answers)
    if missing or len(matches) > 1:
        why = reason or "it names several records"
        return Resolution(text, AMBIGUOUS, sorted(matches), identification=identification, reason=why)
    more = any(answer.more for answer in known)
    return Resolution(text, OK, matches, more, identification, reason)


def _is_foreign(identifier: Identifier) -> bool:
    """Tell a DOI of another object, such as the journal article."""
    return isinstance(identifier, Doi) and identifier.arxiv is None


def _look_up(store: Store, identifier: Identifier) -> _Answer:
    match identifier:
        case ArxivId():
            return _paper(store, identifier, identifier)
        case ArxivVersion():
            return _version(store, identifier)
        case Doi():
            return _doi(store, identifier)
        case PithNumber():
            return _number(store, identifier)
        case PithSuffix():
            return _found(identifier, store.with_number(identifier.digits))
        case PithPrefix():
            return _prefix(store, identifier)


def _unknown(identifier: Identifier) -> str:
    return f"{identifier} is not known here"


def _found(asked: Identifier, matches: Sequence[Match]) -> _Answer:
    return _Answer(asked, matches, None if matches else _unknown(asked))


def _prefix(store: Store, asked: PithPrefix) -> _Answer:
    matches = store.with_prefix(asked.digits, MAX_CANDIDATES)
    if len(matches) > 1:
        return _Answer(asked, matches, f"{len(matches)} records start with {asked}; give more characters")
    return _found(asked, matches)


def _paper(store: Store, asked: Identifier, arxiv: ArxivId) -> _Answer:
    versions = store.versions(str(arxiv))
    if not versions:
        return _found(asked, ())
    latest = [match for match in versions if match.version == versions[0].version]
    return _claimed(asked, latest, more=len(versions) > 1)


def _version(store: Store, asked: ArxivVersion) -> _Answer:
    matches = store.at_version(str(asked.id), asked.version)
    if matches:
        return _claimed(asked, matches, more=len(matches) > 1)
    others = ", ".join(f"v{match.version}" for match in reversed(store.versions(str(asked.id))))
    return _Answer(asked, (), _unknown(asked) + (f"; versions known: {others}" if others else ""))


def _claimed(asked: Identifier, claims: Sequence[Match], *, more: bool) -> _Answer:
    """Choose among the records that claim one version: those that a checked signature vouches for, if there are any."""
    ranked = [match for match in claims if match.origin & VOUCHED] or claims
    if len(claims) == 1:
        return _Answer(asked, ranked, None, more)
    claim = f"{len(claims)} records claim {claims[0].arxiv}v{claims[0].version} with different metadata"
    if len(ranked) == 1:
        claim += f"; the answer is the one of origin {Origin(ranked[0].origin).words[-1]}"
    return _Answer(asked, ranked, claim, more)


def _doi(store: Store, asked: Doi) -> _Answer:
    if asked.arxiv is not None:
        return _paper(store, asked, asked.arxiv)
    papers = [_paper(store, asked, ArxivId(link.arxiv)) for link in store.linked(str(asked))]
    if len(papers) == 1:
        return papers[0]
    matches = [match for paper in papers for match in paper.matches]
    return _Answer(asked, matches, f"{asked} is linked to {len(papers)} papers" if papers else _unknown(asked))


def _number(store: Store, asked: PithNumber) -> _Answer:
    matches = store.with_number(asked.digits)
    if matches and matches[0].number != str(asked):
        return _Answer(asked, (), f"{asked} is not known here; its characters are those of {matches[0].number}")
    return _found(asked, matches)
