"""How many messages of a text and of a search are analyzed; the others are counted."""

from datetime import UTC, datetime

import pytest

from auditlog.ingest.item import Item
from playground.autopilot import traffic
from playground.autopilot.traffic import MESSAGES, of_search, of_text
from tests.auditlog.sending import append, make_sender


def test_of_a_long_text_no_more_parts_are_read_than_the_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(traffic, "MOST_PARTS", MESSAGES + 5)

    found = of_text("REQ/TSK|g=1,t=1\n" * (MESSAGES + 9), None)

    assert (len(found.messages), found.left) == (MESSAGES, 5)


@pytest.mark.django_db
def test_the_newest_packets_of_a_search_are_analyzed() -> None:
    items = [Item(f"REQ/TSK|g={n},t=1") for n in range(MESSAGES + 3)]
    append(*items, sender=make_sender())

    found = of_search("default", "", datetime.now(UTC))

    assert (len(found.messages), found.left) == (MESSAGES, 3)
    assert found.messages[0].wire == "REQ/TSK|g=3,t=1"
