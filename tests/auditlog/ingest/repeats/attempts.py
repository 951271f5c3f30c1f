"""Requests with an Idempotency-Key, as often as they are sent."""

import json
from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F

from auditlog.ingest import ndjson, receive
from auditlog.ingest.repeats import idempotency
from auditlog.ingest.repeats.idempotency import Attempt
from auditlog.log import group_commit
from auditlog.models import IdempotentRequest, Packet
from auditlog.sender import Sender


class Killed(BaseException):
    """The process ends here."""


def lines(*items: dict[str, Any]) -> list[bytes]:
    return [json.dumps(item).encode() + b"\n" for item in items]


def messages(amount: int, start: int = 0) -> list[bytes]:
    return lines(*({"wire": f"REQ/TSK|g={number},t=1"} for number in range(start, start + amount)))


def begin(sender: Sender, value: str = "k", request: bytes = b"r") -> Attempt:
    assert sender.key_id is not None
    return idempotency.begin(key_id=sender.key_id, value=value, request=request)


def run(
    attempt: Attempt, body: Iterable[bytes], sender: Sender, **more: Any
) -> list[dict[str, Any]]:
    answers = attempt.receive(ndjson.read(attempt.tap(body)), sender=sender, **more)
    decoded: list[dict[str, Any]] = json.loads(receive.encode(answers))
    return decoded


def send(
    body: Iterable[bytes], sender: Sender, value: str = "k", **more: Any
) -> list[dict[str, Any]]:
    return run(begin(sender, value), body, sender, **more)


def killed_after(
    amount: int, body: list[bytes], sender: Sender, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A try whose process ends when that many lines were read."""

    def cut() -> Iterator[bytes]:
        yield from body[:amount]
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(Attempt, "_release", lambda _self: None)
        with pytest.raises(Killed):
            send(cut(), sender)
    group_commit.stop()


def wires() -> list[str]:
    return [
        bytes(one).decode()
        for one in Packet.objects.order_by("leaf").values_list("wire", flat=True)
    ]


def pass_time(moment: timedelta) -> None:
    IdempotentRequest.objects.update(created=F("created") - moment, touched=F("touched") - moment)
