"""The charts of the statistics. A template would take as long as everything else on the page."""

from collections.abc import Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from playground.statistics import chart
from playground.statistics.panels import Panel, Row

register = template.Library()
_BASE = chart.HEIGHT - chart.BOTTOM
_TITLES = {
    "volume": ("Packets over time", "Valid and invalid packets, stacked."),
    "tokens": ("Tokens over time", "Tokens as sent, as minified JSON, and as English."),
}


@register.simple_tag
def draw_columns(rows: Sequence[Row], name: str, highest: str) -> SafeString:
    """Draw columns over time. Each leads to its search."""
    title, description = _TITLES[name]
    columns = format_html_join(
        "",
        '<a class="column" href="{}" aria-label="{}"><title>{}</title>'
        '<rect class="area" x="{}%" y="0" width="{}%" height="{}"></rect>{}</a>',
        (_describe_column(row, name) for row in rows),
    )
    last = rows[-1].label if len(rows) > 1 else ""
    axis = format_html(
        '<line class="axis" x1="0" x2="100%" y1="{0}" y2="{0}"></line>{1}'
        '<text class="tick" x="0" y="{2}">{3}</text>'
        '<text class="tick end" x="100%" y="{2}">{4}</text>'
        '<text class="tick" x="0" y="12">{5}</text>',
        _BASE, columns, _BASE + 16, rows[0].label, last, highest,
    )  # fmt: skip
    return _frame(name, title, description, chart.HEIGHT, axis)


@register.simple_tag
def draw_bars(panel: Panel) -> SafeString:
    """Draw the bars of values. Each leads to its search."""
    bars = format_html_join(
        "",
        '<a class="bar" href="{}" aria-label="{}"><title>{}</title>'
        '<rect class="area" x="0" y="{}" width="100%" height="{}"></rect>'
        '<text class="name" x="0" y="{}">{}</text>{}</a>',
        (
            (
                row.href, row.words, row.words, row.column.x, chart.ROW, row.column.x + 15,
                row.short, _draw_boxes(row),
            )
            for row in panel.rows
        ),
    )  # fmt: skip
    return _frame(panel.name, panel.title, "Valid and invalid packets.", panel.height, bars)


def _describe_column(row: Row, name: str) -> tuple[str | float | None, ...]:
    words = row.words if name == "volume" else row.token_words
    column = row.column
    return row.href, words, words, column.x, column.width, _BASE, _draw_boxes(row)


def _draw_boxes(row: Row) -> SafeString:
    return format_html_join(
        "",
        '<rect class="{}" x="{}%" y="{}" width="{}%" height="{}"></rect>',
        row.column.boxes,
    )


def _frame(name: str, title: str, description: str, height: int, drawn: SafeString) -> SafeString:
    # A group, because all links in an image would be hidden from a screen reader.
    return format_html(
        '<svg class="chart" width="100%" height="{0}" role="group"'
        ' aria-labelledby="{1}-chart {1}-desc"><title id="{1}-chart">{2}</title>'
        '<desc id="{1}-desc">{3} The table has the same numbers.</desc>{4}</svg>',
        height, name, title, description, drawn,
    )  # fmt: skip
