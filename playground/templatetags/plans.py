from typing import Any

from django import template

from cablese.message import Message
from playground.display import plan_diagram

register = template.Library()


@register.inclusion_tag("display/_plan.html")
def draw_plan(message: Message) -> dict[str, Any]:
    """The picture of a plan with steps side by side, and the same as a list."""
    return {"graph": plan_diagram.draw(message)}
