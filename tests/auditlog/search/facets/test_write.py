"""A query that is written again means the same."""

import pytest

from auditlog.search.facets import write
from auditlog.search.query import parse


@pytest.mark.parametrize(
    ("query", "written"),
    [
        ("goal:42", "goal:42"),
        ("-goal:42", "-goal:42"),
        ("NOT goal:42 @auth*", "-goal:42 @auth*"),
        ("-(a OR b)", "-(a OR b)"),
        ("a (b OR c)", "a (b OR c)"),
        ("act:(a OR b)", "act:a OR act:b"),
    ],
)
def test_a_query_is_written_in_its_usual_form(query: str, written: str) -> None:
    assert write.text(parse(query)) == written
