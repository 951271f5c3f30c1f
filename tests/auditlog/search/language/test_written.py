"""Query text from keys and values reads back as the same key and value."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditlog.search.language.written import join, write_term
from auditlog.search.query import Clause, Key, Many, Text, parse


@pytest.mark.parametrize(
    ("key", "value", "text"),
    [
        ("goal", "42", "goal:42"),
        ("tag", "auth_refactor", "@auth_refactor"),
        ("tag", "night run", '@"night run"'),
        ("reason", 'too "large"', r'reason:"too \"large\""'),
        ("reason", "a\\b", r'reason:"a\\b"'),
        ("goal", "auth*", 'goal:"auth*"'),
        ("goal", "1..3", 'goal:"1..3"'),
        ("goal", ">=3", 'goal:">=3"'),
        ("goal", "", 'goal:""'),
        ("goal", "(a)", 'goal:"(a)"'),
        ("from", "HR-Agent", "from:HR-Agent"),
        ("from", "-a", 'from:"-a"'),
        ("from", "Zoë", "from:Zoë"),
        ("from", "OR", 'from:"OR"'),
        ("@", "auth", "@auth"),
    ],
)
def test_a_value_is_quoted_when_it_must_be(key: str, value: str, text: str) -> None:
    assert write_term(key, value) == text


@given(st.text(max_size=60), st.sampled_from(["goal", "tag", "attr.a", "f-x"]))
def test_what_is_written_reads_back(value: str, key: str) -> None:
    match parse(join([write_term(key, value), "x"])):
        case Many("and", (Clause(Key(name), Text(text, prefix=False)), Clause(None))):
            assert (name, text) == ("@" if key == "tag" else key, value)
        case other:
            pytest.fail(str(other))


@pytest.mark.parametrize("key", ["", "a b", "a:b", "-a", "@a", 'a"'])
def test_a_key_that_no_query_can_contain_is_an_error(key: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        write_term(key, "x")
