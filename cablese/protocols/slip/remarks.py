"""What there is to report about a message that is valid: its spaces, and a Force with its
Object.
"""

from typing import Any

from cablese.message import Diagnostic, Fix, Span
from cablese.text import quote

from . import rules
from .vocabulary import OBJECTS, ODD_PAIRS

ADVICE = {
    (force, obj): f"{force} does not fit {obj}. Expected {' or '.join(instead)}."
    for force, odd in ODD_PAIRS.items()
    for obj, instead in odd.items()
}


def gap(at: Span) -> Diagnostic:
    """Something other than one space between two parts."""
    return rules.BLANK.at(at, "One space stands between two parts.", Fix(at, " ", safe=True))


def pair(values: dict[str, Any], at: Span) -> tuple[Diagnostic, ...]:
    """What the source advises about a Force with its Object, which is at ``at``; any pair
    is read.
    """
    force, obj = values["force"], values["obj"]
    found: tuple[Diagnostic, ...] = ()
    if (force, obj) in ADVICE:
        found = (rules.ODD_PAIR.at(at, ADVICE[force, obj]),)
    elif force == "Fallback" and obj != "Generic":
        words = f"A Fallback has the Object Generic. Found {quote(obj)}."
        found = (rules.ODD_FALLBACK.at(at, words),)
    elif (force, obj) == ("Accept", "Condition") and not values["payload"]:
        words = "Accept Condition must state the condition in its payload."
        found = (rules.NO_CONDITION.at(at, words),)
    if obj[0].islower():
        core = f" The core Object is {obj.capitalize()}." if obj.capitalize() in OBJECTS else ""
        words = f"Objects begin with a capital letter. Found {quote(obj)}.{core}"
        found = (*found, rules.LOWER_OBJECT.at(at, words))
    return found
