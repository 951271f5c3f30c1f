from collections.abc import Iterable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from auditlog.log.draft import TOKENIZER
from auditlog.rollup import read
from playground.statistics import panels
from playground.statistics.forms import ALL_DAYS, PRESETS, StatisticsForm
from playground.statistics.scope import Scope
from playground.tokens import prices

VALUES = (
    ("act", "Acts", "Act"),
    ("from", "Senders", "Sender"),
    ("to", "Recipients", "Recipient"),
    ("protocol", "Protocols", "Protocol"),
    ("source", "Sources", "Source"),
)
"""The dimensions that have a panel, with its title and the heading of its table."""


@never_cache
@require_safe
@login_required
def page(request: HttpRequest) -> HttpResponse:
    """Show the statistics of a log: what was sent when, by whom, and what it cost."""
    form = StatisticsForm(request.GET)
    context: dict[str, Any] = {"section": "audit", "form": form, "presets": _presets(request)}
    if not form.is_valid() or form.scope is None:
        return render(request, "statistics/statistics.html", context, status=400)
    spending = _spend(form)
    price = None if spending is None else spending["price"]
    context |= {"scope": form.scope, "spending": spending} | _draw(form.scope, price)
    return render(request, "statistics/statistics.html", context)


def _draw(scope: Scope, price: Decimal | None) -> dict[str, Any]:
    rows = panels.draw_time(scope, scope.read_days(), price)
    total = panels.sum_up(rows, price)
    packets = total.counts.packets
    found = {
        name: panels.draw_values(scope, name, title, heading, packets, price)
        for name, title, heading in VALUES
    }
    return {
        "is_empty": scope.newest is None,
        "left": read.count_left(scope.log.pk),
        "rows": rows,
        "token_rows": panels.draw_tokens(rows),
        "total": total,
        "baselines": panels.describe_costs(total),
        "english_left": packets - total.counts.english_read,
        "summary": panels.summarize(total, scope, sources=found["source"].values),
        "volume_highest": _highest(row.counts.packets for row in rows),
        "tokens_highest": _highest(panels.find_most_tokens(row) for row in rows),
        "default_model": prices.DEFAULT,
        "panels": list(found.values()),
        "tokenizer": TOKENIZER,
    }


def _highest(numbers: Iterable[int]) -> str:
    return f"{max(numbers, default=0):,}"


def _spend(form: StatisticsForm) -> dict[str, Any] | None:
    """Return the price of the chosen model, or the one that was typed over it; None until a model
    is chosen.
    """
    chosen = form.cleaned_data["price_model"]
    if not chosen:
        return None
    table = prices.get_table(datetime.now(UTC).date())
    model = next((price for price in table.prices if price.key == chosen), None)
    if model is None:
        model = next(price for price in table.prices if price.key == prices.DEFAULT)
    is_typed = form.price is not None and form.cleaned_data["price_for"] == model.key
    price = form.price if is_typed else model.input
    return {"table": table, "model": model, "price": price, "edited": price != model.input}


def _presets(request: HttpRequest) -> list[tuple[str, str, bool]]:
    """Return the query string and the title of each preset, and whether it is chosen."""
    has_range = "from" in request.GET or "to" in request.GET
    chosen = request.GET.get("days") or ("" if has_range else "30")
    found = []
    for days, title in (*((str(number), title) for number, title in PRESETS), (ALL_DAYS, "All")):
        given = request.GET.copy()
        for name in ("from", "to", "days"):
            given.pop(name, None)
        given["days"] = days
        found.append((given.urlencode(), title, days == chosen))
    return found
