"""What a template asks about translations."""

from django import template

from cablese.message import Message
from playground.workbench import translate

register = template.Library()


@register.filter
def targets(message: Message) -> list[tuple[str, str]]:
    """What ``message`` can be translated into: names and titles."""
    return translate.offer(message)
