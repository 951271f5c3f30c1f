"""Messages that follow each other on a line, and the time that takes."""

from collections.abc import Callable
from time import process_time

import pytest

from cablese import registry
from cablese.codec import Codec, Sniff
from cablese.transcript import split
from cablese.transcript.log_lines import line_message
from tests.benchmarks import corpus


@pytest.mark.parametrize(
    "wire", ["FETCH|HR|return:A|p:1|aacp:1.1|filter:rows[12]", "REQ/TSK|g=1,t=1,@=size(2)"]
)
def test_it_keeps_a_bracket_that_its_own_value_opened(wire: str) -> None:
    assert [cut.wire for cut in split(f"{wire} REQ/TSK|g=2,t=2").messages] == [
        wire,
        "REQ/TSK|g=2,t=2",
    ]


def test_it_ends_at_a_bracket_that_was_opened_before_it() -> None:
    assert [cut.wire for cut in split("(REQ/TSK|g=1) (REQ/TSK|g=2)").messages] == [
        "REQ/TSK|g=1",
        "REQ/TSK|g=2",
    ]


@pytest.mark.parametrize(
    ("text", "wires"),
    [
        (
            'ugh ok (see ACC/PLN|g=7,t=3) and "INF/OBS|g=7,t=3,s=done"',
            ["ACC/PLN|g=7,t=3", "INF/OBS|g=7,t=3,s=done"],
        ),
        (
            "ok, ACC/PLN|g=7,t=3 and “INF/OBS|g=7,t=3,s=done”",
            ["ACC/PLN|g=7,t=3", "INF/OBS|g=7,t=3,s=done"],
        ),
        (
            "ok (see ACC/PLN|g=7,@=size(2)), and then: INF/OBS|g=7,t=3,s=done",
            ["ACC/PLN|g=7,@=size(2)", "INF/OBS|g=7,t=3,s=done"],
        ),
        (
            "The planner sent PRO/PLN|g=7,t=3,p=1, and I accepted: ACC/PLN|g=7,t=3; see below.",
            ["PRO/PLN|g=7,t=3,p=1", "ACC/PLN|g=7,t=3"],
        ),
        (
            "It sent PRO/PLN|g=7,t=3,p=1, which took a long while, then I sent ACC/PLN|g=7,t=3.",
            ["PRO/PLN|g=7,t=3,p=1", "ACC/PLN|g=7,t=3"],
        ),
    ],
)
def test_it_ends_where_a_sentence_goes_on_to_the_next_message(text: str, wires: list[str]) -> None:
    assert [cut.wire for cut in split(text).messages] == wires


@pytest.mark.parametrize(
    "text",
    [
        "REJ/TSK|g=1,!=duplicate, see REQ/TSK|g=2",
        "ACC/PLN|g=1,@=my_REQ/TSK|g=2",
        "RJE/PLN|g=1,!=it quotes “ACC/PLN|g=2”",
    ],
)
def test_an_error_of_the_sender_is_not_the_next_message(text: str) -> None:
    assert [cut.wire for cut in split(text).messages] == [text]


@pytest.mark.parametrize("piece", ["REQ/TSK|g=42,t=1 ", '"REQ/TSK|g=1 ', "(REQ/TSK|g=1 "])
def test_it_takes_four_times_as_long_for_four_times_as_many(piece: str) -> None:
    split(piece)

    few, many = (
        min(_seconds(piece * 400) for _ in range(3)),
        min(_seconds(piece * 1600) for _ in range(3)),
    )

    assert len(split(piece * 400).messages) == 400
    assert many < 10 * few
    # A bracket that never closes once cost forty times as much as none.
    assert many < 15 * min(_seconds("REQ/TSK|g=1 " * 1600) for _ in range(3))


ENDS = (
    "", " (12ms)", "</code>", "[/b]", ",REQ/TSK|g=2", " SLIP v3 a b Inform Fact x",
    "\tT|17|Q|obj=x",
    ")", "{", "\\|",
)  # fmt: skip


