"""Reading queries: what every text becomes, and where it breaks."""

import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditlog.search.explain import explain
from auditlog.search.query import Clause, Many, Not, QueryError, Range, Text, Tree, parse
from cablese.message import Span


def spell(tree: Tree) -> str:
    """A tree in one unambiguous line."""
    match tree:
        case Clause(key, Text(text, quoted, prefix)):
            value = f"'{text}'" if quoted else text
            return f"{f'{key.name}=' if key else ''}{value}{'*' if prefix else ''}"
        case Clause(key, Range(low, high, open_low, open_high)):
            assert key
            return f"{key.name}={'(' if open_low else '['}{low},{high}{')' if open_high else ']'}"
        case Not(part):
            return f"-{spell(part)}"
        case Many(mode, parts):
            return f"{mode}({' '.join(map(spell, parts))})"
    raise AssertionError(tree)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "and()"),
        ("  ", "and()"),
        ("scope", "scope"),
        ("a b", "and(a b)"),
        ("a AND b", "and(a b)"),
        ("a OR b c", "or(a and(b c))"),
        ("a (b OR c)", "and(a or(b c))"),
        ("ORDER NOTE ANDY or", "and(ORDER NOTE ANDY or)"),
        ("-a", "-a"),
        ("NOT a", "-a"),
        ("NOT -a", "a"),
        ("-(a b)", "-and(a b)"),
        ("a-b", "a-b"),
        ("@auth", "@=auth"),
        ("-@auth*", "-@=auth*"),
        ('@"a b"', "@='a b'"),
        ("@(a OR b*)", "or(@=a @=b*)"),
        ("goal:42", "goal=42"),
        ("goal:-42", "goal=-42"),
        ("nslip.@:x", "nslip.@=x"),
        ("ctx.loc:Paris", "ctx.loc=Paris"),
        ("!:x", "!=x"),
        ("act:(request OR -(propose))", "or(act=request -act=propose)"),
        ("res:http://x/y?z=1", "res=http://x/y?z=1"),
        ("key:(a:b @c)", "and(key=a:b key=@c)"),
        ("goal:*", "goal=*"),
        ("*", "*"),
        ('"scope too large"', "'scope too large'"),
        ('"sco"*', "'sco'*"),
        (r'"say \"hi\" \\ twice"', r"""'say "hi" \ twice'"""),
        ('reason:"scope too"*', "reason='scope too'*"),
        ('a"b c"', "and(a 'b c')"),
        ('"OR"', "'OR'"),
        ("f(x)", "and(f x)"),
        ("prio:<=2", "prio=[None,2]"),
        ("prio:<2", "prio=[None,2)"),
        ("score:>=7", "score=[7,None]"),
        ("score:>7", "score=(7,None]"),
        ('score:>"7"', "score=(7,None]"),
        ("leaf:1..9", "leaf=[1,9]"),
        ("leaf:1..", "leaf=[1,None]"),
        ("leaf:..9", "leaf=[None,9]"),
        ('x:"1..9"', "x='1..9'"),
        ("1..9", "1..9"),
    ],
)
def test_a_query_is_read(text: str, expected: str) -> None:
    assert spell(parse(text)) == expected


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("goal:42 OR", (8, 10)),
        ("OR a", (0, 2)),
        ("a OR OR b", (2, 4)),
        ("AND a", (0, 3)),
        ("a AND", (2, 5)),
        ("a AND AND b", (2, 5)),
        ("a NOT", (2, 5)),
        ("NOT OR a", (0, 3)),
        ("(a", (0, 1)),
        ("a (b (c)", (2, 3)),
        ("a)", (1, 2)),
        ("a () b", (2, 4)),
        ("goal:", (0, 4)),
        ("goal: 42", (0, 4)),
        ("goal:()", (5, 7)),
        ("prio:<", (5, 6)),
        ("prio:..", (5, 7)),
        ("@", (0, 1)),
        ("@ x", (0, 1)),
        ('a "b c', (2, 6)),
        ('goal:"', (5, 6)),
        ("a*b", (0, 3)),
        ("goal:*b", (5, 7)),
        ("**", (0, 2)),
        ("(" * 21 + "a" + ")" * 21, (20, 21)),
        ("a " * 51, (100, 101)),
        ("a" * 4_001, (4_000, 4_001)),
    ],
)
def test_what_cannot_be_read_is_an_error_at_its_place(text: str, span: tuple[int, int]) -> None:
    with pytest.raises(QueryError) as caught:
        parse(text)

    assert caught.value.span == span


