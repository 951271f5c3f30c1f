"""Agents by likeness of meaning ("12. Appendix B"): for a wish whose verbs and tools nobody has
named yet.

With vectors, the cosine of the angle between what is asked and each agent: what it publishes as its
``embedding``, or what a model makes of its description. With words alone, the rank of a full-text
search (BM25) over name, verbs, tools, tags, inputs, outputs and description, as a share of what the
best possible text would score. Scores of both lie between 0 and 1, and are comparable only within
one answer.
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
SATURATION, LENGTH = 1.2, 0.75
"""The usual constants of BM25: how soon a repeated word counts no more, and how much a long text is
held against it.
"""
ENDINGS = ("ions", "ing", "ion", "ies", "ors", "ers", "es", "ed", "or", "er", "s", "e", "y")


class Ranked(Struct, frozen=True):
    """An agent with its score, and the words that it was found by."""

    agent: str
    score: float
    words: tuple[str, ...] = ()


def rank_by_words(agents: Agents, wish: str) -> tuple[Ranked, ...]:
    """Agents that share a word with ``wish``, the likest first."""
    texts = [Counter(_split(_tell(agent))) for agent in agents]
    if not texts:
        return ()
    asked = tuple(dict.fromkeys(_split(wish)))
    usual = sum(text.total() for text in texts) / len(texts) or 1
    rare = {word: _rarity(len(texts), sum(word in text for text in texts)) for word in asked}
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
    return tuple(sorted(ranked, key=lambda one: (-one.score, one.agent)))


def rank_by_vector(agents: Agents, vector: Sequence[float]) -> tuple[Ranked, ...]:
    """Agents that publish a vector of the same length, the likest first; those that point away
    score 0.
    """
    scores = [
        (agent, _cosine(vector, agent.embedding))
        for agent in agents
        if agent.embedding is not None and len(agent.embedding) == len(vector)
    ]
    return rank_by_scores((agent for agent, _ in scores), (score for _, score in scores))


def rank_by_scores(agents: Iterable[Agent], scores: Iterable[float]) -> tuple[Ranked, ...]:
    """Agents by cosines that somebody else computed, one for each, the likest first; less than 0
    counts as 0.
    """
    pairs = zip(agents, scores, strict=True)
    ranked = [
        Ranked(agent.agent_name, round(max(0.0, min(score, 1.0)), 4)) for agent, score in pairs
    ]
    return tuple(sorted(ranked, key=lambda one: (-one.score, one.agent)))


def introduce(agent: Agent) -> str:
    """The description that is made into a vector, with the name before it: ``hotel finder: Finds
    hotels``.
    """
    return f"{agent.agent_name.replace('_', ' ').lower()}: {agent.description}"


def _tell(agent: Agent) -> str:
    names = (
        agent.agent_name,
        *agent.supported_verbs,
        *agent.supported_tools,
        *agent.tags,
        *agent.inputs,
    )
    return " ".join((*names, *agent.outputs, agent.description))


def _split(text: str) -> list[str]:
    return [_stem(word) for word in WORD.findall(text.lower()) if word not in STOP]


def _stem(word: str) -> str:
    """``predict`` of predict, predicts, predicted, prediction and predictor: the ending goes where
    enough is left.
    """
    return next(
        (
            word.removesuffix(end)
            for end in ENDINGS
            if word.endswith(end) and len(word) - len(end) > 2
        ),
        word,
    )


def _rarity(many: int, holding: int) -> float:
    return math.log(1 + (many - holding + 0.5) / (holding + 0.5))


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    size = math.hypot(*one) * math.hypot(*other)
    return sum(a * b for a, b in zip(one, other, strict=True)) / size if size else 0.0
