"""Senders that a chat names in headings, on lines of their own."""

import pytest

from cablese.transcript import split

CHAT = """maria 09:41
can the planner look at the login bug?
coordinator 09:42
REQ/TSK|g=12,t=1,p=1,@=login_bug
planner 09:44
PRO/PLN|g=12,t=1,@=rewrite_session_store
coordinator 09:45
REJ/PLN|g=12,t=1
"""


def senders(text: str) -> list[str | None]:
    return [cut.facts.sender for cut in split(text).messages]


def test_a_heading_names_the_sender_of_the_messages_below_it() -> None:
    assert senders(CHAT) == ["coordinator", "planner", "coordinator"]


@pytest.mark.parametrize(
    "heading",
    [
        "planner 09:42",
        "planner  9:42 AM",
        "planner  APP  9:42 AM",
        "planner — Today at 9:42 AM",
        "planner — 20/11/2026 09:42",
        "planner [09:42:01]",
        "[09:42] planner",
        "[20/11/2026, 09:42] planner:",
    ],
)
def test_headings_of_common_chats_are_known(heading: str) -> None:
    text = f"maria 09:40\nhello\n{heading}\nREQ/TSK|g=1,t=1\nINF/OBS|g=1,t=1"
    assert senders(text) == ["planner", "planner"]


@pytest.mark.parametrize(
    "line",
    ["started at 09:42", "done 09:42", "INFO 09:42", "planner", "see planner 09:42", "09:42"],
)
def test_other_lines_name_nobody(line: str) -> None:
    text = f"maria 09:40\n\ncoder 09:41\n\n{line}\nREQ/TSK|g=1,t=1"
    assert senders(text) == [None]


def test_one_heading_alone_may_be_any_word_before_a_time() -> None:
    assert senders("Restarted 09:42\nREQ/TSK|g=1,t=1") == [None]


def test_a_heading_ends_at_an_empty_line() -> None:
    text = "maria 09:41\nplanner 09:42\nREQ/TSK|g=1,t=1\n\nREQ/TSK|g=2,t=1"
    assert senders(text) == ["planner", None]


def test_a_name_on_the_line_of_the_message_has_precedence() -> None:
    assert senders("lin 09:41\nmaria 09:42\nplanner: REQ/TSK|g=1,t=1") == ["planner"]
    assert senders('lin 09:41\nmaria 09:42\n{"from":"planner","msg":"REQ/TSK|g=1,t=1"}') == [
        "planner"
    ]


def test_a_chat_in_the_colors_of_a_terminal_has_senders() -> None:
    text = "\x1b[32mmaria 09:41\x1b[0m\nhello\n\x1b[32mplanner 09:42\x1b[0m\nREQ/TSK|g=1,t=1"
    assert senders(text) == ["planner"]


RULE = "-" * 80
ONE, TWO = "REQ/TSK|g=12,t=1", "FETCH|HR|return:A|p:1|aacp:1.1"


def parties(text: str) -> list[tuple[str | None, str | None]]:
    return [(cut.facts.sender, cut.facts.recipient) for cut in split(text).messages]


def test_headings_that_autogen_prints_name_both_parties() -> None:
    text = f"planner (to executor):\n\n{ONE}\n\n{RULE}\nexecutor (to planner):\n\n{TWO}\n\n{RULE}\n"
    assert parties(text) == [("planner", "executor"), ("executor", "planner")]


def test_one_heading_that_autogen_prints_is_enough_and_ends_at_its_rule() -> None:
    text = f"planner (to executor):\n\n{ONE}\n\nlater\n\n{TWO}\n\n{RULE}\n{ONE}\n"
    assert parties(text) == [("planner", "executor"), ("planner", "executor"), (None, None)]


def test_titles_of_its_console_name_the_sender() -> None:
    title = "---------- TextMessage ({}) ----------"
    text = f"{title.format('planner')}\n{ONE}\n\n{title.format('executor')}\n{TWO}\n"
    assert senders(text) == ["planner", "executor"]


@pytest.mark.parametrize(
    "line", ["---------- Results (3) ----------", "see (to do):", "---------- planner ----------"]
)
def test_other_titles_name_nobody(line: str) -> None:
    assert senders(f"{line}\n{ONE}\n") == [None]


def test_a_heading_that_autogen_prints_holds_in_the_next_piece_of_a_file() -> None:
    first = split(f"planner (to executor):\n\n{ONE}\n", final=False)

    cuts = split(f"\n{TWO}\n\n{RULE}\n{ONE}\n", context=first.context).messages

    assert [(cut.facts.sender, cut.facts.recipient) for cut in cuts] == [
        ("planner", "executor"), (None, None),
    ]  # fmt: skip


def test_names_may_be_long() -> None:
    assert parties(f"{'a' * 64} (to {'b' * 64}):\n{ONE}\n") == [("a" * 64, "b" * 64)]


def test_a_line_like_a_heading_does_not_end_one_that_autogen_prints() -> None:
    text = f"planner (to executor):\n\n{ONE}\nRestarted 09:42\n{TWO}\n"
    assert parties(text) == [("planner", "executor")] * 2
