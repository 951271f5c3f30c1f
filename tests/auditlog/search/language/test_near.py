"""The nearest name is looked for among a limited number of them."""

from auditlog.search.language.near import find_near


def test_of_many_names_only_the_first_are_compared() -> None:
    others = [f"g{n:07}" for n in range(999)]

    assert find_near("gaol", [*others, "goal"]) == "goal"
    assert find_near("gaol", [*others, "g0000999", "goal"]) is None


def test_names_that_cannot_be_meant_take_no_place() -> None:
    assert find_near("gaol", [*(f"x{n}" for n in range(5_000)), "goal"]) == "goal"
