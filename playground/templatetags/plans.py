from typing import Any

from django import template

from cablese.message import Message
from playground.display import plan_diagram

register = template.Library()


@register.inclusion_tag("display/_plan.html")
def draw_plan(message: Message) -> dict[str, Any]:
    """Draw a plan with parallel steps as a diagram and as a list."""
    return {"graph": plan_diagram.draw(message)}
