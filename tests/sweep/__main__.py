"""Send hostile text to every route, and print the slowest beside ordinary text of the same size.

python -m tests.sweep                     every shape: at most an hour
python -m tests.sweep --short             the worst shapes, small: half a minute
python -m tests.sweep decode fixes        routes whose name holds one of these
python -m tests.sweep --shape deep        shapes whose family or name holds this

A second user, in a process of its own, looks at pages meanwhile. The command fails when a bar is
exceeded: see `measure`. A route's row is printed when it has been measured, and when it first
exceeds a bar; the table follows.
"""

import argparse
import os
import signal
import sys
from importlib import import_module

import django


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.sweep")
    parser.add_argument("routes", nargs="*", help="parts of the names of routes")
    parser.add_argument(
        "--shape", action="append", default=[], help="a part of the names of shapes"
    )
    parser.add_argument("--short", action="store_true", help="few shapes, small")
    parser.add_argument("--small", action="store_true", help="nothing large")
    parser.add_argument("--minutes", type=float, default=60, help="when to stop")
    given = parser.parse_args(words)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # the server and the user end too
    django.setup()
    return int(import_module("tests.sweep.report").run(given))  # it imports the product


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
