"""Who is likest to a wish: by meaning where the model is installed, else by the words they
share.
"""

from typing import Literal

from msgspec import Struct

from cablese.protocols.sacp.agents import similarity
from cablese.protocols.sacp.agents.registry import Agents
from cablese.protocols.sacp.agents.similarity import Ranked
from playground.sacp import embedding

MODEL = "all-MiniLM-L6-v2"
ABSENT = (
    "Ranked by words: ranking by meaning needs the extra “embeddings”, which is not installed here."
)
UNREAD = "Ranked by words for now: {left:,} more descriptions are to be read before they can be ranked by meaning."


class Ranking(Struct, frozen=True):
    """``method`` is ``embedding`` or ``words``; scores are between 0 and 1.

    ``model`` is what made the embeddings, null where they were sent; ``note`` says why words were
    taken.
    """

    method: Literal["embedding", "words"]
    agents: tuple[Ranked, ...]
    model: str | None = None
    note: str | None = None


def rank(agents: Agents, wish: str) -> Ranking:
    embedder = embedding.find()
    if embedder is None:
        return Ranking("words", similarity.rank_by_words(agents, wish), note=ABSENT)
    try:
        scores = embedder.compare(wish, [similarity.introduce(agent) for agent in agents])
    except embedding.Unread as unread:
        return Ranking(
            "words", similarity.rank_by_words(agents, wish), note=UNREAD.format(left=unread.left)
        )
    ranked = similarity.rank_by_scores(agents, scores) if scores is not None else ()
    return Ranking("embedding", ranked, model=MODEL)
