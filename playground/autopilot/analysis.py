"""Every format for a list of messages: measured, judged, and ranked.

Formats, verdicts, and ledgers are those of `tokens.formats`, which translates each message and
goes the round trip. Corruption and routing are measured on a few messages, as the Checks panel
does: each lost token and each prefix is decoded.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import get_args

from msgspec import Struct

from cablese import registry, tokens
from cablese.message import Message
from cablese.translation import ledger
from playground.autopilot import prompts
from playground.autopilot.candidate import (
    Candidate,
    Losses,
    LostField,
    Risk,
    Routing,
    Standing,
    rank,
)
from playground.autopilot.traffic import Traffic
from playground.examine import corruption, routability
from playground.http import wanted
from playground.tokens import formats
from playground.tokens.breakeven import Plan
from playground.tokens.formats import Format
from playground.tokens.notations.notation import MINIFIED, Notation, get_notations
from playground.tokens.notations.short_keys import Legend

SAMPLED = 5
"""Messages on which corruption and routing are measured, spread evenly."""
SAMPLED_CHARACTERS = 400
"""Characters of these messages together."""
UNITS = 40
"""Tokens of one message that are dropped."""
ROUTES = tuple(name for name in routability.ROUTES if name != routability.PROTOCOL)


class Analysis(Struct, frozen=True):
    """All candidates, best first, for ``messages`` messages in one tokenizer.

    ``invalid`` messages were left out, ``left`` ones are beyond the limit, and corruption and
    routing were measured on ``sampled`` ones.
    """

    tokenizer: str
    baseline: str
    baseline_title: str
    messages: int
    invalid: int
    left: int
    sampled: int
    candidates: tuple[Candidate, ...]

    @property
    def best(self) -> Candidate | None:
        return self.candidates[0] if self.candidates else None


def analyze(traffic: Traffic, tokenizer: str, baseline: str = MINIFIED) -> Analysis:
    """Measure every format for the messages. Raises UnknownTokenizer."""
    tokens.info(tokenizer)
    messages = traffic.messages
    measured = _Measured(messages, tokenizer, baseline) if messages else None
    return Analysis(
        tokenizer,
        baseline,
        formats.get_titles()[baseline],
        len(messages),
        traffic.invalid,
        traffic.left,
        len(measured.sample) if measured else 0,
        rank(list(measured.candidates())) if measured else (),
    )


class _Measured:
    """The formats of all messages in columns, and the counts of the baseline."""

    def __init__(self, messages: Sequence[Message], tokenizer: str, baseline: str) -> None:
        self.messages = messages
        self.tokenizer = tokenizer
        self.legend = formats.make_legend(messages)
        self.notations = {one.key: one for one in get_notations(self.legend)}
        self.columns = _write(messages, self.legend)
        self.baseline = self._count(self.columns[baseline])
        self.sample = _sample(messages)
        self._routes: dict[int, routability.Routability] = {}

    def candidates(self) -> Iterator[Candidate]:
        protocols = {message.protocol for message in self.messages}
        for key, column in self.columns.items():
            is_mixed = key == formats.MESSAGE and len(protocols) > 1
            if (key != formats.MESSAGE or is_mixed) and any(cell.text for cell in column):
                title = "messages as sent" if is_mixed else column[0].title
                yield self._judge(key, title, column)

    def _judge(self, key: str, title: str, column: Sequence[Format]) -> Candidate:
        carried = [at for at, cell in enumerate(column) if cell.text is not None]
        counts = self._count(column)
        spent = sum(counts[at].count for at in carried)
        base = _add_up([self.baseline.get(at) for at in carried])
        prompt = prompts.write(key, self.messages, self.legend)
        taught = tokens.count(prompt, self.tokenizer).count if prompt else 0
        return Candidate(
            key=key,
            title=title,
            standing=_stand(column),
            sent=all(cell.verdict == "itself" for cell in column),
            carried=len(carried),
            tokens=spent,
            exact=all(count.exact for count in counts.values()),
            baseline=base,
            change=round(100 * (spent - base) / base, 1) if base else None,
            prompt=prompt,
            prompt_tokens=taught,
            breaks_even=_break_even(taught, spent, base, len(carried)),
            losses=_lose(column),
            corruption=self._corrupt(key),
            routability=self._route(key),
            texts=tuple(column[at].text or "" for at in carried),
        )

    def _count(self, column: Sequence[Format]) -> dict[int, tokens.Count]:
        """Return the tokens of each message that the format carries, by its index."""
        texts = {at: cell.text for at, cell in enumerate(column) if cell.text is not None}
        counts = tokens.count_batch(list(texts.values()), self.tokenizer)
        return dict(zip(texts, counts, strict=True))

    def _corrupt(self, key: str) -> Risk | None:
        tallies = [self._tally(at, key) for at in self.sample]
        whole = [tally for tally in tallies if tally is not None]
        if len(whole) < len(tallies) or not whole:
            return None
        return Risk(sum(one.silent for one in whole), sum(one.tested for one in whole))

    def _tally(self, at: int, key: str) -> corruption.Tally | None:
        """Drop each token of one message in one format."""
        message, wire = self.messages[at], self.columns[key][at].text
        if wire is None:
            return None
        if key in self.notations:
            read = self.notations[key].read_or_none
            return corruption.tally_written(message, wire, read, key, self.tokenizer, UNITS)
        if key == formats.MESSAGE:
            return corruption.tally_message(message, self.tokenizer, UNITS)
        if key not in registry.get_names():
            return None
        sent = message if wire == message.wire else registry.get(key).decode(wire)
        return corruption.tally_message(sent, self.tokenizer, UNITS)

    def _route(self, key: str) -> Routing | None:
        found = [self._find_route(at, key) for at in self.sample]
        ways = [way for way in found if way is not None]
        if len(ways) < len(found) or not ways:
            return None
        return Routing(
            float(Fraction(sum(known for known, _ in ways), len(ways))),
            float(Fraction(sum(total for _, total in ways), len(ways))),
        )

    def _find_route(self, at: int, key: str) -> tuple[int, int] | None:
        """Return after how many tokens all routing terms of a message are known, and all tokens."""
        measured = self._measure(at)
        own = measured.message
        way = self._find_way(at, key, measured)
        if own is None or way is None:
            return None
        stated = [name for name in ROUTES if own.after(name) is not None]
        known = [after for name in stated if (after := way.after(name)) is not None]
        return (max(known), way.tokens) if known and len(known) == len(stated) else None

    def _find_way(
        self, at: int, key: str, measured: routability.Routability
    ) -> routability.Way | None:
        message = self.messages[at]
        if key in (formats.MESSAGE, message.protocol):
            return measured.message
        notation = self.notations.get(key)
        if notation is None:
            return next((way for way in measured.others if way.key == key), None)
        return None if self.columns[key][at].text is None else self._follow(message, notation)

    def _follow(self, message: Message, notation: Notation) -> routability.Way | None:
        return routability.measure_written(
            message, notation.key, "", notation.write, notation.tail, self.tokenizer
        )

    def _measure(self, at: int) -> routability.Routability:
        if at not in self._routes:
            self._routes[at] = routability.measure(self.messages[at], self.tokenizer)
        return self._routes[at]


def _write(messages: Sequence[Message], legend: Legend) -> dict[str, list[Format]]:
    """Return the formats of all messages, by their key. Equal messages are written once."""
    known: dict[tuple[str, str], list[Format]] = {}
    rows = []
    for message in wanted.while_wanted(messages):
        same = (message.dialect, message.wire)
        if same not in known:
            known[same] = list(formats.write_formats(message, legend))
        rows.append(known[same])
    return {column[0].key: list(column) for column in zip(*rows, strict=True)}


def _sample(messages: Sequence[Message]) -> list[int]:
    """Return the indexes of a few messages, spread evenly, that are short enough together."""
    chosen, room = [], SAMPLED_CHARACTERS
    number = min(SAMPLED, len(messages))
    for at in (part * len(messages) // number for part in range(number)):
        if len(messages[at].wire) <= room:
            chosen.append(at)
            room -= len(messages[at].wire)
    return chosen


def _stand(column: Sequence[Format]) -> Standing:
    if any(cell.text is None for cell in column):
        return "partial"
    worst = max((cell.verdict for cell in column), key=get_args(formats.Verdict).index)
    if worst in ("itself", "faithful"):
        return "private" if any(cell.private for cell in column) else "lossless"
    return "one-way" if worst == "one way" else "lossy"


def _lose(column: Sequence[Format]) -> Losses:
    fields = Counter(key for cell in column for key in dict.fromkeys(cell.lost))
    tally: Counter[ledger.Verdict] = Counter()
    for cell in column:
        tally.update(cell.tally)
    worst = max(column, key=lambda cell: get_args(formats.Verdict).index(cell.verdict))
    return Losses(
        tuple(LostField(key, number) for key, number in fields.most_common()),
        tuple(dict.fromkeys(key for cell in column for key in cell.private)),
        dict(tally),
        worst.explanation,
    )


def _break_even(prompt: int, spent: int, base: int | None, messages: int) -> int | None:
    if base is None:
        return None
    each, other = Fraction(spent, messages), Fraction(base, messages)
    return Plan(prompt, each, other, messages, 1, Fraction(1)).pays_back


def _add_up(counts: Sequence[tokens.Count | None]) -> int | None:
    """Return the sum; None if one of them is missing."""
    known = [count.count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None
