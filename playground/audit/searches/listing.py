"""Saved searches as pages list them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.models import AbstractUser

from auditlog.models import Log, SavedSearch
from auditlog.search.saved import searches
from auditlog.search.saved.pin import Pin

IN_MENU = 50
"""Searches of the menu. The page of saved searches has all."""


@dataclass(frozen=True)
class SavedRow:
    """A saved search, the query string that opens it, and whether the reader may change it."""

    search: SavedSearch
    address: str
    owner: str
    may_change: bool


def draw(search: SavedSearch, person: AbstractUser) -> SavedRow:
    return SavedRow(search, write(search), name_owner(search), searches.may_change(search, person))


def write(search: SavedSearch) -> str:
    """Return the query string that opens a search: all that it is, and its ID."""
    fields: list[tuple[str, object]] = [("log", search.log.slug), ("q", search.query)]
    fields += [("columns", name) for name in search.columns.split()]
    fields += [("at", search.size), ("saved", search.uid)]
    return urlencode([(name, value) for name, value in fields if value not in (None, "")])


def name_owner(search: SavedSearch) -> str:
    """Return the person who saved a search, or the source of the key that did."""
    if search.owner is not None:
        return search.owner.get_username()
    return search.key.source.name if search.key is not None else ""


def show_menu(
    log: Log, person: AbstractUser, uid: str, query: str, names: Sequence[str], held: Pin | None
) -> dict[str, Any]:
    """Return what the menu of a log's saved searches needs. One of them is open by its ID."""
    rows = [draw(search, person) for search in searches.list_searches(log)]
    opened = next((row for row in rows if row.search.uid == uid), None)
    current = (query, " ".join(names), held.size if held else None)
    return {
        "saved_rows": rows[:IN_MENU],
        "saved_total": len(rows),
        "saved": opened,
        "saved_id": opened.search.uid if opened else "",
        "saved_differs": opened is not None
        and current != (opened.search.query, opened.search.columns, opened.search.size),
    }
