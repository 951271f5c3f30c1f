from decimal import Decimal

from django import template
from django.template.context import Context

from playground.tokenpanel import TokenPanel

register = template.Library()


@register.simple_tag(takes_context=True)
def token_panel(context: Context) -> TokenPanel | None:
    """The Tokens panel of the message that the page shows."""
    panel, shown, form = context.get("panel"), context.get("shown"), context.get("form")
    if isinstance(panel, TokenPanel):
        return panel
    return None if shown is None else TokenPanel(shown, context.get("reading"), getattr(form, "data", None))


@register.filter
def dollars(value: Decimal) -> str:
    """``$0.0000475``: as many digits as it takes to see two that count."""
    if not value:
        return "$0"
    digits = max(2, 1 - value.adjusted())
    return f"${value:,.{digits}f}"


@register.filter
def signed(value: int) -> str:
    """``+12``, ``−8``, ``0``."""
    return f"{value:+,}".replace("-", "−") if value else "0"


@register.filter
def bar(value: int, longest: int) -> str:
    """How long a bar is, in percent of the longest: a number for an SVG attribute."""
    return f"{100 * value / max(longest, 1):.2f}"
