"""Forget what was read, as nobody reads it any more: texts are not kept longer than needed."""

import threading
import time

from cablese.transcript import memory

MINUTE = 60.0


def start() -> None:
    """Let this process forget, within two minutes after it was asked last."""
    threading.Thread(target=_run, name="forgetting", daemon=True).start()


def _run() -> None:
    while True:
        time.sleep(MINUTE)
        memory.forget_unused()
