"""Messages into conversations, whatever their protocols, and what the common rules say of them."""

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cablese import detection, registry
from cablese.conversation import checks
from cablese.conversation.gather import gather, recorded
from cablese.conversation.lanes import name_tools
from cablese.conversation.model import FROM_LINE, RECORDED, SUPPLIED, Conversation, Leg, Supplied
from cablese.message import Message, Span
from cablese.transcript import Cut, Facts, split
from tests import fuzz
from tests.cablese.conversation.gathering import conversation, conversations, told
from tests.cablese.hostile import mutate, wires

KNOWN = [
    (codec.name, wire)
    for codec in registry.all_codecs()
    for wire in wires(codec.name)
    if len(wire) < 2000
]


def sacp(id_: str | None = None, reply_to: str | None = None, **more: object) -> str:
    named = {"msg_id": id_, "reply_to": reply_to}
    plan = [] if "status" in more else [["search", "HOTELS", {}]]
    base = {} if "status" in more else {"g": "FIND_HOTEL", "plan": plan}
    return json.dumps(base | {key: value for key, value in named.items() if value} | more)


def test_a_mixed_transcript_is_parted_by_what_ties_its_messages() -> None:
    found = conversations(
        "REQ/TSK|g=42,t=1",
        "SLIP v3 planner exec Ask Status",
        "PRO/PLN|g=42,t=1",
        "T|1|Q|obj=x",
        "SLIP v3 exec planner Inform Result",
        "PRO/PLN|g=43,t=1",
    )

    assert [(one.protocol, one.key, [turn.index for turn in one.turns]) for one in found] == [
        ("nslip", "goal 42, task 1", [0, 2]),
        ("slip", "exec and planner", [1, 4]),
        ("tline", "these messages", [3]),
        ("nslip", "goal 43, task 1", [5]),
    ]


def test_a_chain_of_replies_is_one_conversation_however_it_is_ordered() -> None:
    first, second = conversations(
        sacp("a"), sacp("x"), sacp("b", "a"), sacp("c", "b", state="DONE")
    )

    assert (first.key, [turn.index for turn in first.turns]) == ("message a", [0, 2, 3])
    assert [turn.index for turn in second.turns] == [1]


def test_messages_without_ties_go_with_their_goal_or_their_neighbours() -> None:
    first, second = conversations(sacp(), sacp(g="BOOK"), sacp(state="DONE"), sacp(status="VALID"))

    assert (first.key, [turn.index for turn in first.turns]) == ("goal FIND_HOTEL", [0, 2, 3])
    assert (second.key, [turn.index for turn in second.turns]) == ("goal BOOK", [1])


def test_a_text_that_no_protocol_claims_is_in_no_conversation() -> None:
    assert gather([detection.unclaimed("Hello"), detection.unclaimed("")]) == ()
    assert gather([]) == ()


def test_parties_that_the_wire_names_are_not_inferred() -> None:
    only = conversation("SLIP v3 planner exec Ask Status", "SLIP v3 exec planner Inform Result")

    assert [(party.name, party.inferred, party.messages) for party in only.parties] == [
        ("planner", False, (0,)),
        ("exec", False, (1,)),
    ]


def test_who_shall_have_the_answer_is_a_party() -> None:
    only = conversation("FETCH|HR|return:HR-Agent|p:1|aacp:1.1|res:salary")

    assert [party.name for party in only.parties] == ["HR-Agent"]


def test_a_request_that_nobody_answers_is_told() -> None:
    asked = "SLIP v3 planner exec Request Task"

    assert told(conversation(asked)) == [("thread.unmatched-request", (0,))]
    assert conversation(asked, "SLIP v3 exec planner Accept Task").findings == ()
    assert told(conversation(asked, "SLIP v3 planner exec Inform Result")) == [
        ("thread.unmatched-request", (0,))
    ]
    assert [step.words for step in conversation(asked).next] == ["an answer to the request"]


def test_a_proposal_is_answered_by_a_decision_only() -> None:
    proposed = "SLIP v3 planner exec Propose Plan"

    assert told(conversation(proposed, "SLIP v3 exec planner Inform Result")) == [
        ("thread.undecided-proposal", (0,))
    ]
    assert conversation(proposed, "SLIP v3 exec planner Reject Plan").findings == ()


@pytest.mark.parametrize("force", ["Accept", "Reject"])
def test_an_accept_or_reject_of_nothing_is_told(force: str) -> None:
    assert told(conversation(f"SLIP v3 exec planner {force} Plan")) == [
        ("thread.accept-of-nothing", (0,))
    ]


