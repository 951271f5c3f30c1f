from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from html import escape
from typing import Any
from urllib.parse import urlencode

from django import template
from django.utils.safestring import SafeString

from cablese.message import Span
from playground.audit.marks import Mark

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


@register.simple_tag
def draw_marks(marks: Iterable[Mark]) -> SafeString:
    """Draw signs for the state and the findings of a packet."""
    return SafeString("".join(map(_draw_mark, marks)))


def _draw_mark(mark: Mark) -> str:
    title = escape(mark.title)
    return (
        f'<span class="sign {escape(mark.name)}" role="img" title="{title}"\n'
        f'aria-label="{title}">{escape(mark.sign)}</span>'
    )


@register.simple_tag
def draw_sent(at: datetime, stated: str | None) -> SafeString:
    """Draw when a packet was sent, or when it was received if no time is ``stated``."""
    shown = show_time(at)
    if stated:
        return draw_time(at, f"Sent {shown} UTC")
    time = draw_time(at, f"Received {shown} UTC. No sent time.", ' class="not-sent"')
    return SafeString(f'{time} <span class="visually-hidden">received</span>')


@register.simple_tag
def draw_moment(at: datetime, what: str = "", *, short: bool = False) -> SafeString:
    """Draw a time that names its zone: UTC, until a script shows it in the reader's. A short one
    has neither year nor seconds.
    """
    full = show_time(at)
    title = f"{escape(what)} {full} UTC".strip()
    if short:
        return draw_time(at, title, " data-short", f"{full[5:16]} UTC")
    return draw_time(at, title, shown=f"{full} UTC")


@register.simple_tag
def draw_stated(stated: str, what: str = "") -> SafeString:
    """Draw a time that a leaf or a record states; what is not such a time, as it is."""
    for form in ("%Y-%m-%dT%H:%M:%S.%f%z", "%Y-%m-%dT%H:%M:%S%z"):
        try:
            return draw_moment(datetime.strptime(stated, form).astimezone(UTC), what)
        except (ValueError, OverflowError):
            continue
    return SafeString(escape(stated))


def draw_time(at: datetime, title: str, more: str = "", shown: str = "") -> SafeString:
    """Draw a time in UTC, until a script shows it in the reader's time zone."""
    shown, exact = shown or show_time(at), at.isoformat()
    return SafeString(f'<time data-at datetime="{exact}"{more} title="{title}">{shown}</time>')


def show_time(at: datetime) -> str:
    """Return a time as pages show it, to the second."""
    return at.isoformat(" ")[:19]


@register.filter
def list_detectors(record: dict[str, Any]) -> list[str]:
    """Return the detectors that found something in a packet, each once."""
    return list(dict.fromkeys(finding["detector"] for finding in record["findings"] or ()))


@register.filter
def columns(span: Span) -> str:
    """Return a place in a message, counted from 1."""
    first, last = span.start + 1, span.end
    return f"column {first}" if last <= first else f"columns {first}–{last}"
