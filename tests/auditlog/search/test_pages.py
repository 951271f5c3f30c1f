"""Pages of results follow each other; counts and cursors."""

from datetime import timedelta

import pytest

from auditlog.search.find import Count, CursorError, UnknownLog, find
from tests.auditlog.search.packets import CONVERSATION, START, put

pytestmark = pytest.mark.django_db


def test_pages_follow_each_other_without_gap_or_overlap() -> None:
    put([f"REQ/TSK|g={n},@=all" for n in range(25)])

    seen: list[int] = []
    cursor = None
    while True:
        page = find(["default"], "@all", limit=10, cursor=cursor, now=START)
        assert page.count == Count(25, exact=True)
        seen += [packet.leaf for packet in page.rows]
        put(["REQ/TSK|g=99,@=all"])
        if not (cursor := page.next):
            break

    assert seen == list(range(24, -1, -1))


def test_a_page_of_long_packets_ends_early_and_the_next_goes_on() -> None:
    lengths = [10, 4_000, 10, 3_000, 3_000, 10]
    put(["REQ/TSK|g=1,!=".ljust(length, "x") for length in lengths])

    pages: list[list[int]] = []
    cursor: str | None = None
    while not pages or cursor:
        page = find(["default"], "", limit=4, size=3_500, cursor=cursor, now=START)
        pages.append([packet.leaf for packet in page.rows])
        cursor = page.next

    assert pages == [[5, 4], [3, 2], [1], [0]]
    assert page.count == Count(6, exact=True)


def test_since_means_the_same_moment_on_every_page() -> None:
    put(CONVERSATION)

    page = find(["default"], "since:6h", limit=3, now=START + timedelta(hours=6))
    rest = find(["default"], "since:6h", limit=3, cursor=page.next, now=START + timedelta(days=9))

    assert [packet.leaf for packet in rest.rows] == [2, 1, 0]


def test_counts_are_capped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("auditlog.search.find.COUNTED", 5)
    put(CONVERSATION)

    assert find(["default"], "", now=START).count == Count(5, exact=False)
    assert find(["default"], "-goal:43", now=START).count == Count(5, exact=True)


def test_a_page_has_at_most_as_many_packets_as_the_limit_of_pages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("auditlog.search.find.MAX_LIMIT", 4)
    put(CONVERSATION)

    first = find(["default"], "", limit=1_000_000, now=START)
    assert [packet.leaf for packet in first.rows] == [5, 4, 3, 2]
    rest = find(["default"], "", limit=1_000_000, cursor=first.next, now=START)
    assert [packet.leaf for packet in rest.rows] == [1, 0]


def test_a_cursor_is_ours_and_for_this_query() -> None:
    put(CONVERSATION)
    cursor = find(["default"], "goal:42", limit=1, now=START).next
    assert cursor

    for text, given in (
        ("goal:43", cursor),
        ("goal:42", cursor[:-1]),
        ("goal:42", "x"),
        ("goal:42", "\ud800"),
    ):
        with pytest.raises(CursorError):
            find(["default"], text, cursor=given, now=START)


def test_an_unknown_log_is_an_error() -> None:
    with pytest.raises(UnknownLog):
        find(["default", "nowhere"], "", now=START)
