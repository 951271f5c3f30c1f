"""English for the router, and why it gives no packet."""

import pytest

from playground.aacp import router
from playground.aacp.router import Unroutable, Written

ENGLISH = "Please fetch the sales figures of August 2024 as a spreadsheet."


def write(english: str = ENGLISH, *, again: bool = False) -> Written:
    return router.write(english, may_ask=True, again=again)


def failure(reason: str, english: str = ENGLISH) -> str:
    with pytest.raises(Unroutable) as caught:
        write(english)
    assert caught.value.reason == reason
    return str(caught.value)
