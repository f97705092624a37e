"""Answers as JSON objects with stable members, for scripts."""

from pithid.core.canonical import Json
from pithid.service.resolve import OK, Resolution
from pithid.store.contract import Store, Stored
from pithid.store.origin import Match, Origin


def match_json(match: Match, title: str | None) -> dict[str, Json]:
    """Return one candidate or version."""
    return {
        "pith_number": match.number,
        "title": title or None,
        "arxiv_version": f"{match.arxiv}v{match.version}",
        "provenance": list(Origin(match.origin).words),
    }


def matches_json(store: Store, matches: list[Match]) -> list[Json]:
    """Return several, with their titles."""
    titles = store.titles(match.digits for match in matches)
    return [match_json(match, titles.get(match.digits)) for match in matches]


def record_json(stored: Stored) -> dict[str, Json]:
    """Return the members that describe one record."""
    minted = stored.minted
    return {
        "pith_number": str(minted.number),
        "short_pith_number": f"pith:{minted.short_8}",
        "canonical_sha256": str(minted.digest),
        "source": minted.record.source.to_json(),
        "aliases": {alias.kind: alias.value for alias in minted.aliases},
        "title": stored.title or None,
        "provenance": list(stored.origin.words),
    }


def resolution_json(store: Store, resolution: Resolution) -> dict[str, Json]:
    """Return the object of `pithid resolve --json`.

    Raises:
        CorruptRecord: the stored record does not hash to its number.
    """
    answer: dict[str, Json] = {"status": resolution.status, "input": resolution.input}
    if resolution.status == OK:
        answer |= record_json(store.read(resolution.matches[0].digits))
        answer["more"] = resolution.more
    elif resolution.matches:
        answer["candidates"] = matches_json(store, list(resolution.matches))
    identification = resolution.identification
    if identification is not None:
        if resolution.status == "invalid":
            answer["suggestions"] = [candidate.value for candidate in identification.candidates]
        answer["repairs"] = [repair for found in identification.results for repair in found.repairs]
    if resolution.reason is not None:
        answer["reason"] = resolution.reason
    return answer
