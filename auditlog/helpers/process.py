"""A helper process: `python -m auditlog.helpers.process FOLDER`, with a socket as its input.

It answers orders until the socket ends, which it does when the serving process ends, however that
happens. So it ignores the signals that end the server: a service manager sends them to all
processes, and a batch under way still needs drafts. It has no database, no settings, and no
Django.
"""

import gc
import os
import signal
import socket
import sys
import traceback
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from auditlog.helpers import frames
from auditlog.helpers.order import VERSIONS, Order, carry_out, write_order
from auditlog.ingest.unread import Unread
from auditlog.log.draft import DEFAULT_LOG
from auditlog.sender import Sender
from cablese import tokens

NICE = 5
"""How much other processes go first: the serving process answers people, too."""
FAILED = b""
"""The answer to an order that could not be carried out."""
_FIRST = b'{"wire":"REQ/TSK|g=1,t=1"}'


def main(folder: Path) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    os.nice(NICE)
    tokens.configure(folder)
    _prepare()
    with socket.socket(fileno=sys.stdin.fileno()) as end, suppress(OSError):
        frames.send(end, VERSIONS)
        while True:
            frames.send(end, _answer(frames.receive(end)))


def _prepare() -> None:
    """Load what the first order would have to wait for."""
    order = Order(
        unread=Unread([_FIRST]),
        sender=Sender(1, "none"),
        strict=False,
        received=datetime.now(UTC),
        logs={DEFAULT_LOG: 1},
    )
    carry_out(write_order(order))
    gc.collect()
    gc.freeze()


def _answer(order: bytearray) -> bytes:
    try:
        answer = carry_out(order)
    except Exception as error:  # noqa: BLE001 - the serving process tries again, and answers for it
        _note(error)
        return FAILED
    return answer if len(answer) <= frames.LIMIT else FAILED


def _note(error: Exception) -> None:
    """Print where an error was raised. Its message may quote a packet."""
    traceback.print_tb(error.__traceback__)
    sys.stderr.write(f"{type(error).__qualname__}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
