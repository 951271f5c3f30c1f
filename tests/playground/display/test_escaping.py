"""Text that agents wrote stays text: no tag or filter that builds HTML lets an element through.

Each text here closes what it stands in, a tag or an attribute in either quotes, and then opens an
element. Whoever looks only for `<script>` would not see it.
"""

from datetime import UTC, datetime

import pytest

from auditlog.rollup.read import Counts
from cablese import detection
from playground.audit.marks import Mark
from playground.display.highlight import Run
from playground.display.message import Chip
from playground.statistics.chart import Box, Column
from playground.statistics.panels import Panel, Row
from playground.templatetags.audit import draw_marks, draw_sent
from playground.templatetags.charts import draw_bars, draw_columns
from playground.templatetags.spending import draw_lines, draw_stripes
from playground.templatetags.wire import draw_chips, draw_message, draw_runs
from playground.tokens.bill import Line
from playground.tokens.panel import Share
from tests.playground.drawn import Elements

HOSTILE = ["<b>", "</span><img src=x>", '"><i>', "' onclick='x", '" onclick="x', "a & b &lt;"]
each_text = pytest.mark.parametrize("text", HOSTILE)


def share(*, name: str = "g", label: str = "Goal", marks: str = "slot") -> Share:
    return Share(Line(name, (name,), tokens=4, separators=0), label, marks, hue=1, start=0)


def row(text: str) -> Row:
    return Row(text, text, Counts(), Column(0, 1, (Box(text, 0, 0, 1, 1),)), None)


@each_text
def test_the_text_of_a_token_is_text(text: str) -> None:
    drawn = Elements(draw_chips([Chip(text, "1", "", None, 1, 1)]))

    assert drawn.found == [
        ("span", {"class": "token", "data-ids": "1", "data-first": "1", "tabindex": "0"})
    ]
    assert drawn.text == text


@each_text
def test_the_field_of_a_token_stays_in_its_attribute(text: str) -> None:
    drawn = Elements(draw_chips([Chip("x", "1", text, 2, 2, 1)]))

    assert [tag for tag, _ in drawn.found] == ["span"]
    assert drawn.found[0][1] == {
        "class": "token h2 many", "data-f": text, "data-ids": "1", "data-first": "1",
        "tabindex": "0",
    }  # fmt: skip


@each_text
@pytest.mark.parametrize("kind", ["value", "separator"])
def test_a_stretch_of_a_message_is_text(kind: str, text: str) -> None:
    drawn = Elements(draw_runs([Run(text, kind)]))

    assert [tag for tag, _ in drawn.found] == ["span"]
    assert drawn.text == text


@each_text
def test_the_field_of_a_stretch_stays_in_its_attribute(text: str) -> None:
    drawn = Elements(draw_runs([Run("x", "value", text, 3, "error", glyph=True, notes="1 2")]))

    classes = "run value h3 under-error glyph"
    assert drawn.found == [("span", {"class": classes, "data-f": text, "data-n": "1 2"})]


@each_text
def test_the_name_of_a_field_is_text_in_the_bill(text: str) -> None:
    drawn = Elements(draw_lines([share(name=text)], 8))

    assert [tag for tag, _ in drawn.found] == ["tr", "th", "td", "svg", "rect", "rect", "td", "td"]
    assert drawn.found[1] == ("th", {"scope": "row", "class": "h1", "title": "Goal"})
    assert drawn.text == f"{text}450%"


@each_text
def test_labels_and_marks_of_the_bill_stay_in_their_attributes(text: str) -> None:
    line = Elements(draw_lines([share(label=text, marks=text)], 8)).found
    stripe = Elements(draw_stripes([share(marks=text)], 8)).found

    assert line[:2] == [
        ("tr", {"data-f": text}),
        ("th", {"scope": "row", "class": "h1", "title": text}),
    ]
    assert stripe == [
        (
            "rect",
            {"class": "share h1", "data-f": text, "x": "0.0", "width": "50.0", "height": "6"},
        )
    ]


@each_text
def test_a_sign_is_text_in_one_element(text: str) -> None:
    drawn = Elements(draw_marks([Mark(text, text, text)]))

    label = {"class": f"sign {text}", "role": "img", "title": text, "aria-label": text}
    assert drawn.found == [("span", label)]
    assert drawn.text == text


@each_text
@pytest.mark.parametrize("name", ["volume", "tokens"])
def test_the_labels_of_columns_stay_text(name: str, text: str) -> None:
    first, other = row(text), row(text)
    drawn = Elements(draw_columns([first, other], name, text))

    link = ["a", "title", "rect", "rect"]
    assert [tag for tag, _ in drawn.found] == [
        "svg", "title", "desc", "line", *link, *link, "text", "text", "text"
    ]  # fmt: skip
    words = first.words if name == "volume" else first.token_words
    assert drawn.found[4][1] == {"class": "column", "href": text, "aria-label": words}
    assert drawn.found[7][1]["class"] == text
    assert drawn.text.endswith(words * 2 + text * 3)


@each_text
def test_the_names_of_bars_stay_text(text: str) -> None:
    shown = row(text)
    drawn = Elements(draw_bars(Panel(text, text, text, [shown], 1, 0)))

    assert [tag for tag, _ in drawn.found] == [
        "svg", "title", "desc", "a", "title", "rect", "text", "rect"
    ]  # fmt: skip
    assert drawn.found[0][1]["aria-labelledby"] == f"{text}-chart {text}-desc"
    assert drawn.found[3][1] == {"class": "bar", "href": text, "aria-label": shown.words}
    assert drawn.found[7][1]["class"] == text
    assert drawn.text.startswith(text)
    assert drawn.text.endswith(f"{shown.words}{text}")


@pytest.mark.parametrize("stated", [None, "2026-11-20T10:00:00Z"])
def test_a_time_is_html_for_a_template(stated: str | None) -> None:
    assert hasattr(draw_sent(datetime(2026, 11, 20, 10, tzinfo=UTC), stated), "__html__")


def test_a_separator_is_plain_unless_it_is_wrong() -> None:
    drawn = Elements(draw_runs([Run("/", "separator"), Run("|", "separator", severity="error")]))

    classes = [attributes["class"] for _, attributes in drawn.found]
    assert classes == ["sep", "run separator under-error"]


@each_text
def test_a_message_is_drawn_as_text(text: str) -> None:
    assert Elements(draw_message(detection.decode(text))).text == text


def test_what_is_drawn_is_html_for_a_template() -> None:
    for drawn in (
        draw_chips([]), draw_runs([]), draw_lines([], 8), draw_stripes([], 8), draw_marks([])
    ):  # fmt: skip
        assert hasattr(drawn, "__html__")
