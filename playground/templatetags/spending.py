from collections.abc import Sequence
from decimal import Decimal

from django import template
from django.template.context import Context
from django.utils.html import escape
from django.utils.safestring import SafeString

from playground.tokens.panel import Share, TokenPanel
from playground.tokens.prices import format_dollars

register = template.Library()


@register.simple_tag(takes_context=True)
def token_panel(context: Context) -> TokenPanel | None:
    """The Tokens panel of the message that the page shows."""
    panel, shown, form = context.get("panel"), context.get("shown"), context.get("form")
    if isinstance(panel, TokenPanel):
        return panel
    return (
        None
        if shown is None
        else TokenPanel(shown, context.get("reading"), getattr(form, "data", None))
    )


@register.filter
def dollars(value: Decimal) -> str:
    return format_dollars(value)


@register.filter
def signed(value: int) -> str:
    """``+12``, ``−8``, ``0``."""
    return f"{value:+,}".replace("-", "−") if value else "0"


@register.filter
def bar(value: int, longest: int) -> str:
    """How long a bar is, in percent of the longest: a number for an SVG attribute."""
    return f"{100 * value / max(longest, 1):.2f}"


@register.simple_tag
def draw_bar(own: float, between: float = 0) -> SafeString:
    """A bar in percent of the longest: what is the field's own and, paler, what begins in a
    separator before it.
    """
    return SafeString(
        '<svg class="bar-track" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="bar-between" width="{float(between)}" height="8"></rect>'
        f'<rect class="bar-own" x="{float(between)}" width="{float(own)}" height="8"></rect></svg>'
    )


@register.simple_tag
def draw_stripes(shares: Sequence[Share]) -> SafeString:
    """The whole bill as one bar. Drawn here and not by a template, like its lines: it is drawn at
    every keystroke.
    """
    return SafeString("".join(map(_stripe, shares)))


@register.simple_tag
def draw_lines(shares: Sequence[Share]) -> SafeString:
    """The bill as rows of a table."""
    return SafeString("".join(map(_line, shares)))


def _stripe(one: Share) -> str:
    hue = "" if one.hue is None else f" h{one.hue}"
    return (
        f'<rect class="share{hue}"{_marks(one)} x="{one.start}" width="{one.width}" '
        'height="6"></rect>'
    )


def _line(one: Share) -> str:
    hue = "" if one.hue is None else f"h{one.hue}"
    named = f' class="{hue}"' if hue else ""
    title = f' title="{escape(one.label)}"' if one.label else ""
    said = (
        f'<span class="visually-hidden">{one.separators} start with a separator</span>'
        if one.separators
        else ""
    )
    return (
        f'<tr{_marks(one)}><th scope="row"{named}{title}>{escape(one.name)}</th>'
        f'<td class="share-bar{hue and f" {hue}"}">'
        f"{draw_bar(one.own, one.between)}{said}</td>"
        f'<td class="number">{one.tokens:,}</td><td class="number part">{one.percent:g}%</td></tr>'
    )


def _marks(one: Share) -> str:
    return f' data-f="{escape(one.marks)}"' if one.marks else ""
