"""Alternatives say the same as the expression that they are made of."""

from collections.abc import Set as AbstractSet

from hypothesis import given
from hypothesis import strategies as st

from auditlog.search.engine.alternatives import MOST, Alternative, alternatives
from auditlog.search.expression import (
    AllOf,
    AnyOf,
    Detected,
    Expression,
    Phrase,
    Reviewed,
    Stretch,
    Without,
    all_of,
    any_of,
    none_of,
)

WORDS = ("one", "two", "three")
STATES = ("reviewed", "flagged")
ATOMS = st.one_of(
    st.sampled_from(WORDS).map(lambda word: Phrase((word,))),
    st.sampled_from(STATES).map(Reviewed),
    st.just(Detected("flow")),
    st.tuples(st.none() | st.integers(0, 9), st.none() | st.integers(0, 9)).map(
        lambda limits: Stretch(*limits)
    ),
)
EXPRESSIONS: st.SearchStrategy[Expression] = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4).map(all_of),
        st.lists(inner, max_size=4).map(any_of),
        inner.map(none_of),
    ),
    max_leaves=12,
)


def holds(expression: Expression, leaf: int, facts: AbstractSet[str]) -> bool:
    match expression:
        case Phrase((word,)):
            return word in facts
        case Reviewed(state):
            return state in facts
        case Detected(detector):
            return detector in facts
        case Stretch(low, high):
            return (low is None or low <= leaf) and (high is None or leaf < high)
        case Without(part):
            return not holds(part, leaf, facts)
        case AllOf(parts):
            return all(holds(part, leaf, facts) for part in parts)
        case AnyOf(parts):
            return any(holds(part, leaf, facts) for part in parts)
    raise AssertionError(expression)


def fits(way: Alternative, leaf: int, facts: AbstractSet[str]) -> bool:
    return (
        way.low <= leaf
        and (way.high is None or leaf < way.high)
        and holds(way.text, leaf, facts)
        and all(holds(one, leaf, facts) for one in (*way.wanted, *way.rest))
        and not any(holds(one, leaf, facts) for one in way.unwanted)
    )


@given(EXPRESSIONS, st.integers(0, 9), st.sets(st.sampled_from((*WORDS, *STATES, "flow"))))
def test_they_hold_of_the_same_packets(expression: Expression, leaf: int, facts: set[str]) -> None:
    ways = alternatives(expression)
    assert len(ways) <= MOST
    assert any(fits(way, leaf, facts) for way in ways) == holds(expression, leaf, facts)


def test_what_tokens_answer_is_one_alternative() -> None:
    text = any_of([Phrase(("one",)), none_of(Phrase(("two",)))])
    (way,) = alternatives(all_of([text, Stretch(3, None), Reviewed("flagged")]))
    assert way == Alternative(3, None, text, (Reviewed("flagged"),), (), ())


def test_too_many_alternatives_stay_together() -> None:
    pairs = [any_of([Phrase((f"w{at}",)), Stretch(at, None)]) for at in range(5)]
    (way,) = alternatives(all_of([*pairs, Phrase(("one",)), Stretch(3, 7)]))
    assert len(way.rest) == len(pairs)
    assert (way.low, way.high, way.text) == (3, 7, Phrase(("one",)))


def test_what_is_outside_of_a_range_is_what_is_not_in_it() -> None:
    ways = alternatives(none_of(Stretch(3, 7)))

    outside = [leaf for leaf in range(10) if any(fits(way, leaf, set()) for way in ways)]
    assert outside == [0, 1, 2, 7, 8, 9]


def test_no_more_than_the_limit_are_taken_apart() -> None:
    ranges = [Stretch(at, at + 1) for at in range(MOST + 1)]

    assert len(alternatives(any_of(ranges[:MOST]))) == MOST
    (way,) = alternatives(any_of(ranges))
    assert way.rest == (any_of(ranges),)
