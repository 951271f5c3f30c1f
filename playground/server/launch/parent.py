"""A process that ends when the one that started it has ended, however that happened.

`manage.py up` holds the other end of the server's standard input; when it is killed, that ends. The
server's worker is a process of `multiprocessing`, which knows when its parent ends. Neither needs
anything that only one system has.
"""

import multiprocessing
import os
import signal
import sys
import threading
import time

PATIENCE = 35.0
"""Seconds in which a worker has to stop politely."""


def follow_input() -> None:
    """Stop this process when its standard input ends."""

    def wait() -> None:
        while os.read(sys.stdin.fileno(), 1024):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, name="parent", daemon=True).start()


def follow_process() -> None:
    """Stop this process when the one that forked or spawned it ends; nothing for any other."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(PATIENCE)
        os._exit(1)

    threading.Thread(target=wait, name="parent", daemon=True).start()
