"""The process that checks logs. Its input is a pipe, see `auditlog.findings.following.process`:

    python -m auditlog.check.process [FILE]

It does every self-check that was asked for or did not end, and ends. It also ends when the pipe
does, which is when the serving process ends; the next one continues.
"""

import os
import signal
import sys
import threading

import django
from django.db import DEFAULT_DB_ALIAS, connections

NICE = 19
"""Other processes go first: people wait for the serving process."""
WORK, REST = 0.2, 0.05
"""Seconds that it works before it rests, and that it rests."""


def main(file: str) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    os.nice(NICE)
    threading.Thread(target=_watch, daemon=True).start()
    django.setup()
    # They need the models, and the library for SQLite that the settings choose.
    from auditlog.check import nightly
    from auditlog.database import database_file

    if file:
        database_file.watch(connections.settings[DEFAULT_DB_ALIAS], file)
    nightly.work(WORK, REST)


def _watch() -> None:
    while os.read(sys.stdin.fileno(), 64):
        pass
    os._exit(0)  # The next process continues from the last position.


if __name__ == "__main__":
    main("".join(sys.argv[1:]))
