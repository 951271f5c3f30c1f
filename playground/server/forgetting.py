"""Forget the lines and messages of texts that are no longer read."""

import threading
import time

from cablese.transcript import memory

MINUTE = 60.0


def start() -> None:
    """Let this process forget them within two minutes after it read the last one."""
    threading.Thread(target=_run, name="forgetting", daemon=True).start()


def _run() -> None:
    while True:
        time.sleep(MINUTE)
        memory.forget_unused()
