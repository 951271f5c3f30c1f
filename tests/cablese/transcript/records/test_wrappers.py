"""Every record that carries messages gives them back, with their places and what it says of
them.
"""

import pytest

from tests.transcript.records.wrapper import SENTINEL, Wrapper, cases, places
from tests.transcript.records.wrappers import BUILDERS, unheard, unread

BY_NAME = pytest.mark.parametrize("wrapper", BUILDERS, ids=lambda wrapper: wrapper.name)


def test_there_are_at_least_62() -> None:
    assert len({wrapper.name for wrapper in BUILDERS}) == len(BUILDERS) >= 62


@BY_NAME
def test_it_has_one_place_or_copies_of_one_message(wrapper: Wrapper) -> None:
    assert list(places(wrapper.build(SENTINEL)))
    assert {case.protocol for case in cases(wrapper)} == {
        "nslip",
        "slip",
        "aacp",
        "sacp",
        "nlip",
        "tline",
    }


@BY_NAME
def test_it_gives_its_messages_back(wrapper: Wrapper) -> None:
    assert not unread(wrapper), unread(wrapper)


@BY_NAME
def test_it_says_what_it_says_of_them(wrapper: Wrapper) -> None:
    assert not unheard(wrapper), unheard(wrapper)
