"""Rank agents for a request: by meaning if the model is installed, otherwise by shared words."""

from typing import Literal

from msgspec import Struct

from cablese.protocols.sacp.agents import similarity
from cablese.protocols.sacp.agents.registry import Agents
from playground.sacp import embedding

MODEL = "all-MiniLM-L6-v2"
ABSENT = "Ranked by shared words. To rank by meaning, install the extra “embeddings”."
UNREAD = (
    "Ranked by shared words for now. {left:,} more descriptions must be embedded before they"
    " can be ranked by meaning."
)


class Ranking(Struct, frozen=True):
    """``method`` is ``embedding`` or ``words``. Scores are between 0 and 1.

    ``model`` is the embedding model, null if vectors were sent. ``note`` says why words were used.
    """

    method: Literal["embedding", "words"]
    agents: tuple[similarity.Ranked, ...]
    model: str | None = None
    note: str | None = None


def rank(agents: Agents, query: str) -> Ranking:
    embedder = embedding.find()
    if embedder is None:
        return Ranking("words", similarity.rank_by_words(agents, query), note=ABSENT)
    try:
        scores = embedder.compare(query, [similarity.introduce(agent) for agent in agents])
    except embedding.Unread as unread:
        return Ranking(
            "words", similarity.rank_by_words(agents, query), note=UNREAD.format(left=unread.left)
        )
    ranked = similarity.rank_by_scores(agents, scores) if scores is not None else ()
    return Ranking("embedding", ranked, model=MODEL)
