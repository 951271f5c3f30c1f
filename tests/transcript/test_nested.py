"""Messages of a text that is written inside another one."""

import json

import pytest

from protocols.transcript import split
from protocols.transcript.cutter import _Cutter
from protocols.transcript.nested import ALLOWED, MIN_ALLOWED
from protocols.transcript.wrapper import MAX_DEPTH


@pytest.mark.parametrize("sign", ['{"', '"{', "{'", "['", '{\\"', "\"'{"])
@pytest.mark.parametrize("closing", ["", '"}'])
def test_strings_that_begin_inside_each_other_are_not_read_again_and_again(
    sign: str, closing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = json.dumps({"level": "info", "msg": sign * 300})[:-2] + closing
    left = (ALLOWED + 1) * len(text) + MIN_ALLOWED
    detect = _Cutter.detect

    def counted(self: _Cutter) -> None:
        nonlocal left
        left -= len(self.text)
        assert left >= 0, "more was read than is allowed"
        detect(self)

    monkeypatch.setattr(_Cutter, "detect", counted)

    split(text)


def test_what_may_be_read_is_enough_for_every_level() -> None:
    value = "REQ/TSK|g=1,t=1"
    for _ in range(MAX_DEPTH):
        value = json.dumps({"msg": value})

    (cut,) = split(value).messages

    assert cut.wire == "REQ/TSK|g=1,t=1"


def test_equal_strings_without_a_message_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(f'{{"msg":"T|"}}\n{{"msg":"REQ/TSK|g={number}"}}\n' for number in range(50))
    read: list[str] = []
    detect = _Cutter.detect

    def noted(self: _Cutter) -> None:
        read.append(self.text)
        detect(self)

    monkeypatch.setattr(_Cutter, "detect", noted)

    messages = split(text).messages

    assert read.count("T|") == 1
    assert [cut.wire for cut in messages] == [f"REQ/TSK|g={number}" for number in range(50)]


def test_a_string_that_holds_a_message_is_read_each_time() -> None:
    messages = split('{"msg":"REQ/TSK|g=1"}\n' * 5).messages

    assert [cut.wire for cut in messages] == ["REQ/TSK|g=1"] * 5
