"""The beginning of a file that has grown is read as it was read before."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from auditlog.models import Conflict, Packet
from playground.audit import importing
from tests.playground.audit.imports.test_grown_files import (
    MONDAY,
    TUESDAY,
    WEDNESDAY,
    post,
    post_counts,
    upload,
)

pytestmark = pytest.mark.django_db

CHAT = (
    "planner 09:42\nREQ/TSK|g=1,t=1\n",
    "bob 09:43\nACC/TSK|g=1,t=1\n",
    "ada 09:44\nREQ/TSK|g=2,t=1\n",
)


@pytest.mark.parametrize("step", [30, 10_000])
def test_a_heading_that_is_one_only_in_the_longer_file_changes_no_stored_message(
    admin_client: Client, step: int
) -> None:
    """One heading of a chat alone is none, and two name the sender of the first message too."""
    files = ["".join(CHAT[:number]).encode() for number in (1, 2, 3)]
    done = [upload(admin_client, file, step=step) for file in files]

    assert [(one["kept"], one["again"], one["refused"]) for one in done] == [
        (1, 0, 0), (1, 1, 0), (1, 2, 0),
    ]  # fmt: skip
    assert senders() == [None, "bob", "ada"]
    assert not Conflict.objects.exists()
    assert post_counts(admin_client, files[2])["again"] == 3


def test_a_heading_in_a_line_that_was_not_complete_still_counts(admin_client: Client) -> None:
    whole = "".join(CHAT).encode()
    cut = whole.index(b":43") + 3
    done = [upload(admin_client, file) for file in (whole[:cut], whole)]

    assert [(one["kept"], one["again"], one["refused"]) for one in done] == [(1, 0, 0), (2, 1, 0)]
    assert senders() == ["planner", "bob", "ada"]


def senders() -> list[str | None]:
    stored = Packet.objects.order_by("leaf")
    return [json.loads(packet.supplied).get("from") for packet in stored]


@pytest.mark.parametrize("step", [64, 10_000])
def test_a_file_that_grows_keeps_the_format_that_was_found_first(
    admin_client: Client, step: int
) -> None:
    items = b"".join(b'{"wire":"REQ/TSK|g=%d,t=1"}\n' % number for number in range(4))
    records = b"".join(b'{"msg":"REQ/TSK|g=%d,t=1"}\n' % number for number in range(8))
    done = [upload(admin_client, data, step=step) for data in (items, items + records)]

    assert [(one["kept"], one["again"], one["refused"]) for one in done] == [(4, 0, 0), (0, 4, 8)]


def test_a_message_in_another_time_zone_is_told_from_the_stored_one(admin_client: Client) -> None:
    data = b"2026-11-23 10:00:01 planner: REQ/TSK|g=1,t=1\n"
    post(admin_client, data, zone="UTC")
    done = post_counts(admin_client, data, zone="Europe/Berlin")

    assert (done["refused"], Packet.objects.count()) == (1, 1)
    assert f"Line 1: {importing._OTHER_METADATA}" in done["says"]


@pytest.mark.parametrize("way", [upload, post_counts])
def test_a_log_that_was_rotated_is_known_by_what_is_in_it(
    admin_client: Client, way: Callable[..., dict[str, Any]]
) -> None:
    """`app.log` becomes `app.log.1`, or is copied there and emptied, and then has new lines."""
    began_anew = WEDNESDAY.removeprefix(TUESDAY)
    files = MONDAY, TUESDAY, began_anew, began_anew * 2, TUESDAY
    done = [way(admin_client, data) for data in files]

    assert [one["again"] for one in done] == [0, 2, 0, 1, 3]
    assert [one["refused"] for one in done] == [0] * 5
    assert Packet.objects.count() == 5