def test_an_instruction_of_aacp_waits_for_no_packet() -> None:
    only = conversation("FETCH|HR|return:HR-Agent|p:1|aacp:1.1|res:salary")

    assert (only.findings, only.complete, only.next) == ((), None, ())


def test_a_reply_closes_the_message_it_names() -> None:
    only = conversation(sacp("a"), sacp("b", "a"), sacp(None, "a", status="VALID"))

    assert told(only) == [("thread.unmatched-request", (1,))]


def test_a_reply_to_what_is_not_there_is_told() -> None:
    assert ("thread.reply-to-nothing", (0,)) in told(
        conversation(sacp(None, "gone", status="VALID"))
    )
    assert ("thread.reply-to-nothing", (0,)) in told(conversation(sacp("b", "a"), sacp("a")))


def test_an_id_that_is_used_again_is_told() -> None:
    assert ("thread.repeated-id", (0, 1)) in told(conversation(sacp("a"), sacp("a")))


def test_versions_that_drift_are_told() -> None:
    first, second = (
        f"FETCH|HR|return:HR-Agent|p:1|aacp:{version}|res:salary" for version in ("1.1", "1.2")
    )

    assert told(conversation(first, second, second)) == [("thread.version-drift", (0, 1, 2))]
    assert told(conversation(second, second)) == []


def test_a_reply_without_a_version_drifts_from_none() -> None:
    step = {"id": "s1", "verb": "run", "tool": "T", "params": {}}
    later = sacp(
        "a", proto_ver="1.0.0", ts="2026-05-09T00:00:00Z", sender="A", state="PENDING", plan=[step]
    )
    wires = later, sacp(None, "a", status="VALID")
    messages = [registry.get("sacp").decode(wire) for wire in wires]

    assert [(message.valid, message.dialect) for message in messages] == [
        (True, "sacp/1.0"),
        (True, "sacp/0.1"),
    ]
    assert "thread.version-drift" not in {
        found.code for one in gather(messages) for found in one.findings
    }


@pytest.mark.parametrize(
    ("states", "contradictory"),
    [
        (("PENDING", "IN_PROGRESS", "DONE"), False),
        (("DONE", "IN_PROGRESS"), True),
        (("DONE", "PENDING"), True),
        (("DONE", "FAILED"), True),
        (("FAILED", "IN_PROGRESS", "DONE"), False),
        (("DONE", "DONE"), False),
    ],
)
def test_a_status_after_one_that_ended_the_task_contradicts_it(
    states: tuple[str, ...], *, contradictory: bool
) -> None:
    codes = {code for code, _ in told(conversation(*(sacp(state=state) for state in states)))}

    assert ("thread.contradictory-status" in codes) is contradictory


def test_a_conversation_that_ends_on_the_way_is_told() -> None:
    only = conversation(sacp("a"), sacp("b", "a", state="IN_PROGRESS"))

    assert told(only) == [("thread.unfinished", (1,))]
    assert only.complete is False
    assert 'the last status is "IN_PROGRESS"' in only.findings[0].message


@pytest.mark.parametrize(
    "wires",
    [
        ("T|1|Q|obj=tests", "T|2|A|res=2;err=timeout"),
        ("T|1|C|act=run", "T|2|E|err=ambiguous"),
        ("SLIP v3 a b Request Task auth", "SLIP v3 b a Error Timeout"),
        (sacp("a"), sacp("b", "a", state="FAILED")),
        (sacp("a"), sacp(None, "a", status="ERR", code="UNKNOWN_VERB", details="Step 1: search")),
        ("FETCH|HR|return:A|p:1|aacp:1.1", "REPORT|HR|return:A|p:1|aacp:1.1|status:failed"),
    ],
)
def test_what_failed_is_not_complete_in_any_protocol(wires: tuple[str, str]) -> None:
    only = conversation(*wires)

    assert (only.complete, only.failed, only.stage) == (False, True, "the task failed")
    assert ("thread.failed", (1,)) in told(only)


