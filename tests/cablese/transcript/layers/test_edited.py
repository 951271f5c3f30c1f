"""The mark that WhatsApp exports after an edited message is part of no message."""

import pytest

from cablese import detection
from cablese.transcript import split
from cablese.transcript.layers import edited

WHATSAPP = "20/11/2026, 10:00 - Ada: "
TASK = "INF/OBS|g=42,t=1,s=done"
FETCH = "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|period:2024-08"
FOLDED = "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|\nperiod:2024-08"
MARK = "<This message was edited>"


@pytest.mark.parametrize("wire", [TASK, FETCH, FOLDED, "T|17|Q|obj=x"])
@pytest.mark.parametrize(
    "mark", [f" {MARK}", f" \u200e{MARK}", f"\u200e{MARK}", " <Diese Nachricht wurde bearbeitet.>"]
)
@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_the_message_ends_before_it(wire: str, mark: str, end: str) -> None:
    found = split(f"{WHATSAPP}{wire}{mark}{end}")

    (message,) = found.messages
    assert (message.wire, message.facts.sender) == (wire, "Ada")
    assert detection.decode(message.wire, message.protocol).valid
    assert mark.strip(" \u200e") in {one.text.strip("\u200e") for one in found.ignored}


def test_the_next_line_has_its_own_message() -> None:
    found = split(f"{WHATSAPP}{TASK} {MARK}\n{WHATSAPP}{FETCH}\n")

    assert [one.wire for one in found.messages] == [TASK, FETCH]


@pytest.mark.parametrize(
    "text",
    [
        TASK,
        f"{TASK}{MARK}",
        f"REQ/TSK|g=42,t=1,@={MARK}",
        f"{TASK} {MARK} again",
        f"{TASK} <This message was read>",
        f"{TASK} This message was edited",
    ],
)
def test_nothing_else_is_taken_out(text: str) -> None:
    assert edited.take_out(text) is None
