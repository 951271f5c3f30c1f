"""What a click makes of the text of a query."""

from datetime import UTC, datetime

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from auditlog.models import Log
from auditlog.search.compile import Scope, compile_query
from auditlog.search.expression import Expression, all_of, none_of
from auditlog.search.facets import write
from auditlog.search.facets.edit import QueryText
from auditlog.search.places import LogPlaces
from auditlog.search.query import MAX_CLAUSES, MAX_LENGTH, Clause, Key, QueryError, Text, parse
from cablese.message import Span
from tests import fuzz

NOWHERE = Span(0, 0)
SCOPE = Scope(("nslip",), {}, LogPlaces(Log()), datetime(2026, 11, 20, tzinfo=UTC), full=True)
KEYS = ("act", "from", "to", "tag", "source")
ODD = (
    "OR", "AND", "NOT", "-x", "a..b", "<5", ">=2", "x*", "*", "(", "a)b", '"', "\\", 'a "b" \\',
    "@x", ":x", "a:b", "two words", "\u202eevil", "\ud800", "\x00", "a\nb", "", " ", "ß", "4", "-",
    "\u00a0", "..", "…",
)  # fmt: skip
VALUES = st.one_of(
    st.sampled_from(ODD),
    st.text(max_size=30),
    st.text('ab "\\()*-:@<>.=OR\n', max_size=12),
)
WORDS = (
    "a",
    "act:reject",
    "-act:reject",
    "goal:42",
    '"two words"',
    "@auth*",
    "prio:<=2",
    "leaf:1..3",
)


@st.composite
def queries(draw: st.DrawFn, depth: int = 3) -> str:
    if depth == 0 or draw(st.booleans()):
        return draw(st.sampled_from(WORDS))
    parts = draw(st.lists(queries(depth - 1), min_size=1, max_size=3))
    joint = draw(st.sampled_from((" ", " AND ", " OR ", "  ")))
    text = joint.join(parts)
    form = draw(st.sampled_from(("{}", "({})", "-({})", "NOT ({})", "act:({})", "( {} )")))
    return form.format(text)


def compiled(text: str) -> Expression:
    return compile_query(parse(text), SCOPE)


def condition(key: str, value: str) -> Expression:
    return compile_query(
        Clause(Key(key, NOWHERE), Text(value, quoted=True, prefix=False, span=NOWHERE), NOWHERE),
        SCOPE,
    )


def readable(text: str) -> QueryText:
    """A query that can be answered."""
    try:
        compiled(text)
    except QueryError:
        assume(condition=False)
    return QueryText(text)


@fuzz.examples(150)
@given(queries(), st.sampled_from(KEYS), VALUES)
def test_any_value_is_added_and_excluded_as_it_is(text: str, key: str, value: str) -> None:
    query = readable(text)
    added, excluded = query.add(key, value), QueryText(text).exclude(key, value)
    assert added is not None
    assert excluded is not None

    assert compiled(added) == all_of([compiled(text), condition(key, value)])
    assert QueryText(added).has(key, value)
    assert QueryText(excluded).has(key, value, excluded=True)
    if not query.has(key, value):
        assert compiled(excluded) == all_of([compiled(text), none_of(condition(key, value))])


@fuzz.examples(150)
@given(queries(), st.sampled_from(KEYS), VALUES)
def test_what_was_added_is_removed_and_the_rest_stays(text: str, key: str, value: str) -> None:
    query = readable(text)
    assume(not query.has(key, value))
    assume(not query.has(key, value, excluded=True))
    for changed in (query.add(key, value), query.exclude(key, value)):
        assert changed is not None

        removed = QueryText(changed).remove(key, value)

        assert removed is not None
        assert compiled(removed) == compiled(text)
        assert not QueryText(removed).has(key, value)


@fuzz.examples(150)
@given(queries())
def test_a_tree_is_written_as_a_query_that_means_the_same(text: str) -> None:
    readable(text)

    assert write.shape(parse(write.text(parse(text)))) == write.shape(parse(text))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("act:reject", ""),
        ("-act:reject", ""),
        ("NOT act:reject  goal:42", "goal:42"),
        ("a AND act:reject AND b", "a AND b"),
        ("act:reject AND b", "b"),
        ("a AND act:reject", "a"),
        ("act:(reject) b", "b"),
        ("(a OR b) act:reject", "(a OR b)"),
        ("(a act:reject) (b OR c)", "a (b OR c)"),
        ('a"b c"act:reject', 'a"b c"'),
        ("@:x act:reject", "@:x"),
        ("act:REJECT x act:reject -act:reject", "x"),
        ("act:reject OR b", "act:reject OR b"),
        ("act:reject* x", "act:reject* x"),
        ("packet.act:reject", "packet.act:reject"),
        ("act:(reject OR inform)", "act:(reject OR inform)"),
    ],
)
def test_a_field_is_removed_wherever_it_must_hold(text: str, left: str) -> None:
    assert QueryText(text).remove("act", "reject") == left


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("since:7d @auth until:2026-11-20", "@auth"),
        ("ts:2026-11-01..2026-11-20", ""),
        ("ts:2026-11-01 AND a OR b", "ts:2026-11-01 AND a OR b"),
        ("-ts:2026-11-01 a", "-ts:2026-11-01 a"),
        ("(since:7d a) b", "a b"),
    ],
)
def test_a_query_loses_its_times(text: str, left: str) -> None:
    query = QueryText(text)

    assert query.without_time() == left
    assert query.has_time == (left != text)


def test_an_alias_is_the_same_field() -> None:
    query = QueryText('@Auth -protocol:nslip source:"HR bot"')

    assert query.has("tag", "auth")
    assert query.has("proto", "nslip", excluded=True)
    assert query.has("source", "hr  BOT")
    assert query.chosen("proto") == [("nslip", True)]
    assert query.chosen("act") == []


def test_what_a_query_has_no_room_for_is_not_offered() -> None:
    long = "x" * (MAX_LENGTH - 10)

    assert QueryText(long).add("act", "reject") is None
    assert QueryText(long).exclude("act", "reject") is None
    assert QueryText(long[:-10]).add("act", "reject") is not None
    assert QueryText(" ".join(["x"] * MAX_CLAUSES)).add("act", "reject") is None
    assert QueryText("").add("tag", "a " * 101) is None


def test_a_query_that_would_be_too_long_without_a_condition_is_not_offered() -> None:
    def write(size: int) -> str:
        words = " ".join(["x" * size] * 40)
        return f"(act:reject {key}:({words})) (a OR b)"

    key = "k" * 60

    short, long = QueryText(write(20)), QueryText(write(60))

    assert short.remove("act", "reject") is not None
    assert long.remove("act", "reject") is None


def test_a_query_that_cannot_be_read_is_an_error() -> None:
    with pytest.raises(QueryError):
        QueryText("(a")
