"""Odd requests that store packets, as data: what a client can get wrong, and what it may do without
being refused. Each has a name, its steps, and the statuses that the requests among them are
answered with.

`all_cases` gives them in the order in which they are sent. Words in angle brackets stand for what
differs between two installations, see `steps`.
"""

from collections.abc import Iterator

from tests.playground.server.front.hot.odd import batches, bodies, fields, heads, keys, repeats
from tests.playground.server.front.hot.odd.steps import Case


def all_cases() -> Iterator[Case]:
    for module in (heads, keys, bodies, fields, repeats, batches):
        yield from module.CASES
