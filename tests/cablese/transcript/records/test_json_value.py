"""A JSON value ends where it closes, or where the next line does not fit."""

import pytest

from cablese.transcript.log_lines.lines import Lines
from cablese.transcript.records import json_value
from cablese.transcript.records.json_value import Value


def _end(text: str, *, begins: bool = False) -> Value | None:
    lines = Lines(text, final=True)
    return json_value.find_end(
        text,
        0,
        len(text),
        next_line=lambda at: lines.after(at, "", skips_empty=True),
        begins=lambda *_: begins,
    )


@pytest.mark.parametrize(
    "value",
    ['{"a":{"b":"}"}}', "[1,[2]]", '{"a":"\\""}', '{\n  "a": [\n    1\n  ]\n}', '{"a":1,\n "b":2}'],
)
@pytest.mark.parametrize("after", [" and more }", "}]", "{"])
def test_it_ends_where_its_brackets_close(value: str, after: str) -> None:
    assert _end(f"{value}{after}") == Value(len(value), is_closed=True)


@pytest.mark.parametrize("after", ['{"a":2}', "2026-11-20 10:00:01 INFO", "prose", '"b":2}'])
def test_a_value_that_is_cut_off_ends_at_its_line(after: str) -> None:
    assert _end(f'{{"a":"it ends  \n{after}') == Value(13, is_closed=False)


def test_a_line_where_a_message_begins_is_not_part_of_it() -> None:
    text = "[\n  true\n]"
    assert _end(text) == Value(len(text), is_closed=True)
    assert _end(text, begins=True) == Value(1, is_closed=False)


@pytest.mark.parametrize(("spaces", "end"), [(199, 213), (200, 7)])
def test_a_comma_far_before_the_end_of_a_line_is_not_looked_for(spaces: int, end: int) -> None:
    assert _end(f'{{"a":1,{" " * spaces}\n"b":2}}') == Value(end, is_closed=end > 7)


def test_there_is_no_end_before_the_text_ends() -> None:
    assert _end('{"a":1') is None
