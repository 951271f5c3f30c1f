"""A machine whose clock a test sets, with a steady clock that only goes on."""

from datetime import UTC, datetime, timedelta

import pytest

from auditlog.continuity import clock

NOON = datetime(2026, 11, 20, 12, 0, 0, tzinfo=UTC)


class Machine:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = NOON
        self.passed = 0.0
        self._monkeypatch = monkeypatch
        monkeypatch.setattr(clock, "system", lambda: self.now)
        monkeypatch.setattr(clock, "steady", lambda: self.passed)
        self.restart()

    def wait(self, **span: float) -> None:
        """Let time pass."""
        passed = timedelta(**span)
        self.now += passed
        self.passed += passed.total_seconds()

    def set(self, **span: float) -> None:
        """Set the clock forward, or back."""
        self.now += timedelta(**span)

    def restart(self) -> None:
        """Forget all that a process knows."""
        self._monkeypatch.setattr(clock, "_watch", clock.Watch())
