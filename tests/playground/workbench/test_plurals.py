"""One of a thing is said as one. The fragments are drawn alone, since few pages ever leave out
exactly one.
"""

from typing import Any

import pytest
from django.template.loader import render_to_string

from tests.playground.drawn import words

LEFT_OUT: dict[str, tuple[Any, ...]] = {
    "display/_plan.html": (
        "graph",
        "more",
        {},
        "1 more step is not shown",
        "2 more steps are not shown",
    ),
    "workbench/fixes/_changes.html": (
        *("fixed", "changes", {}),
        *("1 more message is not shown.", "2 more messages are not shown."),
    ),
    "display/_sequence_diagram.html": (
        "diagram",
        "more",
        {},
        "1 more is not shown.",
        "2 more are not shown.",
    ),
    "sacp/_history.html": (
        "courses",
        "all",
        {},
        "1 more task is not shown.",
        "2 more tasks are not shown.",
    ),
    "nlip/_exchange.html": ("exchange", "total", {}, "1 message, read as", "2 messages, read as"),
}


DRAWN = {"workbench/fixes/_changes.html": 100, "sacp/_history.html": 50}
"""Items that a template draws of a list; the others are given how many they leave out."""


@pytest.mark.parametrize("template", LEFT_OUT)
def test_one_is_one_and_two_are_two(template: str) -> None:
    thing, part, more, one, two = LEFT_OUT[template]

    for left, sentence in ((1, one), (2, two)):
        value: object = [{}] * (DRAWN[template] + left) if template in DRAWN else left
        assert sentence in words(render_to_string(template, {thing: {part: value, **more}}))
