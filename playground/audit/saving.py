"""What the save page shows: the messages, their metadata, and the forms that complete it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django import forms
from django.core.exceptions import BadRequest
from django.http import QueryDict
from django.urls import reverse
from msgspec import structs

from auditlog.ingest import zones
from auditlog.ingest.item import Item
from auditlog.ingest.logged import move, to_item
from playground.audit import metadata, pending
from playground.audit.line_facts import LineFactsForm, ZoneForm, count_left
from playground.audit.metadata import Fact
from playground.audit.pending import Batch, BatchRow
from playground.workbench.document import Reading
from playground.workbench.forms import DecodeForm, FactsForm, LogForm
from playground.workbench.parts.rows import Row

SAVED_AT_ONCE = 5_000
_GIVEN = {
    "goal": "goal",
    "task": "task",
    "from_": "sender",
    "to": "recipient",
    "thread": "thread",
    "tags": "tags",
}
"""The field of the form for each field of an item."""


class SaveForms(NamedTuple):
    """The metadata for all messages, the log that they go to, and the time zone of their times."""

    facts: FactsForm
    where: LogForm
    zone: ZoneForm


@dataclass(frozen=True, slots=True)
class SavedRow:
    """A message, the metadata that will be stored with it, and the field of its time, if any."""

    message: Row | BatchRow
    facts: list[Fact]
    left: int
    """Metadata fields beyond those that are shown."""
    time: forms.BoundField | None


def read_forms(data: QueryDict | None = None) -> SaveForms:
    return SaveForms(FactsForm(data), LogForm(data), ZoneForm(data))


def preview(sent: QueryDict, given: SaveForms) -> dict[str, Any]:
    """Return the page's context for a text, or for the items that the page itself sends back.

    Raises BadRequest if these cannot be read.
    """
    if "items_json" in sent:
        try:
            items = pending.read(str(sent["items_json"]))
        except pending.Unreadable:
            raise BadRequest from None
        back = sent.get("back_to", "")
        return preview_items(
            items, back if back.startswith("/stream/") else reverse("stream"), given
        )
    form = DecodeForm(sent)
    text = form.fields["text"].to_python(form["text"].data)
    context = {"form": form, "section": "workbench", "reading": None, "text": text}
    if not form.is_valid():
        return context | {"facts": given.facts, "where": given.where, "lines": LineFactsForm(())}
    chosen = form.cleaned_data
    document = Reading(chosen["text"], protocol=chosen["protocol"], tokenizer=chosen["tokenizer"])
    received, cuts = datetime.now(UTC), document.cuts
    items = [to_item(cut, received=received, zone=zones.UTC) for cut in cuts[:SAVED_AT_ONCE]]
    left = count_left(chosen["text"], cuts, document.ignored)
    context |= {"reading": document, "left_out": left}
    return context | _lines(document.rows, items, given)


def preview_items(items: Sequence[Item], back: str, given: SaveForms) -> dict[str, Any]:
    """Return the page's context for items, and the address that they come from."""
    batch = Batch(items)
    context = {"section": "stream", "back": back, "reading": batch}
    return context | _lines(batch.rows, items, given)


def complete(items: Sequence[Item], log: str, facts: Mapping[str, Any]) -> list[Item]:
    """Return the items for a log, with the metadata of a form where their sender gave none."""
    given = {name: facts[field] for name, field in _GIVEN.items() if facts[field]}
    return [structs.replace(item, log=log, **_missing(item, given)) for item in items]


def _missing(item: Item, given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if getattr(item, name) is None}


def _lines(
    rows: Sequence[Row | BatchRow], items: Sequence[Item], given: SaveForms
) -> dict[str, Any]:
    """Return the metadata of the messages in the chosen zone, and the rows that show them."""
    chosen, shown = given.zone.both()
    moved = [move(item, chosen) for item in items]
    lines = LineFactsForm(moved, given.facts.data if given.facts.is_bound else None, shown=shown)
    stored = lines.corrected() if lines.is_valid() else moved
    drawn = [
        SavedRow(row, *metadata.brief(item), lines.time(at))
        for at, (row, item) in enumerate(zip(rows, stored, strict=False))
    ]
    return {
        "facts": given.facts,
        "where": given.where,
        "zone": given.zone,
        "lines": lines,
        "rows": drawn,
        "zones": zones.names(),
        "shown_zone": chosen.key,
        "limit": SAVED_AT_ONCE,
    }
