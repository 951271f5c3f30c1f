"""The answer as a page draws it."""

from typing import NamedTuple

from playground.autopilot import traffic
from playground.autopilot.analysis import analyze
from playground.autopilot.candidate import RULE, Candidate
from playground.autopilot.traffic import Traffic
from playground.autopilot.wording import explain_loss, sum_up
from playground.display.glyphs import visible

SHOWN = 4_000
"""Characters of a candidate's text that are shown."""
STANDINGS = {
    "lossless": "lossless",
    "private": "private fields",
    "one-way": "one-way",
    "lossy": "lossy",
    "partial": "incomplete",
}


class Line(NamedTuple):
    """A candidate with what a page says of it."""

    candidate: Candidate
    standing: str
    loss: str
    text: str
    is_cut: bool
    is_baseline: bool


class Panel:
    """The analysis of some messages, the sentence that answers, and a line for each candidate."""

    rule = RULE
    most = traffic.MESSAGES
    characters = traffic.CHARACTERS

    def __init__(self, messages: Traffic, tokenizer: str, baseline: str) -> None:
        self.analysis = analyze(messages, tokenizer, baseline)
        self.sentence = sum_up(self.analysis)
        self.lines = [self._draw(candidate) for candidate in self.analysis.candidates]

    @property
    def best(self) -> Line | None:
        return self.lines[0] if self.lines else None

    def _draw(self, candidate: Candidate) -> Line:
        is_long = any("\n" in text for text in candidate.texts)
        text = ("\n\n" if is_long else "\n").join(candidate.texts)
        loss = explain_loss(candidate, self.analysis.messages)
        return Line(
            candidate,
            STANDINGS[candidate.standing],
            visible(f"{loss[0].upper()}{loss[1:]}."),
            visible(text[:SHOWN]),
            len(text) > SHOWN,
            candidate.key == self.analysis.baseline,
        )
