"""Old-scheme arXiv identifiers: an archive and seven digits, in all the ways people separate the two."""

import re
from typing import Final

from pithid.core.identifiers.arxiv import ARCHIVES
from pithid.recognise.bibtex import Field
from pithid.recognise.context import Hit, Place
from pithid.recognise.label import label_before, path_before
from pithid.recognise.late import late
from pithid.recognise.mend import archives, near, possible
from pithid.recognise.tail import QUOTES, finish, version_text

_FLAGS: Final = re.ASCII | re.IGNORECASE
_BEFORE_OLD: Final = late(
    r"(?:(?<![a-z])arxiv\.)?(?P<archive>[a-z]+(?:-{1,2}[a-z]+)?)(?P<subject>\.[a-z]{2,9}(?:-[a-z]{2,9})?)?"
    r"(?P<gap> ?/{1,3} ?|[ _:.-]|)$",
    _FLAGS,
)
_JOINED: Final = late(
    r"(?<![\w-])([a-z]+(?:-[a-z]+)?)(?:/(?:pdf|ps|papers|html|src|e-print)/[0-9]{4}/|\?papernum=|&papernum=)$", _FLAGS
)
_DBLP: Final = late(r"corr/([a-z]+)-(?:[a-z]{2}-)?$", _FLAGS)
_NAMED: Final = late(r"(?<![a-z])(?:arxiv|eprint|abs|corr)[^a-z0-9]{0,4}$", _FLAGS)
_WORD: Final = late(r"([a-z-]+)[^a-z0-9]?$", _FLAGS)
_ARCHIVE_AFTER: Final = late(r"&archive=([a-z]+(?:-[a-z]+)?)", _FLAGS)


def read(text: str, match: re.Match[str], where: Place, field: Field | None) -> Hit | None:
    """Read seven digits as an old-scheme identifier if an archive belongs to them."""
    apart = _apart(text, match, where, field)
    if apart is not None:
        return apart
    low = max(0, match.start() - 48)
    found = _BEFORE_OLD.search(text[low : match.start()])
    if found is None or not _left_edge(text, low + found.start("archive")):
        return None
    at, gap = low + found.start("archive"), found["gap"]
    archive = found["archive"].lower().replace("--", "-")
    if archive not in ARCHIVES:
        return _unknown_archive(text, match, at, archive) if "/" in gap else None
    subject = (found["subject"] or "").lower()[1:]
    doubt = _doubt(text, at, archive, subject)
    if doubt:
        candidates = [c for known in doubt for c in possible(f"{known}/{match[0]}", "if this archive is meant")]
        reason = f"the archive may be {' or '.join(doubt)}; write the one that is meant"
        return Hit(*match.span(), at, match.end(), reason=reason, candidates=tuple(candidates))
    named = where.arxiv or "-" in archive or _NAMED.search(text, max(0, at - 16), at) is not None
    if "/" not in gap and "-" not in archive and gap not in {"", "_"}:
        return None
    firm = named or ("/" in gap and where.host is None)
    repairs = _spelling(found)
    if text[max(0, at - 12) : at].lower().endswith(archive + "/") and "/" in gap:
        repairs.add("slashes")
        at -= len(archive) + 1
    if where.host is not None:
        first = min(where.token, at)
        repairs.add("url")
    elif (first := _labelled(text, at)) < at:
        repairs.add("prefix")
    return finish(text, (*match.span(), first), f"{archive}/{match[0]}", repairs, firm=firm)


def _apart(text: str, match: re.Match[str], where: Place, field: Field | None) -> Hit | None:
    """Read an archive that stands away from the number: in a path, a query, a DBLP key or another field."""
    start, end = match.span()
    before = text[max(0, start - 48) : start]
    first = where.token if where.host is not None else start
    repairs = {"url"} if where.host is not None else set[str]()
    for pattern, word in ((_JOINED, ""), (_DBLP, "dblp")):
        joined = pattern.search(before)
        if joined is not None and joined[1].lower() in ARCHIVES:
            span = (start, end, min(first, start - len(before) + joined.start()))
            return finish(text, span, f"{joined[1].lower()}/{match[0]}", repairs | ({word} - {""}))
    if before.lower().endswith("papernum=") and (after := _ARCHIVE_AFTER.match(text, end)) is not None:
        return finish(text, (start, after.end(), first), f"{after[1].lower()}/{match[0]}", repairs)
    if field is not None and field.archive in ARCHIVES and text[field.start : start].strip() == "":
        return finish(text, (start, end, start), f"{field.archive}/{match[0]}", repairs | {"bibtex"})
    return None


def _spelling(found: re.Match[str]) -> set[str]:
    """Return the repair words for an archive, its subject class and what stands between it and the number."""
    archive, gap = found["archive"], found["gap"]
    checks = {
        "case": archive != archive.lower(),
        "slashes": gap.count("/") > 1 or "--" in archive,
        "subject-class": found["subject"] is not None,
        "squashed": "/" not in gap,
        "whitespace": " " in gap,
    }
    return {word for word, made in checks.items() if made}


def _labelled(text: str, at: int) -> int:
    """Return where the label in front of `at` starts, or `at`."""
    low = max(0, at - 48)
    label = label_before(text[low:at])
    if label is not None and label["group"] is None:
        return low + label.start("label")
    path = path_before(text[low:at])
    return at if path is None else low + path.start()


def _doubt(text: str, at: int, archive: str, subject: str) -> tuple[str, ...]:
    """Return the archives between which the text does not decide, or none.

    `math.ph` may be `math-ph`, and `physi cs/9707012` must not become a paper of `cs`.
    """
    if subject and f"{archive}-{subject}" in ARCHIVES:
        return f"{archive}-{subject}", archive
    match = _WORD.search(text, max(0, at - 9), at)
    if match is None:
        return ()
    joined = match[1].lower() + archive
    longer = [
        known for known in sorted(ARCHIVES) if known != archive and known.endswith(archive) and near(joined, known)
    ]
    return (*longer, archive) if longer else ()


def _left_edge(text: str, at: int) -> bool:
    """Whether an archive may start at `at`: not in the middle of a word, but behind `arXiv.` and `arXiv-`."""
    before = text[max(0, at - 6) : at]
    if not before or not (before[-1].isalnum() or before[-1] in ".-" or not before[-1].isascii()):
        return True
    return re.search(r"(?i)arxiv[.-]$", before) is not None or before[-1] in QUOTES


def _unknown_archive(text: str, match: re.Match[str], at: int, archive: str) -> Hit:
    meant = archives(archive) if len(archive) > 3 else ()
    version = version_text(text, match.end())
    candidates = [c for known in meant for c in possible(f"{known}/{match[0]}{version}", "archive misspelt")]
    reason = f"there is no archive {archive!r} on arXiv; check the spelling"
    return Hit(*match.span(), at, match.end(), reason=reason, candidates=tuple(candidates))
