"""The Tokens panel: what a message costs, field by field and in other formats, and whether its
protocol breaks even. Each part is computed when a template draws it; only the bill is drawn at
every keystroke.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple

from cablese import tokens
from cablese.message import Field
from playground.display.cost import add_up
from playground.display.message import FullMessage
from playground.display.tree import FieldRow
from playground.tokens import breakeven_chart, formats, forms, prices
from playground.tokens.bill import Bill, Line, add, make
from playground.tokens.breakeven import Plan, tabulate
from playground.tokens.claims import Claim, measure
from playground.tokens.prompt import teach
from playground.workbench.document import Reading

MESSAGES = 1_000
"""Messages that are added up."""
ROWS = 16
"""Lines of a bill that are drawn one by one; the others are one line."""
MARKS = 60


class Share(NamedTuple):
    """A line of the bill with its field. ``start`` counts the tokens before it."""

    line: Line
    label: str
    marks: str
    hue: int | None
    start: int


class TokenPanel:
    """The panel of one message, or of all messages of a text, for the choices in ``data``."""

    def __init__(
        self, shown: FullMessage, reading: Reading | None, data: Mapping[str, Any] | None
    ) -> None:
        self.shown = shown
        self.reading = reading
        self.choices, self.wrong = forms.read(data)
        self.tokenizer = tokens.info(shown.tokenizer)
        self.opened: list[str] = self.choices.get("open", [])
        self.over_all = reading is not None and reading.total > 1 and self.choices["over"] == "all"
        self.messages = (
            reading.messages[:MESSAGES] if reading and self.over_all else [shown.message]
        )
        self.compared = self.messages[: formats.MOST]

    @property
    def left(self) -> int:
        """Return how many messages the sums leave out."""
        return self.reading.total - MESSAGES if self.reading and self.over_all else 0

    @cached_property
    def bill(self) -> Bill | None:
        bills = [make(message, self.tokenizer.name) for message in self.messages]
        short = [bill for bill in bills if bill is not None]
        return add(short) if len(short) == len(bills) else None

    @cached_property
    def shares(self) -> list[Share]:
        """Return the lines of the bill, in wire order. The smallest of many are one line."""
        if self.bill is None or not self.bill.count:
            return []
        lines = list(self.bill.lines)
        if len(lines) > ROWS:
            largest = sorted(
                sorted(lines, key=lambda line: -line.tokens)[: ROWS - 1], key=lines.index
            )
            others = [line for line in lines if line not in largest]
            cut = sum(line.tokens for line in others), sum(line.separators for line in others)
            names = tuple(name for line in others for name in line.names)
            lines = [*largest, Line(f"{len(others):,} more", names, *cut)]
        starts = accumulate((line.tokens for line in lines), initial=0)
        hues, rows = self._find_hues(), [*zip(self.shown.fields, self.shown.rows, strict=False)]
        return [
            _share(line, start, hues, [pair for pair in rows if pair[0].name in line.names])
            for line, start in zip(lines, starts, strict=False)
        ]

    @property
    def between_percent(self) -> float:
        """Return how much of the bill are tokens that start with a separator."""
        assert self.bill is not None
        return round(100 * self.bill.separators / self.bill.count, 1)

    def _find_hues(self) -> dict[str, int]:
        """Return the hue of each field. Where protocols disagree, the shown message decides."""
        hues: dict[str, int] = {}
        for message in {message.protocol: message for message in self.messages}.values():
            hues = FullMessage(message, self.tokenizer.name).hues | hues
        return hues | self.shown.hues

    @cached_property
    def total(self) -> tokens.Count:
        """Return the tokens of the messages in the chosen tokenizer."""
        return self._count(self.tokenizer.name)

    @property
    def others(self) -> list[tuple[tokens.Info, tokens.Count]]:
        names = [name for name in tokens.names() if name != self.tokenizer.name]
        return [(tokens.info(name), self._count(name)) for name in names]

    def _count(self, name: str) -> tokens.Count:
        return add_up(tokens.count_batch([message.wire for message in self.messages], name))

    @property
    def uncompared(self) -> int:
        return len(self.messages) - len(self.compared) + self.left

    @cached_property
    def strip(self) -> formats.Strip:
        """Return the counts of all formats, the message itself first."""
        return formats.compare(self.compared, self.tokenizer.name, self.choices["baseline"])

    @cached_property
    def _baseline(self) -> formats.Row:
        return next(row for row in self.strip.rows if row.key == self.strip.baseline)

    @property
    def longest(self) -> int:
        return max((row.count for row in self.strip.rows if row.count), default=1)

    @cached_property
    def break_even(self) -> dict[str, Any] | None:
        """Return the plan in numbers, as a chart, and as a table; None without both counts.

        ``prompt`` is the built-in one, even if another one is counted.
        """
        own, other, many = self.strip.rows[0].count, self._baseline.count, len(self.compared)
        if own is None or other is None or not self.shown.known:
            return None
        prompt = teach(self.shown.message.protocol)
        length, origin = self._measure_prompt(prompt)
        plan = Plan(
            prompt=length,
            message=Fraction(own, many),
            baseline=Fraction(other, many),
            messages=self.choices["teach_messages"],
            repeats=self.choices["teach_repeats"],
            factor=Fraction(
                self.choices["teach_factor"] if self.choices.get("teach_cached") else 1
            ),
        )
        saved, (cost, base_cost) = round(float(plan.saved), 1), plan.spend(plan.messages)
        return {
            "plan": plan,
            "prompt": prompt,
            "origin": origin,
            "chart": breakeven_chart.draw(plan),
            "steps": tabulate(plan),
            "saved": saved,
            "lost": -saved,
            "difference": round(cost - base_cost),
            "saving": round(base_cost - cost),
            "multiple": round(float(1 + (plan.repeats - 1) * plan.factor), 4),
        }

    def _measure_prompt(self, built_in: str) -> tuple[int, str]:
        """Return the tokens of the prompt, and where it comes from."""
        own, length = self.choices.get("teach_prompt"), self.choices.get("teach_tokens")
        if length is not None:
            return length, "your length"
        origin = "your prompt" if own else "built-in short specification"
        return tokens.count(own or built_in, self.tokenizer.name).count, origin

    @cached_property
    def spending(self) -> dict[str, Any]:
        """Return the cost of the messages and the baseline in dollars, as input and as output."""
        table = prices.get_table(datetime.now(UTC).date())
        offered = {price.key: price for price in table.prices}
        chosen = offered.get(self.choices.get("price_model", prices.DEFAULT), table.prices[0])
        sent = self.choices if self.choices.get("price_for") == chosen.key else {}
        listed = {"input": chosen.input, "output": chosen.output, "cached": chosen.cached}
        paid: dict[str, Any] = {
            name: sent.get(f"price_{name}", price) for name, price in listed.items()
        }
        daily = self.choices["price_daily"]
        title = "this message" if len(self.compared) == 1 else "these messages"
        rows = ((title, self.strip.rows[0].count), (self._baseline.title, self._baseline.count))
        return {
            "table": table,
            "chosen": chosen,
            "paid": paid,
            "edited": paid != listed,
            "cached_share": _compare_prices(paid["cached"], paid["input"]),
            "sides": [
                (label, *(prices.cost(count, paid[side], daily) for side in ("input", "output")))
                for label, count in rows
                if count is not None
            ],
        }

    @property
    def claims(self) -> list[Claim]:
        """Return what sources claim of this protocol, with our counts of the same texts."""
        claims = measure(self.tokenizer.name).claims
        return [claim for claim in claims if claim.protocol == self.shown.message.protocol]


def _compare_prices(cached: Decimal | None, fresh: Decimal) -> str:
    """Return what part of a fresh token's price a cached one costs, empty if unknown."""
    if cached is None or not fresh:
        return ""
    return str((Decimal(cached) / Decimal(fresh)).quantize(Decimal("0.01"), ROUND_HALF_UP))


def _share(
    line: Line, start: int, hues: Mapping[str, int], rows: Sequence[tuple[Field, FieldRow]]
) -> Share:
    """Return a line with the label, the marks, and the hue of its fields."""
    if not rows:
        return Share(line, "", "", hues.get(line.field), start)
    label = next((field.label for field, _ in rows if field.name == line.field), "")
    marks = " ".join(dict.fromkeys(row.mark for _, row in rows[:MARKS]))
    return Share(line, label, marks, rows[0][1].hue if line.field in hues else None, start)
