"""The registry: queries, registering again, roles, and published embeddings."""

import pytest

from cablese.protocols.sacp.agents import (
    registry,
)
from cablese.protocols.sacp.agents.definition import BadDefinition, define
from cablese.protocols.sacp.agents.registry import Agent, find, read_query
from cablese.protocols.sacp.agents.samples import AGENTS
from tests.cablese.protocols.sacp.source import PREDICTOR


@pytest.mark.requirement("SACP-26")
@pytest.mark.parametrize(
    ("query", "names"),
    [
        (
            {"query": {"verb": "predict", "inputs": ["history"], "output_type": "predictions"}},
            ["PRICE_PREDICTOR"],
        ),
        ({"verb": "s"}, ["HOTEL_FINDER", "HOTEL_ARCHIVE"]),
        ({"inputs": ["loc"]}, ["HOTEL_FINDER", "HOTEL_ARCHIVE"]),
        ({"inputs": ["ctx.loc", "x.bdg"]}, ["HOTEL_FINDER"]),
        ({"inputs": ["story"]}, []),
        ({"verb": "predict", "output_type": "hotels"}, []),
        ({"output_type": "text"}, ["REPORT_WRITER"]),
    ],
)
def test_the_registry_is_asked_by_verb_inputs_and_output(query: object, names: list[str]) -> None:
    assert [agent.agent_name for agent in find(AGENTS, read_query(query))] == names


@pytest.mark.requirement("SACP-26")
@pytest.mark.parametrize(
    ("query", "pointer"),
    [({}, ""), ({"query": {}}, "/query"), ({"query": {"verb": 5}}, "/query/verb"), (5, "")],
)
def test_a_query_that_asks_nothing_is_refused(query: object, pointer: str) -> None:
    with pytest.raises(BadDefinition) as bad:
        read_query(query)

    assert bad.value.pointer == pointer


@pytest.mark.requirement("SACP-27")
def test_an_agent_that_registers_again_takes_its_own_place() -> None:
    newer = define(Agent, PREDICTOR | {"version": "2"})

    agents = registry.register(AGENTS, newer)

    assert len(agents) == len(AGENTS)
    assert registry.get(agents, "PRICE_PREDICTOR") == newer
    with pytest.raises(BadDefinition):
        registry.register(AGENTS, define(Agent, PREDICTOR | {"fallback": "PRICE_PREDICTOR"}))


@pytest.mark.requirement("SACP-20")
def test_an_agent_has_one_of_four_roles() -> None:
    assert list(registry.ROLES) == ["Interface", "Planner", "Executor", "Formatter"]
    assert define(Agent, PREDICTOR).role == "Executor"
    with pytest.raises(BadDefinition):
        define(Agent, PREDICTOR | {"role": "Critic"})


@pytest.mark.requirement("SACP-28")
def test_an_agent_publishes_its_embedding_as_appendix_b_prints_it() -> None:
    published = {
        "agent": "PRICE_PREDICTOR",
        "embedding": [0.012, -0.135, 0.246],
        "description": "Forecasts prices",
    }
    before = registry.get(AGENTS, "PRICE_PREDICTOR")
    assert before is not None

    after = registry.read_agent(published, AGENTS)

    assert (after.embedding, after.description) == ((0.012, -0.135, 0.246), "Forecasts prices")
    assert after.supported_verbs == before.supported_verbs
    assert registry.read_agent(PREDICTOR, ()) == define(Agent, PREDICTOR)


@pytest.mark.requirement("SACP-28")
@pytest.mark.parametrize(
    ("value", "pointer"),
    [
        ({"agent": "NOBODY", "embedding": [1.0], "description": "x"}, "/agent"),
        ({"agent": "PRICE_PREDICTOR", "embedding": [], "description": "x"}, "/embedding"),
        ({"agent": "PRICE_PREDICTOR", "embedding": ["x"], "description": "x"}, "/embedding/0"),
        ({"agent": "PRICE_PREDICTOR", "description": "x"}, "/embedding"),
        ({"agent": "PRICE_PREDICTOR", "embedding": [1.0], "description": "x", "tags": []}, "/tags"),
        ({"agent": "PRICE_PREDICTOR", **PREDICTOR}, "/agent"),
        ([], ""),
    ],
)
def test_what_is_published_wrongly_is_refused_with_its_place(value: object, pointer: str) -> None:
    with pytest.raises(BadDefinition) as caught:
        registry.read_agent(value, AGENTS)

    assert caught.value.pointer == pointer
