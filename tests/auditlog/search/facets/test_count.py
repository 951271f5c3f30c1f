"""Counts of random packets and queries, and the same by reading every packet that is found."""

import random
from datetime import UTC, datetime

import pytest
from django.db import connection

from auditlog.findings.finding import DETECTORS
from auditlog.ingest.item import Item
from auditlog.models import Log
from auditlog.search.facets.count import count
from auditlog.search.facets.edit import QueryText
from auditlog.search.find import find
from tests.auditlog.search.facets.reading import counts, read
from tests.auditlog.search.packets import put_findings
from tests.auditlog.sending import append, make_sender

pytestmark = pytest.mark.django_db

AGENTS = ("planner", "HR-Agent", "hr-agent", "évian", "")
TAGS = ("auth", "Auth", "auth_refactor", "a-b", "x*", '"q"', "<5", "1..2", "NOT")
QUERIES = (
    "", "act:request", "-act:request", "@auth OR act:reject", "is:invalid", "from:planner",
    "goal:4*", "(@auth act:request) OR to:hr-agent", "finding:flow", "-finding:flow", "proto:nslip",
    "leaf:5..40", "proto:unknown", "source:b", "goal:99",
)  # fmt: skip


def make(dice: random.Random) -> Item:
    kind = dice.randrange(10)
    wire = f"{dice.choice(('REQ/TSK', 'REJ/PLN', 'INF/OBS'))}|g={dice.choice((4, 42, 5))},t=1"
    if kind == 0:
        wire = wire.replace("/", "")
    if kind == 1:
        wire = dice.choice(("hello there", "#1 planner>coder req task=7"))
    elif dice.random() < 0.5:
        wire += f",@={dice.choice(('auth', 'a-b', 'auth_refactor'))}"
    agents = dice.choice(AGENTS) or None, dice.choice(AGENTS) or None
    tags = dice.sample(TAGS, dice.randrange(3)) or None
    return Item(wire, from_=agents[0], to=agents[1], tags=tags)


@pytest.fixture
def log() -> Log:
    """A log of 60 packets from two sources, five at a time."""
    dice = random.Random(5)
    for sender in (make_sender("a"), make_sender("b")) * 6:
        for outcome in append(*[make(dice) for _ in range(5)], sender=sender):
            put_findings(outcome.leaf, *(name for name in DETECTORS if dice.random() < 0.2))
    return Log.objects.select_related("end").get(slug="default")


def now() -> datetime:
    return datetime.now(UTC)


@pytest.mark.parametrize("text", QUERIES)
def test_counts_are_those_of_the_packets_that_are_found(log: Log, text: str) -> None:
    packets = find([log], text, limit=100, now=now()).rows

    found = count(log, text, now=now())

    assert found.exact
    assert found.counted == len(packets)
    assert counts(found) == read(packets)
    bars = found.histogram.bars
    assert sum(bar.count for bar in bars) == len(packets)
    assert sum(bar.invalid for bar in bars) == sum(not packet.valid for packet in packets)
    for bar in bars:
        assert bar.count == sum(bar.start <= packet.received < bar.end for packet in packets)


@pytest.mark.parametrize("text", QUERIES[:9])
def test_each_value_leads_to_as_many_packets_as_it_counts(log: Log, text: str) -> None:
    query = QueryText(text)
    found = count(log, text, now=now())

    seen = 0
    for facet in found.facets:
        for value in facet.values:
            with_it = query.add(facet.key, value.text)
            without = query.exclude(facet.key, value.text)
            assert with_it is not None
            assert without is not None
            assert find([log], with_it, now=now()).count.value == value.count, with_it
            if not query.has(facet.key, value.text):
                left = find([log], without, now=now()).count.value
                assert left == found.counted - value.count, without
            seen += 1
    assert seen > 20


def test_only_the_newest_are_counted_up_to_a_limit(log: Log) -> None:
    packets = find([log], "", limit=10, now=now()).rows

    found = count(log, "", now=now(), limit=10)

    assert (found.counted, found.exact) == (10, False)
    assert counts(found) == read(packets)
    assert count(log, "", now=now(), limit=60).exact


