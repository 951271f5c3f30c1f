"""The steps of a plan one by one, each with the place by which answers name it, counted from 1."""

from collections.abc import Iterator
from typing import Any, NamedTuple


class Step(NamedTuple):
    """A step that somebody carries out. ``at`` holds its number, and the number of its branch
    inside a parallel.
    """

    at: tuple[int, ...]
    verb: str
    tool: str
    params: dict[str, Any]

    @property
    def number(self) -> str:
        """``2.1`` for the first branch of the second step."""
        return ".".join(map(str, self.at))

    @property
    def words(self) -> str:
        return ", branch ".join([f"Step {self.at[0]}", *map(str, self.at[1:])])


def walk(steps: list[Any], above: tuple[int, ...] = ()) -> Iterator[Step]:
    """The steps of the values of a valid message, those inside a parallel in the order of their
    branches.
    """
    for index, one in enumerate(steps, 1):
        at = (*above, index)
        if "parallel" in one:
            yield from walk(one["parallel"], at)
        else:
            yield Step(at, one["verb"], one["tool"], one.get("params", {}))
