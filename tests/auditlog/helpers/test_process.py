"""What a helper process does with an order, without the process."""

import pytest

from auditlog.helpers import frames, process
from tests.auditlog.helpers.helpers import order

WIRE = "REQ/TSK|g=42,t=1"


def test_an_error_is_noted_without_its_message(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(written: bytearray) -> bytes:
        raise ValueError(f"{bytes(written)!r} cannot be read")

    monkeypatch.setattr(process, "carry_out", fail)

    assert process._answer(bytearray(order(f'{{"wire":"{WIRE}"}}'.encode()))) == process.FAILED

    noted = capsys.readouterr().err
    assert "in fail\n" in noted
    assert noted.endswith("\nValueError\n")
    assert WIRE not in noted


def test_an_answer_that_is_too_large_to_send_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "LIMIT", 4)
    monkeypatch.setattr(process, "carry_out", bytes)

    assert process._answer(bytearray(b"abcd")) == b"abcd"
    assert process._answer(bytearray(b"abcde")) == process.FAILED
