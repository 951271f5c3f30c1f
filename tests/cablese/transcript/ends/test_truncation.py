"""A message that a program shortened ends before the mark that says so, and is cut off."""

import reprlib

import pytest

from cablese import detection
from cablese.transcript import Cut, split
from tests.growth import assert_linear

TAG = "REQ/TSK|g=42,t=1,p=2,@=auth_re"
PLAIN = "REQ/TSK|g=42,t=1"
AACP = "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|res:emp_sal"
TURN = "T|17|Q|obj=test_sc"
REASON = "REJ/PLN|g=42,t=1,!=plan is too"
WIRES = (TAG, PLAIN, AACP, TURN, REASON)
MARKS = (
    "...[truncated]",
    "… [truncated]",
    "... 34 more characters",
    "...34 more",
    "… more",
    "... Read more",
    "... and 34 more",
    "<truncated>",
    "[TRUNCATED]",
    "(truncated)",
    "...(truncated)",
    "...TRUNCATED...",
    "... truncated",
    "…truncated 34 bytes",
    "…(+34 chars)",
    "... (+34)",
    "...<34 chars omitted>...",
    "…[+34 bytes]",
    " [truncated 34 chars]",
    " [output truncated: 34 of 64 bytes]",
    " [... omitted 34 bytes ...]",
    " (34 more characters)",
    " <snip>",
    " […]",
    "[...]",
    "--More--",
    "--More--(42%)",
    " -- More -- ",
    "---(more 42%)---",
    " -- truncated --",
)


def _one(text: str) -> Cut:
    (cut,) = split(text).messages
    return cut


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize("wire", WIRES)
def test_a_mark_is_not_part_of_a_message(wire: str, mark: str) -> None:
    for text in (
        f"{wire}{mark}",
        f"{wire}{mark}\n",
        f"2026-11-20T10:00:01Z INFO planner: {wire}{mark}",
        f"{{'n': 7, 'msg': '{wire}{mark}'}}",
        f'{{"n":7,"msg":"{wire}{mark}"}}',
    ):
        cut = _one(text)

        assert cut.wire == wire
        assert cut.facts.is_cut_off
        assert detection.decode(cut.wire, cut.protocol).valid


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(
    "printed",
    [
        'write(1, "«»"..., 64) = 64',
        '"«»"...',
        '"«»"…',
        "{ msg: '«»'... 34 more characters }",
        '"«»" <> ...',
        "Data [truncated]: «»",
        "[truncated]«»",
    ],
)
def test_what_is_around_a_message_shows_that_it_was_longer(wire: str, printed: str) -> None:
    cut = _one(printed.replace("«»", wire))

    assert cut.wire == wire
    assert cut.facts.is_cut_off


@pytest.mark.parametrize("wire", WIRES)
def test_half_a_character_at_the_end_shows_it_too(wire: str) -> None:
    for text in (f"{wire}\ufffd", f"{wire}\ufffd\n{wire}", f'{{"msg": "{wire}\ufffd"}}'):
        cut = split(text).messages[0]

        assert cut.wire == f"{wire}\ufffd"
        assert cut.facts.is_cut_off
    assert not _one(f"{wire}\ufffds").facts.is_cut_off


@pytest.mark.parametrize("name", ["the_login_of_all_users", "the_login_of_all_the_users"])
def test_an_ellipsis_in_the_middle_of_a_string_shows_it_too(name: str) -> None:
    shortener = reprlib.Repr()
    shortener.maxstring = 50

    cut = _one(f"input_value={shortener.repr(f'REQ/TSK|g=42,t=1,@=refactor_{name}')}, n=1")

    assert "..." in cut.wire
    assert cut.facts.is_cut_off


def test_other_messages_of_the_line_are_whole() -> None:
    cuts = split(f"{TAG}…[truncated] ACC/PLN|g=42,t=1").messages

    assert [(cut.wire, cut.facts.is_cut_off) for cut in cuts] == [
        (TAG, True),
        ("ACC/PLN|g=42,t=1", False),
    ]


def test_what_follows_the_mark_is_still_read() -> None:
    cut = _one(f"planner: {TAG}...[truncated] to=executor took=12ms")

    assert (cut.wire, cut.facts.sender, cut.facts.recipient) == (TAG, "planner", "executor")


def test_a_remark_in_a_string_is_not_its_end() -> None:
    assert _one("'REJ/PLN|g=1,!=too big (3 files)...[truncated]'").wire.endswith("(3 files)")


@pytest.mark.parametrize(
    "wire",
    [
        "REJ/PLN|g=1,!=log was truncated",
        "REQ/TSK|g=1,@=one_more",
        "REQ/TSK|g=1,@=a--b",
        "REQ/TSK|g=1,@=v1..v2",
        "REQ/TSK|g=1,@=v1...v2",
        "FETCH|HR|return:A|p:1|aacp:1.1|content:text...[truncated]|fmt:json",
        "FETCH|HR|return:A|p:1|aacp:1.1|filter:rows(more)",
        'FETCH|HR|return:A|p:1|aacp:1.1|content:"see [truncated] text"',
        "FETCH|HR|return:A|p:1|aacp:1.1|content:three more",
    ],
)
def test_such_words_in_a_value_are_no_mark(wire: str) -> None:
    for text in (wire, f"planner: {wire}", f'{{"msg":{wire!r}}}'):
        cut = _one(text)

        assert cut.wire == wire
        assert not cut.facts.is_cut_off


@pytest.mark.parametrize("after", [" (12 bytes)", " [200]", '"... and left', " -- done"])
def test_a_remark_says_nothing_about_its_length(after: str) -> None:
    cut = _one(f'say "{TAG}{after}' if after[0] == '"' else f"{TAG}{after}")

    assert cut.wire == TAG
    assert not cut.facts.is_cut_off


def test_a_value_that_is_a_mark_says_so_and_stays() -> None:
    cut = _one("REQ/TSK|g=1,@=[truncated]")

    assert cut.wire.endswith("@=[truncated]")
    assert cut.facts.is_cut_off


@pytest.mark.parametrize(
    "unit", ["[", "...", "(snip ", " (truncated)|a:b", "… more|a:b ", "--more "]
)
def test_many_marks_take_time_in_proportion(unit: str) -> None:
    assert_linear(lambda size: split(f"INFO {AACP}{unit * (size // len(unit))}"), 20_000)
