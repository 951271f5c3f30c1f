"""The pieces of a streamed answer are read as one."""

import json
import time
from collections.abc import Callable

import pytest

from cablese.transcript import Cut, split
from cablese.transcript.layers import deltas
from tests.cablese.transcript.layers.arriving import cut_at, feed

WIRES = ["REQ/TSK|g=42,t=1", "FETCH|HR|return:A|aacp:1.1|a:“b”"]
ANSWER = "\n".join(WIRES)
NLIP = '{"format":"text","subformat":"English","content":"Hi"}'

Write = Callable[..., str]


def sse(*values: object, event: str = "") -> str:
    head = f"event: {event}\n" if event else ""
    return "".join(f"{head}data: {json.dumps(value)}\n\n" for value in values)


def openai(*parts: str, answer: str = "c1") -> str:
    def chunk(delta: object, reason: str | None = None) -> object:
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        return {"id": answer, "object": "chat.completion.chunk", "model": "m", "choices": [choice]}

    first = chunk({"role": "assistant", "content": "", "refusal": None})
    return sse(first, *(chunk({"content": part}) for part in parts), chunk({}, "stop"))


def responses(*parts: str, answer: str = "msg_1") -> str:
    kind = "response.output_text.delta"
    return sse(
        *(
            {"type": kind, "sequence_number": n, "item_id": answer, "delta": part}
            for n, part in enumerate(parts)
        ),
        event=kind,
    )


def anthropic(*parts: str, answer: int = 0) -> str:
    return sse(
        *(
            {
                "type": "content_block_delta",
                "index": answer,
                "delta": {"type": "text_delta", "text": part},
            }
            for part in parts
        ),
        event="content_block_delta",
    )


def ollama(*parts: str, answer: str = "m") -> str:
    lines = [{"role": "assistant", "content": part} for part in parts]
    return "".join(
        json.dumps({"model": answer, "created_at": f"{n}", "message": line, "done": False}) + "\n"
        for n, line in enumerate(lines)
    )


def generated(*parts: str, answer: str = "m") -> str:
    return "".join(
        json.dumps({"model": answer, "response": part, "done": False}) + "\n" for part in parts
    )


WAYS: list[Write] = [openai, responses, anthropic, ollama, generated]


def wires(cuts: tuple[Cut, ...]) -> list[str]:
    return [cut.wire for cut in cuts]


@pytest.mark.parametrize("write", WAYS)
@pytest.mark.parametrize("size", [1, 3, 7, 20, 1_000])
def test_a_message_is_whole_wherever_the_answer_was_cut(write: Write, size: int) -> None:
    for answer, expected in ((ANSWER, WIRES), (NLIP, [NLIP]), (f"So:\n{ANSWER}\nDone.", WIRES)):
        for text in (write(*cut_at(answer, size)), write(*cut_at(answer, size)).replace(": ", ":")):
            found = split(text)
            assert wires(found.messages) == expected
            assert found.end == len(text)


@pytest.mark.parametrize("write", WAYS)
def test_a_message_is_where_its_first_and_its_last_piece_are(write: Write) -> None:
    text = write("So: REQ/TS", "K|g=4", "2,t=1")
    (cut,) = split(text).messages

    assert text[cut.span.start :].startswith("REQ/TS")
    assert text[: cut.span.end].endswith("2,t=1")
    assert not cut.verbatim


@pytest.mark.parametrize("write", WAYS)
def test_a_message_waits_for_the_last_piece(write: Write) -> None:
    text = write(*cut_at(ANSWER, 7)) + "the end\n"

    for size in (50, 99, 400):
        assert list(feed(cut_at(text, size))) == WIRES
    assert list(feed(text.splitlines(keepends=True))) == WIRES


@pytest.mark.parametrize("write", WAYS)
def test_a_piece_that_is_a_message_does_not_go_on_with_the_next_one(write: Write) -> None:
    assert wires(split(write(*WIRES, NLIP)).messages) == [*WIRES, NLIP]
    assert wires(split(write(f"{WIRES[0]}\n", WIRES[1][:9], WIRES[1][9:])).messages) == WIRES


@pytest.mark.parametrize("write", WAYS)
def test_the_name_of_the_sender_can_be_a_piece(write: Write) -> None:
    (cut,) = split(write("planner: ", WIRES[0])).messages

    assert (cut.wire, cut.facts.sender) == (WIRES[0], "planner")


@pytest.mark.parametrize("write", WAYS)
def test_pieces_of_two_answers_are_not_joined(write: Write) -> None:
    first, second = ("a", "b") if write is not anthropic else (0, 1)
    text = write("REQ/TSK|g=4", answer=first) + write("2,t=1", answer=second)

    assert wires(split(text).messages) == ["REQ/TSK|g=4"]


def test_pieces_next_to_each_other_are_of_two_answers_too() -> None:
    first = {"id": "c1", "choices": [{"delta": {"content": "REQ/TSK|g=4"}}]}
    for second in (
        {"id": "c2", "choices": [{"delta": {"content": "2"}}]},
        {"model": "c1", "message": {"role": "assistant", "content": "2"}, "done": False},
        {"id": "c1", "agent": "b", "choices": [{"delta": {"content": "2"}}]},
        {"id": "c1", "choices": [{"index": 1, "delta": {"content": "2"}}]},
    ):
        assert wires(split(sse(first, second)).messages) == ["REQ/TSK|g=4"]


