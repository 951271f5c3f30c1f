"""A process of low priority, from its own side. Its input is a pipe:

    python -m MODULE [FILE]

FILE is the identity of the database file, see `database_file.identify`: SQLite would write to
another one, or make it.

Each byte of the pipe says that there may be more to do. The process ends when the pipe does, which
is when the serving process ends, however that happens. So it ignores the signals that end the
server.
"""

import os
import signal
import sys
from collections.abc import Callable

import django
from django.db import DEFAULT_DB_ALIAS, connections

NICE = 19
"""Other processes go first: people wait for the serving process."""


def begin() -> None:
    """Ignore the signals, and let other processes go first."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    os.nice(NICE)


def prepare() -> None:
    """Prepare Django and the database. What needs the models can be imported after it."""
    django.setup()
    # It needs the library for SQLite that the settings choose.
    from auditlog.database import database_file

    if file := "".join(sys.argv[1:]):
        database_file.watch(connections.settings[DEFAULT_DB_ALIAS], file)


def listen(wake: Callable[[], None]) -> None:
    """Call `wake` for what comes from the pipe, and end the process with it."""
    while os.read(sys.stdin.fileno(), 4096):
        wake()
    os._exit(0)  # Work under way is done again or continued, so nothing waits for it.
