"""What a message costs in tokens, and what it is compared with."""

from collections.abc import Sequence
from dataclasses import dataclass

from cablese import tokens

BASELINE = "minified JSON"


@dataclass(frozen=True, slots=True)
class Cost:
    """Tokens of a message and of what it is compared with, in one tokenizer."""

    tokenizer: tokens.Info
    wire: tokens.Count
    plain: tokens.Count | None
    english: tokens.Count
    wrapper: tokens.Count | None = None
    """What is around the message where it was carried in something else, all messages in there
    taken out.
    """

    @property
    def against_plain(self) -> str:
        return (
            ""
            if self.plain is None
            else compare(self.wire, self.plain, BASELINE, self.tokenizer.name)
        )

    @property
    def against_english(self) -> str:
        return compare(self.wire, self.english, "its description in English", self.tokenizer.name)


@dataclass(frozen=True, slots=True)
class Advice:
    """What a field costs that the protocol advises to leave out: the difference between counts with
    and without it.
    """

    name: str
    tokens: int
    of: int


def compare(ours: tokens.Count, theirs: tokens.Count, baseline: str, tokenizer: str) -> str:
    """``8 tokens fewer than minified JSON (−30 %, o200k_base)``, and as plainly when it is more."""
    if not theirs.count:
        return ""
    about = "" if ours.exact and theirs.exact else "≈ "
    difference = ours.count - theirs.count
    if not difference:
        return f"as many tokens as {baseline} ({tokenizer})"
    percent = round(100 * difference / theirs.count)
    sign = "+" if percent > 0 else "−" if percent < 0 else ""
    unit = "token" if abs(difference) == 1 else "tokens"
    than = "more than" if difference > 0 else "fewer than"
    return (
        f"{about}{abs(difference):,} {unit} {than} {baseline} ({sign}{abs(percent)} %, {tokenizer})"
    )


def add_up(counts: Sequence[tokens.Count]) -> tokens.Count:
    return tokens.Count(sum(one.count for one in counts), exact=all(one.exact for one in counts))
