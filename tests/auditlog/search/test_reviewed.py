"""Searching by review: what is decided, commented, undone, and as it was at a size of the log."""

from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import User

from auditlog import review
from auditlog.models import Log, LogEnd, Packet, Review
from auditlog.search.engine import postgresql
from auditlog.search.find import find_leaves
from tests.auditlog.search.packets import CONVERSATION, places, put

pytestmark = pytest.mark.django_db


def test_reviewing_changes_what_is_finds() -> None:
    put(CONVERSATION)
    put(CONVERSATION, log="other")
    first, ada = Packet.objects.get(log__slug="default", leaf=0), User.objects.create_user("ada")
    review.mark(packet=first, state="flagged", note="", who=ada)
    assert places("is:flagged") == [0]
    review.mark(packet=first, state="reviewed", note="", who=ada)

    assert places("is:flagged") == []
    assert places("is:reviewed") == places("is:reviewed @auth_refactor") == [0]
    assert places("is:reviewed OR goal:43") == [3, 0]
    assert places("-is:reviewed goal:43") == places("is:unreviewed goal:43") == [3]
    assert places("is:unreviewed") == [5, 4, 3, 2, 1]
    assert places("is:reviewed", logs=("other",)) == []


def test_an_undone_step_is_not_found() -> None:
    put(CONVERSATION)
    first, ada = Packet.objects.get(leaf=0), User.objects.create_user("ada")
    flagged = review.mark(packet=first, state="flagged", note="", who=ada)
    reviewed = review.mark(packet=first, state="reviewed", note="", who=ada)
    comment = review.mark(packet=first, state="commented", note="why?", who=ada)
    assert (places("is:reviewed"), places("is:commented")) == ([0], [0])

    review.undo(steps=[reviewed, comment], who=ada)
    assert (places("is:flagged"), places("is:reviewed"), places("is:commented")) == ([0], [], [])

    review.undo(steps=[flagged], who=ada)
    assert (places("is:flagged"), places("is:unreviewed goal:42")) == ([], [5, 4, 2, 1, 0])


def test_a_comment_alone_leaves_a_packet_unreviewed() -> None:
    put(CONVERSATION)
    first, ada = Packet.objects.get(leaf=0), User.objects.create_user("ada")
    review.mark(packet=first, state="commented", note="why?", who=ada)

    assert (places("is:commented"), places("is:unreviewed goal:43")) == ([0], [3])
    assert 0 in places("is:unreviewed")


@pytest.mark.parametrize("query", ["is:unreviewed", "-is:reviewed", "is:unreviewed is:valid"])
def test_what_was_found_at_a_size_of_the_log_stays_found(query: str) -> None:
    put(CONVERSATION)
    log, ada = Log.objects.get(slug="default"), User.objects.create_user("ada")
    first, second = Packet.objects.filter(leaf__lt=2)
    review.mark(packet=first, state="reviewed", note="", who=ada)
    size = LogEnd.objects.get(log=log).size

    def leaves(size: int) -> list[int]:
        return find_leaves(log, query, size=size, now=datetime.now(UTC), limit=10)

    before = leaves(size)
    review.mark(packet=second, state="reviewed", note="", who=ada)
    review.undo(steps=[Review.objects.get(packet_leaf=0)], who=ada)
    put(["REQ/TSK|g=50"])

    assert before == leaves(size) == [5, 4, 3, 2, 1]
    assert leaves(LogEnd.objects.get(log=log).size) == [9, 5, 4, 3, 2, 0]
    assert leaves(3) == [2, 1, 0]


def test_each_is_found_once_however_the_log_is_walked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    put(CONVERSATION)
    ada = User.objects.create_user("ada")
    for packet in Packet.objects.filter(leaf__in=(0, 3, 5)):
        review.mark(packet=packet, state="flagged", note="", who=ada)
    monkeypatch.setattr(postgresql, "_WALK", 1)

    assert places("is:flagged") == [5, 3, 0]
    assert places("is:flagged leaf:1..4") == [3]
