"""Checkpoints that were seen while the server was at work: each must be of the tree, for ever.

A reader asks for the checkpoint over and over, as a stranger would. After each kill, every one that
it ever got, every one that is stored, and the one that is remembered beside the database must have
the root of the leaves that are stored then.
"""

import threading
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException

from cablese.tlog import merkle, note
from cablese.tlog.checkpoint import Checkpoint, parse_checkpoint

PATH = "/log/default/checkpoint"
PACE = 0.02
"""Seconds between two looks."""


class Reader(threading.Thread):
    """Reads the checkpoint of a public log until the server is gone."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self.port = port
        self.seen: set[Checkpoint] = set()

    def run(self) -> None:
        with (
            suppress(OSError, HTTPException),
            closing(HTTPConnection("127.0.0.1", self.port, timeout=60)) as connection,
        ):
            while True:
                connection.request("GET", PATH)
                answer = connection.getresponse()
                data = answer.read()
                if answer.status == 200:
                    self.seen.add(read(data.decode()))
                time.sleep(PACE)


def read(signed: str) -> Checkpoint:
    """Return the checkpoint of a note. Its signature is another test's."""
    return parse_checkpoint(note.split(signed)[0])


def find_faults(seen: set[Checkpoint], leaves: Sequence[bytes]) -> list[str]:
    """Return what is wrong with checkpoints, by the hashes of all leaves that are stored."""
    faults = []
    tree = Tree(leaves)
    for one in sorted(seen, key=lambda checkpoint: checkpoint.size):
        if one.size > len(leaves):
            faults.append(f"A checkpoint has {one.size} leaves, and the log has {len(leaves)}.")
        elif merkle.root(one.size, tree.read) != one.root:
            faults.append(f"The tree no longer contains the checkpoint of {one.size} leaves.")
    return faults


class Tree:
    """The subtrees of leaves, computed from these alone."""

    def __init__(self, leaves: Sequence[bytes]) -> None:
        self.levels = [list(leaves)]

    def read(self, level: int, index: int) -> bytes:
        while len(self.levels) <= level:
            below = self.levels[-1]
            self.levels.append(
                [merkle.hash_node(*below[at : at + 2]) for at in range(0, len(below) - 1, 2)]
            )
        return self.levels[level][index]
