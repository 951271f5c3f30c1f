"""Where the headings of a chat end, and which lines are none."""

import pytest

from cablese.transcript import split

ONE, TWO = "REQ/TSK|g=1,t=1", "INF/OBS|g=1,t=1,s=done"


def senders(text: str) -> list[str | None]:
    return [cut.facts.sender for cut in split(text).messages]


LOG_LINES = [
    "2026-11-20T10:00:00Z critic -> bot: REQ/TSK|g=7",
    "2026-11-20 10:00:00+02:00 restarted",
    "[2026-11-20 10:00:00] WARN no message here",
    "10:00:01 restarted",
    "Nov 20 10:00:01 host agentd[7]: REQ/TSK|g=7",
    '{"ts": "2026-11-20T10:00:00Z", "from": "critic", "wire": "REQ/TSK|g=7"}',
    '{"event": "restarted"}',
    "ts=2026-11-20T10:00:00Z msg=restarted",
    "INFO restarted",
]


@pytest.mark.parametrize("line", LOG_LINES)
@pytest.mark.parametrize("heading", ["{} 09:42", "[2026-11-20 09:42:01] {}:", "**{}**"])
def test_a_heading_ends_at_a_line_of_a_log(heading: str, line: str) -> None:
    above = f"{heading.format('maria')}\n{ONE}\n{heading.format('maria')}\n{TWO}\n{line}\n"
    *named, last = split(f"{above}{ONE}\n").messages
    first = split(above, final=False)
    following = split(f"{above[first.end :]}{ONE}\n", context=first.context).messages

    assert [cut.facts.sender for cut in named[:2]] == ["maria", "maria"]
    assert (last.facts.sender, last.facts.time) == (None, None)
    assert (following[-1].facts.sender, following[-1].facts.time) == (None, None)


def test_a_line_of_a_log_does_not_end_what_says_where_it_ends() -> None:
    line = '{"event": "restarted"}'
    assert senders(f"planner (to coder):\n\n{line}\n{ONE}\n") == ["planner"]
    assert senders(f"From: planner\nTo: coder\n\n{line}\n{ONE}\n") == ["planner"]


@pytest.mark.parametrize("words", ["INFORMED you", "Here is my plan:", "at 10:00 we start"])
def test_other_words_do_not_end_a_heading(words: str) -> None:
    assert senders(f"maria 09:41\nhello\nplanner 09:42\n{words}\n{ONE}\n") == ["planner"]


def test_a_comment_of_a_script_is_not_a_heading() -> None:
    assert senders(f"# comment\n{ONE}\n# comment\n{TWO}\n") == [None, None]
    assert senders(f"# user\n{ONE}\n# assistant\n{TWO}\n") == ["user", "assistant"]
    assert senders(f"## planner\n{ONE}\n## planner\n{TWO}\n") == ["planner", "planner"]
    assert senders(f"# Planner\n{ONE}\n# Planner\n{TWO}\n") == ["Planner", "Planner"]


def test_the_category_of_a_logger_of_dotnet_is_above_its_line() -> None:
    entries = [f"info: Acme.Planner[0]\n      {ONE}", "warn: Acme.Coder[12]\n      failed"]

    assert senders("\n".join([*entries, f"fail: A.B[1]\n      {TWO}"])) == ["Acme.Planner", "A.B"]


@pytest.mark.parametrize("said", ["Received ", "received: "])
def test_who_received_a_message_is_not_its_sender(said: str) -> None:
    assert senders(f"info: Acme.Planner[0]\n      {said}{ONE}") == [None]
