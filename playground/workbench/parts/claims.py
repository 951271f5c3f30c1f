"""The protocols to choose from by hand, ranked by detection."""

from collections.abc import Sequence
from dataclasses import dataclass

from cablese import detection, registry


@dataclass(frozen=True, slots=True)
class Claim:
    """A protocol with the confidence of its own detection in percent, and the reasons.

    ``percent`` is None for a protocol that the text only ``resembles``, or does not match.
    """

    name: str
    title: str
    percent: int | None
    reasons: tuple[str, ...]
    resembles: bool


def rank_claims(guesses: Sequence[detection.Guess]) -> list[Claim]:
    """Return every protocol, those that were guessed first."""
    ranked = {guess.protocol: guess for guess in guesses}
    rest = [codec.name for codec in registry.all_codecs() if codec.name not in ranked]
    return [_claim(name, ranked.get(name)) for name in (*ranked, *rest)]


def _claim(name: str, guess: detection.Guess | None) -> Claim:
    title = registry.get(name).title
    if guess is None:
        return Claim(name, title, None, (), resembles=False)
    percent = round(100 * guess.score) if guess.score >= detection.CLAIMED else None
    return Claim(name, title, percent, guess.reasons, resembles=percent is None)