@pytest.mark.parametrize(
    ("wires", "failed"),
    [
        (("T|1|Q|obj=x", "T|2|E|err=busy", "T|3|Q|obj=x", "T|4|A|res=ok"), False),
        (("T|1|Q|obj=x", "T|2|E|err=busy", "T|3|Q|obj=y", "T|4|A|res=ok"), True),
        (("SLIP v3 a b Request Task", "SLIP v3 b a Error Task", "SLIP v3 a b Request Task"), False),
        (("SLIP v3 a b Request Task", "SLIP v3 b a Error Task", "SLIP v3 a b Request Plan"), True),
        ((sacp("a"), sacp("b", "a", state="FAILED"), sacp("c", "a", state="DONE")), False),
        ((sacp("a"), sacp("b", "a", state="FAILED"), sacp("c", "b", state="PENDING")), False),
    ],
)
def test_a_failure_stands_until_its_own_task_is_taken_up_again(
    wires: tuple[str, ...], *, failed: bool
) -> None:
    assert conversation(*wires).failed is failed


def test_a_thread_that_a_record_names_parts_what_two_names_would_join() -> None:
    asked, answered = "SLIP v3 planner exec Ask Status", "SLIP v3 exec planner Inform Result"
    night, day = Supplied(thread="night"), Supplied(thread="day")

    found = supplied((asked, night), (asked, day), (answered, day), (answered, night))

    assert [(one.key, [turn.index for turn in one.turns]) for one in found] == [
        ("thread night", [0, 3]),
        ("thread day", [1, 2]),
    ]


def test_a_goal_that_is_supplied_with_one_message_leaves_the_others_of_its_two_names_there() -> (
    None
):
    (only,) = supplied(
        ("SLIP v3 planner exec Ask Status", Supplied(goal="42")),
        ("SLIP v3 exec planner Inform Result", Supplied()),
    )

    assert [turn.index for turn in only.turns] == [0, 1]


def test_every_finding_is_a_rule_that_is_listed() -> None:
    for codec in registry.all_codecs():
        rules = {rule.code: rule for rule in (*checks.RULES, *codec.thread_rules)}
        assert codec.exempt <= rules.keys()
        for found in [
            found
            for one in conversations(*wires(codec.name), protocol=codec.name)
            for found in one.findings
        ]:
            rule = rules[found.code]
            assert (found.severity, found.section, found.requirement) == (
                rule.severity,
                rule.section,
                rule.requirement,
            )


def _check(messages: list[Message]) -> None:
    found = gather(messages)
    gathered = [turn.index for one in found for turn in one.turns]
    assert sorted(gathered) == [
        at for at, one in enumerate(messages) if one.protocol != detection.UNKNOWN
    ]
    assert [one.turns[0].index for one in found] == sorted(one.turns[0].index for one in found)
    for one in found:
        indexes = [turn.index for turn in one.turns]
        assert indexes == sorted(indexes)
        assert [leg.message for leg in one.legs] == indexes
        names = {party.name for party in one.parties}
        assert {name for leg in one.legs for name in (leg.sender, leg.recipient) if name} <= names
        assert all(finding.message and finding.messages for finding in one.findings)
        assert all(set(finding.messages) <= set(indexes) for finding in one.findings)
        assert list(found) == list(gather(messages))


@given(
    lines=st.lists(
        st.tuples(st.sampled_from(KNOWN), st.none() | st.integers(0, 2**32)), max_size=12
    ),
    odd=st.text(st.characters(codec=None), max_size=20),
)
@fuzz.examples(80)
def test_any_list_of_messages_is_gathered(
    lines: list[tuple[tuple[str, str], int | None]], odd: str
) -> None:
    messages = [
        detection.decode(wire if seed is None else mutate(wire, Random(seed)), protocol)
        for (protocol, wire), seed in lines
    ]
    _check([*messages, detection.decode(odd), detection.unclaimed(odd)])


NSLIP = st.builds(
    "{}/{}|g={},t=1".format,
    st.sampled_from(("REQ", "PRO", "ACC", "REJ", "INF", "EVL", "QRY", "CFM")),
    st.sampled_from(("TSK", "PLN", "OBS", "EVL", "ERR")),
    st.integers(1, 2),
)
TLINE = st.builds(
    "T|{}|{}|{}".format,
    st.sampled_from((1, 2, 3, 5, 2**31 - 2, 2**31 - 1)),
    st.sampled_from("QACSE"),
    st.sampled_from(
        ("obj=x", "rollover=y", "keydef=ctx:a", "keydef=ctx:b", "ctx=1", "err=ambiguous")
    ),
)
SLIP = st.builds(
    "SLIP v3 {} {} {} Plan".format,
    st.sampled_from("ab"),
    st.sampled_from("ab"),
    st.sampled_from(("Ask", "Request", "Propose", "Accept", "Reject", "Inform")),
)


