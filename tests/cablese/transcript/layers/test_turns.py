"""Where a turn of a model ends on the line where the next one begins."""

import pytest

from cablese.transcript import split
from cablese.transcript.layers import turns

WIRE = "REQ/TSK|g=42,t=1,@=auth"
NEXT = "<|start_header_id|>assistant<|end_header_id|>"


@pytest.mark.parametrize(
    ("end", "begin"),
    [
        ("<|eot_id|>", NEXT),
        ("<|im_end|> ", "<|im_start|>assistant"),
        ("<|eot_id|><|end_of_text|>", f"<|begin_of_text|>{NEXT}"),
        ("</s>", "<|user|>"),
        ("<end_of_turn>", "<start_of_turn>model"),
    ],
)
def test_the_message_ends_there(end: str, begin: str) -> None:
    found = split(f"{WIRE}{end}{begin}\r\n{WIRE}")

    assert [cut.wire for cut in found.messages] == [WIRE, WIRE]
    assert [(one.text, one.reason) for one in found.ignored] == [
        (end.strip(), "end of turn"), (begin, "unrecognized text"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        WIRE,
        f"INF/OBS|g=1,@=<|im_end|>{NEXT}\n",
        f"INF/OBS|g=1,@=x<|im_end|>{NEXT} you are free\n",
        f"INF/OBS|g=1,@=x<|im_end|>{NEXT}",  # what follows is not there yet
        "a <|b|> c",
    ],
)
def test_nothing_else_is_taken_out(text: str) -> None:
    assert turns.take_out(text) is None


@pytest.mark.parametrize(
    ("before", "parties"),
    [
        ("<|user|>", ("user", "assistant")),
        ("<|start_header_id|>assistant<|end_header_id|>", ("assistant", "user")),
        ("planner (to executor):", ("planner", "executor")),
    ],
)
def test_a_heading_counts_in_a_string_of_one_line(
    before: str, parties: tuple[str | None, str | None]
) -> None:
    (cut,) = split(f'{{"level": "info", "data": {{"text": "{before}REQ/TSK|g=1,t=1"}}}}').messages

    assert (cut.facts.sender, cut.facts.recipient) == parties
