"""What is open at a place on a line, and where it closes."""

import pytest

from cablese.transcript import quoting, split
from cablese.transcript.quoting import Quotes
from tests.growth import assert_linear


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ('msg="X', '"'),
        ('msg="a" X', None),
        ("don't X", None),
        ("print(b'X", "'"),
        ('Send(@"X', '"'),
        ("SELECT E'X", "'"),
        ("VALUES (N'X", "'"),
        ("NAME'X", None),
        ("`a` and `X", "`"),
        ("«X", "«"),
        ("<td>X", "<"),
        ("<td>a</td> X", None),
        ("<planner> X", None),
        ("<![CDATA[X", "]]>"),
        ("\"it's `X", "`"),
    ],
)
def test_it_knows_the_innermost_quote(text: str, mark: str | None) -> None:
    quote = Quotes(text, 0).at(text.index("X"))
    assert (quote and quote.mark) == mark


@pytest.mark.parametrize("sign", ["(«", "<b>", "<![CDATA["])
def test_the_outermost_quotes_are_remembered(sign: str) -> None:
    """So many that an author may nest: hostile lines open one after the other."""
    innermost = [Quotes(f"{sign * depth}X", 0).at(len(sign) * depth) for depth in (31, 32, 33)]
    assert [quote and quote.start for quote in innermost] == [
        31 * len(sign), 32 * len(sign), 32 * len(sign),
    ]  # fmt: skip


@pytest.mark.parametrize("sign", ['<![CDATA[ "x" ', "<![CDATA[</b>", '<b></b> "x" '])
def test_a_line_of_signs_that_open_is_read_in_linear_time(sign: str) -> None:
    assert_linear(lambda size: split(f"{sign * (size // len(sign))} REQ/TSK|g=1"), 6_000)


def test_text_without_a_sign_is_read_once_for_places_in_their_order() -> None:
    def ask(size: int) -> None:
        quotes = Quotes("x" * size, 0)
        assert not any(quotes.at(place) for place in range(0, size, 100))

    assert_linear(ask, 50_000)


@pytest.mark.parametrize(("length", "is_near"), [(4_000, True), (4_001, False)])
def test_what_closes_far_away_is_not_looked_for(*, length: int, is_near: bool) -> None:
    bracketed = f"({'a' * (length - 1)})"
    element = f"<x>{'a' * (length - 4)}</x>"
    prose = f"({'a' * (length - 1)}X)"

    assert quoting.bracket_end(bracketed, 1, len(bracketed), 0) == (length if is_near else None)
    assert (Quotes(element, 0).at(3) is not None) == is_near
    assert quoting.unbalanced(prose, 0, length, len(prose)) == is_near


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ('"X" took', "X"),
        ('"X \\" a" b', 'X \\" a'),
        ('"X ""a"" b", c', 'X ""a"" b'),
        ("'X '\\''a'\\'' b' c", "X '\\''a'\\'' b"),
        ("<td>X</td>", "X"),
    ],
)
def test_it_finds_where_a_quote_closes(text: str, inside: str) -> None:
    at = text.index("X")
    quote = Quotes(text, 0).at(at)
    assert quote is not None
    assert text[quote.start : quoting.closing(text, quote, at, len(text))] == inside


def test_a_quote_that_stays_open_closes_nowhere() -> None:
    quote = Quotes('"X', 0).at(1)
    assert quote is not None
    assert quoting.closing('"X', quote, 1, 2) is None


@pytest.mark.parametrize(
    ("text", "end"), [("(X) a", 2), ("(X(1)) a", 5), ("(X a", None), ("X)", None)]
)
def test_it_finds_where_a_bracket_closes(text: str, end: int | None) -> None:
    assert quoting.bracket_end(text, text.index("X"), len(text), 0) == end


@pytest.mark.parametrize(
    ("text", "count"), [("(a X)", 1), ("(a X(1)", 0), ("[(a X)]", 2), ("X)", 0)]
)
def test_it_counts_closing_brackets_that_were_opened_before(text: str, count: int) -> None:
    assert quoting.unbalanced(text, 0, text.index("X"), len(text)) == count


@pytest.mark.parametrize(("length", "ends"), [(20, True), (60, False)])
def test_what_opens_markup_is_short(length: int, *, ends: bool) -> None:
    text = f"{{code:{'x' * length}}}REQ/TSK|g=1{{code}}"

    end = quoting.markup_end(text, 0, text.index("REQ"), len(text))

    assert end == (text.rindex("{code}") if ends else None)


@pytest.mark.parametrize(
    "text",
    [
        "payload='''{}'''",
        "'''{}''', 7",
        'payload="""{}"""',
        "INSERT INTO m VALUES ('{}', 7)",
        "'{}'",
    ],
)
def test_an_empty_string_in_quotes_is_not_a_doubled_quote(text: str) -> None:
    wire = '{"Format":"text","Subformat":"English","Content":"","Label":"its"}'
    assert [cut.wire for cut in split(text.format(wire)).messages] == [wire]
    if "'{}'" in text and "'''" not in text:
        doubled = text.format(wire.replace("its", "it''s"))
        assert [cut.wire for cut in split(doubled).messages] == [wire.replace("its", "it's")]
