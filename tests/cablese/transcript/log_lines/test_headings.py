"""Senders that a chat names in headings, on lines of their own."""

from datetime import UTC, datetime

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from cablese.transcript import split
from tests.growth import assert_linear

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
    assert {cut.facts.time for cut in split(CHAT).messages} == {None}


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
    "heading",
    [
        "Ada Lovelace 09:42",
        "Ada Lovelace  APP  9:42 AM",
        "[20/11/2026 09:42] Ada Lovelace",
        "Ada Lovelace\n9:42 AM",
        "From: Ada Lovelace <ada@example.org>",
        'From: "Ada Lovelace" <ada@example.org>',
        "On Fri, Nov 20, 2026 at 9:42 AM Ada Lovelace <ada@example.org> wrote:",
    ],
)
def test_a_heading_can_have_a_name_of_several_words(heading: str) -> None:
    text = f"{heading}\nREQ/TSK|g=1,t=1\n\n{heading}\nINF/OBS|g=1,t=1\n"
    assert senders(text) == ["Ada Lovelace", "Ada Lovelace"]


@pytest.mark.parametrize(
    "heading",
    [
        "{}\n9:42 AM",
        "{}\n  09:42",
        "{}\n28/11/2026 09:42",
        "{}\nAPP  9:42 AM",
        "{}\n — \nToday at 9:42 AM",
        "{}\r\n[09:42]",
    ],
)
def test_a_name_above_a_time_is_a_heading(heading: str) -> None:
    text = "\n".join(f"{heading.format(name)}\nREQ/TSK|g=1,t=1\n" for name in ("planner", "coder"))
    assert senders(text) == ["planner", "coder"]


@pytest.mark.parametrize("above", ["two words", "", "INFO", "planner\n", "REQ/TSK|g=2,t=1"])
def test_a_time_alone_names_nobody(above: str) -> None:
    text = f"{above}\n09:42\nREQ/TSK|g=1,t=1\n" * 2
    assert set(senders(text)) == {None}


def test_a_name_above_a_time_holds_in_the_next_piece_of_a_file() -> None:
    first = split("maria\n09:41\nhello\n\nplanner\n09:42\n", final=False)
    following = split("REQ/TSK|g=1,t=1\n", context=first.context)

    assert [cut.facts.sender for cut in following.messages] == ["planner"]


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


def test_two_sections_of_its_console_name_the_sender() -> None:
    text = f"---------- user ----------\n{ONE}\n---------- planner ----------\n{TWO}\nTERMINATE\n"
    assert senders(text) == ["user", "planner"]


def test_turns_that_langchain_prints_name_both_parties_or_the_speaker() -> None:
    turns = [
        HumanMessage(ONE),
        AIMessage(TWO, name="planner"),
        ToolMessage(ONE, tool_call_id="1"),
        AIMessage(TWO),
    ]
    assert parties("\n".join([turn.pretty_repr() for turn in turns])) == [
        ("human", "ai"), ("planner", None), ("tool", "assistant"), ("ai", "human"),
    ]  # fmt: skip


def test_a_name_in_the_text_of_a_turn_is_no_speaker() -> None:
    assert senders(f"{AIMessage('hello').pretty_repr()}\nName: planner\n{ONE}\n") == ["ai"]


def test_a_name_below_a_turn_holds_in_the_next_piece_of_a_file() -> None:
    turn = AIMessage(ONE, name="planner").pretty_repr()
    first = split(f"{turn}\n", final=False)

    assert [cut.facts.sender for cut in first.messages] == ["planner"]
    (cut,) = split(f"{TWO}\n", context=first.context).messages
    assert cut.facts.sender == "planner"


