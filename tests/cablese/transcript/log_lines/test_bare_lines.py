"""Lines that are a message and nothing else are read many at once, and as if they were not."""

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cablese import registry
from cablese.codec import Codec
from cablese.transcript import split
from cablese.transcript.log_lines import bare_lines
from tests.benchmarks import corpus

LINES = "REQ/TSK|g=42,t=1", "T|17|Q|obj=x", "INF/OBS|!=it.works", "PRO/PLN|g=1,@=a:b;c~d"
BEGINNINGS = (
    "REQ/TSK|g=", "T|17|Q|obj=", "REQ/TSK|!=", "T|1|A|x_y=", "REQ/TSK|", "T|17|Q|", "req/tsk|g=",
    "ERR/ERR|s=", "SLIP v3 a b Inform Fact ", "FETCH|HR|return:",
)  # fmt: skip
PLAIN = st.builds(
    str.__add__,
    st.text(st.sampled_from("az09_=,;:.@!+-*~^%"), max_size=12),
    st.sampled_from("az09"),
)
CHARACTERS = st.text(st.sampled_from("az09_=,;:.@!+-*~^%|/\\'\"`()[]{}<>#… \t\u00a0é"), max_size=12)


def taken(text: str, *, most: int = 99) -> tuple[list[str], str]:
    """The messages at the beginning of a text, and what is left of it."""
    cuts, end = bare_lines.take(text, 0, most)
    assert all(text[slice(*cut.span)] == cut.wire for cut in cuts)
    return [cut.wire for cut in cuts], text[end:]


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_run_is_taken_at_once(line_end: str) -> None:
    text = line_end.join((*LINES, "", *LINES))

    assert taken(text) == (list(LINES), line_end + line_end.join(LINES))
    assert [cut.wire for cut in split(text).messages] == [*LINES, *LINES]


def test_the_protocol_of_each_is_told() -> None:
    cuts, _ = bare_lines.take("T|17|Q|obj=x\nREQ/TSK|g=1\nT|18|A|res=x\n", 0, 9)

    assert [cut.protocol for cut in cuts] == ["tline", "nslip", "tline"]


def test_no_more_are_taken_than_wanted() -> None:
    text = "\n".join(LINES)

    assert taken(text, most=2) == (list(LINES[:2]), "\n".join(LINES[2:]))
    assert len(split(text, most=2).messages) == 2


def test_the_last_line_may_still_grow() -> None:
    assert taken("REQ/TSK|g=42,t=1") == ([], "REQ/TSK|g=42,t=1")
    assert split("REQ/TSK|g=42,t=1", final=False).messages == ()
    assert taken("REQ/TSK|g=42,t=1\r") == ([], "REQ/TSK|g=42,t=1\r")


@pytest.mark.parametrize(
    "line",
    [
        "REQ/TSK|g=1 (12ms)", "REQ/TSK|g=1,REQ/TSK|g=2", "REQ/TSK|g=1|", "REQ/TSK|g=1;T|1|Q|obj=x",
        "REQ/TSK|@=a…", "REQ/TSK|@=a...", "REQ/TSK|@=a,", r"REQ/TSK|@=a\n", "REQ/TSK|@=a#012",
        "REQ/TSK|@=é", "REQ/TSK|@=a</p>", "REQ/TSK|@=a/b", 'REQ/TSK|@="a', " REQ/TSK|g=1",
        "REQ/TSK|", "FETCH|HR|return:HR-Agent|p:1|aacp:1.1",
    ],
)  # fmt: skip
def test_a_line_that_may_end_before_its_end_is_not_taken(line: str) -> None:
    assert taken(f"{line}\n") == ([], f"{line}\n")


@given(st.builds(str.__add__, st.sampled_from(BEGINNINGS), PLAIN | CHARACTERS))
def test_a_line_that_is_taken_is_read_the_same_by_itself(line: str) -> None:
    wires, _ = taken(f"{line}\n")
    assume(wires)
    together = split(f"{line}\n").messages

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bare_lines, "take", lambda _text, at, _most: ([], at))
        alone = split(f"{line}\n").messages

    assert wires == [line]
    assert [(cut.wire, cut.protocol, cut.span) for cut in together] == [
        (cut.wire, cut.protocol, cut.span) for cut in alone
    ]


@pytest.mark.parametrize("protocol", sorted(corpus.WRITERS))
def test_most_messages_of_a_protocol_without_spaces_are_taken(protocol: str) -> None:
    wires = corpus.typical(protocol, 200)
    bare = sum(bool(taken(f"{wire}\n")[0]) for wire in wires)

    assert (bare > 100) == bool(registry.get(protocol).begins)


@pytest.mark.parametrize(
    "codec", [c for c in registry.all_codecs() if c.begins], ids=lambda c: c.name
)
def test_the_beginning_of_a_message_is_certain(codec: Codec) -> None:
    assert codec.anchor is not None
    assert not codec.folded
    for wire in corpus.typical(codec.name, 200):
        begins = re.match(codec.begins, wire)
        sniffed = codec.sniff(wire)
        assert begins is None or (codec.anchor.match(wire) and sniffed and sniffed.score == 1)
