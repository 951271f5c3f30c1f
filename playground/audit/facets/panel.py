"""The facets of a query as a page draws them: the most frequent values, each with a link that adds
it to the query, or takes it out again, and one that excludes it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest

from auditlog.models import Log
from auditlog.search.facets import write
from auditlog.search.facets.count import count
from auditlog.search.facets.edit import QueryText, fold
from auditlog.search.facets.shapes import Facet, Facets
from auditlog.search.keys import VALIDITY
from playground.audit.facets.bars import Bars
from playground.audit.facets.links import Links
from playground.display.glyphs import visible
from playground.display.titles import protocol_title

TOP = 8
"""Values that a facet shows at first."""
TITLES = {
    "proto": "Protocol", "is": "Validity", "act": "Act", "from": "From", "to": "To",
    "source": "Source", "tag": "Tag", "finding": "Finding",
}  # fmt: skip


@dataclass(frozen=True)
class Choice:
    """A value of a facet. ``link`` adds it, or removes it if it is chosen or excluded."""

    name: str
    condition: str
    """What it is in a query."""
    count: int | None
    link: str | None
    exclude: str | None
    state: str = ""
    """``chosen``, ``excluded``, or nothing."""


@dataclass(frozen=True)
class Group:
    """A facet. ``more`` leads to all of its values that are counted, if some are not shown."""

    key: str
    title: str
    choices: list[Choice]
    more: str | None
    left: int
    """Values that are not shown."""


def open_beside(request: HttpRequest, log: Log, query: str) -> dict[str, Any]:
    """Return the context of the facets of a valid query, for the page or the fragment.

    They are counted if the page itself shows them.
    """
    links = Links.of(request, log)
    context = {
        "facets_address": links.fragment(query),
        "facets_without_script": links.without_script(query),
        "facets_shown": links.is_shown,
    }
    return context | (counted(links, query) if links.is_shown else {})


def counted(links: Links, query: str) -> dict[str, Any]:
    """Return the context of the facets and the histogram. Raises QueryError."""
    held = links.held
    now = datetime.now(UTC) if held is None else held.received
    found = count(links.log, query, now=now, size=None if held is None else held.size)
    asked = QueryText(query)
    return {
        "counted": found,
        "groups": [
            group for facet in found.facets if (group := _group(facet, found, asked, links)).choices
        ],
        "bars": Bars(found, asked, links, now),
    }


def _group(facet: Facet, found: Facets, query: QueryText, links: Links) -> Group:
    is_open = links.opened == facet.key
    values = facet.values if is_open else facet.values[:TOP]
    asked = _chosen(facet.key, query)
    known = {fold(value) for value, _ in asked}
    choices = list(_asked_for(facet, found, asked, query, links))
    choices += [
        _offer(facet.key, value.text, value.count, query, links)
        for value in values
        if fold(value.text) not in known
    ]
    more = None
    if not is_open and len(facet.values) > TOP:
        more = links.lead_to(query.text, all_of=facet.key)
    return Group(facet.key, TITLES[facet.key], choices, more, facet.distinct - len(values))


def _asked_for(
    facet: Facet, found: Facets, asked: list[tuple[str, bool]], query: QueryText, links: Links
) -> Iterator[Choice]:
    """Yield the values that the query itself has, also those that no packet has."""
    counts = {fold(value.text): value.count for value in facet.values}
    for value, is_excluded in asked:
        rest = query.remove(facet.key, value)
        sign = "-" if is_excluded else ""
        yield Choice(
            _name(facet.key, value),
            visible(sign + write.name(facet.key, value)),
            None if is_excluded else counts.get(fold(value), found.counted),
            None if rest is None else links.lead_to(rest),
            None,
            "excluded" if is_excluded else "chosen",
        )


def _chosen(facet: str, query: QueryText) -> list[tuple[str, bool]]:
    """Return the values of a facet that the query asks for, and whether each is excluded. Other
    values of ``is``, such as a review state, are in no facet.
    """
    validity = set(map(fold, VALIDITY))
    return [one for one in query.chosen(facet) if facet != "is" or fold(one[0]) in validity]


def _offer(key: str, value: str, number: int, query: QueryText, links: Links) -> Choice:
    added = query.add(key, value)
    # Of two values, to exclude one is to choose the other.
    excluded = None if key == "is" else query.exclude(key, value)
    return Choice(
        _name(key, value),
        visible(write.name(key, value)),
        number,
        None if added is None else links.lead_to(added),
        None if excluded is None else links.lead_to(excluded),
    )


def _name(key: str, value: str) -> str:
    shown = visible(value)
    if key == "proto":
        return protocol_title(value)
    if key == "is":
        return value.capitalize()
    return f"@{shown}" if key == "tag" else shown or "(empty)"
