"""The process that checks logs, see `auditlog.background.process`:

    python -m auditlog.check.process [FILE]

It does every self-check that was asked for or did not end, and ends. If the serving process ends
first, the next one continues.
"""

import threading

from auditlog.background import process

WORK, REST = 0.2, 0.05
"""Seconds that it works before it rests, and that it rests."""


def main() -> None:
    process.begin()
    threading.Thread(target=process.listen, args=(_ignore,), daemon=True).start()
    process.prepare()
    from auditlog.check import nightly

    nightly.work(WORK, REST)


def _ignore() -> None:
    """Nothing wakes it: it looks for work until there is none."""


if __name__ == "__main__":
    main()
