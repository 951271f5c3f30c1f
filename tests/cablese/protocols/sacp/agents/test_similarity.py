"""Agents ranked by embeddings and by words."""

import math

import pytest

from cablese.protocols.sacp.agents import (
    similarity,
)
from cablese.protocols.sacp.agents.definition import define
from cablese.protocols.sacp.agents.registry import Agent
from cablese.protocols.sacp.agents.samples import AGENTS
from tests.cablese.protocols.sacp.source import PREDICTOR


@pytest.mark.requirement("SACP-28")
def test_agents_are_ranked_by_the_angle_of_their_embeddings() -> None:
    agents = tuple(
        define(Agent, PREDICTOR | {"agent_name": name, "embedding": vector})
        for name, vector in {
            "NEAR": [1, 1],
            "FAR": [0, 1],
            "AWAY": [-1, 0],
            "LONG": [1, 0, 0],
        }.items()
    )

    ranked = similarity.rank_by_vector((*agents, *AGENTS), [1, 0])

    assert [(agent.agent, agent.score) for agent in ranked] == [
        ("NEAR", round(math.sqrt(0.5), 4)), ("AWAY", 0.0), ("FAR", 0.0),
    ]  # fmt: skip
    assert similarity.rank_by_vector(agents, [0, 0])[0].score == 0


@pytest.mark.requirement("SACP-28")
@pytest.mark.parametrize(
    ("wish", "first"),
    [
        ("Which prices do you predict for August?", "PRICE_PREDICTOR"),
        ("find me a hotel", "HOTEL_FINDER"),
        ("what do customers complain about", "FEEDBACK_READER"),
    ],
)
def test_agents_are_ranked_by_the_words_of_a_wish(wish: str, first: str) -> None:
    ranked = similarity.rank_by_words(AGENTS, wish)

    assert ranked[0].agent == first
    assert all(0 < agent.score <= 1 and agent.words for agent in ranked)
    assert similarity.rank_by_words(AGENTS, "the of zzz") == ()
    assert similarity.rank_by_words((), wish) == ()
