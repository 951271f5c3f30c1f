"""Rank agents by meaning ("12. Appendix B"), for a request that names no verbs and tools.

With vectors, the score is the cosine of the request and each agent: of its published ``embedding``,
or of what a model makes of its description. With words alone, it is the rank of a full-text search
(BM25) over name, verbs, tools, tags, inputs, outputs, and description, as a share of the best
possible score. Both scores are between 0 and 1, and comparable only within one answer.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct

from .registry import Agent, Agents

WORD = re.compile(r"[a-z0-9]+")
STOP = {
    "a",
    "an",
    "and",
    "are",
    "as",
    "at",
    "be",
    "by",
    "can",
    "do",
    "for",
    "from",
    "give",
    "gives",
    "has",
    "in",
    "is",
    "it",
    "me",
    "my",
    "of",
    "on",
    "or",
    "our",
    "please",
    "that",
    "the",
    "this",
    "to",
    "want",
    "we",
    "what",
    "which",
    "who",
    "with",
    "you",
    "your",
}
"""Words that say nothing about an agent."""
SATURATION, LENGTH = 1.2, 0.75
"""The usual constants of BM25: how soon a repeated word stops counting, and how much a long text
counts against it.
"""
ENDINGS = ("ions", "ing", "ion", "ies", "ors", "ers", "es", "ed", "or", "er", "s", "e", "y")


class Ranked(Struct, frozen=True):
    """An agent with its score, and the words that match."""

    agent: str
    score: float
    words: tuple[str, ...] = ()


def rank_by_words(agents: Agents, wish: str) -> tuple[Ranked, ...]:
    """Return the agents that share a word with ``wish``, the best match first."""
    texts = [Counter(_split(_describe(agent))) for agent in agents]
    if not texts:
        return ()
    asked = tuple(dict.fromkeys(_split(wish)))
    usual = sum(text.total() for text in texts) / len(texts) or 1
    rare = {}
    for word in asked:
        many, holding = len(texts), sum(word in text for text in texts)
        rare[word] = math.log(1 + (many - holding + 0.5) / (holding + 0.5))
    best = sum(rare.values()) * (SATURATION + 1)
    ranked = []
    for agent, text in zip(agents, texts, strict=True):
        damp = SATURATION * (1 - LENGTH + LENGTH * text.total() / usual)
        shared = [word for word in asked if text[word]]
        score = sum(
            rare[word] * text[word] * (SATURATION + 1) / (text[word] + damp) for word in shared
        )
        if shared:
            ranked.append(Ranked(agent.agent_name, round(score / best, 4), tuple(shared)))
    return _sorted(ranked)


def rank_by_vector(agents: Agents, vector: Sequence[float]) -> tuple[Ranked, ...]:
    """Return the agents with a vector of the same length, the best match first. A negative cosine
    scores 0.
    """
    scores = [
        (agent, _cosine(vector, agent.embedding))
        for agent in agents
        if agent.embedding is not None and len(agent.embedding) == len(vector)
    ]
    return rank_by_scores((agent for agent, _ in scores), (score for _, score in scores))


def rank_by_scores(agents: Iterable[Agent], scores: Iterable[float]) -> tuple[Ranked, ...]:
    """Return agents by their cosines, one for each, the best match first. A negative cosine scores
    0.
    """
    return _sorted(
        Ranked(agent.agent_name, round(max(0.0, min(score, 1.0)), 4))
        for agent, score in zip(agents, scores, strict=True)
    )


def _sorted(ranked: Iterable[Ranked]) -> tuple[Ranked, ...]:
    return tuple(sorted(ranked, key=lambda each: (-each.score, each.agent)))


def introduce(agent: Agent) -> str:
    """Return the text whose vector is compared: ``hotel finder: Finds hotels``."""
    return f"{agent.agent_name.replace('_', ' ').lower()}: {agent.description}"


def _describe(agent: Agent) -> str:
    return " ".join(
        (
            agent.agent_name,
            *agent.supported_verbs,
            *agent.supported_tools,
            *agent.tags,
            *agent.inputs,
            *agent.outputs,
            agent.description,
        )
    )


def _split(text: str) -> list[str]:
    return [_stem(word) for word in WORD.findall(text.lower()) if word not in STOP]


def _stem(word: str) -> str:
    """Return a word without its ending, where enough is left: ``predict`` of predicts, predicted,
    prediction, and predictor.
    """
    return next(
        (
            word.removesuffix(end)
            for end in ENDINGS
            if word.endswith(end) and len(word) - len(end) > 2
        ),
        word,
    )


def _cosine(left: Sequence[float], right: Sequence[float]) -> float:
    size = math.hypot(*left) * math.hypot(*right)
    return sum(a * b for a, b in zip(left, right, strict=True)) / size if size else 0.0
