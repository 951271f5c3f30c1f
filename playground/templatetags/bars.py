from django import template

from auditlog.tokens import Count
from playground.reading import Cost

register = template.Library()


@register.simple_tag
def share(count: Count, cost: Cost) -> str:
    """How much of the longest bar of `cost` a count is, in percent: a number for an SVG attribute."""
    sides = (cost.wire, cost.english, cost.plain, cost.wrapper)
    longest = max(1, *(side.count for side in sides if side is not None))
    return f"{100 * count.count / longest:.1f}"


@register.filter
def percent(value: float) -> str:
    """``−7.1 %``, with the sign that people read."""
    return f"{value:+.1f} %".replace("-", "−") if value else "0 %"
