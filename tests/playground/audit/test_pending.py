"""Messages on their way into the log: what the save page carries is what it showed."""

import pytest

from auditlog.ingest.item import Item
from auditlog.log import draft
from cablese import detection
from cablese.message import Message
from playground.audit.pending import Batch, Unreadable, read, write
from playground.workbench.document import ROWS

ITEMS = [
    Item("REQ/TSK|g=42,t=1", protocol="nslip", from_="planner", tags=["night run"], event_id="e-1"),
    Item(
        "RJE/PLN|g=4,@=\x00\r\n\udcff",
        protocol="nslip",
        sent_at="2026-11-20T10:00:01+01:00",
        goal=7,
    ),
]


def test_items_come_back_as_they_went_bytes_that_are_no_text_included() -> None:
    assert read(write(ITEMS)) == ITEMS
    assert write(ITEMS).isascii()


def test_a_message_that_repeats_is_decoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    decoded: list[str] = []

    def decode(item: Item, *, strict: bool = False) -> Message:
        decoded.append(item.wire)
        return detection.decode(item.wire)

    monkeypatch.setattr(draft, "decode", decode)
    batch = Batch(ITEMS * 3)

    assert decoded == [item.wire for item in ITEMS]
    assert [message.wire for message in batch.messages] == 3 * decoded


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[",
        "{}",
        "[" * 100_000,
        '[{"wire":1}]',
        '[{"wire":"x","protocol":"none"}]',
        '[{"wire":"\\ud800"}]',
        '[{"wire":"x","tags":["\\udc80"]}]',
        '[{"wire":"x","sent_at":"yesterday"}]',
        '[{"wire":"x","nothing":1}]',
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        read(text)


def test_it_shows_what_the_save_page_asks_for() -> None:
    batch = Batch(ITEMS * ROWS)

    assert (batch.total, batch.valid, batch.invalid) == (2 * ROWS, ROWS, ROWS)
    assert [message.valid for message in batch.messages[:2]] == [True, False]
