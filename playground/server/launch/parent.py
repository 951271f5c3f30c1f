"""End a process when its parent has ended, for whatever reason.

`manage.py up` holds the other end of the server's standard input, which ends with it. The server's
worker is a process of `multiprocessing`, which knows when its parent ends. Both work on every
system.
"""

import multiprocessing
import os
import signal
import sys
import threading
import time

PATIENCE = 35.0
"""Seconds for a worker to stop by itself."""


def follow_input() -> None:
    """Stop this process when its standard input ends."""

    def wait() -> None:
        while os.read(sys.stdin.fileno(), 1024):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, name="parent", daemon=True).start()


def follow_process() -> None:
    """Stop this process when the one that forked or spawned it ends. Do nothing without one."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(PATIENCE)
        os._exit(1)

    threading.Thread(target=wait, name="parent", daemon=True).start()
