from collections.abc import Sequence

from django import template
from django.utils.html import format_html, format_html_join
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
    return format_html(
        '<svg class="bar-track" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="bar-between" width="{between}" height="8"></rect>'
        '<rect class="bar-own" x="{between}" width="{own}" height="8"></rect></svg>',
        own=float(own),
        between=float(between),
    )


@register.simple_tag
def draw_stripes(shares: Sequence[Share], count: int) -> SafeString:
    """Draw a bill of ``count`` tokens as one bar. A template is too slow at every keystroke."""
    return format_html_join(
        "",
        '<rect class="share{}"{} x="{}" width="{}" height="6"></rect>',
        (
            (
                "" if drawn.hue is None else f" h{drawn.hue}",
                _mark(drawn),
                share(drawn.start, count),
                share(drawn.line.tokens, count),
            )
            for drawn in shares
        ),
    )


@register.simple_tag
def draw_lines(shares: Sequence[Share], count: int) -> SafeString:
    """Draw a bill of ``count`` tokens as rows of a table."""
    longest = max((drawn.line.tokens for drawn in shares), default=1)
    return format_html_join("", "{}", ((_draw_line(drawn, count, longest),) for drawn in shares))


def _draw_line(drawn: Share, count: int, longest: int) -> SafeString:
    line, hue = drawn.line, "" if drawn.hue is None else f"h{drawn.hue}"
    return format_html(
        '<tr{}><th scope="row"{}{}>{}</th><td class="share-bar{}">{}{}</td>'
        '<td class="number">{}</td><td class="number part">{}%</td></tr>',
        _mark(drawn),
        format_html(' class="{}"', hue) if hue else "",
        format_html(' title="{}"', visible(drawn.label)) if drawn.label else "",
        visible(line.field) or "not decoded",
        f" {hue}" if hue else "",
        draw_bar(share(line.tokens - line.separators, longest), share(line.separators, longest)),
        format_html(
            '<span class="visually-hidden">{} start{} with a separator</span>',
            line.separators,
            "s" if line.separators == 1 else "",
        )
        if line.separators
        else "",
        f"{line.tokens:,}",
        f"{round(100 * line.tokens / count, 1):g}",
    )


def _mark(drawn: Share) -> SafeString:
    return format_html(' data-f="{}"', drawn.marks) if drawn.marks else SafeString("")
