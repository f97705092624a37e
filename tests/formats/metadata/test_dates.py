from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pithid.core.errors import NotMintable
from pithid.formats.metadata.dates import from_iso, from_rfc2822


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("Mon, 2 Apr 2007 19:18:42 GMT", "2007-04-02T19:18:42Z"),
        ("Mon, 02 Apr 2007 19:18:42 GMT", "2007-04-02T19:18:42Z"),
        (" Mon,  2 Apr 2007 19:18:42 UTC\n", "2007-04-02T19:18:42Z"),
        ("2 Apr 2007 19:18:42 +0000", "2007-04-02T19:18:42Z"),
        ("Mon, 2 Apr 2007 15:18:42 -0400", "2007-04-02T19:18:42Z"),
        ("Sun, 31 Dec 2006 23:59:59 -0500", "2007-01-01T04:59:59Z"),
        ("Sat, 2 Apr 2007 00:00:00 GMT", "2007-04-02T00:00:00Z"),  # the wrong weekday
    ],
)
def test_times_of_version_lists_become_utc(text: str, time: str) -> None:
    """Times of version lists become UTC."""
    assert from_rfc2822(text) == time


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Mon, 2 Apr 2007 19:18:42", "no zone"),
        ("Mon, 2 Apr 2007 19:18:42 EST", "'EST'"),
        ("Mon, 2 Apr 2007 19:18:42 +2400", "no offset"),
        ("Mon, 2 Apr 2007 19:18:42 +0060", "no offset"),
        ("Tue, 31 Apr 2007 19:18:42 GMT", "day is out of range"),
        ("Mon, 2 Apr 2007 24:00:00 GMT", "hour"),
        ("Mon, 2 Apr 2007 23:59:60 GMT", "second"),
        ("Mon, 2 Apr 0000 00:00:00 GMT", "year"),
        ("Mon, 1 Jan 0001 00:00:00 +0100", "range"),
        ("Mon, 2 Avr 2007 19:18:42 GMT", "expected a time"),
        ("Mon, 2 Apr 07 19:18:42 GMT", "expected a time"),
        ("Mon, 2 Apr 2007 19:18 GMT", "expected a time"),
        ("Mon, \u0662 Apr 2007 19:18:42 GMT", "expected a time"),
        ("", "expected a time"),
        ("9" * 100_000, "expected a time"),
    ],
)
def test_other_times_of_version_lists_are_refused(text: str, says: str) -> None:
    """Other times of version lists are refused."""
    with pytest.raises(NotMintable, match=says) as raised:
        from_rfc2822(text)
    assert raised.value.field == "submitted_at"


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2007-04-02T19:18:42Z", "2007-04-02T19:18:42Z"),
        ("2007-04-02T19:18:42.000Z", "2007-04-02T19:18:42Z"),
        ("2007-04-02T15:18:42-04:00", "2007-04-02T19:18:42Z"),
        ("2007-04-03T00:48:42+0530", "2007-04-02T19:18:42Z"),
        ("0999-04-02T19:18:42Z", "0999-04-02T19:18:42Z"),
    ],
)
def test_iso_times_become_utc(text: str, time: str) -> None:
    """ISO times become UTC."""
    assert from_iso(text) == time


@pytest.mark.parametrize(
    "text",
    ["2007-04-02", "2007-04-02T19:18:42", "2007-04-02 19:18:42Z", "2007-13-02T19:18:42Z", "2007-04-02T19:18:42.5Z"],
)
def test_other_iso_times_are_refused(text: str) -> None:
    """Other ISO times are refused."""
    with pytest.raises(NotMintable):
        from_iso(text)


@given(st.datetimes(timezones=st.timezones()), st.sampled_from([from_iso, from_rfc2822]))
def test_any_moment_is_the_same_in_both_spellings(moment: datetime, read: Callable[[str], str]) -> None:
    """Any moment is the same in both spellings."""
    moment = moment.replace(microsecond=0)
    try:
        utc = moment.astimezone(UTC)
    except OverflowError:
        return
    months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
    mail = f"{utc.day} {months[utc.month - 1]} {utc.year:04} {utc:%H:%M:%S} +0000"
    wanted = f"{utc.replace(tzinfo=None).isoformat()}Z"
    assert read(mail if read is from_rfc2822 else wanted) == wanted


@given(st.text(max_size=40))
def test_no_text_does_anything_but_read_or_refuse(text: str) -> None:
    """No text does anything but read or refuse."""
    for read in (from_iso, from_rfc2822):
        try:
            assert read(text).endswith("Z")
        except NotMintable:
            continue
