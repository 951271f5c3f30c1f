"""What an export contains, and how it is cut."""

from datetime import UTC, datetime, timedelta

import pytest

from auditlog.export import pieces
from auditlog.ingest.item import Item
from auditlog.models import Log
from auditlog.search.query import QueryError
from tests.auditlog.sending import append, make_sender

pytestmark = pytest.mark.django_db


def store(number: int, goal: int = 1) -> None:
    append(*(Item(f"REQ/TSK|g={goal},t={n}") for n in range(number)), sender=make_sender())


def begin(query: str = "", **more: int) -> pieces.Extent:
    log = Log.objects.select_related("end").get(slug="default")
    return pieces.begin(log, query, now=datetime.now(UTC), **more)


def leaves(extent: pieces.Extent) -> list[int]:
    return [leaf for some in extent.leaves() for leaf in some]


def test_it_finds_everything_oldest_first_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "LEAVES", 4)
    store(10)

    assert [*begin().leaves()] == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]
    assert begin().find_last() == 9


def test_later_packets_are_not_in_it() -> None:
    store(3)
    extent = begin()
    store(2)

    assert leaves(extent) == [0, 1, 2]
    assert extent.find_last() == 2


def test_the_rest_of_an_export_follows_its_last_leaf() -> None:
    store(6)

    extent = begin(after=2, size=5)
    assert leaves(extent) == [3, 4]
    assert extent.find_last() == 4
    assert leaves(begin(after=4, size=5)) == []
    assert begin(after=4, size=5).find_last() is None


def test_only_what_the_query_finds_is_in_it() -> None:
    store(2)
    store(2, goal=7)
    store(1)

    assert leaves(begin("goal:7")) == [2, 3]
    assert begin("goal:7").find_last() == 3
    assert leaves(begin("goal:7", after=2)) == [3]


def test_times_count_from_the_time_of_the_extent() -> None:
    store(1)
    log = Log.objects.select_related("end").get(slug="default")
    later = datetime.now(UTC) + timedelta(hours=2)

    assert leaves(pieces.begin(log, "since:1h", now=later)) == []
    assert leaves(pieces.begin(log, "since:3h", now=later)) == [0]


def test_a_size_that_the_log_does_not_have_is_refused() -> None:
    for words in ("1 leaf", "2 leaves"):
        store(1)
        with pytest.raises(pieces.BadPlace, match=rf"^The log has {words}, not 3\.$") as refused:
            begin(size=3)
        assert refused.value.name == "at"


def test_a_leaf_that_the_log_does_not_have_is_refused() -> None:
    store(3)
    for after, size, words in ((3, 3, "3"), (999_999, 3, "999,999"), (2, 2, "2")):
        with pytest.raises(pieces.BadPlace, match=f"^Leaf {words} is not in the log: ") as refused:
            begin(after=after, size=size)
        assert refused.value.name == "after"
    with pytest.raises(pieces.BadPlace, match="its size is 3, and leaf indexes start at 0"):
        begin(after=3)
    assert leaves(begin(after=2)) == []


def test_a_query_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(QueryError):
        begin("(").find_last()


def test_a_piece_has_so_many_packets_and_bytes_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    long = "x" * 3_000
    append(
        Item("a"), Item("b"), Item(long), Item(f"{long}y"), Item("c"), Item("d"), Item("e"),
        sender=make_sender(),
    )  # fmt: skip
    log = Log.objects.get(slug="default")
    monkeypatch.setattr(pieces, "PACKETS", 6)
    monkeypatch.setattr(pieces, "BYTES", 4_000)

    assert [*pieces.cut(log, range(7))] == [[0, 1, 2], [3, 4, 5], [6]]
    monkeypatch.setattr(pieces, "BYTES", 1)
    assert [*pieces.cut(log, range(3))] == [[0], [1], [2]]
