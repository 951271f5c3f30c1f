"""What is supplied with messages ties them together and names who speaks."""

from cablese.conversation.gather import recorded
from cablese.conversation.model import FROM_LINE, SUPPLIED, Leg, Supplied
from cablese.message import Span
from cablese.transcript import Cut, Facts, split
from tests.cablese.conversation.gathering import sacp, supplied

FETCH = "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|res:salary"


def test_what_is_supplied_ties_what_the_wire_leaves_apart() -> None:
    first, second = supplied(
        ("T|1|Q|obj=a", Supplied(goal="auth")),
        ("T|1|Q|obj=b", Supplied(thread="night/1")),
        ("T|2|A|res=ok", Supplied(goal="auth")),
        ("T|2|A|res=ok", Supplied(thread="night/1")),
    )

    assert (first.key, [turn.index for turn in first.turns]) == ("goal auth", [0, 2])
    assert (second.key, [turn.index for turn in second.turns]) == ("thread night/1", [1, 3])


def test_a_goal_and_a_task_that_are_supplied_tie_together() -> None:
    one, two = Supplied(goal="7", task="1"), Supplied(goal="7", task="2")

    assert [one.key for one in supplied((FETCH, one), (FETCH, two), (FETCH, one))] == [
        "goal 7, task 1",
        "goal 7, task 2",
    ]


def test_tasks_of_the_wire_are_parted_in_a_goal_that_is_supplied() -> None:
    goal = Supplied(goal="7")

    assert [one.key for one in supplied(*((f"REQ/TSK|t={task}", goal) for task in (1, 2, 1)))] == [
        "goal 7, task 1",
        "goal 7, task 2",
    ]


def test_two_who_talk_are_a_tie_where_nothing_else_is() -> None:
    there, back = Supplied(sender="a", recipient="b"), Supplied(sender="b", recipient="a")
    other = Supplied(sender="a", recipient="c")

    results = supplied((FETCH, there), (FETCH, other), (FETCH, back))

    assert [(result.key, [turn.index for turn in result.turns]) for result in results] == [
        ("a and b", [0, 2]),
        ("a and c", [1]),
    ]


def test_a_thread_of_the_wire_is_not_joined_to_another_by_what_is_supplied() -> None:
    results = supplied(
        ("REQ/TSK|g=42,t=1", Supplied(goal="payroll")),
        ("REQ/TSK|g=42,t=2", Supplied(goal="payroll")),
    )

    assert [result.key for result in results] == [
        "goal 42, task 1",
        "goal 42, task 2",
    ]


def test_a_name_in_the_wire_stays_and_the_one_that_it_lacks_is_supplied() -> None:
    wire = sacp("a", proto_ver="1.0.0", sender="planner")
    (both,) = supplied((wire, Supplied(sender="boss", recipient="worker")))
    (same,) = supplied((wire, Supplied(sender="boss")))

    assert both.legs == (Leg(0, "planner", "worker", SUPPLIED, supplied=True),)
    assert same.legs == (Leg(0, "planner", None),)


def test_a_sender_that_is_supplied_takes_the_place_of_an_inferred_one_and_is_marked() -> None:
    (only,) = supplied(
        ("REQ/TSK|g=42,t=1", Supplied(sender="ada", recipient="bob")),
        ("PRO/PLN|g=42,t=1", Supplied()),
    )

    assert only.legs[0] == Leg(0, "ada", "bob", SUPPLIED, supplied=True)
    assert (only.legs[1].sender, only.legs[1].supplied) == ("planner", False)
    marks = {party.name: (party.supplied, party.inferred) for party in only.parties}
    assert marks["ada"] == marks["bob"] == (True, False)
    assert marks["planner"] == (False, True)


def test_a_name_of_the_wire_comes_before_one_that_is_supplied() -> None:
    slip = "SLIP v3 planner exec Ask Status"
    (only,) = supplied((slip, Supplied(sender="ada", recipient="exec")))

    assert only.legs == (Leg(0, "planner", "exec"),)
    assert not any(party.supplied or party.inferred for party in only.parties)


FLOW = ("REQ/TSK|g=1,t=1", "PRO/PLN|g=1,t=1", "ACC/PLN|g=1,t=1")
BOB, ANN = (
    Supplied(sender=one, recipient=other, line=True)
    for one, other in (("bob", "ann"), ("ann", "bob"))
)


