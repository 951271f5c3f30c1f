from playground.server import budget
from playground.server.budget import WINDOW, Budget


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
