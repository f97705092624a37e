"""Finding what is missing: a known number vouches for metadata that lacks its licence or its time of day.

The missing value is searched for: every licence, then the 86,400 seconds of the day. A hit is proof, as it reproduces
130 bits. It cannot mint, as it needs the number. The method is ours.
"""

import base64
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace

from pithid.core.errors import NotMintable
from pithid.core.identifiers import PithNumber
from pithid.core.mint import Minted, mint
from pithid.core.paper import LICENSES, Paper

_TIMES = tuple(
    f"{hour:02}:{minute:02}:{second:02}Z".encode() for hour in range(24) for minute in range(60) for second in range(60)
)
_DAY = 10
"""Length of `YYYY-MM-DD`."""


@dataclass(frozen=True, slots=True)
class Completed:
    """The record that has the number, and what had to be found; `found` maps a field to its value."""

    minted: Minted
    found: dict[str, str]


def complete(number: PithNumber, paper: Paper, *, license_known: bool) -> Completed | None:
    """Search for the licence, then for the time of day, that make `paper` hash to `number`.

    Args:
        number: the known number.
        paper: the metadata; `submitted_at` may be a day alone.
        license_known: `paper.license` is certain and is not searched for.

    Returns:
        The completed record, or None when no value of these fields gives the number.

    Raises:
        NotMintable: a field that cannot be searched for is missing.
        InvalidRecord: a field breaks its rule.
    """
    licenses = (paper.license,) if license_known else LICENSES
    day_only = len(paper.submitted_at) == _DAY
    if len(paper.submitted_at) < _DAY:
        raise NotMintable("submitted_at", "at least the day of the first submission is needed, as YYYY-MM-DD")
    whole = replace(paper, submitted_at=f"{paper.submitted_at}T00:00:00Z") if day_only else paper
    if whole.record().metadata.year != number.year:
        return None
    for url in licenses:
        tried = replace(paper, license=url)
        time = _time_of(number, tried) if day_only else paper.submitted_at
        if time is None:
            continue
        minted = mint(replace(tried, submitted_at=time).record())
        if minted.number == number:
            found = {} if license_known else {"license": url}
            return Completed(minted, {**found, "submitted_at": time} if day_only else found)
    return None


def _time_of(number: PithNumber, paper: Paper) -> str | None:
    """Return the time of the day that gives the number; the hash up to it is taken once."""
    day = paper.submitted_at
    midnight = f"{day}T00:00:00Z"
    before, after = replace(paper, submitted_at=midnight).record().to_bytes().split(b"00:00:00Z", 1)
    start = hashlib.sha256(before)
    wanted = base64.b32decode(number.digits + "======")[:16]
    for time, digest in _digests(start, after):
        if digest.startswith(wanted):
            return f"{day}T{time.decode()}"
    return None


def _digests(start: "hashlib._Hash", after: bytes) -> Iterator[tuple[bytes, bytes]]:
    copy = start.copy
    for time in _TIMES:
        running = copy()
        running.update(time + after)
        yield time, running.digest()
