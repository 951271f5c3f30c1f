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
