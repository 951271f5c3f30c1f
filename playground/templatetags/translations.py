"""Template filters for translations."""

from django import template

from cablese import registry
from playground.workbench import translate

register = template.Library()
register.filter("targets", translate.offer)

OUTCOMES = {
    "kept": "preserved",
    "renamed": "renamed",
    "coerced": "converted",
    "approximated": "approximated",
    "dropped": "lost",
}
TRIPS = {"faithful": "Lossless.", "changed": "Lossy.", "lost": "Lossy."}


@register.filter
def outcome(verdict: str) -> str:
    """Return what happened to a field, in words."""
    return OUTCOMES[verdict]


@register.filter
def trip(verdict: str) -> str:
    """Return the verdict of a round trip, in words."""
    return TRIPS[verdict]


@register.filter
def protocol_title(name: str) -> str:
    return registry.get(name).title
