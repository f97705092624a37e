"""Timestamps: the two styles of the protocol name an instant, and nothing else does."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pithid.core.times import instant, stamp

ACCEPTED = {
    "2026-07-05T01:44:30Z": datetime(2026, 7, 5, 1, 44, 30, tzinfo=UTC),
    "2026-07-05T03:48:04.071734+00:00": datetime(2026, 7, 5, 3, 48, 4, 71734, tzinfo=UTC),
    "2026-05-17T23:41:41.972498Z": datetime(2026, 5, 17, 23, 41, 41, 972498, tzinfo=UTC),
    "2026-07-05T01:44:30+00:00": datetime(2026, 7, 5, 1, 44, 30, tzinfo=UTC),
    "2026-07-05T01:44:30.5Z": datetime(2026, 7, 5, 1, 44, 30, 500_000, tzinfo=UTC),
    "2024-02-29T00:00:00Z": datetime(2024, 2, 29, tzinfo=UTC),
    "0001-01-01T00:00:00Z": datetime(1, 1, 1, tzinfo=UTC),
    "9999-12-31T23:59:59.999999Z": datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
}
REFUSED = {
    "empty": "",
    "lower-case z": "2026-07-05T01:44:30z",
    "lower-case t": "2026-07-05t01:44:30Z",
    "both zones": "2026-07-05T01:44:30Z+00:00",
    "no zone": "2026-07-05T01:44:30",
    "blank for T": "2026-07-05 01:44:30Z",
    "offset east": "2026-07-05T01:44:30+02:00",
    "offset of minus zero": "2026-07-05T01:44:30-00:00",
    "offset without colon": "2026-07-05T01:44:30+0000",
    "impossible day": "2026-02-30T00:00:00Z",
    "29 February of a common year": "2025-02-29T00:00:00Z",
    "month 13": "2026-13-01T00:00:00Z",
    "month 0": "2026-00-01T00:00:00Z",
    "day 0": "2026-07-00T00:00:00Z",
    "year 0": "0000-01-01T00:00:00Z",
    "hour 24": "2026-07-05T24:00:00Z",
    "leap second": "2016-12-31T23:59:60Z",
    "no seconds": "2026-07-05T01:44Z",
    "date alone": "2026-07-05",
    "basic form": "20260705T014430Z",
    "week date": "2026-W27-7T01:44:30Z",
    "dot without digits": "2026-07-05T01:44:30.Z",
    "comma": "2026-07-05T01:44:30,5Z",
    "seven digits of a second": "2026-07-05T01:44:30.1234567Z",
    "five digits of a year": "12026-07-05T01:44:30Z",
    "sign": "+2026-07-05T01:44:30Z",
    "one digit": "2026-7-05T01:44:30Z",
    "newline at the end": "2026-07-05T01:44:30Z\n",
    "blank before": " 2026-07-05T01:44:30Z",
    "digits of another script": "２０２６-07-05T01:44:30Z",
    "Unix time": "1783215870",
}
MOMENTS = st.datetimes(timezones=st.just(UTC))


@pytest.mark.parametrize("text", ACCEPTED)
def test_accepted(text: str) -> None:
    """Both styles, with up to six digits of a second, name the instant they say."""
    assert instant(text) == ACCEPTED[text]


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    """Anything else is no timestamp, alike on every Python."""
    assert instant(REFUSED[name]) is None


@given(st.datetimes(min_value=datetime(1000, 1, 1), timezones=st.just(UTC)))  # noqa: DTZ001 - the zone is added
def test_stamp_round_trips(moment: datetime) -> None:
    """A stamp reads back to its moment, cut to whole seconds."""
    assert instant(stamp(moment)) == moment.replace(microsecond=0)


@given(MOMENTS)
def test_styles_agree(moment: datetime) -> None:
    """Both styles of one moment name the same instant."""
    text = f"{moment:%H:%M:%S}.{moment.microsecond:06}"
    day = f"{moment.year:04}-{moment.month:02}-{moment.day:02}"
    assert instant(f"{day}T{text}Z") == instant(f"{day}T{text}+00:00") == moment


@given(st.text())
def test_no_text_raises(text: str) -> None:
    """Whatever the text, the answer is an instant in UTC or None."""
    found = instant(text)
    assert found is None or found.tzinfo is UTC


def test_stamp_is_utc() -> None:
    """A moment of another zone is written in UTC."""
    zone = timezone(timedelta(hours=2))
    assert stamp(datetime(2026, 7, 5, 1, 44, 30, 999_999, tzinfo=zone)) == "2026-07-04T23:44:30Z"
