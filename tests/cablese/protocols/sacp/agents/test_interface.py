"""The interface assembles messages of registered pairs."""

import pytest

from cablese.protocols.sacp.agents import (
    feasible,
    interface,
)
from cablese.protocols.sacp.agents.definition import BadDefinition
from cablese.protocols.sacp.agents.samples import AGENTS, LIBRARY
from cablese.protocols.sacp.codec import codec


@pytest.mark.requirement("SACP-30")
def test_the_interface_assembles_a_message_of_registered_pairs() -> None:
    pairs = [interface.Pair("search", "H_API", {"c": "Paris"}), interface.Pair("present", "PRES")]

    values = interface.assemble(
        "FIND_HOTEL", {"loc": "Paris"}, pairs, LIBRARY, AGENTS, out_fmt="human"
    )
    message = codec.decode(codec.encode(values))

    assert message.diagnostics == ()
    assert message.values == values
    assert feasible.check(message, LIBRARY, AGENTS).feasible
    assert ("search", "H_API") in interface.find_pairs(LIBRARY, AGENTS)
    with pytest.raises(BadDefinition) as bad:
        interface.assemble("X", {}, [*pairs, interface.Pair("fly", "H_API")], LIBRARY, AGENTS)
    assert bad.value.pointer == "/steps/2"


@pytest.mark.requirement("SACP-11")
@pytest.mark.requirement("SACP-30")
def test_the_interface_assembles_groups_with_their_joins() -> None:
    search, predict = interface.Pair("search", "H_API"), interface.Pair("predict", "PRC_EST")
    pairs = (interface.Group((search, predict), "ALL"), interface.Pair("present", "PRES"))

    values = interface.assemble("FIND_HOTEL", {}, pairs, LIBRARY, AGENTS)

    message = codec.decode(codec.encode(values))
    assert message.diagnostics == ()
    assert (
        '"plan":[{"parallel":[["search","H_API",{}],["predict","PRC_EST",{}]]},["join","ALL",{}],'
        in message.wire
    )


@pytest.mark.requirement("SACP-30")
def test_a_group_of_one_is_refused_and_a_wrong_branch_named() -> None:
    search = interface.Pair("search", "H_API")
    with pytest.raises(BadDefinition, match="A group must have at least two steps"):
        interface.assemble("A", {}, [interface.Group((search,))], LIBRARY, AGENTS)
    with pytest.raises(BadDefinition, match="Step 2, branch 2: ") as caught:
        interface.assemble(
            "A",
            {},
            [search, interface.Group((search, interface.Pair("fly", "X")))],
            LIBRARY,
            AGENTS,
        )
    assert caught.value.pointer == "/steps/1"
