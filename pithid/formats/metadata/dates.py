"""Times of submission, from the spellings arXiv uses to the one that is hashed.

Two spellings: RFC 2822 (`Mon, 2 Apr 2007 19:18:42 GMT`, the day padded or not) and ISO 8601 with `Z` or an offset. A
time without a zone is refused: taken as local time it would give another number on every machine. Month names come
from a table here, as `strptime` reads them in the language of the machine.
"""

import re
from datetime import UTC, datetime, timedelta, timezone

from pithid.core.errors import NotMintable

FIELD = "submitted_at"
"""The field of the canonical record that these times end up in."""

_MONTHS = {
    name: number for number, name in enumerate("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(), start=1)
}
_RFC2822 = re.compile(
    r"(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),[ ]*)?([0-9]{1,2})[ ]+([A-Z][a-z]{2})[ ]+([0-9]{4})[ ]+"
    r"([0-9]{2}):([0-9]{2}):([0-9]{2})(?:[ ]+(\S+))?"
)
_ISO = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.0+)?(Z|[+-][0-9]{2}:?[0-9]{2})?"
)
_OFFSET = re.compile(r"([+-])([0-9]{2}):?([0-9]{2})")
_UTC_NAMES = frozenset({"GMT", "UTC", "UT", "Z"})
_LONGEST = 64
"""Longest text worth matching; the usual one has 29 characters."""


def from_rfc2822(text: str) -> str:
    """Return the time in UTC as `YYYY-MM-DDTHH:MM:SSZ`; the name of the weekday is not compared with the date.

    Raises:
        NotMintable: another form, a date that does not exist, or no zone.

    >>> from_rfc2822("Mon, 2 Apr 2007 19:18:42 GMT")
    '2007-04-02T19:18:42Z'
    """
    stripped = text.strip()
    match = _RFC2822.fullmatch(stripped) if len(stripped) <= _LONGEST else None
    if match is None or match[2] not in _MONTHS:
        raise _fault(text, "expected a time such as 'Mon, 2 Apr 2007 19:18:42 GMT'")
    day, month, year, hour, minute, second, zone = match.groups()
    return _utc(text, (int(year), _MONTHS[month], int(day), int(hour), int(minute), int(second)), zone)


def from_iso(text: str) -> str:
    """Return the time in UTC as `YYYY-MM-DDTHH:MM:SSZ`; a fraction of a second may only be zero.

    Raises:
        NotMintable: another form, a day without a time, a date that does not exist, or no zone.

    >>> from_iso("2007-04-02T15:18:42-04:00")
    '2007-04-02T19:18:42Z'
    """
    stripped = text.strip()
    match = _ISO.fullmatch(stripped) if len(stripped) <= _LONGEST else None
    if match is None:
        raise _fault(text, "expected a time such as '2007-04-02T19:18:42Z'")
    year, month, day, hour, minute, second, zone = match.groups()
    return _utc(text, (int(year), int(month), int(day), int(hour), int(minute), int(second)), zone)


def _utc(text: str, parts: tuple[int, int, int, int, int, int], zone: str | None) -> str:
    if zone is None:
        raise _fault(text, "the time has no zone")
    offset = UTC if zone in _UTC_NAMES else _offset(text, zone)
    try:
        moment = datetime(*parts, tzinfo=offset).astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OverflowError) as error:
        raise _fault(text, str(error)) from None
    return f"{moment.isoformat()}Z"


def _offset(text: str, zone: str) -> timezone:
    match = _OFFSET.fullmatch(zone)
    if match is None:
        raise _fault(text, f"{zone[:20]!r} is no zone with one meaning; expected GMT or an offset such as -0400")
    sign, hours, minutes = match.groups()
    if int(hours) > 23 or int(minutes) > 59:
        raise _fault(text, f"there is no offset {zone}")
    distance = timedelta(hours=int(hours), minutes=int(minutes))
    return timezone(-distance if sign == "-" else distance)


def _fault(text: str, why: str) -> NotMintable:
    return NotMintable(FIELD, f"{text[:80]!r}: {why}")
