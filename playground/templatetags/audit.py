from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django import template

from cablese.message import Span

register = template.Library()
_APART = ("tags", "content", "attributes", "sent_text", "sent_zone", "from_line")


@register.simple_tag
def querystring_for(**parameters: str | list[str]) -> str:
    """Return the parameters as a query string; Django escapes it for its attribute."""
    return urlencode({name: value for name, value in parameters.items() if value}, doseq=True)


@register.filter
def list_metadata(record: dict[str, Any]) -> list[str]:
    """Return the metadata of a packet, in short."""
    supplied = record["supplied"]
    listed = [f"@{tag}" for tag in supplied.get("tags", ())]
    return listed + [f"{name} {value}" for name, value in supplied.items() if name not in _APART]


@register.simple_tag
def querystring_of(given: Mapping[str, Any], *left_out: str) -> str:
    """Return the parameters of a request as a query string, but for those that are left out."""
    pairs = getattr(given, "lists", given.items)()
    return urlencode([(name, value) for name, value in pairs if name not in left_out], doseq=True)


@register.filter
def list_detectors(record: dict[str, Any]) -> list[str]:
    """Return the detectors that found something in a packet, each once."""
    return list(dict.fromkeys(finding["detector"] for finding in record["findings"] or ()))


@register.filter
def columns(span: Span) -> str:
    """Return a place in a message, counted from 1."""
    first, last = span.start + 1, span.end
    return f"column {first}" if last <= first else f"columns {first}–{last}"
