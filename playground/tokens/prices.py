"""What tokens cost, from the table in the package genai-prices. Nothing uses the network.

The package can update its prices over the network, with a class that we never start. A table has no
date of its own, so its age is that of the newest price in effect.
"""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from genai_prices.types import ConditionalPrice, ModelPrice, Provider, TieredPrices

PACKAGE = "genai-prices"
MAKERS = (
    "openai",
    "anthropic",
    "google",
    "mistral",
    "deepseek",
    "x-ai",
    "cohere",
    "moonshotai",
    "zai",
    "minimax",
)
"""The providers in the menu. Prices of resellers can be typed over theirs."""
DEFAULT = "openai/gpt-4o"
"""A model that uses our default tokenizer."""
OTHER_KINDS = re.compile(
    r"image|audio|tts|transcri|realtime|embed|voice|live|ocr|robotics|search|banana|ft:|:free"
)
"""Models that do not read and write messages, and names that stand for another model."""
MILLION = 1_000_000
DIGITS = 3
"""Significant digits in an amount of dollars."""


class Price(Struct, frozen=True):
    """US dollars per million tokens. ``since`` is when the price began, if the table states it."""

    maker: str
    model: str
    title: str
    input: Decimal
    output: Decimal
    cached: Decimal | None
    since: date | None
    stepped: bool
    """Long prompts cost more; these are the prices of short ones."""

    @property
    def key(self) -> str:
        return f"{self.maker}/{self.model}"


class Table(Struct, frozen=True):
    """All prices in the menu. ``newest`` is the day on which the newest price of the whole table
    began.
    """

    version: str
    newest: date
    prices: tuple[Price, ...]


class Cost(Struct, frozen=True):
    """The cost in US dollars of one message, of a day's messages, and of thirty such days."""

    message: Decimal
    day: Decimal
    month: Decimal


def cost(tokens: int, price: Decimal, daily: int) -> Cost:
    """Return the cost of a message of ``tokens`` at ``price`` dollars per million, sent ``daily``
    times a day.
    """
    message = tokens * price / MILLION
    return Cost(message, message * daily, message * daily * 30)


def format_dollars(amount: Decimal) -> str:
    """Return ``$0.0000475``: three significant digits, at least cents, and a tie rounded up."""
    if not amount:
        return "$0"
    places = max(2, DIGITS - 1 - amount.adjusted())
    whole, _, part = f"{amount.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP):,f}".partition(
        "."
    )
    return f"${whole}.{part.rstrip('0').ljust(2, '0')}"


@cache
def get_table(today: date) -> Table:
    """Return the prices in effect on ``today``. Reading them takes 0.2 s, once a day."""
    from genai_prices.data import providers

    at = datetime.combine(today, time(12), UTC)
    starts = [
        start for maker in providers for model in maker.models for start in _starts(model.prices)
    ]
    newest = max(start for start in starts if start <= today)
    offered = {maker.id: maker for maker in providers if maker.id in MAKERS}
    prices = [price for name in MAKERS if name in offered for price in _prices(offered[name], at)]
    return Table(version(PACKAGE), newest, tuple(prices))


def _prices(maker: "Provider", at: datetime) -> Iterator[Price]:
    for model in maker.models:
        current = model.get_prices(at)
        paid, earned, cached = (
            _base(getattr(current, f"{name}_mtok", None))
            for name in ("input", "output", "cache_read")
        )
        if model.deprecated or OTHER_KINDS.search(model.id) or not paid or not earned:
            continue
        since = max((start for start in _starts(model.prices) if start <= at.date()), default=None)
        stepped = not isinstance(current.input_mtok, Decimal)
        yield Price(
            maker.id, model.id, model.name or model.id, paid, earned, cached, since, stepped
        )


def _base(price: "Decimal | TieredPrices | None") -> Decimal | None:
    return price if price is None or isinstance(price, Decimal) else price.base


def _starts(prices: "ModelPrice | list[ConditionalPrice]") -> Iterator[date]:
    for price in prices if isinstance(prices, list) else ():
        start = getattr(price.constraint, "start_date", None)
        if start is not None:
            yield start
