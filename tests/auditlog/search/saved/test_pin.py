"""A search pinned to a size of its log finds what it found when the log had that size."""

import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from auditlog import review
from auditlog.continuity import clock
from auditlog.ingest.item import Item
from auditlog.log import logs
from auditlog.models import Leaf, Log, LogEnd, Packet, Review
from auditlog.search.find import (
    Count,
    CursorError,
    Page,
    check,
    find,
    find_beside,
    find_leaves,
)
from auditlog.search.query import QueryError
from auditlog.search.saved import pin
from auditlog.search.saved.pin import BadPin
from tests import fuzz
from tests.auditlog.search import test_oracle as oracle
from tests.auditlog.search.packets import START, put_findings
from tests.auditlog.sending import append, make_sender

pytestmark = pytest.mark.django_db
OWN = (
    "", "is:unreviewed", "-is:flagged", "is:reviewed OR is:commented", "is:flagged act:request",
    "since:5h", "until:3h", "ts:7h..2h", "-(since:4h)", "is:unreviewed since:9h", "leaf:3..",
)  # fmt: skip


class Hours:
    """A clock that moves only when it is told to."""

    now = START

    def read(self) -> datetime:
        return self.now


@pytest.fixture
def hours(monkeypatch: pytest.MonkeyPatch) -> Hours:
    own = Hours()
    monkeypatch.setattr(clock, "read", own.read)
    return own


@dataclass(frozen=True)
class Answer:
    """What a query found when the log had ``size`` leaves."""

    text: str
    size: int
    leaves: list[int]
    count: Count


def default() -> Log:
    return Log.objects.get(slug="default")


def leaves_of(page: Page) -> list[int]:
    return [packet.leaf for packet in page.rows]


def happen(dice: random.Random, ada: User) -> None:
    """Store packets, review one, or undo a step."""
    kind, packets = dice.random(), list(Packet.objects.all())
    if kind < 0.5 or not packets:
        made = [oracle.make(dice, 0)[0] for _ in range(dice.randrange(1, 4))]
        append(*map(Item, made), sender=make_sender())
    elif kind < 0.8:
        state = dice.choice(review.STATES)
        review.mark(packet=dice.choice(packets), state=state, note="why", who=ada)
    else:
        steps = list(Review.objects.exclude(state=review.UNDONE))
        with suppress(review.BadReview):
            review.undo(steps=[dice.choice(steps)] if steps else [], who=ada)


def ask(dice: random.Random) -> Iterator[Answer]:
    end = LogEnd.objects.get(log__slug="default")
    for text in (dice.choice(OWN), oracle.query(dice, 2)[0], oracle.query(dice, 3)[0]):
        with suppress(QueryError):
            page = find(["default"], text, limit=200, now=end.received or START)
            if not page.of_findings:
                yield Answer(text, end.size, leaves_of(page), page.count)


def page_through(text: str, held: pin.Pin) -> list[int]:
    """Return the leaves of all pages of a pinned search."""
    found: list[int] = []
    cursor = None
    while True:
        page = find([default()], text, limit=4, cursor=cursor, now=datetime.now(UTC), pin=held)
        found += leaves_of(page)
        cursor = page.next
        if cursor is None:
            return found


@fuzz.mark
def test_it_finds_what_was_found_at_its_size(hours: Hours) -> None:
    dice = fuzz.dice()
    ada = User.objects.create_user("ada")
    answers: list[Answer] = []
    for _ in range(fuzz.many(60)):
        hours.now += timedelta(minutes=dice.choice((0, 1, 30, 60, 200)))
        happen(dice, ada)
        answers += ask(dice)

    assert len({answer.size for answer in answers}) > 30
    assert sum(bool(answer.leaves) for answer in answers) > 50
    for answer in answers:
        held, now = pin.read(default(), str(answer.size)), hours.now + timedelta(days=9)
        page = find(["default"], answer.text, limit=200, now=now, pin=held)

        assert (leaves_of(page), page.count) == (answer.leaves, answer.count), answer
        assert page_through(answer.text, held) == answer.leaves, answer
        queue = find_leaves(default(), answer.text, size=held.size, now=held.received, limit=200)
        assert queue == answer.leaves, answer


def test_the_packets_beside_one_are_those_at_its_size(hours: Hours) -> None:
    sender = make_sender()
    append(*(Item(f"REQ/TSK|g={n},t=1") for n in range(6)), sender=sender)
    second, third = Packet.objects.get(leaf=1), Packet.objects.get(leaf=2)

    def beside(packet: Packet, size: int) -> list[int | None]:
        held = pin.read(default(), size)
        sides = find_beside(packet, "act:request", now=hours.now, pin=held)
        return [side.leaf if side else None for side in sides]

    assert beside(second, 3) == [2, 0]
    assert beside(third, 3) == [None, 1]
    assert beside(third, 4) == [3, 1]


