from datetime import date, timedelta
from random import Random

import pytest

from auditlog.models import Source
from auditlog.rollup import counting, read
from auditlog.rollup.read import Counts, Span
from tests.auditlog.findings.following.steps import follow
from tests.auditlog.rollup import oracle
from tests.auditlog.sending import make_sender

D = date.fromisoformat
NEWEST = D("2026-11-20")


@pytest.mark.parametrize(
    ("first", "last", "parts"),
    [
        ("2026-10-05", "2026-10-09", ["d 2026-10-05 2026-10-09"]),
        ("2026-10-01", "2026-10-31", ["m 2026-10-01 2026-10-31"]),
        ("2026-10-02", "2026-10-31", ["d 2026-10-02 2026-10-31"]),
        ("2026-10-01", "2026-10-30", ["d 2026-10-01 2026-10-30"]),
        ("2026-11-01", "2026-11-20", ["m 2026-11-01 2026-11-30"]),
        ("2026-11-01", "2026-11-19", ["d 2026-11-01 2026-11-19"]),
        ("2026-11-02", "2026-11-20", ["d 2026-11-02 2026-11-20"]),
        (
            "2025-12-31", "2026-02-28",
            ["d 2025-12-31 2025-12-31", "m 2026-01-01 2026-02-28"],
        ),
        (
            "2026-08-22", "2026-11-19",
            ["d 2026-08-22 2026-08-31", "m 2026-09-01 2026-10-31", "d 2026-11-01 2026-11-19"],
        ),
        ("2026-08-22", "2026-12-24", ["d 2026-08-22 2026-08-31", "m 2026-09-01 2026-12-31"]),
    ],
)  # fmt: skip
def test_whole_months_are_read_as_months(first: str, last: str, parts: list[str]) -> None:
    cut = read.cut(Span(D(first), D(last)), NEWEST)

    assert [f"{period} {part.first} {part.last}" for period, part in cut] == parts


@pytest.mark.django_db
def test_any_range_gives_the_sum_of_its_days() -> None:
    counting.forget()
    senders = [make_sender("one"), make_sender("two")]
    oracle.send(Random(8), 14, senders, ("default",))
    follow()
    whole = read.find_span(1)
    assert whole is not None
    assert whole.days > 3
    two = Source.objects.get(name="two").pk
    packets = [(key, Counts(*counts)) for key, counts in oracle.count().items() if key[3] == "d"]

    for at in range(whole.days):
        for length in range(1, whole.days + 40):
            span = Span(whole.first + timedelta(at - 2), whole.first + timedelta(at - 3 + length))
            for dimension, source in (("from", 0), ("act", two), ("source", 0)):
                expected: dict[str, Counts] = {}
                for key, counts in packets:
                    if key[1:3] == (dimension, source) and span.first <= D(key[4]) <= span.last:
                        before = expected.get(key[5], Counts())
                        expected[key[5]] = Counts(*map(int.__add__, before, counts))
                found = read.read_values(1, dimension, span, newest=whole.last, source=source)
                assert found == expected
    days = read.read_days(1, whole, source=two)
    assert sum(counts.packets for counts in days.values()) == sum(
        counts.packets for key, counts in packets if key[1:3] == ("all", two)
    )


@pytest.mark.django_db
def test_an_empty_log_has_no_span() -> None:
    assert read.find_span(1) is None
    assert read.count_left(1) == 0
