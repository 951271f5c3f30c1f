"""A terminal shows how far a verification is while it lasts, and its end once."""

from types import SimpleNamespace

import pytest

from cablese.verify import progress


def test_a_state_before_the_end_is_shown_and_what_follows_it_at_once_is_not(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    times = iter([100.0, 100.0, 100.1, 100.7, 100.7, 100.8])
    clock = SimpleNamespace(monotonic=lambda: next(times))
    monkeypatch.setattr("cablese.verify.progress.time", clock)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    write = progress.show()
    assert write is not None

    for done in (1, 2, 3, 4, 4):
        write(done, 4)

    assert capsys.readouterr().err == "\r1 of 4 leaves\r3 of 4 leaves\r4 of 4 leaves\n"
