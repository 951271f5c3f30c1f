"""A pad: what it takes, holds and lets go, and where its numbers have gaps."""

import threading
import time
from typing import Any

import pytest

from auditlog import access
from auditlog.ingest.item import Item, Refusal
from cablese import detection
from cablese.message import Message
from playground.stream import pad as pads
from playground.stream.feeds import SHOWN, PadFeed
from playground.stream.pad import BURST, CHARACTERS, ENTRIES, PACE, Ended, Entry, KeyLost, Pad
from playground.stream.summary import Gap, Row, sieve

NOW = 1_000.0


def wire(number: int) -> Item:
    return Item(f"REQ/TSK|g={number},t=1")


@pytest.fixture
def pad() -> Pad:
    return Pad(opener="here", now=NOW)


def fill(pad: Pad, number: int) -> None:
    """So many messages, as fast as the pad takes them."""
    for at in range(0, number, 1000):
        pad.take([wire(one) for one in range(at, min(at + 1000, number))], now=NOW + at)


def test_messages_are_numbered_decoded_and_counted(pad: Pad) -> None:
    taken = pad.take([wire(1), Item("RJE/PLN|g=4"), wire(2)], now=NOW)

    assert (taken.first, taken.last, taken.messages) == (1, 3, 3)
    lines = pad.after(0)
    assert [line.number for line in lines] == [1, 2, 3]
    assert [line.glance.valid for line in lines if isinstance(line, Entry)] == [True, False, True]
    assert (pad.totals.messages, pad.totals.invalid, pad.totals.tokens) == (3, 1, 11 + 9 + 11)


def test_equal_messages_of_a_piece_are_decoded_once(
    pad: Pad, monkeypatch: pytest.MonkeyPatch
) -> None:
    decoded: list[str] = []
    decode = detection.decode

    def counted(wire: str, *given: Any, **options: Any) -> Message:
        decoded.append(wire)
        return decode(wire, *given, **options)

    monkeypatch.setattr(detection, "decode", counted)

    pad.take([wire(1), wire(2), wire(1), Item("RJE/PLN|g=4"), wire(1)] * 20, now=NOW)

    assert sorted(decoded) == ["REQ/TSK|g=1,t=1", "REQ/TSK|g=2,t=1", "RJE/PLN|g=4"]
    assert (pad.totals.messages, pad.totals.invalid) == (100, 20)


def test_what_cannot_be_read_is_a_gap_and_costs_no_neighbour(pad: Pad) -> None:
    taken = pad.take(
        [wire(1), Refusal(422, "Not so.", ""), Item("x", protocol="none"), wire(2)], now=NOW
    )

    assert taken.unread[0] == (1, Refusal(422, "Not so.", ""))
    assert [type(line) for line in pad.after(0)] == [Entry, Gap, Gap, Entry]
    assert pad.totals.refused == 2


def test_a_message_larger_than_a_pad_is_told_and_nothing_else_goes(pad: Pad) -> None:
    pad.take([wire(1), Item("x" * (CHARACTERS + 1))], now=NOW)

    assert [type(line) for line in pad.after(0)] == [Entry, Gap]


def test_it_holds_the_newest_and_says_that_others_went_by(pad: Pad) -> None:
    fill(pad, ENTRIES + 10)

    first, *rest = pad.after(3)
    assert first == Gap(10, 7, "7 arrived too fast to display.")
    assert len(rest) == ENTRIES
    assert rest[0].number == 11


def test_who_has_read_everything_that_went_by_misses_nothing(pad: Pad) -> None:
    fill(pad, ENTRIES + 10)

    newer = pad.after(10)
    assert len(newer) == ENTRIES
    assert all(isinstance(line, Entry) for line in newer)
    assert [line.number for line in pad.after(ENTRIES + 9)] == [ENTRIES + 10]


def test_who_begins_misses_nothing(pad: Pad) -> None:
    fill(pad, ENTRIES + 10)

    assert all(isinstance(line, Entry) for line in pad.after(0))


def test_it_holds_no_more_than_so_much_text_whatever_stands_beside_the_wires(pad: Pad) -> None:
    for at in range(20):
        pad.take([Item("REQ/TSK|g=1,t=1", tags=["x" * 1000] * 100)] * 10, now=NOW + at)

    assert 0 < len(pad.entries()) <= CHARACTERS // 100_000