@given(lines=st.lists(NSLIP | TLINE | SLIP, max_size=25))
@fuzz.examples(80)
def test_any_conversation_of_valid_messages_is_gathered(lines: list[str]) -> None:
    _check([detection.decode(line) for line in lines])


def test_thousands_of_messages_are_gathered_without_recursion() -> None:
    chain = [sacp(str(at), str(at - 1) if at else None) for at in range(20_000)]

    only = conversation(*chain, protocol="sacp")

    assert len(only.turns) == 20_000


def supplied(*pairs: tuple[str, Supplied]) -> list[Conversation]:
    return list(
        gather([detection.decode(wire) for wire, _ in pairs], [beside for _, beside in pairs])
    )


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


def test_two_who_talk_are_a_tie_where_nothing_else_is() -> None:
    there, back = Supplied(sender="a", recipient="b"), Supplied(sender="b", recipient="a")
    other = Supplied(sender="a", recipient="c")

    found = supplied((FETCH, there), (FETCH, other), (FETCH, back))

    assert [(one.key, [turn.index for turn in one.turns]) for one in found] == [
        ("a and b", [0, 2]),
        ("a and c", [1]),
    ]


def test_a_thread_of_the_wire_is_not_joined_to_another_by_what_is_supplied() -> None:
    found = supplied(
        ("REQ/TSK|g=42,t=1", Supplied(goal="payroll")),
        ("REQ/TSK|g=42,t=2", Supplied(goal="payroll")),
    )

    assert [one.key for one in found] == ["goal 42, task 1", "goal 42, task 2"]


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


def test_who_answers_himself_answers_nothing() -> None:
    there, back = Supplied(goal="7", sender="a"), Supplied(goal="7", sender="b")
    asked, answered = "T|1|Q|obj=a", "T|2|A|res=ok"

    def codes(*both: Supplied) -> list[str]:
        (only,) = supplied(*zip((asked, answered), both, strict=True))
        return [code for code, _ in told(only)]

    assert "thread.unmatched-request" in codes(there, there)
    assert "thread.unmatched-request" not in codes(there, back)


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
    found = supplied(("T|1|Q|obj=a", there), ("T|1|Q|obj=a", here), ("T|2|A|res=b", there))

    assert [(one.key, [turn.index for turn in one.turns]) for one in found] == [
        ("thread n/1", [0, 2]), ("thread n/2", [1]),
    ]  # fmt: skip


def test_facts_of_a_line_are_beside_its_message() -> None:
    facts = Facts(sender="bob", recipient="ann", thread="n/1", attributes={"level": "INFO"})
    cut = Cut(Span(0, 1), FLOW[0], "nslip", facts=facts)

    assert recorded([cut]) == [Supplied(thread="n/1", sender="bob", recipient="ann", line=True)]


def test_roles_of_a_chat_are_lanes_and_tie_nothing() -> None:
    records = [
        {"role": role, "content": wire}
        for role, wire in (("user", "T|1|Q|obj=a"), ("assistant", "T|2|A|res=ok"))
    ]
    cuts = split("\n".join(map(json.dumps, records))).messages

    (only,) = gather([detection.decode(cut.wire) for cut in cuts], recorded(cuts))

    assert only.key == "these messages"
    assert only.legs[0] == Leg(0, "user", "assistant", RECORDED, supplied=True)
    assert [(party.name, party.supplied, party.messages) for party in only.parties] == [
        ("user", True, (0,)),
        ("assistant", True, (1,)),
    ]


def test_a_conversation_quoted_in_one_turn_is_still_answered() -> None:
    chat = json.dumps({"role": "user", "content": "T|1|Q|obj=a\nT|2|A|res=ok"})
    cuts = split(chat).messages

    (only,) = gather([detection.decode(cut.wire) for cut in cuts], recorded(cuts))

    assert "thread.unmatched-request" not in [code for code, _ in told(only)]


CALLS = (
    {
        "role": "assistant",
        "tool_calls": [
            {
                "id": "c1",
                "function": {"name": "tell_planner", "arguments": '{"message":"T|1|Q|obj=a"}'},
            }
        ],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "T|2|A|res=ok"},
)


@pytest.mark.parametrize("whole", [False, True])
def test_a_tool_call_and_its_result_share_a_lane(*, whole: bool) -> None:
    text = json.dumps({"messages": CALLS}) if whole else "\n".join(map(json.dumps, CALLS))
    cuts = split(text).messages

    (only,) = gather([detection.decode(cut.wire) for cut in cuts], recorded(cuts))

    assert [(leg.sender, leg.recipient) for leg in only.legs] == [
        ("assistant", "tell_planner"),
        ("tell_planner", "assistant"),
    ]
    assert [party.name for party in only.parties] == ["assistant", "tell_planner"]


