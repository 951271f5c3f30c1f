"""The SVG coordinates of the break-even chart: two lines of tokens over messages, and where they
cross.
"""

from fractions import Fraction
from typing import Any

from playground.tokens.breakeven import Plan, graduate, reach

WIDTH, HEIGHT = 440, 220
LEFT, RIGHT, TOP, BOTTOM = 52, 16, 14, 34


def draw(plan: Plan) -> dict[str, Any]:
    """Return both lines until after break-even, or until the end of the conversation without one.

    ``ours`` is the line of the protocol, ``theirs`` that of the baseline: x1, y1, x2, y2. The axes
    ``across`` and ``up`` have pairs of a position and a number. ``yours`` is where the conversation
    ends.
    """
    messages = reach(plan)
    highest = max(*plan.spend(messages), plan.teaching, Fraction(1))
    even = plan.pays_back

    def x(at: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * at / messages, 1)

    def y(tokens: Fraction | float) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * float(tokens / highest), 1)

    protocol, baseline = plan.spend(messages)
    crossed = plan.teaching / plan.saved if even and even <= messages else None
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "left": LEFT,
        "right": WIDTH - RIGHT,
        "top": TOP,
        "bottom": HEIGHT - BOTTOM,
        "across": [(x(at), f"{at:,}") for at in graduate(messages)],
        "up": [(y(at), f"{at:,}") for at in graduate(float(highest))],
        "ours": (x(0), y(plan.teaching), x(messages), y(protocol)),
        "theirs": (x(0), y(0), x(messages), y(baseline)),
        "crossing": None if crossed is None else (x(float(crossed)), y(crossed * plan.baseline)),
        "yours": x(min(plan.messages, messages)),
    }