def test_too_fast_is_refused_and_drawn_as_a_gap(pad: Pad) -> None:
    pad.take([wire(1)] * int(BURST), now=NOW)

    taken = pad.take([wire(1)] * 30, now=NOW + 10.5 / PACE)

    assert (taken.messages, taken.too_fast) == (10, 20)
    assert pad.after(pad.last - 20) == [
        Gap(pad.last, 20, "20 or more rejected: the limit is 2,000/s.")
    ]
    assert pad.take([wire(1)], now=NOW + 5).too_fast == 0


@pytest.mark.django_db
def test_what_a_revoked_key_would_store_is_not_taken() -> None:
    key, _ = access.create_key(source="bot", scopes=("ingest",))
    keeping = Pad(opener="here", now=NOW, key_id=key.pk)
    assert keeping.take([wire(1)], now=NOW).kept == 1

    access.revoke_key(key.pk)

    with pytest.raises(KeyLost):
        keeping.take([wire(2)], now=NOW)
    assert keeping.last == 1


def test_who_waits_is_woken_by_the_next_message(pad: Pad) -> None:
    woken = threading.Thread(target=lambda: pad.wait(0, 60))
    woken.start()

    pad.take([wire(1)], now=NOW)
    woken.join(30)

    assert not woken.is_alive()


def test_an_ended_pad_is_empty_takes_nothing_and_wakes_all(pad: Pad) -> None:
    pad.take([wire(1)], now=NOW)
    woken = threading.Thread(target=lambda: pad.wait(5, 60))
    woken.start()

    pad.end()
    woken.join(30)

    assert not woken.is_alive()
    assert pad.after(0) == []
    with pytest.raises(Ended):
        pad.take([wire(2)], now=NOW)


def test_a_view_goes_on_where_it_was(pad: Pad) -> None:
    feed = PadFeed(pad)
    pad.take([wire(1), wire(2)], now=NOW)
    first = feed.read(None)
    pad.take([wire(3)], now=NOW)

    second = feed.read(first.to)

    assert [line.number for line in first.lines] == [1, 2]
    assert (second.since, second.to, [line.number for line in second.lines]) == (2, 3, [3])
    assert second.messages == 3


def test_a_view_filters_and_counts_what_it_holds_back(pad: Pad) -> None:
    pad.take([wire(1), Item("RJE/PLN|g=4"), Refusal(422, "Not so.", ""), wire(2)], now=NOW)

    batch = PadFeed(pad, sieve("", "error", "")).read(None)

    assert [line.number for line in batch.lines] == [2, 3]
    assert (batch.hidden, batch.messages) == (2, 3)


def test_a_view_that_is_too_slow_skips_to_the_newest(pad: Pad) -> None:
    fill(pad, SHOWN + 5)

    batch = PadFeed(pad).read(None)

    assert (len(batch.lines), batch.skipped, batch.to) == (SHOWN, 5, SHOWN + 5)


def test_rows_are_drawn_once_and_forgotten_when_they_are_old(pad: Pad) -> None:
    fill(pad, 10)
    rows = [line for line in PadFeed(pad).read(None).lines if isinstance(line, Row)]
    again = [line for line in PadFeed(pad).read(None).lines if isinstance(line, Row)]
    fill(pad, pads.DRAWN)

    assert rows[0] is again[0]
    assert [entry.row for entry in pad.entries()[:10]] == [None] * 10


def test_waiting_says_whether_there_is_something(pad: Pad) -> None:
    began = time.monotonic()

    assert not PadFeed(pad).wait(0, 0.01)
    pad.take([wire(1)], now=NOW)
    assert PadFeed(pad).wait(0, 60)
    assert time.monotonic() - began < 60


def test_a_pad_that_was_quiet_for_long_takes_no_more_at_once(
    pad: Pad, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pads, "BURST", 3.0)

    taken = pad.take([wire(at) for at in range(5)], now=NOW + 1_000)

    assert (taken.messages, taken.too_fast) == (3, 2)


def test_what_is_gone_before_a_first_gap_is_told_apart_from_it(pad: Pad) -> None:
    pad._lines.append(Gap(10, 4, "Rejected"))

    first, *rest = pad.after(3)

    assert isinstance(first, Gap)
    assert (first.number, first.missing) == (6, 3)
    assert rest == [Gap(10, 4, "Rejected")]
