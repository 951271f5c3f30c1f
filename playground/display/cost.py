"""The tokens of a message, and of its baselines."""

from collections.abc import Sequence
from dataclasses import dataclass

from cablese import tokens

BASELINE = "minified JSON"


@dataclass(frozen=True, slots=True)
class Cost:
    """Tokens of a message and of its baselines, in one tokenizer."""

    tokenizer: tokens.Info
    wire: tokens.Count
    plain: tokens.Count | None
    english: tokens.Count
    wrapper: tokens.Count | None = None
    """What is around the message in its wrapper, without the messages in it."""

    @property
    def against_plain(self) -> str:
        return (
            ""
            if self.plain is None
            else compare(self.wire, self.plain, BASELINE, self.tokenizer.name)
        )

    @property
    def against_english(self) -> str:
        return compare(self.wire, self.english, "English", self.tokenizer.name)


def compare(own: tokens.Count, other: tokens.Count, baseline: str, tokenizer: str) -> str:
    """Return ``8 fewer tokens than minified JSON (−30%, o200k_base)``."""
    if not other.count:
        return ""
    about = "" if own.exact and other.exact else "≈ "
    difference = own.count - other.count
    if not difference:
        return f"same token count as {baseline} ({tokenizer})"
    percent = round(100 * difference / other.count)
    sign = "+" if percent > 0 else "−" if percent < 0 else ""
    unit = "token" if abs(difference) == 1 else "tokens"
    less = "more" if difference > 0 else "fewer"
    return (
        f"{about}{abs(difference):,} {less} {unit} than {baseline} ({sign}{abs(percent)}%, "
        f"{tokenizer})"
    )


def add_up(counts: Sequence[tokens.Count]) -> tokens.Count:
    """Return the sum, with the first reason why a count is not exact."""
    reason = next((count.reason for count in counts if count.reason), "")
    return tokens.Count(
        sum(count.count for count in counts), all(count.exact for count in counts), reason
    )
