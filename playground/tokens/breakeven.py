"""Break-even: after how many messages the tokens saved equal the cost of the protocol prompt.

    cost of the prompt   prompt × (1 + (repeats − 1) × factor)
    saved per message    baseline − message
    break-even           cost of the prompt ÷ saved per message, rounded up; never if that is ≤ 0

All in tokens at the price of uncached input: the prompt is sent in full once, then at the cached
price. Without a cache the factor is 1. Repeats are how often the prompt is sent in one
conversation: an agent that is called ten times gets it ten times.
"""

from collections.abc import Iterator
from fractions import Fraction
from math import ceil

from msgspec import Struct

LONGEST = 10_000
"""The limit of messages in a chart."""


class Plan(Struct, frozen=True):
    """The input. ``message`` and ``baseline`` are tokens per message, the mean of several.

    ``factor`` is the price of a cached token divided by that of an uncached one.
    """

    prompt: int
    message: Fraction
    baseline: Fraction
    messages: int
    repeats: int
    factor: Fraction

    @property
    def teaching(self) -> Fraction:
        """Return the cost of the prompt in one conversation, in tokens at the full price."""
        return self.prompt * (1 + (self.repeats - 1) * self.factor) if self.repeats else Fraction(0)

    @property
    def saved(self) -> Fraction:
        """Return the tokens saved by one message; negative if the protocol is longer."""
        return self.baseline - self.message

    @property
    def pays_back(self) -> int | None:
        """Return the number of messages after which the protocol costs no more than the baseline;
        None if that never happens.
        """
        if self.saved <= 0:
            return None if self.teaching or self.saved else 0
        return max(ceil(self.teaching / self.saved), 1) if self.teaching else 0

    def spend(self, messages: int) -> tuple[Fraction, Fraction]:
        """Return the tokens of ``messages``: with the protocol and its prompt, and the baseline."""
        return self.teaching + messages * self.message, messages * self.baseline


class Step(Struct, frozen=True):
    """A row of the table next to the chart. ``marked`` says why the row is listed."""

    messages: int
    protocol: int
    baseline: int
    difference: int
    marked: str


def tabulate(plan: Plan) -> tuple[Step, ...]:
    """Return rows for the first message, a few in between, break-even, and the last message."""
    return tuple(_step(plan, at, label) for at, label in sorted(_points(plan).items()))


def _points(plan: Plan) -> dict[int, str]:
    points = {max(plan.messages * part // 4, 1): "" for part in range(4)}
    points[plan.messages] = "your conversation"
    if plan.pays_back:
        points[plan.pays_back] = "break-even"
    return points


def _step(plan: Plan, messages: int, marked: str) -> Step:
    protocol, baseline = plan.spend(messages)
    return Step(
        messages, round(protocol), round(baseline), round(protocol) - round(baseline), marked
    )


def reach(plan: Plan) -> int:
    """Return how many messages a chart must have to show where the lines cross, if they do."""
    even = plan.pays_back or 0
    messages = max(plan.messages, ceil(even * 1.25) if even <= LONGEST else 0, 4)
    return min(messages, LONGEST)


def graduate(most: float, ticks: int = 4) -> Iterator[int]:
    """Yield about ``ticks`` round numbers from 0 to ``most``, for an axis."""
    step = max(ceil(most / ticks), 1)
    size = 10 ** (len(str(step)) - 1)
    step = next(size * multiple for multiple in (1, 2, 5, 10) if size * multiple >= step)
    yield from range(0, int(most) + 1, step)
