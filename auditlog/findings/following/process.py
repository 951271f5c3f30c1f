"""The process that makes findings. Its input is a pipe:

    python -m auditlog.findings.following.process [FILE]

FILE is the identity of the database file, see `database_file.identify`: SQLite would write to
another one, or make it.

Each byte says that something was committed. It ends when the pipe does, which is when the serving
process ends, however that happens. So it ignores the signals that end the server.
"""

import os
import signal
import sys

import django
from django.db import DEFAULT_DB_ALIAS, connections

NICE = 19
"""Other processes go first: people wait for the serving process."""


def main(file: str) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    os.nice(NICE)
    django.setup()
    # They need the models, and the library for SQLite that the settings choose.
    from auditlog.database import database_file
    from auditlog.findings.following.follower import Follower
    from auditlog.log import notify

    if file:
        database_file.watch(connections.settings[DEFAULT_DB_ALIAS], file)

    Follower().start()
    while os.read(sys.stdin.fileno(), 4096):
        notify.mark()
    os._exit(0)  # A piece under way is made again, so nothing waits for it.


if __name__ == "__main__":
    main("".join(sys.argv[1:]))
