"""The chart of break-even: two lines of tokens over messages, and where they cross. Coordinates for
an SVG.
"""

from dataclasses import dataclass
from fractions import Fraction

from playground.tokens.breakeven import Plan, graduate, reach

WIDTH, HEIGHT = 440, 220
LEFT, RIGHT, TOP, BOTTOM = 52, 16, 14, 34


@dataclass(frozen=True)
class Chart:
    """``ours`` is the line of the protocol, ``theirs`` that of the baseline: x1, y1, x2, y2."""

    across: tuple[tuple[float, str], ...]
    """The numbers of the axis, each after its place."""
    up: tuple[tuple[float, str], ...]
    ours: tuple[float, float, float, float]
    theirs: tuple[float, float, float, float]
    crossing: tuple[float, float] | None
    yours: float
    """Where the conversation ends that was asked for."""

    width, height = WIDTH, HEIGHT
    left, right, top, bottom = LEFT, WIDTH - RIGHT, TOP, HEIGHT - BOTTOM


def draw(plan: Plan) -> Chart:
    """Both lines from the first message to beyond break-even, or to the end of the conversation if
    it never comes.
    """
    messages = reach(plan)
    highest = max(*plan.spend(messages), plan.teaching, Fraction(1))
    even = plan.pays_back

    def x(at: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * at / messages, 1)

    def y(spent: Fraction | float) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * float(spent / highest), 1)

    ours, theirs = plan.spend(messages)
    crossed = plan.teaching / plan.saved if even and even <= messages else None
    return Chart(
        across=tuple((x(at), f"{at:,}") for at in graduate(messages)),
        up=tuple((y(at), f"{at:,}") for at in graduate(float(highest))),
        ours=(x(0), y(plan.teaching), x(messages), y(ours)),
        theirs=(x(0), y(0), x(messages), y(theirs)),
        crossing=None if crossed is None else (x(float(crossed)), y(crossed * plan.baseline)),
        yours=x(min(plan.messages, messages)),
    )
