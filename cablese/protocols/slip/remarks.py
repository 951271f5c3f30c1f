"""Report on valid messages: odd spacing, and a Force that does not fit its Object."""

from typing import Any

from cablese.message import Diagnostic, Fix, Span
from cablese.text import quote

from .rules import RULES
from .vocabulary import OBJECTS, ODD_PAIRS

ADVICE = {
    (force, obj): f"Unexpected Object {obj} with Force {force}. Expected {' or '.join(instead)}."
    for force, odd in ODD_PAIRS.items()
    for obj, instead in odd.items()
}


def gap(at: Span) -> Diagnostic:
    """Report a gap between two parts that is not exactly one space."""
    return RULES["blank"].at(
        at, "Expected exactly one space between two parts.", Fix(at, " ", safe=True)
    )


def pair(values: dict[str, Any], at: Span) -> tuple[Diagnostic, ...]:
    """Report what slipcore recommends for a Force and its Object at ``at``; every pair is valid."""
    force, obj = values["force"], values["obj"]
    found: tuple[Diagnostic, ...] = ()
    if (force, obj) in ADVICE:
        found = (RULES["odd-pair"].at(at, ADVICE[force, obj]),)
    elif force == "Fallback" and obj != "Generic":
        words = f"Unexpected Object {quote(obj)} in a Fallback. Expected Generic."
        found = (RULES["fallback-object"].at(at, words),)
    elif (force, obj) == ("Accept", "Condition") and not values["payload"]:
        words = "Accept Condition must state the condition in its payload."
        found = (RULES["missing-condition"].at(at, words),)
    if obj[0].islower():
        core = f" Did you mean {obj.capitalize()}?" if obj.capitalize() in OBJECTS else ""
        words = f"Object {quote(obj)} must start with a capital letter.{core}"
        found = (*found, RULES["lowercase-object"].at(at, words))
    return found
