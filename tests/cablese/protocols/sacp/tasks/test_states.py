"""The states of a message over its replies."""

import pytest

from cablese.protocols.sacp.tasks import states
from tests.cablese.protocols.sacp.source import HOTEL, read


@pytest.mark.requirement("SACP-21")
def test_the_states_of_a_message_are_tracked_over_its_replies() -> None:
    said = [("PENDING", "a", None), ("IN_PROGRESS", "b", "a"), ("IN_PROGRESS", "c", "b"),
            ("DONE", None, "c"),
            ("FAILED", None, "a"), ("PENDING", "z", None)]  # fmt: skip
    messages = [
        read(
            HOTEL[0],
            state=state,
            **({"msg_id": own} if own else {}),
            **({"reply_to": to} if to else {}),
        )
        for state, own, to in said
    ]

    first, second = states.track(messages)

    assert (first.name, first.state, second.name) == ("a", "FAILED", "z")
    assert [(move.state, move.message) for move in first.moves] == [
        ("PENDING", 0), ("IN_PROGRESS", 1), ("DONE", 3), ("FAILED", 4),
    ]  # fmt: skip
    assert [move.reason for move in first.moves] == [
        None,
        None,
        None,
        "FAILED cannot follow DONE: the message has ended.",
    ]
