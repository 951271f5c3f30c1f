"""The searches that a bar or a row of the statistics leads to."""

from collections.abc import Sequence
from datetime import date
from urllib.parse import urlencode

from django.urls import reverse

from auditlog.search.language.written import join, quote, write_term
from playground.statistics.scope import Scope

KEYS = {"protocol": "proto", "act": "act", "from": "from", "to": "to", "source": "source"}
"""The key of the query language for each dimension."""


def of_days(scope: Scope, first: date, last: date) -> str:
    """Return the query for packets of some days, and of the source if one is chosen."""
    days = f"ts:{first}" if first == last else f"ts:{first}..{last}"
    return days if scope.source is None else join([days, write_term("source", scope.source.name)])


def of_value(scope: Scope, dimension: str, value: str) -> str:
    """Return the query for packets with a value in the whole range."""
    if dimension == "source":
        return join([f"ts:{scope.span.first}..{scope.span.last}", write_term("source", value)])
    return join([of_days(scope, *scope.span), write_term(KEYS[dimension], value)])


def of_others(scope: Scope, dimension: str, values: Sequence[str]) -> str:
    """Return the query for packets with any other value."""
    key = KEYS[dimension]
    listed = " OR ".join(map(quote, values))
    without = f" -{key}:({listed})" if values else ""
    # Every packet has a protocol and a source.
    stated = "" if dimension in ("protocol", "source") else f" has:{key}"
    return f"{of_days(scope, *scope.span)}{stated}{without}"


def link(scope: Scope, query: str) -> str:
    """Return the address of a search in the trail."""
    return f"{reverse('audit')}?{urlencode({'log': scope.log.slug, 'q': query})}"
