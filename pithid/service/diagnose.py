"""Why metadata does not give the number it should: field by field, with the likely cause.

Source of the causes: docs/formats.md; each has been seen in copies of arXiv's metadata.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta

from pithid.core.checks import Check
from pithid.core.errors import Malformed
from pithid.core.paper import ASSUMED_LICENSE, LICENSES, Paper
from pithid.core.records import CanonicalRecord
from pithid.core.text import text_sha256


def compare(record: CanonicalRecord, paper: Paper) -> Iterator[Check]:
    """Compare metadata with a known record; yield a check a field.

    Args:
        record: the record that has the number.
        paper: metadata that is said to be of the same version of the paper.
    """
    metadata, source = record.metadata, record.source
    yield _check("metadata id", source.id, paper.arxiv, "another paper, or an identifier that became a number")
    if source.id != paper.arxiv:
        return  # what else differs says nothing
    same_version = source.version == paper.version
    yield _check("metadata version", source.version, paper.version, "the metadata is of another version")
    for name, text, stated in (
        ("title", paper.title, metadata.title_canon_sha256),
        ("abstract", paper.abstract, metadata.abstract_canon_sha256),
    ):
        yield _check(f"metadata {name}", stated, text_sha256(text), _text_cause(text, same_version=same_version))
    primary, *cross = paper.categories.split() or [""]
    yield _check("metadata primary_cat", metadata.primary_cat, primary, "the primary category moved, or is not first")
    given = tuple(sorted(set(cross) - {primary}))
    yield _check(
        "metadata cross_cats", metadata.cross_cats_sorted, given, _category_cause(metadata.cross_cats_sorted, given)
    )
    given_license = "" if paper.license == ASSUMED_LICENSE else paper.license
    cause = _license_cause(metadata.license, given_license)
    yield _check("metadata license", metadata.license, given_license, cause)
    cause = _time_cause(metadata.submitted_at, paper.submitted_at)
    yield _check("metadata submitted_at", metadata.submitted_at, paper.submitted_at, cause)


def _check(name: str, stated: object, given: object, cause: str) -> Check:
    fine = stated == given
    return Check.of(
        name, fine=fine, detail="" if fine else f"the record has {stated!r}, the metadata {given!r}: {cause}"
    )


def _text_cause(text: str, *, same_version: bool) -> str:
    if not text.isascii():
        return "non-ASCII text, most likely converted from TeX"
    if not same_version:
        return "most likely the text of the other version"
    return "the text was edited, or changed with a later version or correction"


def _category_cause(stated: tuple[str, ...], given: tuple[str, ...]) -> str:
    lost, more = set(stated) - set(given), set(given) - set(stated)
    if lost and not more:
        return f"{', '.join(sorted(lost))} lost on the way (sources that give names join categories of one name)"
    if more and not lost:
        return f"{', '.join(sorted(more))} added since, or a subject class taken for a category"
    return "the categories changed since"


def _license_cause(stated: str, given: str) -> str:
    respelled = given.replace("https://", "http://").rstrip("/") + "/"
    if given not in LICENSES and respelled == stated:
        return "respelled: arXiv stores http:// and a final slash"
    if not given or not stated:
        return "one of them has no licence: dropped on the way, or given with another version"
    return "the licence changed between versions"


def _time_cause(stated: str, given: str) -> str:
    try:
        known, said = datetime.fromisoformat(stated), datetime.fromisoformat(given)
    except ValueError:
        return "the metadata's time is no time of the form YYYY-MM-DDTHH:MM:SSZ"
    if said.tzinfo is None:
        return "a day or a time without zone"
    apart = abs(known - said)
    if apart in {timedelta(hours=4), timedelta(hours=5)}:
        return "a time in US Eastern zone taken for UTC"
    if known.date() == said.date():
        return "the same day: a rounded time, or an announcement"
    if apart <= timedelta(days=1):
        return "shifted by one day: the day in US Eastern zone"
    return "most likely the time of a later version: the record holds that of version 1"


def explain(error: Malformed) -> Check:
    """Return the check of metadata that cannot be minted at all."""
    return Check("metadata", "failed", str(error))
