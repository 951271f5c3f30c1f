"""A thread's connection is made anew when the database had a fault meanwhile."""

import threading

import pytest
from django.db import connections
from django.http import HttpRequest, HttpResponse

from playground.health import readiness, reconnection
from playground.health.reconnection import Reconnect


@pytest.fixture
def closed(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    closed: list[bool] = []
    monkeypatch.setattr(connections["default"], "close", lambda: closed.append(True))
    return closed


def test_it_is_closed_once_behind_each_fault(
    monkeypatch: pytest.MonkeyPatch, closed: list[bool]
) -> None:
    monkeypatch.setattr(reconnection, "_thread", threading.local())
    faults = 5
    monkeypatch.setattr(readiness, "count_faults", lambda: faults)
    respond = Reconnect(lambda _request: HttpResponse())
    respond(HttpRequest())
    respond(HttpRequest())
    assert closed == []
    faults = 6
    respond(HttpRequest())
    respond(HttpRequest())
    assert len(closed) == 1
