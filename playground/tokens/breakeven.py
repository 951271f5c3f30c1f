"""Break-even: after how many messages teaching a protocol in the prompt has paid for itself.

    cost of teaching   prompt × (1 + (repeats − 1) × factor)
    saved a message    baseline − message
    break-even         cost of teaching ÷ saved a message, rounded up; never, when nothing is saved

All in tokens at the price of fresh input: the prompt is sent in full once, then at the cached
price. Without a cache the factor is 1. Repeats are how often the prompt is sent in one
conversation: an agent that is called ten times is taught ten times.
"""

from collections.abc import Iterator
from fractions import Fraction
from math import ceil

from msgspec import Struct

LONGEST = 10_000
"""Messages of a conversation that a chart shows at most."""


class Plan(Struct, frozen=True):
    """What is reckoned with. ``message`` and ``baseline`` are tokens a message, the mean where
    there are several.

    ``factor`` is the price of a cached token over that of a fresh one.
    """

    prompt: int
    message: Fraction
    baseline: Fraction
    messages: int
    repeats: int
    factor: Fraction

    @property
    def teaching(self) -> Fraction:
        """What teaching costs in one conversation, in tokens at the full price; nothing where it is
        never sent.
        """
        return self.prompt * (1 + (self.repeats - 1) * self.factor) if self.repeats else Fraction(0)

    @property
    def saved(self) -> Fraction:
        """Tokens saved by one message; less than nothing when the protocol is longer."""
        return self.baseline - self.message

    @property
    def pays_back(self) -> int | None:
        """The first message after which the protocol has cost no more than the baseline; None when
        that never comes.
        """
        if self.saved <= 0:
            return None if self.teaching or self.saved else 0
        return max(ceil(self.teaching / self.saved), 1) if self.teaching else 0

    def spend(self, messages: int) -> tuple[Fraction, Fraction]:
        """Tokens after so many messages: with the protocol, its teaching included, and with the
        baseline.
        """
        return self.teaching + messages * self.message, messages * self.baseline


class Step(Struct, frozen=True):
    """A row of the table next to the chart. ``marked`` says why the row is listed."""

    messages: int
    protocol: int
    baseline: int
    difference: int
    marked: str


def tabulate(plan: Plan) -> tuple[Step, ...]:
    """Some points of the way: the first message, a few in between, break-even, and the end of the
    conversation.
    """
    return tuple(_step(plan, at, words) for at, words in sorted(_points(plan).items()))


def _points(plan: Plan) -> dict[int, str]:
    points = {max(plan.messages * part // 4, 1): "" for part in range(4)}
    points[plan.messages] = "your conversation"
    if plan.pays_back:
        points[plan.pays_back] = "break-even"
    return points


def _step(plan: Plan, messages: int, marked: str) -> Step:
    ours, theirs = plan.spend(messages)
    return Step(messages, round(ours), round(theirs), round(ours) - round(theirs), marked)


def reach(plan: Plan) -> int:
    """How many messages a chart has to show, so that the lines are seen to cross if they
    ever do.
    """
    even = plan.pays_back or 0
    wanted = max(plan.messages, ceil(even * 1.25) if even <= LONGEST else 0, 4)
    return min(wanted, LONGEST)


def graduate(most: float, ticks: int = 4) -> Iterator[int]:
    """Round numbers from 0 to ``most``, about so many: for an axis."""
    step = max(ceil(most / ticks), 1)
    size = 10 ** (len(str(step)) - 1)
    step = next(size * each for each in (1, 2, 5, 10) if size * each >= step)
    yield from range(0, int(most) + 1, step)
