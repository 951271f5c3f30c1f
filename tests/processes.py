"""Processes and what they take, as Linux tells it."""

import os
from contextlib import suppress
from pathlib import Path


def descendants(process: int) -> list[int]:
    """The children of a process, and theirs; none of one that has ended."""
    found: list[int] = []
    with suppress(FileNotFoundError):
        for task in Path(f"/proc/{process}/task").iterdir():
            for child in map(int, (task / "children").read_text().split()):
                found += [child, *descendants(child)]
    return found


def family(process: int) -> list[int]:
    """A process and its descendants."""
    return [process, *descendants(process)]


def largest(process: int) -> int:
    """Bytes that the largest of a process and its descendants has in memory: the one that
    serves.
    """
    return max(_pages(one) for one in family(process)) * os.sysconf("SC_PAGESIZE")


def _pages(process: int) -> int:
    return int(Path(f"/proc/{process}/statm").read_text().split()[1])


def ticks(process: int) -> list[int]:
    """The ticks of the processor that a process has used, for itself and in the kernel, and the
    same of its children that have ended.
    """
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return [int(field) for field in fields[11:15]]