def test_the_packets_beside_one_are_those_of_its_time(hours: Hours) -> None:
    for n in range(4):
        hours.now += timedelta(hours=3)
        append(Item(f"REQ/TSK|g={n},t=1"), sender=make_sender())
    third = Packet.objects.get(leaf=2)

    def older(size: int) -> Packet | None:
        held = pin.read(default(), size)
        return find_beside(third, "since:4h", now=datetime.now(UTC), pin=held)[1]

    assert older(3) == Packet.objects.get(leaf=1)
    assert older(4) is None


def test_relative_times_count_from_when_the_last_leaf_was_received(hours: Hours) -> None:
    sender = make_sender()
    append(Item("REQ/TSK|g=1,t=1"), sender=sender)
    hours.now += timedelta(hours=3)
    append(Item("REQ/TSK|g=2,t=1"), sender=sender)
    hours.now += timedelta(hours=3)
    append(Item("REQ/TSK|g=3,t=1"), sender=sender)

    def found(size: int) -> list[int]:
        held = pin.read(default(), size)
        return leaves_of(find(["default"], "since:4h", now=datetime.now(UTC), pin=held))

    assert pin.read(default(), 2) == pin.Pin(2, START + timedelta(hours=3))
    assert (found(1), found(2), found(3)) == ([0], [1, 0], [2, 1])


@pytest.mark.parametrize(
    "text", ["0", "-1", "4", "4,0", "1.0", "x", "", " 1", "²", "٣", "9" * 99, "1\n", "1e0", "0x1"]
)
def test_a_size_that_the_log_never_had_is_named(hours: Hours, text: str) -> None:
    append(*(Item(f"REQ/TSK|g={n},t=1") for n in range(3)), sender=make_sender())

    with pytest.raises(BadPin) as refused:
        pin.read(default(), text)

    shown = text if len(text) <= 40 else f"{text[:40]}…"
    assert f"at={shown}. Expected a whole number from 1 to 3" in str(refused.value)
    assert "log default" in str(refused.value)
    assert len(str(refused.value)) < 200


def test_the_size_of_the_log_is_the_largest(hours: Hours) -> None:
    append(*(Item(f"REQ/TSK|g={n},t=1") for n in range(3)), sender=make_sender())

    assert pin.read(default(), "3").size == pin.find_size(default()) == 3


def test_an_empty_log_has_no_pin() -> None:
    with pytest.raises(BadPin, match=r"Log default is empty. Remove at=1\."):
        pin.read(default(), "1")


def test_a_damaged_leaf_has_no_time_to_count_from() -> None:
    log = logs.create(slug="torn")
    Leaf.objects.create(log=log, index=0, kind="packet", bytes=b"{}", hash=b"")
    LogEnd.objects.filter(log=log).update(size=1)

    with pytest.raises(BadPin, match="Leaf 0 of log torn is damaged"):
        pin.read(log, "1")


def test_several_logs_have_no_pin(hours: Hours) -> None:
    logs.create(slug="night")
    append(Item("REQ/TSK|g=1,t=1"), sender=make_sender())

    with pytest.raises(BadPin, match=r"at applies to one log\. This search has 2"):
        find(["default", "night"], "", now=hours.now, pin=pin.read(default(), 1))


def test_a_cursor_belongs_to_its_pin(hours: Hours) -> None:
    append(*(Item(f"REQ/TSK|g={n},t=1") for n in range(3)), sender=make_sender())
    three, two = pin.read(default(), 3), pin.read(default(), 2)
    cursor = find(["default"], "", limit=1, now=hours.now, pin=three).next

    for other in (two, None):
        with pytest.raises(CursorError):
            find(["default"], "", cursor=cursor, now=hours.now, pin=other)


@pytest.mark.parametrize(
    ("text", "of_findings"),
    [("finding:flow", True), ("-(goal:1 finding:flow) OR goal:2", True), ("is:flagged", False)],
)
def test_a_search_says_that_findings_decide(hours: Hours, text: str, *, of_findings: bool) -> None:
    append(Item("REQ/TSK|g=1,t=1"), sender=make_sender())
    put_findings(0, "flow")

    page = find(["default"], text, now=hours.now, pin=pin.read(default(), 1))

    assert page.of_findings is of_findings


def test_a_query_is_checked_without_asking_the_index(hours: Hours) -> None:
    append(Item("REQ/TSK|g=1,t=1"), sender=make_sender())
    with CaptureQueriesContext(connection) as queries:
        check(default(), "goal:1", now=hours.now, pin=pin.read(default(), 1))
    statements = [query["sql"] for query in queries.captured_queries]
    assert statements
    assert not any("auditlog_search " in sql for sql in statements)
    with pytest.raises(QueryError):
        check(default(), "(goal:1", now=hours.now)
    with pytest.raises(QueryError, match="Unknown field"):
        check(default(), "nothing:1", now=hours.now)
