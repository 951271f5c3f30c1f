"""A server that can be killed, and programs that post to it until it is."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from itertools import count
from pathlib import Path
from typing import Any

from tests.installation import ROOT, free_port
from tests.processes import family

START = 60
"""Seconds for a start."""
STORED = (200, 201)


@dataclass(frozen=True)
class Item:
    event: str
    wire: str

    def body(self) -> dict[str, str]:
        return {"wire": self.wire, "event_id": self.event}


@dataclass
class Sent:
    """What was acknowledged, with leaf and leaf hash, and what got no answer."""

    stored: dict[str, tuple[Item, int, str]] = field(default_factory=dict)
    unanswered: dict[str, Item] = field(default_factory=dict)
    again: int = 0
    """Packets that got no answer and were stored all the same."""
    refused: int = 0

    def take(self, items: list[Item], receipts: list[dict[str, Any]]) -> None:
        for item, receipt in zip(items, receipts, strict=True):
            if receipt["status"] in STORED:
                self.stored[item.event] = (item, receipt["leaf"], receipt["leaf_hash"])
            else:
                self.refused += 1
            if self.unanswered.pop(item.event, None) and receipt["status"] == 200:
                self.again += 1


class Server:
    """One life of the real server, in a session of its own."""

    def __init__(self, environ: dict[str, str], log: Path) -> None:
        self.port = free_port()
        with log.open("ab") as out:
            command = [sys.executable, "manage.py", "up", "--port", str(self.port)]
            self.process = subprocess.Popen(command, cwd=ROOT, env=environ, stdout=out, stderr=out)
        began = time.monotonic()
        while not self._is_ready():
            late = time.monotonic() - began > START
            if late or self.process.poll() is not None:
                self.kill()
                raise AssertionError(f"The server does not start:\n{log.read_text()[-3000:]}")
            time.sleep(0.05)
        self.started = time.monotonic() - began

    def _is_ready(self) -> bool:
        with (
            suppress(OSError, HTTPException),
            closing(HTTPConnection("127.0.0.1", self.port)) as connection,
        ):
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 200
        return False

    def kill(self) -> None:
        """End all of its processes at once, in any order."""
        processes = family(self.process.pid)
        random.shuffle(processes)
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self.process.wait()


class Poster(threading.Thread):
    """Posts over one connection until the server is gone."""

    def __init__(self, port: int, key: str, numbers: "count[int]", size: int) -> None:
        super().__init__(daemon=True)
        self.connection = HTTPConnection("127.0.0.1", port, timeout=START)
        self.key = key
        self.numbers = numbers
        self.size = size
        self.sent = Sent()
        self.fault = ""
        """An answer that no server should give."""

    def run(self) -> None:
        with closing(self.connection), suppress(OSError, HTTPException):
            while True:
                items = [item(next(self.numbers)) for _ in range(self.size)]
                self.sent.unanswered |= {one.event: one for one in items}
                try:
                    post(self.connection, self.key, items, self.sent)
                except (AssertionError, LookupError, ValueError) as error:
                    self.fault = f"An answer cannot be read: {error!r}"
                    return


def item(number: int) -> Item:
    return Item(f"event-{number}", f"REQ/TSK|g={number},t={number % 7},@=step_{number % 17}")


def post(connection: HTTPConnection, key: str, items: list[Item], sent: Sent) -> None:
    """Post one packet, or several as a batch, and take the receipts."""
    single = len(items) == 1
    body = "\n".join(json.dumps(one.body()) for one in items)
    headers = {
        "Authorization": f"Bearer {key}",
        "Content-Type": "application/json" if single else "application/x-ndjson",
    }
    connection.request(
        "POST", "/api/v1/packets" if single else "/api/v1/packets/batch", body, headers
    )
    response = connection.getresponse()
    answer = json.loads(response.read())
    if response.status in (200, 201, 207):
        sent.take(items, answer["results"])
    elif response.status in (429, 503):  # what was refused may be sent again
        time.sleep(0.2)
    else:
        raise AssertionError(f"{response.status}: {answer}")
