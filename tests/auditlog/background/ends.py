"""A process for `Child`: it ends with status 3 when it is woken for the first time."""

import os
import sys

if __name__ == "__main__":
    os._exit(3 if os.read(sys.stdin.fileno(), 1) else 0)