def test_it_ends_when_time_runs_out_but_not_before_the_first_piece(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("auditlog.search.facets.count._FIRST", 8)
    ticks = iter(range(1_000))
    packets = find([log], "", limit=100, now=now()).rows

    late = count(log, "", now=now(), budget=0, clock=lambda: 0)
    slow = count(log, "", now=now(), budget=8, clock=lambda: next(ticks))

    assert (late.counted, late.exact) == (8, False)
    assert counts(late) == read(packets[:8])
    assert 8 < slow.counted < 60
    assert counts(slow) == read(packets[: slow.counted])
    assert not slow.exact


@pytest.mark.parametrize(("seconds", "counted"), [(1, 24), (3, 16), (6, 12)])
def test_the_next_piece_is_longer_after_a_quick_one_and_shorter_after_a_slow_one(
    log: Log, monkeypatch: pytest.MonkeyPatch, seconds: int, counted: int
) -> None:
    monkeypatch.setattr("auditlog.search.facets.count._FIRST", 8)
    ticks = iter([0, 0, seconds, seconds, seconds, 99])

    found = count(log, "", now=now(), budget=20, clock=lambda: next(ticks))

    assert (found.counted, found.exact) == (counted, False)


def test_a_smaller_log_is_counted_as_it_was(log: Log) -> None:
    found = count(log, "-act:request", now=now(), size=20)

    assert counts(found) == read(find([log], "-act:request leaf:..19", now=now()).rows)


def test_of_many_values_the_most_frequent_are_kept() -> None:
    sender = make_sender()
    for first in range(0, 120, 60):
        numbered = [f"tag {n}" for n in range(first, first + 60)]
        append(Item("ACC/PLN|g=1,t=1", tags=numbered), sender=sender)
    append(Item("ACC/PLN|g=1,t=1", tags=["tag 77"]), sender=sender)
    log = Log.objects.get(slug="default")

    tags = next(facet for facet in count(log, "", now=now()).facets if facet.key == "tag")

    assert len(tags.values) == 100
    assert tags.distinct == 120
    assert (tags.values[0].text, tags.values[0].count) == ("tag 77", 2)


def test_a_long_value_is_counted_by_words_that_find_it() -> None:
    wire = f"INF/OBS|g=1,t=1,@={'x' * 3_000}"
    append(Item(wire), Item(f"INF/OBS|g=1,t=1,@={'word ' * 500}"), sender=make_sender())
    log = Log.objects.get(slug="default")

    tags = next(facet for facet in count(log, "", now=now()).facets if facet.key == "tag")

    assert sorted(len(value.text) for value in tags.values) == [994, 1_000]
    added = QueryText("").add("tag", "x" * 1_000)
    assert added is not None
    assert find([log], added, now=now()).count.value == 1


DAMAGE: list[tuple[str, str]] = [
    ("meaning", '{"act":"requ'),
    ("meaning", '["request"]'),
    ("meaning", '{"act":"request","sender":7,"tags":[7]}'),
    ("supplied", "{"),
    ("protocol", "morse"),
]
if connection.vendor == "sqlite":
    DAMAGE += [("received", "nonsense"), ("received", "2026-99-99 10:00:00")]


@pytest.mark.parametrize(("column", "value"), DAMAGE)
def test_a_damaged_row_stops_nothing(column: str, value: str) -> None:
    item = Item("REQ/TSK|g=42,t=1,@=auth", from_="planner", tags=["night"])
    append(item, item, item, sender=make_sender())
    log = Log.objects.get(slug="default")
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE auditlog_packet SET {column} = %s WHERE leaf = 1",  # noqa: S608
            [value],
        )

    found = count(log, "", now=now())

    numbers = counts(found)
    assert numbers["is"] == {"valid": 3}
    assert numbers["act"]["request"] == 3 - (column == "meaning")
    assert numbers["from"]["planner"] == 3 - (column == "supplied")
    assert numbers["tag"]["auth"] == 3 - (column == "meaning")
    assert numbers["proto"].get("unknown", 0) == (column == "protocol")
    # The leaf has the receive time too.
    assert sum(bar.count for bar in found.histogram.bars) == 3


def test_lone_surrogates_and_long_terms_are_read() -> None:
    odd = Item("hello", tags=["a\ud800b"], from_="\x00x")
    many = Item("hello", tags=[f"{n}{'y' * 990}" for n in range(99)])
    append(odd, many, sender=make_sender())
    log = Log.objects.get(slug="default")

    found = counts(count(log, "", now=now()))

    assert found["from"] == {"\x00x": 1}
    assert found["tag"]["a\ufffdb"] == 1
    assert found["tag"]["7" + "y" * 990] == 1