@pytest.mark.parametrize(
    "line",
    [
        "---------- Results (3) ----------",
        "see (to do):",
        "---------- planner ----------",
        "Name: planner",
        "====== Error Message ======",
    ],
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


TOKENS = [
    "<|im_start|>{}\n%s<|im_end|>\n",
    "<|start_header_id|>{}<|end_header_id|>\n\n%s<|eot_id|>",
    "<start_of_turn>{}\n%s<end_of_turn>\n",
    "<|{}|>\n%s<|end|>\n",
]


@pytest.mark.parametrize("turn", TOKENS)
def test_the_tokens_of_a_model_name_both_parties(turn: str) -> None:
    text = turn.format("user") % ONE + turn.format("assistant") % TWO

    assert [cut.wire for cut in split(text).messages] == [ONE, TWO]
    assert parties(text) == [("user", "assistant"), ("assistant", "user")]


def test_a_turn_may_name_its_speaker() -> None:
    assert parties(f"<|im_start|>user name=planner\n{ONE}<|im_end|>\n") == [("planner", None)]


LABELS = [
    "{}:", "**{}**", "**{}:**", "**{}**:", "### {}", "`{}`:", "[{}]", "- {}:", "1. {}:",
    "\u2699 {}:",
]  # fmt: skip


@pytest.mark.parametrize("space", ["\n", "\n\n", "\n```\n"])
@pytest.mark.parametrize("label", LABELS)
def test_a_label_that_comes_again_names_the_sender(label: str, space: str) -> None:
    names = ["planner", "executor", "planner"]
    text = "".join([f"{label.format(name)}{space}{ONE}\n\n" for name in names])
    assert senders(f"{text}{TWO}\n") == [*names, None]


def test_labels_that_are_roles_name_the_sender() -> None:
    assert senders(f"Human:\n{ONE}\n\nAssistant:\n{TWO}\n") == ["Human", "Assistant"]
    assert senders(f"<user>\n{ONE}\n</user>\n<agent>\n{TWO}\n</agent>\n") == ["user", "agent"]


@pytest.mark.parametrize(
    "text",
    [
        f"planner:\n{ONE}\n\nexecutor:\n{TWO}\n",  # each comes once
        f"Good:\n{ONE}\nBad:\n{TWO}\nGood:\n{ONE}\n",
        f"### nSLIP\n{ONE}\n### AACP\n{TWO}\n### nSLIP\n{ONE}\n",
        f"    planner:\n{ONE}\n    planner:\n{TWO}\n",
        f"planner\n{ONE}\nplanner\n{TWO}\n",
        f"planner:\nI would\n{ONE}\nplanner:\nsay\n{TWO}\n",
        f"<p>\n{ONE}\n</p>\n<p>\n{TWO}\n</p>\n",
    ],
)
def test_other_labels_name_nobody(text: str) -> None:
    assert set(senders(text)) == {None}


@pytest.mark.parametrize(
    "headers",
    [
        "From: planner\nTo: executor\n",
        "From: planner <p@acme.example>\nTo: executor <e@acme.example>\nSubject: hello\n\n",
        "From: planner\nDate: Fri, 20 Nov 2026 10:00:01 +0000\nTo: executor\n\n",
        "To: executor\nFrom: planner\n\n",
        "Date: Fri, 20 Nov 2026 10:00:01 +0000\nTo: executor\nSubject: Re: it\nFrom: planner\n",
        "Sender: planner\nReceiver: executor\n",
    ],
)
def test_the_headers_of_a_mail_name_both_parties(headers: str) -> None:
    text = f"{headers}{ONE}\n{TWO}\n\n{ONE}\n"
    assert parties(text) == [("planner", "executor"), ("planner", "executor"), (None, None)]


@pytest.mark.parametrize(
    "headers",
    [
        "From: planner\nDate: Fri, 20 Nov 2026 10:00:01 +0000\nTo: executor\n\n",
        "From: planner\nTo: executor\nDate: Fri, 20 Nov 2026 10:00:01 +0000 (UTC)\n\n",
        "Date: Fri, 20 Nov 2026 10:00:01 +0000\nFrom: planner\nSubject: hello\n",
        "From: planner\nSent: 2026-11-20 10:00:01Z\nSubject: hello\n",
    ],
)
def test_the_date_of_a_mail_is_when_its_messages_were_sent(headers: str) -> None:
    own = "SLIP v3 planner critic Inform Result done"
    text = f"{headers}{ONE}\n{own}\n2026-11-21T00:00:00Z {TWO}\n\n{ONE}\n"
    times = [cut.facts.time and cut.facts.time.moment for cut in split(text).messages]
    sent, later = datetime(2026, 11, 20, 10, 0, 1, tzinfo=UTC), datetime(2026, 11, 21, tzinfo=UTC)
    assert times == [sent, sent, later, None]


@pytest.mark.parametrize(
    "heading",
    [
        "planner, [20.11.2026 10:00:01]",
        "planner — 20 November 2026 at 10:00:01",
        "[2026-11-20 10:00:01] planner -> executor",
        "On Fri, Nov 20, 2026 at 10:00:01 AM planner <p@acme.example> wrote:",
    ],
)
def test_a_time_with_a_day_above_a_message_is_when_it_was_sent(heading: str) -> None:
    text = f"{heading}\n{ONE}\n\n{heading}\n{TWO}\n"
    times = [cut.facts.time and f"{cut.facts.time.moment}" for cut in split(text).messages]
    assert times == ["2026-11-20 10:00:01"] * 2


def test_a_header_is_of_the_mail_that_it_is_in() -> None:
    mails = f"To: executor\n\nFrom: planner\n\n{ONE}\n\nTo: coder\nFrom: critic\n\n{TWO}\n"
    assert parties(mails) == [("planner", None), ("critic", "coder")]


def test_a_reply_names_whom_it_quotes() -> None:
    wrote = "On Fri, Nov 20, 2026 at 10:00 AM planner <p@acme.example> wrote:"
    assert senders(f"{wrote}\n> {ONE}\n> {TWO}\n\n{ONE}\n") == ["planner", "planner", None]


@pytest.mark.parametrize("time", ["[20.11.26 10:00]", "[20 Nov 2026 at 10:00:01]:"])
def test_telegram_names_the_sender(time: str) -> None:
    text = f"planner, {time}\n{ONE}\n\nexecutor, {time}\n{TWO}\n"
    assert senders(text) == ["planner", "executor"]


def test_crewai_names_the_agent() -> None:
    assert senders(f"# Agent: planner\n## Final Answer:\n{ONE}\n") == ["planner"]


@pytest.mark.parametrize("route", ["{} -> {}", "[10:00] {} → {}", "Step 1: {} => {}:", "2. {}→{}"])
def test_an_arrow_above_a_message_names_both_parties(route: str) -> None:
    one, two = route.format("planner", "executor"), route.format("executor", "planner")
    assert parties(f"{one}\n{ONE}\n{two}\n{TWO}\n\n{ONE}\n") == [
        ("planner", "executor"), ("executor", "planner"), (None, None),
    ]  # fmt: skip


def test_a_list_of_arrows_names_nobody() -> None:
    assert parties(f"planner -> executor\nexecutor -> planner\n{ONE}\n") == [(None, None)]


@pytest.mark.parametrize("prompt", ["User> ", "planner>  "])
def test_a_prompt_names_the_sender(prompt: str) -> None:
    assert senders(f"{prompt}{ONE}\n") == [prompt.rstrip("> ")]
    assert senders(f"mysql> {ONE}\n") == [None]


@pytest.mark.parametrize("line", ["planner -> coder: {}", "planner (to coder): {}"])
def test_a_name_on_the_line_of_a_message_holds_for_bare_lines_below_it(line: str) -> None:
    packet = "REQ/TSK|g=1,t=1"
    below = (packet, f"- {packet}", f"reviewer INFO sent {packet}", f"coder >> planner {packet}")
    text = "\n".join([line.format(packet), *below])

    named, unnamed = ("planner", "coder"), (None, None)
    assert parties(text) == [named, named, named, unnamed, unnamed]


@pytest.mark.parametrize(("below", "sender"), [("{}", "planner"), ("reviewer sent {}", None)])
def test_such_a_name_holds_in_the_next_piece_of_a_file(below: str, sender: str | None) -> None:
    packet = "REQ/TSK|g=1,t=1"
    first = split(f"planner -> coder: {packet}\n", final=False)
    following = split(f"{below.format(packet)}\n", context=first.context)

    assert [cut.facts.sender for cut in following.messages] == [sender]


def test_a_heading_above_messages_holds_for_all_of_its_lines() -> None:
    text = "maria 09:41\nplanner 09:42\nplease take REQ/TSK|g=1,t=1\nand then REQ/TSK|g=2,t=1"
    assert senders(text) == ["planner", "planner"]


@pytest.mark.parametrize(
    "between",
    ["2026-11-20T09:12:09Z coder -> planner: REQ/TSK|g=2,t=1", "> hello", "hello", "```json", ""],
)
def test_such_a_name_holds_up_to_any_other_line(between: str) -> None:
    text = f"[10:00] planner -> coder: REQ/TSK|g=1,t=1\n{between}\nREQ/TSK|g=3,t=1\n"

    assert parties(text)[0] == ("planner", "coder")
    assert parties(text)[-1] == (None, None)


@pytest.mark.parametrize("heading", ["planner -> coder: REQ/TSK|g=1,t=1", "planner (to coder):"])
def test_a_message_that_names_its_sender_gets_no_other(heading: str) -> None:
    text = f"{heading}\nSLIP v3 alice bob Request Task fixlogin\n"

    assert parties(text)[-1] == (None, None)


@pytest.mark.parametrize(
    "piece", ["a -> b: REQ/TSK|g=1 ", "10:00 REQ/TSK|g=1 ", "a\n10:00\n", "a:\n"]
)
def test_many_headings_take_as_much_longer_as_the_text_is(piece: str) -> None:
    assert_linear(lambda size: split(piece * size), 4_000)
