"""Two texts, conversation by conversation."""

from playground.diff.threads import LISTED, Meetings
from playground.workbench.document import Reading
from playground.workbench.examples import CONVERSATION

ASK = "REQ/TSK|g=42,t=1\n"
ANSWER = "CFM/TSK|g=42,t=1\n"


def meet(left: str, right: str) -> Meetings:
    one, other = (Reading(text, protocol=None, tokenizer="o200k_base") for text in (left, right))
    return Meetings(one, other)


def aspects(meetings: Meetings) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    (meeting,) = meetings.shown
    return {aspect.name: (aspect.left, aspect.right) for aspect in meeting.aspects}


def test_equal_conversations_are_said_to_be_equal() -> None:
    assert meet(CONVERSATION, CONVERSATION).summary == (
        "The conversation has the same parties, acts, findings, and final state."
    )
    assert meet("", "").summary == "Neither text has a conversation."


def test_acts_and_findings_are_compared() -> None:
    meetings = meet(ASK + ANSWER, ASK)

    assert meetings.summary == "1 of 1 conversation differs."
    found = aspects(meetings)
    assert found["Acts"] == (("confirm",), ())
    assert found["Findings"][1] == ("warning: No reply to this request.",)


def test_the_final_state_is_compared() -> None:
    found = aspects(meet(ASK, f"{ASK}PRO/PLN|g=42,t=1\n"))

    left, right = found["Final state"]
    assert left[:2] == ("Incomplete", "waiting for a proposal")
    assert right != left


def test_parties_are_compared() -> None:
    found = aspects(meet("SLIP v3 ada bob Ask Status", "SLIP v3 ada eve Ask Status"))

    assert found["Parties"] == (("bob",), ("eve",))


def test_conversations_belong_together_by_their_id() -> None:
    other = "REQ/TSK|g=7,t=1\nCFM/TSK|g=7,t=1\n"
    meetings = meet(ASK + ANSWER + other, other + ASK + ANSWER)

    assert meetings.differing == 0
    assert len(meetings.all) == 2


def test_a_conversation_of_one_text_only_is_named() -> None:
    (meeting,) = meet(ASK, f"{ASK}FETCH|HR|return:A|p:1|aacp:1.1|res:emp_salary\n").shown

    assert meeting.only == "second"
    assert meeting.title.startswith("AACP")


def test_another_id_is_a_difference() -> None:
    assert aspects(meet(ASK, ASK.replace("g=42", "g=43")))["ID"] == (
        ("goal 42, task 1",), ("goal 43, task 1",)
    )  # fmt: skip


def test_of_many_differences_the_first_are_listed_and_the_rest_counted() -> None:
    wires = [f"FETCH|HR|return:A{n}|p:1|aacp:1.1|res:emp_salary" for n in range(LISTED + 4)]
    found = aspects(meet(wires[0], "\n".join(wires)))

    assert found["Parties"] == ((), (*(f"A{n}" for n in range(1, LISTED + 1)), "3 more"))
