"""Pieces: what is read at once, and what is remembered of conversations."""

from typing import Any

import pytest
from django.db import OperationalError, connection

from auditlog.findings import flow, repeated
from auditlog.findings.following import piece, position
from auditlog.findings.following.follower import Follower
from auditlog.models import Log
from tests.auditlog.findings.following.steps import CARD, PLAIN, follow, reached, rows, send

pytestmark = pytest.mark.django_db


def test_it_forgets_what_is_beyond_the_horizon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flow, "HORIZON", 3)
    send("PRO/PLN|g=1,t=1", "PRO/PLN|g=2,t=1", "INF/RSC|g=4", "ACC/PLN|g=1,t=1", "INF/RSC|g=3",
         "ACC/PLN|g=2,t=1")  # fmt: skip
    follow()
    at_once = rows()
    assert [row[1:3] for row in at_once] == [(5, "flow")]

    position.make_again()
    monkeypatch.setattr(piece, "PACKETS", 2)
    while Follower().step():
        pass

    assert rows() == at_once


def test_it_forgets_more_than_its_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    long = "a" * 1_000
    monkeypatch.setattr(flow, "MEMORY", 3 * len(long))
    send("PRO/PLN|g=1,t=1", "PRO/PLN|g=2,t=1", "INF/RSC|g=4", f"INF/OBS|g=3,t=1,@={long}",
         "ACC/PLN|g=1,t=1", f"INF/OBS|g=5,t=1,@={long}", f"INF/OBS|g=6,t=1,@={long}",
         "ACC/PLN|g=2,t=1")  # fmt: skip
    follow()
    at_once = rows()
    assert [row[1:3] for row in at_once] == [(7, "flow")]

    position.make_again()
    monkeypatch.setattr(piece, "PACKETS", 2)
    while Follower().step():
        pass

    assert rows() == at_once


def test_it_forgets_the_conversations_that_were_made_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(piece, "PACKETS", 2)
    maker = piece.Maker(Log.objects.get(slug="default").pk)
    send("PRO/PLN|g=1,t=1", PLAIN, PLAIN)
    remembered = []

    for low in (0, 2):
        maker.make(position.Position(maker._log_id, 3, low, 3))
        remembered.append(list(maker._memories))

    assert remembered == [[True], []]


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[list[int]]:
    """The leaves of the conversations that are checked."""
    noted: list[list[int]] = []
    check = flow.check

    def note(conversation: Any) -> Any:
        noted.append([packet.leaf for packet in conversation])
        return check(conversation)

    monkeypatch.setattr(flow, "check", note)
    return noted


def test_the_newest_of_many_long_messages_are_checked(
    monkeypatch: pytest.MonkeyPatch, checked: list[list[int]]
) -> None:
    monkeypatch.setattr(flow, "CHECKED", 2_500)
    sizes = (1_000, 1_000, 1_000, 10, 5_000)
    send(*[f"INF/OBS|g=1,t=1,@={'a' * size}" for size in sizes])

    follow()

    assert checked == [[0, 1], [1, 2], [1, 2, 3], [4]]


def test_a_piece_that_failed_halfway_is_made_as_if_it_had_not(
    monkeypatch: pytest.MonkeyPatch, checked: list[list[int]]
) -> None:
    follower = Follower()
    send("PRO/PLN|g=1,t=1")
    follow(follower)
    send("ACC/PLN|g=1,t=1", "INF/OBS|g=1,t=1")
    find = repeated.find
    errors = [OperationalError("the database is away")]

    def fail_once(*asked: Any) -> Any:
        if errors:
            raise errors.pop()
        return find(*asked)

    monkeypatch.setattr(repeated, "find", fail_once)

    with pytest.raises(OperationalError):
        follower.step()
    checked.clear()
    follow(follower)

    assert checked == [[0, 1], [0, 1, 2]]


@pytest.mark.parametrize("page", [1, 2, 3, 4, 5])
def test_packets_are_read_a_page_at_a_time(monkeypatch: pytest.MonkeyPatch, page: int) -> None:
    monkeypatch.setattr(piece, "PAGE", page)
    send(CARD, PLAIN, PLAIN, CARD)

    assert follow() == 1
    assert [row[1:3] for row in rows()] == [
        (0, "sensitive"), (2, "repeated"), (3, "repeated"), (3, "sensitive")
    ]  # fmt: skip


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has no value of another type")
@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("meaning", "CAST(X'22ff' AS text)"),
        ("meaning", "'['"),
        ("supplied", "'[]'"),
        ("sent_at", "'never'"),
        ("received", "CAST(X'ff' AS text)"),
        ("protocol", "X'ff'"),
        ("dialect", "'none'"),
        ("wire", "'text'"),
        ("wire", f"printf('%.{2 * piece.READ}c', 'a')"),
        ("wire", "5"),
        ("content", "'text'"),
    ],
)
def test_a_damaged_row_does_not_stop_it(column: str, value: str) -> None:
    send("REQ/TSK|g=2,t=1", "REQ/TSK|g=1,t=1", CARD)
    damage = f"UPDATE auditlog_packet SET {column} = {value} WHERE leaf = 1"  # noqa: S608
    with connection.cursor() as cursor:
        cursor.execute(damage)

    follow()

    assert reached() == (3, None, None)
    assert [row[1:3] for row in rows() if row[1] != 1] == [(2, "sensitive")]
