"""A search as a queue. It is fixed by the size of the log when it was opened: packets that arrive
later are not in it, and a packet stays in it although ``is:unreviewed`` no longer finds it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from auditlog import review
from auditlog.models import Log
from auditlog.search.find import find_leaves

LIMIT = 10_000
"""Packets of a queue."""
ROWS = 50
"""Rows of a page of the list."""


class Progress(NamedTuple):
    """How many packets of a queue have a decision."""

    decided: int
    flagged: int
    total: int


@dataclass(frozen=True)
class Queue:
    """The packets of a search, newest first, each by its leaf. Positions count from 1."""

    log: Log
    query: str
    size: int
    now: datetime

    @cached_property
    def _found(self) -> list[int]:
        return find_leaves(self.log, self.query, size=self.size, now=self.now, limit=LIMIT + 1)

    @cached_property
    def leaves(self) -> list[int]:
        return self._found[:LIMIT]

    def require_query(self) -> None:
        """Raises QueryError for a query that cannot be answered."""
        assert self._found is not None

    @property
    def is_cut(self) -> bool:
        """Whether the search finds more packets than a queue can have."""
        return len(self._found) > LIMIT

    @cached_property
    def positions(self) -> dict[int, int]:
        return {leaf: at for at, leaf in enumerate(self.leaves, 1)}

    @cached_property
    def states(self) -> dict[int, str]:
        """The newest decision of packets by their leaves, or "commented", as it is now."""
        return review.find_states(self.log, self.leaves)

    @property
    def progress(self) -> Progress:
        states = list(self.states.values())
        decided = sum(state in review.DECISIONS for state in states)
        return Progress(decided, states.count("flagged"), len(self.leaves))

    def is_decided(self, leaf: int) -> bool:
        return self.states.get(leaf) in review.DECISIONS

    @property
    def pages(self) -> int:
        return max(1, -(-len(self.leaves) // ROWS))

    def page_of(self, leaf: int) -> int:
        """Return the number of the page of the list that has a packet."""
        return (self.positions[leaf] - 1) // ROWS + 1

    def rows(self, page: int) -> list[int]:
        return self.leaves[(page - 1) * ROWS : page * ROWS]

    def neighbor(self, leaf: int, by: int) -> int | None:
        at = self.positions[leaf] - 1 + by
        return self.leaves[at] if 0 <= at < len(self.leaves) else None

    def list_open(self, leaf: int | None, number: int) -> list[int]:
        """Return the next packets without a decision: those after ``leaf``, then from the start."""
        at = 0 if leaf is None else self.positions[leaf]
        order = chain(self.leaves[at:], self.leaves[: max(0, at - 1)])
        found: list[int] = []
        for each in order:
            if len(found) == number:
                break
            if not self.is_decided(each):
                found.append(each)
        return found

    def choose(self, positions: Sequence[int]) -> list[int]:
        """Return the leaves at some positions, as far as there are so many."""
        return [self.leaves[at - 1] for at in positions if 0 < at <= len(self.leaves)]