def _role(sender: str, recipient: str | None, call: str | None = None) -> Supplied:
    return Supplied(sender=sender, recipient=recipient, roles=True, call=call)


CALL_A, CALL_B = _role("assistant", "a"), _role("assistant", "b")
FIRST, SECOND = _role("assistant", "a", "1"), _role("assistant", "b", "2")


@pytest.mark.parametrize(
    ("said", "senders"),
    [
        (
            (FIRST, SECOND, _role("tool", None, "2"), _role("tool", None, "1")),
            "assistant assistant b a",
        ),
        ((CALL_A, _role("tool", "assistant")), "assistant a"),
        ((CALL_A, CALL_B, _role("tool", "assistant")), "assistant assistant tool"),
        ((CALL_A, CALL_B, _role("b", None)), "assistant assistant b"),
        ((FIRST, _role("tool", "assistant", "9")), "assistant tool"),
        ((_role("tool", "assistant"), _role("user", "assistant")), "tool user"),
    ],
)
def test_a_result_is_of_the_tool_that_was_called_where_that_is_sure(
    said: tuple[Supplied, ...], senders: str
) -> None:
    named = list(name_tools((one, at) for at, one in enumerate(said)))

    assert [one.sender for one in named] == senders.split()
    assert all(one.recipient == "assistant" for one in named if one.sender in ("a", "b"))


def test_several_messages_in_one_result_are_of_one_tool() -> None:
    result = _role("tool", "assistant")

    named = name_tools([(CALL_A, 1), (CALL_A, 1), (result, 2), (result, 2)])

    assert [one.sender for one in named] == ["assistant", "assistant", "a", "a"]


def test_an_id_that_is_used_again_is_of_the_later_call() -> None:
    again = _role("assistant", "b", "1")

    named = name_tools(
        [(FIRST, 1), (again, 2), (_role("tool", None, "1"), 3), (_role("a", None), 4)]
    )

    assert [(one.sender, one.recipient) for one in named][2:] == [("b", "assistant"), ("a", None)]


NAMED = st.sampled_from([None, "", "a", "b", "tool", "function", "assistant", "user"])
ROLE = st.builds(
    Supplied,
    sender=NAMED,
    recipient=NAMED,
    roles=st.booleans(),
    call=st.sampled_from([None, None, "1", "2"]),
)


@given(said=st.lists(st.tuples(ROLE, st.integers(0, 4)), max_size=20))
@fuzz.examples(60)
def test_whatever_records_say_only_results_are_named_again(
    said: list[tuple[Supplied, int]],
) -> None:
    named = list(name_tools(said))

    assert len(named) == len(said)
    for one, (before, _) in zip(named, said, strict=True):
        if one != before:
            assert before.roles
            assert (before.recipient or "tool") in ("tool", "function", "assistant", "user")
            assert one.sender in ("a", "b")


def test_a_goal_that_is_supplied_for_all_parts_no_task_from_its_failure() -> None:
    wires = ("T|1|Q|obj=x", "T|2|A|res=half;err=timeout", "T|3|C|act=again", "T|4|S|res=pass")

    (only,) = supplied(*((wire, Supplied(goal="api")) for wire in wires))

    assert (only.complete, only.failed) == (True, False)


def test_a_message_that_stands_free_has_nothing_beside_it() -> None:
    (cut,) = split("REQ/TSK|g=42,t=1").messages

    assert recorded([cut]) == [Supplied()]


@given(st.data())
@fuzz.examples(40)
def test_whatever_is_supplied_every_message_is_in_one_conversation(data: st.DataObject) -> None:
    name = st.sampled_from([None, "a", "b", ""])
    beside = st.builds(
        Supplied,
        goal=name,
        task=name,
        thread=name,
        sender=name,
        recipient=name,
        roles=st.booleans(),
    )
    pairs = data.draw(st.lists(st.tuples(st.sampled_from(KNOWN), beside), max_size=12))
    messages = [detection.decode(wire, protocol) for (protocol, wire), _ in pairs]

    found = gather(messages, [one for _, one in pairs])

    assert sorted(turn.index for one in found for turn in one.turns) == list(range(len(messages)))
    for one in found:
        assert len(one.legs) == len(one.turns)
        assert {name for leg in one.legs for name in (leg.sender, leg.recipient) if name} <= {
            party.name for party in one.parties
        }
