from typing import Any
from urllib.parse import urlencode

from django import template

from cablese.message import Span

register = template.Library()
_APART = ("tags", "content", "attributes", "sent_text", "sent_zone", "from_line")


@register.simple_tag
def querystring_for(**parameters: str) -> str:
    """The parameters as a query string; Django escapes it for the attribute it stands in."""
    return urlencode({name: value for name, value in parameters.items() if value})


@register.filter
def said_beside(record: dict[str, Any]) -> list[str]:
    """What was supplied beside a packet, in short."""
    supplied = record["supplied"]
    words = [f"@{tag}" for tag in supplied.get("tags", ())]
    return words + [f"{name} {value}" for name, value in supplied.items() if name not in _APART]


@register.filter
def columns(span: Span) -> str:
    """A place in one message, counted from 1."""
    first, last = span.start + 1, span.end
    return f"column {first}" if last <= first else f"columns {first}–{last}"
