"""What bounds the work of splitting a text, and what is remembered meanwhile."""

import pytest

from cablese.transcript import split, splitter
from cablese.transcript.records.objects import Found, Objects
from cablese.transcript.splitter import _Cutter


def test_the_last_line_of_a_long_beginning_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """The value of a message that goes on would be cut, and called valid."""
    monkeypatch.setattr(splitter, "JSON_LIMIT", 8)
    lines = "REQ/TSK|g=1\nREQ/TSK|g=2"

    cut = split(lines, final=False)

    assert [one.wire for one in cut.messages] == ["REQ/TSK|g=1"]
    assert lines[cut.end :] == "REQ/TSK|g=2"


@pytest.mark.parametrize(("limit", "count"), [(8, 0), (7, 1)])
def test_a_line_longer_than_two_messages_is_split_to_its_end(
    monkeypatch: pytest.MonkeyPatch, limit: int, count: int
) -> None:
    """Otherwise a message that never ends would keep what is read of a stream from being split."""
    monkeypatch.setattr(splitter, "JSON_LIMIT", limit)

    assert len(split("REQ/TSK|g=123456", final=False).messages) == count


@pytest.mark.parametrize("line", ["{ " * 300, '{"g" ' * 300, "{|" * 300])
def test_forty_braces_of_a_line_are_tried(monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    tried: list[int] = []
    find = Objects.find

    def noted(self: Objects, brace: int, start: int, end: int) -> Found:
        tried.append(brace)
        return find(self, brace, start, end)

    monkeypatch.setattr(Objects, "find", noted)

    split(line)

    assert len(tried) == 40


@pytest.mark.parametrize(("length", "is_remembered"), [(200, True), (201, False)])
def test_short_lines_without_a_message_are_remembered(*, length: int, is_remembered: bool) -> None:
    line = "T|".ljust(length, "x")
    cutter = _Cutter(line, final=True, most=10)
    cutter.detect()

    assert [ignored.text for ignored in cutter.ignored] == [line]
    assert (line in cutter._unclaimed) == is_remembered


@pytest.mark.parametrize(("length", "is_read"), [(399, True), (400, False)])
def test_a_fact_far_from_its_message_is_not_read(*, length: int, is_read: bool) -> None:
    time = "2026-11-20T10:00:01Z".ljust(length, ".")

    (cut,) = split(f"{time} REQ/TSK|g=1").messages

    assert cut.wire == "REQ/TSK|g=1"
    assert (cut.facts.time is not None) == is_read


def test_a_text_of_one_line_ends_a_message_and_a_string_does_not() -> None:
    line = "REQ/TSK|g=1,@=a (12ms)"

    assert [cut.wire for cut in split(line).messages] == ["REQ/TSK|g=1,@=a"]
    assert [cut.wire for cut in split(f'{{"msg": "{line}"}}').messages] == [line]
