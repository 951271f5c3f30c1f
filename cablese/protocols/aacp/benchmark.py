"""The four-hop payroll benchmark of section 10: the draft's claims, and texts to count again.

Its method: each message alone as a user message, no system prompt, `max_tokens=1`, tokens as the
provider's `usage_metadata` gives them, May 2026. The draft prints English and packet of the first
hop only, and packets of two. The other instructions and packets are those of our payroll workflow,
in our own words; a count of them is not a count of the draft's.
"""

from typing import NamedTuple

from .authoring.workflow import encode_hops, tell_hops
from .authoring.workflows import PAYROLL
from .codec import codec

METHOD = (
    "The draft sent each message alone, without a system prompt and with max_tokens=1, and took "
    "the tokens that the provider reported (May 2026). We count the text itself, and once more "
    "with the tokens that a chat adds to one message. Its Claude column cannot be checked without "
    "the provider."
)
FRAMING = 7
"""Tokens that the chat format adds around a lone user message of GPT-4o: with them the first hop is
the draft's.
"""


class Claim(NamedTuple):
    """A row of the draft's table: tokens on Claude Sonnet 4.5, and the change in percent on both
    models.
    """

    hop: str
    english: int
    packet: int
    claude: float
    gpt4o: float


CLAIMS = (
    Claim("fetch employees", 56, 52, -7.1, -12.7),
    Claim("fetch budgets", 57, 47, -17.5, -16.0),
    Claim("merge and calculate", 65, 43, -33.8, -31.6),
    Claim("generate report", 62, 43, -30.6, -33.3),
)
TOTAL = Claim("total", 240, 185, -22.9, -23.7)
BRACKETS_CLAIM = 45
"""Percent more tokens than English, on Claude, of the bracket format that the draft rejects."""


class Text(NamedTuple):
    """What is counted of a hop. ``quoted``: the English is the draft's; ``printed``: the
    packet is.
    """

    claim: Claim
    english: str
    packet: str
    brackets: str
    quoted: bool
    printed: bool


PRINTED = (0, 2)
"""Hops whose packets the draft prints, in sections 1 and 4.4."""


def make_texts() -> tuple[Text, ...]:
    """Return the four hops with the month and the rules of the draft's packets."""
    inputs = PAYROLL.example
    hops = zip(
        CLAIMS, PAYROLL.hops, tell_hops(PAYROLL, inputs), encode_hops(PAYROLL, inputs), strict=False
    )
    return tuple(
        Text(claim, english, packet, in_brackets(packet), quoted=hop.quoted, printed=at in PRINTED)
        for at, (claim, hop, english, packet) in enumerate(hops)
    )


def in_brackets(packet: str) -> str:
    """The packet in the format that the draft tried and left:
    ``[TASK:FETCH][DOM:HR][RETURN:HR-Agent]…``.
    """
    return "".join(f"[{key.upper()}:{value}]" for key, value in codec.decode(packet).values.items())
