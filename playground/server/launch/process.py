"""The process that `manage.py up` starts: granian, which ends when its standard input does."""

from collections.abc import Callable
from typing import cast

from granian.cli import entrypoint

from playground.server.launch.parent import follow_input

if __name__ == "__main__":
    follow_input()
    cast("Callable[[], None]", entrypoint)()