def test_members_that_differ_in_an_answer_are_not_compared() -> None:
    chunks = (
        {"id": "c1", "created": n, "obfuscation": "x" * n, "delta": {"content": text}}
        for n, text in enumerate(("REQ/TSK|g=4", "2,t=1"))
    )

    assert wires(split(sse(*chunks)).messages) == [WIRES[0]]


def test_comments_may_be_between() -> None:
    pieces = [sse({"delta": {"content": text}}) for text in ("REQ/TSK|g=4", "2,t=1")]

    assert wires(split(": keep-alive\n\n".join(pieces)).messages) == [WIRES[0]]


def test_the_last_piece_of_ollama_may_have_text() -> None:
    text = ollama("REQ/TSK|g=4") + ollama("2,t=1").replace("false", "true")

    assert wires(split(text).messages) == [WIRES[0]]
    assert wires(split(text + ollama("ok")).messages) == [WIRES[0]]


def test_lines_after_an_answer_are_read_while_more_may_come() -> None:
    text = f"{anthropic('REQ/TSK|g=4', '2,t=1')}REQ/TSK|g=8,t=1\n"

    for answer in (text, text + "event: content"):
        found = split(answer, final=False)
        assert wires(found.messages) == [WIRES[0], "REQ/TSK|g=8,t=1"]
        assert found.end == len(text)


def test_a_record_without_a_model_is_none_of_ollama() -> None:
    records = [{"task": "a", "response": text, "done": False} for text in ("REQ/TSK|g=4", "2")]

    assert wires(split(sse(*records)).messages) == ["REQ/TSK|g=4"]


@pytest.mark.parametrize(
    "parts",
    [
        (WIRES[0], WIRES[1][:9], WIRES[1][9:]),
        (WIRES[0][:9], WIRES[0][9:], WIRES[1]),
        (WIRES[0], f"planner: {WIRES[1]}"),
        (WIRES[0], "planner", ": ", WIRES[1]),
        (f"Done.\n{WIRES[0]}", WIRES[1][:9], WIRES[1][9:]),
        ("Done", f".\n{WIRES[0]}", WIRES[1]),
    ],
)
def test_a_message_that_follows_a_whole_one_is_of_its_own(parts: tuple[str, ...]) -> None:
    for write in WAYS:
        assert wires(split(write(*parts)).messages) == WIRES


def test_a_piece_without_a_line_end_leaves_the_text_as_it_is() -> None:
    assert deltas.take_out(anthropic("REQ").rstrip(), final=False) is None


@pytest.mark.parametrize(
    "between", ["a line\n", "data: [DONE]\n\n", 'data: {"choices":[{"delta":{}}]}\n\n']
)
def test_pieces_with_something_between_are_not_joined(between: str) -> None:
    pieces = [sse({"choices": [{"delta": {"content": text}}]}) for text in ("REQ/TSK|g=4", "2")]

    assert wires(split(between.join(pieces)).messages) == ["REQ/TSK|g=4"]


@pytest.mark.parametrize(
    "record",
    [
        {"message": {"role": "assistant", "content": WIRES[0]}, "done": True},
        {"message": {"role": "user", "content": WIRES[0]}, "done": False},
        {"response": WIRES[0], "done": True},
        {"response": WIRES[0]},
        {"delta": WIRES[0], "done": False},
        {"delta": {"seconds": 1, "text": WIRES[0]}},
    ],
)
def test_other_records_are_no_pieces(record: object) -> None:
    assert wires(split(sse(record, record)).messages) == [WIRES[0]] * 2


@pytest.mark.parametrize(
    "text",
    [
        anthropic("a") * 4_000,
        'data: {"delta":{"content":"' * 10_000,
        '{"delta":{' + '"a":"b",' * 50_000,
        "data: {}\n" * 20_000 + '"delta":',
        "\n" * 200_000 + '"delta":',
        '{"type":"response.output_text.delta",' * 3_000,
        '{"response":"a"' * 5_000 + '"done":',
        'data: {"delta":' + '"type":"response.output_text.delta",' * 20_000,
        anthropic(*"ab" * 3_000),
        anthropic(*["T|1|Q|a=b"] * 2_000),
        anthropic("bad ", *["T|1|Q|a=b"] * 5_000),
        anthropic(*["REQ/TSK|g=1,t=1 "] * 2_000),
    ],
)
def test_a_long_text_takes_no_longer(text: str) -> None:
    begin = time.process_time()
    deltas.take_out(text, final=False)

    assert time.process_time() - begin < 2


@pytest.mark.parametrize("write", WAYS)
def test_an_answer_in_a_string_of_a_record_is_joined_too(write: Write) -> None:
    text = json.dumps({"level": "info", "body": write("REQ/TSK|g=4", "2,t=1")})
    (cut,) = split(text).messages

    assert cut.wire == WIRES[0]
    assert text[cut.span.start :].startswith("REQ/TSK|g=4")
    assert text[: cut.span.end].endswith("2,t=1")
