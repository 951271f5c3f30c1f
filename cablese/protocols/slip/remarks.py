"""Report on valid messages: odd spacing, and a Force that does not fit its Object."""

from typing import Any

from cablese.message import Diagnostic, Fix, Span
from cablese.text import quote

from .rules import RULES
from .vocabulary import OBJECTS, ODD_PAIRS

ADVICE = {
    (force, obj): f"Unexpected Object {obj} with Force {force}. Expected {' or '.join(instead)}."
    for force, objects in ODD_PAIRS.items()
    for obj, instead in objects.items()
}


def gap(at: Span) -> Diagnostic:
    """Report a gap between two parts that is not exactly one space."""
    return RULES["blank"].at(
        at, "Expected exactly one space between two parts.", Fix(at, " ", safe=True)
    )


def pair(values: dict[str, Any], at: Span) -> tuple[Diagnostic, ...]:
    """Report what slipcore recommends for a Force and its Object at ``at``; every pair is valid."""
    force, obj = values["force"], values["obj"]
    diagnostics: tuple[Diagnostic, ...] = ()
    if (force, obj) in ADVICE:
        diagnostics = (RULES["odd-pair"].at(at, ADVICE[force, obj]),)
    elif force == "Fallback" and obj != "Generic":
        message = f"Unexpected Object {quote(obj)} in a Fallback. Expected Generic."
        diagnostics = (RULES["fallback-object"].at(at, message),)
    elif (force, obj) == ("Accept", "Condition") and not values["payload"]:
        message = "Accept Condition must state the condition in its payload."
        diagnostics = (RULES["missing-condition"].at(at, message),)
    if obj[0].islower():
        core = f" Did you mean {obj.capitalize()}?" if obj.capitalize() in OBJECTS else ""
        message = f"Object {quote(obj)} must start with a capital letter.{core}"
        diagnostics = (*diagnostics, RULES["lowercase-object"].at(at, message))
    return diagnostics