PIECES = st.sampled_from(
    [
        "a",
        "OR",
        "AND",
        "NOT",
        "-",
        "(",
        ")",
        '"',
        "\\",
        "@",
        ":",
        "*",
        "..",
        "<=",
        ">",
        " ",
        "goal:",
        "g",
        "\x00",
        "é",
        "\ud800",
    ]
)


@given(st.one_of(st.text(max_size=80), st.lists(PIECES, max_size=40).map("".join)))
def test_any_text_is_read_or_is_an_error_inside_it(text: str) -> None:
    try:
        spans = [piece.span for piece in explain(text) if piece.span]
    except QueryError as error:
        spans = [error.span]

    assert all(0 <= start <= end <= len(text) for start, end in spans)


@given(st.lists(PIECES, max_size=40).map("".join))
def test_nothing_that_was_typed_is_passed_over(text: str) -> None:
    try:
        tree = parse(text)
    except QueryError:
        return
    left = list(text)
    for clause in clauses(tree):
        spans = [clause.span]
        if clause.key:
            spans.append(
                Span(clause.key.span.start, clause.key.span.end + (clause.key.name != "@"))
            )
        for start, end in spans:
            left[start:end] = " " * (end - start)

    assert re.fullmatch(r"(\s|[()]|-|OR|AND|NOT)*", "".join(left))


def clauses(tree: Tree) -> Iterator[Clause]:
    match tree:
        case Clause():
            yield tree
        case Not(part):
            yield from clauses(part)
        case Many(_, parts):
            for part in parts:
                yield from clauses(part)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "every packet"),
        ("@auth_refactor goal:42", "tag is auth_refactor and goal is 42"),
        ("@auth_* -act:reject", "tag starts with auth_ and not (act is reject)"),
        (
            "prio:<=2 score:7..9 leaf:>5",
            "priority is 2 or less and score is from 7 to 9 and leaf index is more than 5",
        ),
        ("leaf:3..3", "leaf index is 3"),
        (
            "(scope OR size) is:invalid",
            "(text contains scope or text contains size) and packet is invalid",
        ),
        ("-(a b)", "not (text contains a and text contains b)"),
        ('"too large" has:reason', "text contains “too large” and packet has the field reason"),
        ("since:7d res:emp_salary", "received in the last 7 days and res is emp_salary"),
        ("id:1 reply:2 from:a", "message ID is 1 and reply to is 2 and sender is a"),
        (
            "to:b answer:c next:d",
            "recipient is b and reply recipient is c and next step is d",
        ),
        ("since:1h", "received in the last 1 hour"),
        ("since:90s until:5m", "received in the last 90 seconds and received until 5 minutes ago"),
        ("until:2w since:2026-11-01", "received until 2 weeks ago and received since 2026-11-01"),
        ("packet.goal:42 ctx.loc:*", "packet.goal is 42 and packet has the field ctx.loc"),
        (
            "ts:..2026-11-20 until:2026-11-21",
            "received is 2026-11-20 or less and received until 2026-11-21",
        ),
    ],
)
def test_a_query_is_explained_in_words(text: str, expected: str) -> None:
    assert "".join(piece.text for piece in explain(text)) == expected


def test_pieces_of_an_explanation_know_their_clause() -> None:
    text = "-@auth goal:42"

    assert [text[slice(*piece.span)] for piece in explain(text) if piece.span] == [
        "@auth",
        "goal:42",
    ]


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [
        ("goal:", "Write goal:value."),
        ("@ x", "Write @value."),
        ("a*b", 'To search for the word itself, put it in quotes: "a*b".'),
    ],
)
def test_a_suggestion_is_a_sentence(text: str, suggestion: str) -> None:
    with pytest.raises(QueryError) as caught:
        parse(text)

    assert caught.value.suggestion == suggestion
