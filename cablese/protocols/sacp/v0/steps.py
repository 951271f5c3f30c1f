"""Walk the steps of a plan, each with the number that answers use, counted from 1."""

from collections.abc import Iterator
from typing import Any, NamedTuple


class Step(NamedTuple):
    """A step. ``at`` has its number, and in a parallel also the number of its branch. Only a step
    of 1.0 has an ``id``.
    """

    at: tuple[int, ...]
    verb: str
    tool: str
    params: dict[str, Any]
    id: str = ""

    @property
    def number(self) -> str:
        """Return ``2.1`` for the first branch of the second step."""
        return ".".join(map(str, self.at))

    @property
    def words(self) -> str:
        return ", branch ".join([f"Step {self.at[0]}", *map(str, self.at[1:])])


def walk(steps: list[Any], above: tuple[int, ...] = ()) -> Iterator[Step]:
    """Yield the steps of a valid message, and in place of a parallel its branches in order."""
    for index, step in enumerate(steps, 1):
        at = (*above, index)
        if "parallel" in step:
            yield from walk(step["parallel"], at)
        else:
            yield Step(at, step["verb"], step["tool"], step.get("params", {}), step.get("id", ""))
