import pytest

from playground.server.front import budget
from playground.server.front.budget import WINDOW, Budget, Budgets
from playground.server.front.callers import Caller

ADDRESS = Caller("address:192.0.2.1")
PERSON = Caller("person:1", member=True)


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_budget_is_used_up_and_fills_again() -> None:
    clock = Clock()
    seconds = Budget(30, clock=clock)

    seconds.spend("a", 29)
    assert seconds.wait("a") == 0
    seconds.spend("a", 11)
    assert seconds.wait("a") == 20
    assert seconds.wait("b") == 0
    clock.now += 19
    assert seconds.wait("a") == 1
    clock.now += 1
    assert seconds.wait("a") == 0
    clock.now += 10 * WINDOW
    seconds.spend("a", 31)
    assert seconds.wait("a") == 2


def test_only_so_many_clients_are_remembered() -> None:
    seconds = Budget(1)

    for number in range(budget.CLIENTS + 10):
        seconds.spend(str(number), 2)

    assert seconds.wait("0") == 0
    assert seconds.wait(str(budget.CLIENTS)) > 0


@pytest.mark.parametrize(
    ("worked", "sent", "said"),
    [
        (31, 0, "You have used all your processing time."),
        (0, 1_001, "You have sent too much data."),
    ],
)
def test_a_refusal_names_what_is_used_up(worked: float, sent: int, said: str) -> None:
    budgets = Budgets(seconds=30, size=1_000)
    for caller in (ADDRESS, PERSON):
        budgets.work(caller, worked)
        budgets.receive(caller, sent)

    refused = budgets.refuse(ADDRESS)

    assert refused is not None
    assert (refused.status, refused.words.startswith(said)) == (429, True)
    assert refused.retry_after is not None
    assert 0 < refused.retry_after <= 2
    assert "Sign in or use a key for more." in refused.words
    assert budgets.refuse(ADDRESS, is_page=True) is None
    assert budgets.refuse(PERSON) is None
