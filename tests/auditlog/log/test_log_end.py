"""The time of the next leaf never goes back."""

from datetime import UTC, datetime, timedelta

import pytest

from auditlog.log.log_end import End

NEWEST = datetime(2026, 11, 20, 10, tzinfo=UTC)
LATER, EARLIER = timedelta(seconds=5), timedelta(seconds=-5)


@pytest.mark.parametrize(
    ("now", "moment", "received"),
    [
        (LATER, LATER, LATER),
        (LATER, 2 * LATER, LATER),
        (LATER, EARLIER, timedelta()),
        (EARLIER, LATER, timedelta()),
        (EARLIER, EARLIER, timedelta()),
    ],
)
def test_the_next_leaf_is_no_earlier_than_the_newest_and_no_later_than_the_clock(
    now: timedelta, moment: timedelta, received: timedelta
) -> None:
    end = End(1, "default", 0, NEWEST, now=NEWEST + now)

    end.at(NEWEST + moment)

    assert end.received == NEWEST + received
