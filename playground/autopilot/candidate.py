"""One way to send the messages, with everything that speaks for and against it."""

from typing import Literal, get_args

from msgspec import Struct

from cablese.translation import ledger

Standing = Literal["lossless", "private", "one-way", "lossy", "partial"]
"""From best to worst. ``private``: lossless, with fields that only Cablese reads. ``partial``: it
cannot carry every message.
"""


class LostField(Struct, frozen=True):
    """A field, and the number of messages in which it is changed, lost, or omitted."""

    key: str
    messages: int


class Losses(Struct, frozen=True):
    """What would be lost. ``private`` are the fields of the text that only Cablese reads back.

    ``tally`` counts the rows of all ledgers by verdict, and ``reason`` explains the worst message.
    """

    fields: tuple[LostField, ...]
    private: tuple[str, ...]
    tally: dict[ledger.Verdict, int]
    reason: str


class Risk(Struct, frozen=True):
    """How many single lost tokens change the meaning without being reported, of those tested."""

    silent: int
    tested: int

    @property
    def share(self) -> float:
        """Return the silent losses in percent."""
        return round(100 * self.silent / self.tested, 1) if self.tested else 0.0


class Routing(Struct, frozen=True):
    """After how many tokens a recipient knows how to route a message, of all its tokens: means."""

    known: float
    tokens: float

    @property
    def share(self) -> int:
        """Return the tokens that are needed in percent."""
        return round(100 * self.known / self.tokens)


class Candidate(Struct, frozen=True):
    """A format for the messages. ``tokens`` and ``baseline`` count those that it carries.

    ``change`` is in percent of the baseline. ``breaks_even`` is a number of messages: 0 without a
    prompt, null if it never does. ``sent`` says that the messages are in this format already.
    ``corruption`` and ``routability`` are null if they were not measured. ``texts`` are the
    messages that it carries.
    """

    key: str
    title: str
    standing: Standing
    sent: bool
    carried: int
    tokens: int
    exact: bool
    baseline: int | None
    change: float | None
    prompt: str
    prompt_tokens: int
    breaks_even: int | None
    losses: Losses
    corruption: Risk | None
    routability: Routing | None
    texts: tuple[str, ...]


RULE = (
    "Formats that carry every message and lose nothing come first. Then come those whose round "
    "trip needs private fields that only Cablese reads, those that can’t be decoded back, those "
    "that change or lose something, and those that can’t carry every message. In each group, the "
    "fewest tokens come first, not counting the prompt. On a tie, the lower share of silent "
    "changes comes first."
)
"""What `rank` does, for the page and the API."""


def rank(candidates: list[Candidate]) -> tuple[Candidate, ...]:
    """Return the candidates, best first, as RULE says. Partial ones carry most messages first."""
    return tuple(sorted(candidates, key=_key))


def _key(candidate: Candidate) -> tuple[int, int, int, float, str]:
    risk = candidate.corruption
    return (
        get_args(Standing).index(candidate.standing),
        -candidate.carried,
        candidate.tokens,
        100.0 if risk is None else risk.share,
        candidate.title,
    )
