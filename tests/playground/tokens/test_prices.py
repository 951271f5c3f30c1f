"""Prices of tokens: from a package's own table, with its date, and never over the network."""

import socket
import subprocess
import sys
from datetime import date
from decimal import Decimal
from importlib.metadata import version
from typing import NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.templatetags import spending
from playground.tokens import prices

TODAY = date(2026, 11, 21)


def test_the_table_says_its_version_and_the_day_of_its_newest_price() -> None:
    table = prices.get_table(TODAY)

    assert table.version == version("genai-prices")
    assert date(2026, 1, 1) < table.newest <= TODAY
    assert len(table.prices) > 50


def test_every_price_has_a_maker_a_model_and_what_input_and_output_cost() -> None:
    offered = prices.get_table(TODAY).prices

    assert len({price.key for price in offered}) == len(offered)
    assert {price.maker for price in offered} <= set(prices.MAKERS)
    for price in offered:
        assert price.input > 0
        assert price.output > 0
        assert price.cached is None or price.cached <= price.input
        assert price.since is None or price.since <= TODAY


def test_a_known_price_is_what_the_maker_asks() -> None:
    (price,) = [price for price in prices.get_table(TODAY).prices if price.key == "openai/gpt-4o"]

    assert (price.input, price.output, price.cached) == (
        Decimal("2.5"),
        Decimal(10),
        Decimal("1.25"),
    )


def test_a_price_that_begins_later_does_not_hold_yet() -> None:
    """The table has prices for days to come; what holds depends on the day that is asked for."""
    before, after = prices.get_table(date(2026, 11, 21)), prices.get_table(date(2027, 1, 2))
    changed = {price.key: price for price in after.prices if price.since == date(2027, 1, 1)}

    assert changed
    assert all(price.since != date(2027, 1, 1) for price in before.prices)


def test_a_cost_is_tokens_times_price() -> None:
    found = prices.cost(19, Decimal("2.5"), 1000)

    assert found.message == Decimal("0.0000475")
    assert found.day == Decimal("0.0475")
    assert found.month == Decimal("1.425")


@pytest.mark.parametrize(
    ("amount", "shown"),
    [
        ("0", "$0"),
        ("0.00", "$0"),
        # Ties go up, whichever digit stands before them.
        ("0.005", "$0.005"),
        ("1.005", "$1.01"),
        ("1.015", "$1.02"),
        ("1.425", "$1.43"),
        ("1.435", "$1.44"),
        ("2.665", "$2.67"),
        ("1234.565", "$1,234.57"),
        ("0.00004745", "$0.0000475"),
        ("0.00004755", "$0.0000476"),
        ("0.12345", "$0.123"),
        ("0.1235", "$0.124"),
        ("0.1245", "$0.125"),
        # Three digits that count, and never fewer than cents.
        ("0.0000475", "$0.0000475"),
        ("0.0475", "$0.0475"),
        ("0.5", "$0.50"),
        ("2.5", "$2.50"),
        ("12", "$12.00"),
        ("0.000001", "$0.000001"),
        ("1E-9", "$0.000000001"),
        ("1000000", "$1,000,000.00"),
        ("1E+3", "$1,000.00"),
        ("0.9994", "$0.999"),
        ("0.9995", "$1.00"),
        ("0.09996", "$0.10"),
        ("9.995", "$10.00"),
        ("999.995", "$1,000.00"),
    ],
)
def test_dollars_are_rounded_half_up_with_the_digits_that_count(amount: str, shown: str) -> None:
    assert prices.format_dollars(Decimal(amount)) == shown


@given(st.decimals(min_value=0, max_value=10**9, places=9))
def test_shown_dollars_are_within_half_a_digit(amount: Decimal) -> None:
    shown = Decimal(prices.format_dollars(amount).removeprefix("$").replace(",", ""))

    assert abs(shown - amount) <= max(amount / 200, Decimal("0.005") if amount >= 1 else Decimal(0))
    assert amount == 0 or shown > 0


def test_the_page_and_the_function_show_the_same() -> None:
    dollars = spending.register.filters["dollars"]

    assert dollars(Decimal("1.425")) == prices.format_dollars(Decimal("1.425")) == "$1.43"


def test_the_network_is_never_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> NoReturn:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    prices.get_table.cache_clear()

    assert prices.get_table(TODAY).prices


def test_the_package_is_not_loaded_until_prices_are_asked_for() -> None:
    seen = "import sys, playground.tokens.prices; print('genai_prices' in sys.modules)"

    assert (
        subprocess.run(
            [sys.executable, "-c", seen], capture_output=True, text=True, check=True
        ).stdout
        == "False\n"
    )