def test_what_log_lines_say_of_every_message_leaves_nothing_to_infer() -> None:
    (only,) = supplied(*zip(FLOW, (BOB, ANN, BOB), strict=True))

    assert [(leg.sender, leg.recipient, leg.reason) for leg in only.legs] == [
        ("bob", "ann", FROM_LINE), ("ann", "bob", FROM_LINE), ("bob", "ann", FROM_LINE),
    ]  # fmt: skip
    assert [(party.name, party.inferred) for party in only.parties] == [
        ("bob", False),
        ("ann", False),
    ]
    steps = {step.form: (step.sender, step.recipient) for step in only.next}
    assert steps["INF/OBS"] == ("executor", "bob")


def test_an_inferred_role_of_several_agents_names_nobody() -> None:
    (only,) = supplied(*zip(FLOW, (BOB, ANN, ANN), strict=True))

    assert {step.recipient for step in only.next if step.form == "INF/OBS"} == {None}


def test_what_one_line_says_leaves_the_rest_to_be_inferred() -> None:
    (only,) = supplied(*zip(FLOW, (BOB, Supplied(), Supplied()), strict=True))

    assert [(leg.sender, leg.supplied) for leg in only.legs] == [
        ("bob", True),
        ("planner", False),
        ("coordinator", False),
    ]


def test_a_thread_of_log_lines_ties_messages_that_name_none() -> None:
    there, here = (Supplied(thread=name, line=True) for name in ("n/1", "n/2"))
    results = supplied(("T|1|Q|obj=a", there), ("T|1|Q|obj=a", here), ("T|2|A|res=b", there))

    assert [(result.key, [turn.index for turn in result.turns]) for result in results] == [
        ("thread n/1", [0, 2]), ("thread n/2", [1]),
    ]  # fmt: skip


def test_facts_of_a_line_are_beside_its_message() -> None:
    facts = Facts(sender="bob", recipient="ann", thread="n/1", attributes={"level": "INFO"})
    cut = Cut(Span(0, 1), FLOW[0], "nslip", facts=facts)

    assert recorded([cut]) == [Supplied(thread="n/1", sender="bob", recipient="ann", line=True)]


def test_a_message_that_stands_free_has_nothing_beside_it() -> None:
    (cut,) = split("REQ/TSK|g=42,t=1").messages

    assert recorded([cut]) == [Supplied()]


def test_a_reply_without_an_id_goes_to_the_latest_conversation_of_its_two_agents() -> None:
    error = '{"status":"ERR","code":"BAD_PARAM","details":"Step 1"}'
    ask = '{"g":"X","msg_id":"%s","plan":[["s","H_API",{}]]}'

    first, second = supplied(
        (ask % "a", Supplied(sender="ann", recipient="bob")),
        (ask % "b", Supplied(sender="ann", recipient="cid")),
        (error, Supplied(sender="bob", recipient="ann")),
    )

    assert [turn.index for turn in first.turns] == [0, 2]
    assert [turn.index for turn in second.turns] == [1]
    assert first.answered == (None, 0)


TURNS = ("T|1|Q|obj=a", "T|2|A|res=b", "T|3|Q|obj=c", "T|4|A|res=d")


def line(sender: str | None = None, recipient: str | None = None) -> Supplied:
    return Supplied(sender=sender, recipient=recipient, line=True)


def test_lines_that_name_one_agent_or_none_part_no_exchange_of_two() -> None:
    names = (line("ann", "bob"), line("bob"), Supplied(), line("bob", "ann"))

    (only,) = supplied(*zip(TURNS, names, strict=True))

    assert (only.key, only.findings) == ("ann and bob", ())


def test_a_line_that_names_one_agent_of_several_goes_to_its_latest_exchange() -> None:
    there, more = line("ann", "bob"), line("ann", "cid")
    results = supplied(
        (TURNS[0], there), (TURNS[0], more), (TURNS[1], line("bob")), (TURNS[1], line("cid")),
        (TURNS[2], more), (TURNS[3], Supplied()), (TURNS[2], line("eve")),
    )  # fmt: skip

    assert [(result.key, [turn.index for turn in result.turns]) for result in results] == [
        ("ann and bob", [0, 2]), ("ann and cid", [1, 3, 4, 5, 6]),
    ]  # fmt: skip


def test_a_reply_of_one_known_agent_goes_to_its_latest_conversation() -> None:
    ask = '{"g":"X","msg_id":"%s","plan":[["s","H_API",{}]]}'

    first, second = supplied(
        (ask % "a", line("ann", "bob")),
        (ask % "b", line("ann", "cid")),
        ('{"status":"VALID"}', line("bob")),
        ('{"status":"VALID"}', line("eve")),
    )

    assert [turn.index for turn in first.turns] == [0, 2, 3]
    assert [turn.index for turn in second.turns] == [1]
