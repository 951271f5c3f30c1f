"""Whether messages may be requests and answers in turn, by what their log lines state.

    client → server    a request
    server → client    its answer
    server → client    not the next request

After that, it is unknown who owes what.
"""

from collections.abc import Iterable
from itertools import pairwise

from cablese.conversation.model import Supplied


def alternate(supplied: Iterable[Supplied]) -> bool:
    """Return whether each message may answer the one before it. Roles of a chat tell nothing."""
    return all(
        asked.roles or answer.roles or _may_answer(asked, answer)
        for asked, answer in pairwise(supplied)
    )


def _may_answer(asked: Supplied, answer: Supplied) -> bool:
    return (
        (answer.sender is None or answer.sender != asked.sender)
        and _may_be(answer.sender, asked.recipient)
        and _may_be(answer.recipient, asked.sender)
    )


def _may_be(name: str | None, other: str | None) -> bool:
    return name is None or other is None or name == other
