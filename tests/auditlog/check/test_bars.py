"""The bars of a self-check on a terminal."""

from io import StringIO
from types import SimpleNamespace

import pytest
from django.core.management.base import OutputWrapper

from auditlog.check import bars
from auditlog.check.run import Progress
from auditlog.check.table import SelfCheck
from auditlog.models import Log


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_a_state_of_a_bar_is_shown_twice_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([100.0, 100.1, 100.7, 100.8])
    clock = SimpleNamespace(monotonic=lambda: next(times))
    monkeypatch.setattr("auditlog.check.bars.time", clock)
    terminal = Terminal()

    bars.show((Progress("a", "leaves", done, 9) for done in range(1, 5)), OutputWrapper(terminal))

    shown = [state.split()[-3] for state in terminal.getvalue().split("\r")[1:]]
    assert shown == ["1", "3"]


def test_one_leaf_and_one_packet_are_not_plural() -> None:
    row = SelfCheck(log=Log(slug="small"), size=1, skipped=1)
    said = bars.summarize(row)
    assert said.startswith("small: no faults in 1 leaf (")
    assert "The terms of 1 packet are from another version" in said
