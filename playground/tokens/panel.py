"""The Tokens panel: what a message costs, field by field and beside every other way to say it, and
whether teaching its protocol pays. Every part is made when a template asks for it, and only the
bill is asked for at every keystroke.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import Any

from django.http import QueryDict

from cablese import tokens
from cablese.message import Message
from playground.display.glyphs import visible
from playground.display.message import Shown
from playground.tokens import breakeven_chart, formats, prices
from playground.tokens.bill import Bill, Line, add, make
from playground.tokens.breakeven import Plan, Step, tabulate
from playground.tokens.claims import Claim, measure
from playground.tokens.forms import MOST_MESSAGES, MOST_REPEATS, SpendingForm
from playground.tokens.prompt import teach
from playground.workbench.document import Reading

MESSAGES = 1_000
"""Messages that are added up."""
ROWS = 16
"""Lines of a bill that are drawn one by one; the others are one line."""
MARKS = 60


@dataclass(frozen=True, slots=True)
class Share:
    """A line of the bill as it is drawn. ``start`` and ``width`` are its place in the bar of all,
    in percent.

    ``own`` and ``between`` are its bar: tokens that begin in the field, and those that begin in a
    separator before it.
    """

    name: str
    label: str
    marks: str
    hue: int | None
    tokens: int
    separators: int
    percent: float
    own: float
    between: float
    start: float
    width: float


@dataclass(frozen=True, slots=True)
class Count:
    """Tokens in one tokenizer, ready for the strip."""

    tokenizer: tokens.Info
    count: int
    exact: bool
    reason: str


@dataclass(frozen=True, slots=True)
class BreakEven:
    """Whether the prompt pays back, in numbers, as a chart and as a table. ``prompt`` is ours, for
    people to read.
    """

    plan: Plan
    baseline: str
    tokenizer: str
    prompt: str
    whose: str
    chart: breakeven_chart.Chart
    steps: tuple[Step, ...]

    @property
    def saved(self) -> float:
        return round(float(self.plan.saved), 1)

    @property
    def lost(self) -> float:
        return -self.saved

    @property
    def multiple(self) -> float:
        """How many times the price of the prompt is paid."""
        return round(float(1 + (self.plan.repeats - 1) * self.plan.factor), 4)

    @property
    def difference(self) -> int:
        """Tokens more, or fewer when it is negative, at the end of a conversation."""
        ours, theirs = self.plan.spend(self.plan.messages)
        return round(ours - theirs)

    @property
    def saving(self) -> int:
        return -self.difference


@dataclass(frozen=True, slots=True)
class Spending:
    """What a message costs in dollars as input and as output, and the same for the baseline."""

    table: prices.Table
    chosen: prices.Price
    paid: dict[str, Any]
    edited: bool
    count: int
    sides: list[tuple[str, prices.Cost, prices.Cost]]

    @property
    def cached_share(self) -> str:
        """What a cached token costs of a fresh one; nothing where the table does not know."""
        cached, fresh = self.paid["cached"], self.paid["input"]
        if cached is None or not fresh:
            return ""
        return str((Decimal(cached) / Decimal(fresh)).quantize(Decimal("0.01"), ROUND_HALF_UP))


@dataclass(frozen=True, slots=True)
class Slider:
    """A number that can be slid as well as typed. ``most`` may be typed beyond the ``high`` end of
    the slider.
    """

    name: str
    label: str
    low: int
    high: int
    most: int
    step: str
    value: Any


class TokenPanel:
    """The panel of one message, or of all messages of a text, as `data` asks for it."""

    def __init__(
        self, shown: Shown, reading: Reading | None, data: Mapping[str, Any] | None
    ) -> None:
        self.shown = shown
        self.reading = reading
        self.form = SpendingForm(_listed(data))
        self.asked = self.form.asked()
        self.wrong = self.form.wrong()
        self.tokenizer = shown.tokenizer
        self.opened = frozenset(self.asked.get("open", ()))
        self.many = reading is not None and reading.total > 1
        self.over_all = self.many and self.asked["over"] == "all"

    @cached_property
    def messages(self) -> list[Message]:
        if self.reading is not None and self.over_all:
            return self.reading.messages[:MESSAGES]
        return [self.shown.message]

    @property
    def left(self) -> int:
        """Messages that the sums leave out."""
        return self.reading.total - MESSAGES if self.reading is not None and self.over_all else 0

    @cached_property
    def bill(self) -> Bill | None:
        made = [make(message, self.tokenizer) for message in self.messages]
        found = [one for one in made if one is not None]
        return add(found) if len(found) == len(made) else None

    @cached_property
    def shares(self) -> list[Share]:
        """The bill as it is drawn, in the order of the wire."""
        made = self.bill
        if made is None or not made.count:
            return []
        lines = list(made.lines)
        if len(lines) > ROWS:
            kept = sorted(sorted(lines, key=lambda line: -line.tokens)[: ROWS - 1], key=lines.index)
            others = [line for line in lines if line not in kept]
            cut = sum(line.tokens for line in others), sum(line.separators for line in others)
            names = tuple(name for line in others for name in line.names)
            lines = [*kept, Line(f"{len(others):,} more", names, *cut)]
        longest = max((line.tokens for line in lines), default=1)
        starts = accumulate((line.tokens for line in lines), initial=0)
        return [
            self._share(line, start, longest, made.count)
            for line, start in zip(lines, starts, strict=False)
        ]

    def _share(self, line: Line, start: int, longest: int, count: int) -> Share:
        marks, hue, label = self._drawn(line)
        own = line.tokens - line.separators
        return Share(
            name=visible(line.field) or "not decoded",
            label=visible(label),
            marks=marks,
            hue=hue,
            tokens=line.tokens,
            separators=line.separators,
            percent=round(100 * line.tokens / count, 1),
            own=round(100 * own / longest, 2),
            between=round(100 * line.separators / longest, 2),
            start=round(100 * start / count, 2),
            width=round(100 * line.tokens / count, 2),
        )

    def _drawn(self, line: Line) -> tuple[str, int | None, str]:
        """The marks that light a line with the rest of its message, its hue and its meaning."""
        fields = [(field, row) for field, row in self._rows if field.name in line.names]
        if not fields:
            return "", self._hues.get(line.field), ""
        label = next((field.label for field, _ in fields if field.name == line.field), "")
        marks = dict.fromkeys(row.mark for _, row in fields[:MARKS])
        return " ".join(marks), fields[0][1].hue if line.field in self._hues else None, label

    @cached_property
    def _rows(self) -> list[tuple[Any, Any]]:
        return list(zip(self.shown.fields, self.shown.rows, strict=False))

    @cached_property
    def _hues(self) -> dict[str, int]:
        """Messages of one protocol agree on hues; of two that do not, the shown one is drawn as it
        is.
        """
        hues: dict[str, int] = {}
        for message in {message.protocol: message for message in self.messages}.values():
            hues = Shown(message, self.tokenizer).hues | hues
        return hues | self.shown.hues

    @property
    def between_percent(self) -> float:
        made = self.bill
        return (
            round(100 * made.separators / made.count, 1) if made is not None and made.count else 0.0
        )

    @cached_property
    def total(self) -> Count:
        """The messages in the chosen tokenizer."""
        return self._count(self.tokenizer)

    @cached_property
    def others(self) -> list[Count]:
        return [self._count(name) for name in tokens.names() if name != self.tokenizer]

    def _count(self, name: str) -> Count:
        counts = tokens.count_batch([message.wire for message in self.messages], name)
        reason = next((one.reason for one in counts if one.reason), "")
        return Count(
            tokens.info(name),
            sum(one.count for one in counts),
            all(one.exact for one in counts),
            reason,
        )

    @cached_property
    def compared(self) -> list[Message]:
        return self.messages[: formats.MOST]

    @property
    def uncompared(self) -> int:
        return len(self.messages) - len(self.compared) + self.left

    @cached_property
    def strip(self) -> formats.Strip:
        return formats.compare(self.compared, self.tokenizer, self.asked["baseline"])

    @cached_property
    def longest(self) -> int:
        return max((row.count for row in self.strip.rows if row.count), default=1)

    @cached_property
    def break_even(self) -> BreakEven | None:
        """None where the message or its baseline cannot be counted."""
        rows = {row.key: row for row in self.strip.rows}
        ours, theirs = rows[formats.MESSAGE].count, rows[self.asked["baseline"]].count
        if ours is None or theirs is None or not self.shown.known:
            return None
        many = len(self.compared)
        prompt = teach(self.shown.message.protocol)
        own = self.asked.get("teach_prompt")
        length = self.asked.get("teach_tokens")
        whose = (
            "your length"
            if length is not None
            else "your prompt"
            if own
            else "built-in short specification"
        )
        if length is None:
            length = tokens.count(own or prompt, self.tokenizer).count
        plan = Plan(
            prompt=length,
            message=Fraction(ours, many),
            baseline=Fraction(theirs, many),
            messages=self.asked["teach_messages"],
            repeats=self.asked["teach_repeats"],
            factor=Fraction(self.asked["teach_factor"])
            if self.asked.get("teach_cached")
            else Fraction(1),
        )
        chart, steps = breakeven_chart.draw(plan), tabulate(plan)
        return BreakEven(
            plan, self.strip.baseline_title, self.tokenizer, prompt, whose, chart, steps
        )

    @property
    def sliders(self) -> list[Slider]:
        asked = self.asked
        return [
            Slider(
                "teach_messages",
                "Messages in a conversation",
                1,
                200,
                MOST_MESSAGES,
                "1",
                asked["teach_messages"],
            ),
            Slider(
                "teach_repeats",
                "Prompt sent (times)",
                1,
                50,
                MOST_REPEATS,
                "1",
                asked["teach_repeats"],
            ),
            Slider(
                "teach_factor",
                "Cached price (share of full price)",
                0,
                1,
                1,
                "0.05",
                asked["teach_factor"],
            ),
        ]

    @cached_property
    def spending(self) -> Spending:
        table = prices.get_table(datetime.now(UTC).date())
        offered = {price.key: price for price in table.prices}
        chosen = offered.get(self.asked.get("price_model", prices.DEFAULT), table.prices[0])
        sent = self.asked if self.asked.get("price_for") == chosen.key else {}
        of_table = {"input": chosen.input, "output": chosen.output, "cached": chosen.cached}
        paid: dict[str, Any] = {
            name: sent.get(f"price_{name}", price) for name, price in of_table.items()
        }
        daily = self.asked["price_daily"]
        rows = [
            (
                "this message" if len(self.compared) == 1 else "these messages",
                self.strip.rows[0].count,
            )
        ]
        base = next(row for row in self.strip.rows if row.key == self.strip.baseline)
        rows.append((base.title, base.count))
        sides = [
            (
                words,
                prices.cost(count, paid["input"], daily),
                prices.cost(count, paid["output"], daily),
            )
            for words, count in rows
            if count is not None
        ]
        edited = any(paid[name] != price for name, price in of_table.items())
        return Spending(table, chosen, paid, edited, self.strip.rows[0].count or 0, sides)

    @cached_property
    def claims(self) -> list[Claim]:
        """What sources claim of this protocol, beside what we count in the same texts."""
        found = measure(self.tokenizer).claims
        return [one for one in found if one.protocol == self.shown.message.protocol]


def _listed(data: Mapping[str, Any] | None) -> QueryDict:
    """What a form of Django reads lists from; a page that asks for nothing has none."""
    if isinstance(data, QueryDict):
        return data
    made = QueryDict(mutable=True)
    for name, value in (data or {}).items():
        made[name] = value
    return made
