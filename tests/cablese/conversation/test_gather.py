"""Messages into conversations, whatever their protocols."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from cablese import detection
from cablese.conversation.gather import gather
from cablese.conversation.model import Supplied
from cablese.message import Message
from tests import fuzz
from tests.cablese.conversation.gathering import (
    KNOWN,
    conversation,
    conversations,
    sacp,
    supplied,
)
from tests.cablese.hostile import mutate


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
        ("tline", "all messages", [3]),
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


def test_a_task_without_a_goal_is_parted_from_other_tasks() -> None:
    steps = ("REQ/TSK|", "PRO/PLN|", "ACC/PLN|", "INF/OBS|s=done,", "EVL/EVL|")
    both = [f"{step}t={task}" for step in steps for task in (1, 2)]

    first, second = conversations(*both)

    assert (first.key, second.key) == ("task 1", "task 2")
    assert first.findings == second.findings == ()
    named = [wire.replace("/TSK|", "/TSK|g=42,") for wire in both]
    assert [len(each.turns) for each in conversations(*named)] == [5, 5]
    (only,) = conversations("REQ/TSK|g=42", "PRO/PLN|t=1", "ACC/PLN|")
    assert only.key == "goal 42"


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


def test_a_thread_that_a_record_names_parts_what_two_names_would_join() -> None:
    asked, answered = "SLIP v3 planner exec Ask Status", "SLIP v3 exec planner Inform Result"
    night, day = Supplied(thread="night"), Supplied(thread="day")

    results = supplied((asked, night), (asked, day), (answered, day), (answered, night))

    assert [(result.key, [turn.index for turn in result.turns]) for result in results] == [
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


def _check(messages: list[Message]) -> None:
    results = gather(messages)
    gathered = [turn.index for result in results for turn in result.turns]
    assert sorted(gathered) == [
        at for at, message in enumerate(messages) if message.protocol != detection.UNKNOWN
    ]
    assert [result.turns[0].index for result in results] == sorted(
        result.turns[0].index for result in results
    )
    for result in results:
        indexes = [turn.index for turn in result.turns]
        assert indexes == sorted(indexes)
        assert [leg.message for leg in result.legs] == indexes
        names = {party.name for party in result.parties}
        assert {
            name for leg in result.legs for name in (leg.sender, leg.recipient) if name
        } <= names
        assert all(finding.message and finding.messages for finding in result.findings)
        assert all(set(finding.messages) <= set(indexes) for finding in result.findings)
        assert list(results) == list(gather(messages))


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

    results = gather(messages, [one for _, one in pairs])

    assert sorted(turn.index for result in results for turn in result.turns) == list(
        range(len(messages))
    )
    for result in results:
        assert len(result.legs) == len(result.turns)
        assert {name for leg in result.legs for name in (leg.sender, leg.recipient) if name} <= {
            party.name for party in result.parties
        }
