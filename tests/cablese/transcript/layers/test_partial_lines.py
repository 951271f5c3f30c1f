"""Lines that a container runtime cut are read as one."""

import json
import re
import time
from collections.abc import Callable

import pytest

from cablese.transcript import Cut, split
from cablese.transcript.layers import partial_lines
from tests.cablese.transcript.layers.arriving import cut_at, feed

LINE = "REQ/TSK|g=1,t=1"
WIDE = f"REQ/TSK|g=1,t=1,@={'v' * 40_000}"
LONG = json.dumps({"g": "FIND_HOTEL", "plan": [{"agent": "web", "task": "v" * 40_000}]})
SIZE = partial_lines.SIZE
FIRST, SECOND = "2026-11-20T10:00:00.123456789Z", "2026-11-20T10:00:01.5+01:00"


def cri(*texts: str, stream: str = "stdout", size: int = SIZE) -> str:
    """A log of containerd, with a line of the other stream at its end."""
    lines = []
    for text in texts:
        *parts, last = cut_at(text, size)
        lines += [f"{FIRST} {stream} P {part}\n" for part in parts]
        lines.append(f"{SECOND} {stream} F {last}\n")
    return "".join(lines)


def docker(*texts: str, size: int = SIZE, separators: tuple[str, str] = (",", ":")) -> str:
    return "".join(
        json.dumps({"log": part, "stream": "stdout", "time": FIRST}, separators=separators) + "\n"
        for text in texts
        for part in cut_at(f"{text}\n", size)
    )


def wires(cuts: tuple[Cut, ...]) -> list[str]:
    return [cut.wire for cut in cuts]


@pytest.mark.parametrize(
    "log",
    [
        cri(LINE, LONG, LINE),
        cri(LINE, LONG, LINE).replace("\n", "\r\n"),
        cri(LINE, LONG, LINE, stream="stderr"),
        cri(LINE, LONG, LINE, size=1_000),
        cri(LINE, LONG, LINE).replace(" P ", " P:app ").replace(" F ", " F:app "),
        docker(LINE, LONG, LINE),
        docker(LINE, LONG, LINE, separators=(", ", ": ")),
        docker(LINE, LONG, LINE).replace("\n", "\r\n"),
        docker(LINE, LONG, LINE).replace(',"time"', ',"attrs":{"tag":"app"},"time"'),
    ],
)
def test_a_message_is_whole_wherever_its_line_was_cut(log: str) -> None:
    found = split(log)

    assert wires(found.messages) == [LINE, LONG, LINE]
    for cut in found.messages:
        assert log[cut.span.start] == cut.wire[0]
        assert log[cut.span.end - 1] == cut.wire[-1]
    assert found.end == len(log)
    assert covered(log, found.messages, [skipped.span for skipped in found.ignored])


def covered(log: str, cuts: tuple[Cut, ...], ignored: list[tuple[int, int]]) -> bool:
    """Return whether all of the text is in a message or ignored, but for spaces."""
    left = list(log)
    for start, end in (*(cut.span for cut in cuts), *ignored):
        left[start:end] = " " * (end - start)
    return not "".join(left).strip()


@pytest.mark.parametrize("long", [LONG, WIDE])
@pytest.mark.parametrize("written", [cri, docker])
def test_a_message_waits_for_its_last_piece(long: str, written: Callable[..., str]) -> None:
    log = written(LINE, long, LINE)

    for size in (1_000, SIZE, SIZE + 60, SIZE + 85, 30_000):
        assert list(feed(cut_at(log, size))) == [LINE, long, LINE]
    carried = log.replace("\n", "\r\n")
    assert list(feed(re.split(r"(?<=\r)", carried))) == [LINE, long, LINE]
    assert list(feed(log.splitlines(keepends=True))) == [LINE, long, LINE]


def test_both_formats_in_one_text() -> None:
    assert wires(split(docker(LINE, LONG) + cri(LONG, LINE)).messages) == [LINE, LONG, LONG, LINE]


def times(log: str) -> list[str | None]:
    return [cut.facts.time.text if cut.facts.time else None for cut in split(log).messages]


def test_each_message_has_a_time_of_its_own() -> None:
    whole = docker(WIDE, size=4 * SIZE) + docker(LINE).replace(FIRST, SECOND)

    assert times(cri(LONG, LINE)) == [FIRST, SECOND]
    assert times(whole) == [FIRST, SECOND]


@pytest.mark.parametrize(
    "log",
    [
        f"{FIRST} stdout P REQ/TSK|g=1,\n{FIRST} stderr F t=2\n",
        f"{FIRST} stdout P REQ/TSK|g=1,\n\n{FIRST} stdout F t=2\n",
        f"{FIRST} stdout F REQ/TSK|g=1,\n{FIRST} stdout F t=2\n",
        f"{FIRST} stdout P REQ/TSK|g=1,\nt=2\n",
        f"{FIRST} stdout P REQ/TSK|g=1,\n",
        docker("REQ/TSK|g=1," + "v" * SIZE, size=SIZE).replace("stdout", "stderr", 1),
        # A collector that takes line ends off, and a program that prints none.
        docker("REQ/TSK|g=1,").replace("\\n", "") + docker("t=2"),
        docker("REQ/TSK|g=1,") + docker("t=2"),
        docker("REQ/TSK|g=1," + "v" * SIZE, size=2 * SIZE) + docker("t=2"),
    ],
)
def test_other_lines_are_not_joined(log: str) -> None:
    (cut,) = split(log).messages

    assert cut.wire.startswith("REQ/TSK|g=1,")
    assert "t=2" not in cut.wire
    assert cut.verbatim


@pytest.mark.parametrize("value", ["é" * 5_000, '"' * 8_200, "\ud800"])
def test_a_record_of_another_size_is_no_piece(value: str) -> None:
    log = docker(f"REQ/TSK|g=1,t=1,@={value}").replace("\\n", "") + docker(LINE)

    assert wires(split(log).messages) == [f"REQ/TSK|g=1,t=1,@={value}", LINE]


@pytest.mark.parametrize(
    "log",
    [
        f"{FIRST} stdout P a\n" * 20_000,
        f"{FIRST} stdout P a\n\n" * 20_000,
        f"{FIRST} stdout P {'a' * 400_000}",
        '{"log":"' * 100_000 + '","stream":"stdout"',
        docker("a" * SIZE) * 40,
    ],
)
def test_a_long_log_takes_no_longer(log: str) -> None:
    begin = time.process_time()
    partial_lines.take_out(log, final=False)

    assert time.process_time() - begin < 2


@pytest.mark.parametrize("log", [cri(LINE, WIDE), docker(LINE, WIDE)])
def test_a_log_in_a_string_of_a_record_is_joined_too(log: str) -> None:
    assert wires(split(json.dumps({"body": log})).messages) == [LINE, WIDE]
