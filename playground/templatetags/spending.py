from collections.abc import Iterable, Sequence
from html import escape  # A bill is drawn at every keystroke, and Django's takes twice as long.

from django import template
from django.utils.safestring import SafeString

from playground.display.glyphs import visible
from playground.templatetags.bars import share
from playground.tokens.panel import Share
from playground.tokens.prices import format_dollars

register = template.Library()
register.filter("dollars", format_dollars)


@register.filter
def signed(value: int) -> str:
    """Return ``+12``, ``−8``, or ``0``."""
    return f"{value:+,}".replace("-", "−") if value else "0"


@register.simple_tag
def draw_bar(own: float, between: float = 0) -> SafeString:
    """Draw a bar in percent of the longest. Tokens that start with a separator are paler."""
    own, between = float(own), float(between)
    return SafeString(
        '<svg class="bar-track" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="bar-between" width="{between}" height="8"></rect>'
        f'<rect class="bar-own" x="{between}" width="{own}" height="8"></rect></svg>'
    )


@register.simple_tag
def draw_stripes(shares: Iterable[Share], count: int) -> SafeString:
    """Draw a bill of ``count`` tokens as one bar. A template is too slow at every keystroke."""
    return SafeString("".join(_draw_stripe(drawn, count) for drawn in shares))


@register.simple_tag
def draw_lines(shares: Sequence[Share], count: int) -> SafeString:
    """Draw a bill of ``count`` tokens as rows of a table."""
    longest = max((drawn.line.tokens for drawn in shares), default=1)
    return SafeString("".join(_draw_line(drawn, count, longest) for drawn in shares))


def _draw_stripe(drawn: Share, count: int) -> str:
    hue = "" if drawn.hue is None else f" h{drawn.hue}"
    at, width = share(drawn.start, count), share(drawn.line.tokens, count)
    place = f'x="{at}" width="{width}" height="6"'
    return f'<rect class="share{hue}"{_mark(drawn)} {place}></rect>'


def _draw_line(drawn: Share, count: int, longest: int) -> str:
    line = drawn.line
    named, hued = ("", "") if drawn.hue is None else (f' class="h{drawn.hue}"', f" h{drawn.hue}")
    own, between = line.tokens - line.separators, line.separators
    bar: str = draw_bar(share(own, longest), share(between, longest))
    if between:
        starts = "start" if between > 1 else "starts"
        bar += f'<span class="visually-hidden">{between} {starts} with a separator</span>'
    title = f' title="{escape(visible(drawn.label))}"' if drawn.label else ""
    name = escape(visible(line.field)) or "not decoded"
    percent = f"{round(100 * line.tokens / count, 1):g}"
    return (
        f'<tr{_mark(drawn)}><th scope="row"{named}{title}>{name}</th>'
        f'<td class="share-bar{hued}">{bar}</td>'
        f'<td class="number">{line.tokens:,}</td><td class="number part">{percent}%</td></tr>'
    )


def _mark(drawn: Share) -> str:
    return f' data-f="{escape(drawn.marks)}"' if drawn.marks else ""
