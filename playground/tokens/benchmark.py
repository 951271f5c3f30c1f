"""The four-hop benchmark of AACP, claimed and counted. Its texts and claims are in
`cablese.protocols.aacp.benchmark`.
"""

from functools import cache

from msgspec import Struct

from cablese import tokens
from cablese.protocols.aacp.benchmark import (
    BRACKETS_CLAIM,
    CLAIMS,
    FRAMING,
    METHOD,
    TOTAL,
    Claim,
    make_texts,
)
from playground.aacp.hops import change

TOKENIZER = "o200k_base"


class Measured(Struct, frozen=True):
    """Our count of a hop: the bare text, and the change when the tokens around a message are added
    on both sides.
    """

    english: int
    packet: int
    percent: float
    percent_framed: float
    brackets: int


class Claimed(Struct, frozen=True):
    """The draft’s claim: tokens on Claude Sonnet 4.5, and the change in percent on Claude and on
    GPT-4o.
    """

    english: int
    packet: int
    percent_claude: float
    percent_gpt4o: float


class HopMeasured(Struct, frozen=True):
    """The claimed and the measured counts of a hop. ``comparable`` is true if both texts are from
    the draft.
    """

    hop: str
    claimed: Claimed
    measured: Measured
    english: str
    packet: str
    english_quoted: bool
    packet_printed: bool

    @property
    def comparable(self) -> bool:
        return self.english_quoted and self.packet_printed


class Benchmark(Struct, frozen=True):
    tokenizer: str
    framing: int
    method: str
    hops: list[HopMeasured]
    claimed_total: Claimed
    measured_total: Measured
    brackets_claimed: int
    brackets_measured: float
    """Percent more than English that the draft's rejected bracket format takes."""


@cache
def measure() -> Benchmark:
    """Return the benchmark as counted by this installation; its texts never change."""
    texts = make_texts()
    sides = [side for text in texts for side in (text.english, text.packet, text.brackets)]
    counts = [count.count for count in tokens.count_batch(sides, TOKENIZER)]
    rows = [counts[at : at + 3] for at in range(0, len(counts), 3)]
    english, packet, brackets = (sum(column) for column in zip(*rows, strict=True))
    return Benchmark(
        tokenizer=TOKENIZER,
        framing=FRAMING,
        method=METHOD,
        hops=[
            HopMeasured(
                text.claim.hop,
                _claimed(text.claim),
                _measured(*row, messages=1),
                text.english,
                text.packet,
                text.quoted,
                text.printed,
            )
            for text, row in zip(texts, rows, strict=True)
        ],
        claimed_total=_claimed(TOTAL),
        measured_total=_measured(english, packet, brackets, messages=len(CLAIMS)),
        brackets_claimed=BRACKETS_CLAIM,
        brackets_measured=change(english, brackets),
    )


def _claimed(claim: Claim) -> Claimed:
    return Claimed(claim.english, claim.packet, claim.claude, claim.gpt4o)


def _measured(english: int, packet: int, brackets: int, *, messages: int) -> Measured:
    around = FRAMING * messages
    return Measured(
        english,
        packet,
        change(english, packet),
        change(english + around, packet + around),
        brackets,
    )
