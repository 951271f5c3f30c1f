"""How many steps a message can be put together from."""

import pytest

from playground.sacp.forms import MOST_STEPS, AssembleForm


@pytest.mark.parametrize(("number", "is_full"), [(MOST_STEPS - 1, False), (MOST_STEPS, True)])
def test_a_form_with_the_most_steps_is_full(number: int, *, is_full: bool) -> None:
    form = AssembleForm([("SUMMARIZE", "SUMMARY")], {f"pair{number}": "SUMMARIZE SUMMARY"})

    assert (form.total, form.is_full) == (number, is_full)
