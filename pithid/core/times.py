"""Timestamps of the protocol, as instants.

Two styles occur in signed documents: `2026-07-05T01:44:30Z` and `2026-07-05T03:48:04.071734+00:00`. Both are RFC 3339
in UTC; anything else, a lower-case `z` or another offset included, is refused, alike on every Python.
"""

import re
from datetime import UTC, datetime

_SHAPE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?(?:Z|\+00:00)")


def instant(text: str) -> datetime | None:
    """Return the instant that a timestamp names, None where it is no timestamp of the protocol.

    >>> instant("2026-07-05T03:48:04.5+00:00") == instant("2026-07-05T03:48:04.500000Z")
    True
    """
    if _SHAPE.fullmatch(text) is None:
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def stamp(moment: datetime) -> str:
    """Return the protocol's form of a moment: UTC, whole seconds, cut off."""
    return moment.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"
