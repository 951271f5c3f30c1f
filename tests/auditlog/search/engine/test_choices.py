"""Choices of tokens as trees of their beginnings."""

from hypothesis import given
from hypothesis import strategies as st

from auditlog.search.engine.choices import count_looks, group, list_tokens, narrow
from auditlog.search.engine.lexemes import render
from auditlog.search.expression import AllOf, AnyOf, Expression, Phrase, Without

TOKENS = st.builds(
    Phrase,
    st.tuples(st.from_regex(r"!(p|s)\.g=#[ab][0-3]{0,3}", fullmatch=True)),
    st.booleans(),
)


def holds(expression: Expression, row: set[str]) -> bool:
    match expression:
        case Phrase((token,), prefix):
            return any(one.startswith(token) if prefix else one == token for one in row)
        case AllOf(parts):
            return all(holds(part, row) for part in parts)
        case AnyOf(parts):
            return any(holds(part, row) for part in parts)
        case Without(part):
            return not holds(part, row)
    raise AssertionError(expression)


@given(st.lists(TOKENS), st.frozensets(TOKENS, max_size=3))
def test_a_tree_holds_of_the_same_rows(phrases: list[Phrase], row: frozenset[Phrase]) -> None:
    choice = AnyOf(tuple(phrases))
    tokens = {phrase.tokens[0] for phrase in row}
    for expression in (choice, AllOf((Without(choice), Phrase(("!p.g=#a1",))))):
        assert holds(group(expression), tokens) == holds(expression, tokens)


def test_a_row_without_the_beginning_is_asked_once() -> None:
    digits = tuple(Phrase((f"!p.g=#a{digit}",)) for digit in "1234")

    found = group(AnyOf((*digits, Phrase(("g", "42")))))

    rest = "('!p.g=#a1') | ('!p.g=#a2') | ('!p.g=#a3') | ('!p.g=#a4')"
    assert render(found) == f"(('g' <-> '42') | (('!p.g=#a':*) & ({rest})))"
    assert count_looks(found) == 2 + 1 + 4 / 2


def test_a_few_tokens_stay_as_they_are() -> None:
    few = AnyOf((Phrase(("!is=valid",)), Phrase(("!is=invalid",))))

    assert set(group(few).parts) == set(few.parts)  # type: ignore[union-attr]


@given(st.lists(TOKENS), st.frozensets(TOKENS, max_size=3))
def test_fewer_tokens_hold_only_where_all_do(phrases: list[Phrase], row: frozenset[Phrase]) -> None:
    choice = AllOf((AnyOf(tuple(phrases)), Without(AnyOf((Phrase(("!p.g=#a1",)),)))))
    tokens = {phrase.tokens[0] for phrase in row}

    fewer = narrow(choice, list(list_tokens(choice))[::2])

    assert holds(choice, tokens) or not holds(fewer, tokens)


def test_only_choices_of_many_tokens_are_narrowed() -> None:
    many = AnyOf(tuple(Phrase((f"!p.g=#a{digit}",)) for digit in range(5)))
    few = AnyOf((Phrase(("a",)), Phrase(("b",))))

    assert len(list(list_tokens(AllOf((many, few, Without(many)))))) == 5
    one = Phrase(("!p.g=#a3",))
    assert narrow(AllOf((many, few)), [one]) == AllOf((AnyOf((one,)), few))