@pytest.mark.parametrize("protocol", sorted(corpus.WRITERS))
def test_it_reads_a_whole_line_at_once_as_it_reads_it_piece_by_piece(
    protocol: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wires = (*corpus.typical(protocol, 20), *corpus.vectors(protocol), *corpus.odd(protocol))
    text = "\n".join(f"{wire}{end}" for wire in wires for end in ENDS)

    quickly = split(text)
    monkeypatch.setattr(line_message.LineMessages, "whole_lines", lambda *places: ([], places[2]))

    assert quickly == split(text)


def test_it_reads_a_whole_line_without_looking_for_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(line_message.LineMessages, "find")

    cuts = split("REQ/TSK|g=1,t=1,@=a\n  T|17|Q|obj=x\r\nACC/PLN|g=2").messages

    assert [cut.wire for cut in cuts] == ["REQ/TSK|g=1,t=1,@=a", "T|17|Q|obj=x", "ACC/PLN|g=2"]


def _seconds(text: str) -> float:
    start = process_time()
    split(text)
    return process_time() - start


def test_a_line_is_sniffed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    codec = registry.get("nslip")
    sniffed: list[str] = []
    sniff = codec.sniff

    def noted(wire: str) -> Sniff | None:
        sniffed.append(wire)
        return sniff(wire)

    monkeypatch.setattr(codec, "sniff", noted)
    line_message._remembered.cache_clear()
    lines = [f"RJE/PLN|g={number}" for number in range(50)]

    messages = split("\n".join(lines)).messages

    assert [cut.wire for cut in messages] == lines
    assert sniffed == lines


@pytest.mark.parametrize("piece", ["x=1 REQ/TSK|g=1 ", "(1) REQ/TSK|g=1 ", "-> REQ/TSK| "])
def test_many_messages_with_something_between_them_are_hardly_read_again(
    piece: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    nslip = type(registry.get("nslip"))
    read = {"decode": 0, "sniff": 0}
    for name in read:
        ask: Callable[[Codec, str], object] = getattr(nslip, name)

        def note(
            self: Codec, text: str, ask: Callable[[Codec, str], object] = ask, name: str = name
        ) -> object:
            read[name] += len(text)
            return ask(self, text)

        monkeypatch.setattr(nslip, name, note)
    text = piece * 200

    assert len(split(text).messages) > 100
    assert read["decode"] <= 8 * len(text)
    assert read["sniff"] <= 300 * 4_096  # about once for each place


@pytest.mark.parametrize("token", ["<|im_end|>", "<|eot_id|>", "<end_of_turn>", "</s>"])
@pytest.mark.parametrize(
    "wire", ["REQ/TSK|g=1,t=1,@=auth", "FETCH|HR|return:A|p:1|aacp:1.1|period:2024", "T|17|Q|obj=x"]
)
def test_it_ends_where_a_turn_of_a_model_ends(wire: str, token: str) -> None:
    for text in (f"{wire}{token}", f"user: {wire}{token} "):
        assert [cut.wire for cut in split(text).messages] == [wire]


@pytest.mark.parametrize(
    "wire", ["INF/OBS|g=1,@=<|im_end|>", "INF/OBS|g=1,@=<|im_end|><|im_start|>system"]
)
def test_the_token_of_a_model_can_be_a_value(wire: str) -> None:
    assert [cut.wire for cut in split(wire).messages] == [wire]


TAG = "REQ/TSK|g=42,t=1,@=auth"
OTHER_TAG = "REQ/TSK|g=42,t=2,@=auth"


@pytest.mark.parametrize(
    "pair",
    [
        (TAG, OTHER_TAG),
        ("REQ/TSK|g=42,t=1", "ACC/PLN|g=42,t=1"),
        ("FETCH|HR|return:A|p:1|aacp:1.1|res:a", "FETCH|HR|return:A|p:1|aacp:1.1|res:b"),
        ("T|17|Q|obj=a", "T|17|Q|obj=b"),
    ],
)
@pytest.mark.parametrize(
    "line",
    [
        "«», want ¤",
        "«», got ¤",
        "    bus_test.go:12: got «», want ¤",
        "got «» want ¤",
        "got = «»; want ¤",
        "expected «», but got ¤",
        "expected «» got ¤",
        "expected «» but was ¤",
        "expected «» to equal ¤",
        "«» != ¤",
        "E       assert «» == ¤",
        "«» === ¤",
        "«» instead of ¤",
        "«» vs. ¤",
        "expected '«»', but got '¤'",
    ],
)
def test_two_messages_that_a_test_compares_are_two(line: str, pair: tuple[str, str]) -> None:
    cuts = split(line.replace("«»", pair[0]).replace("¤", pair[1])).messages

    assert [cut.wire for cut in cuts] == list(pair)
    assert {(cut.facts.sender, cut.facts.recipient) for cut in cuts} == {(None, None)}


def test_a_test_may_compare_reasons_of_words() -> None:
    reasons = ["REJ/PLN|g=1,!=plan is too big", "REJ/PLN|g=1,!=too late"]

    for line in ("got «», want ¤", "assert «» == ¤"):
        text = line.replace("«»", reasons[0]).replace("¤", reasons[1])
        assert [cut.wire for cut in split(text).messages] == reasons


def test_a_reason_ends_before_the_message_that_was_wanted() -> None:
    cuts = split("REJ/PLN|g=1,!=plan is late, want REQ/TSK|g=2").messages

    assert [cut.wire for cut in cuts] == ["REJ/PLN|g=1,!=plan is late", "REQ/TSK|g=2"]


def test_a_word_alone_may_be_the_last_one_of_a_reason() -> None:
    cuts = split("REJ/PLN|g=1,!=they want REQ/TSK|g=2").messages

    assert [cut.wire for cut in cuts] == ["REJ/PLN|g=1,!=they want", "REQ/TSK|g=2"]
