"""What the save page shows: the messages, their metadata, and the forms that complete it."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.core.exceptions import BadRequest
from django.http import QueryDict
from django.urls import reverse
from msgspec import structs

from auditlog.ingest import zones
from auditlog.ingest.item import Item
from auditlog.ingest.logged import move, to_item
from cablese.message import Message
from playground.audit import metadata, pending
from playground.audit.forms import FactsForm, LineFactsForm, LogForm, ZoneForm, count_left
from playground.workbench.document import ROWS, Reading
from playground.workbench.forms import DecodeForm

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
    return context | _lines(document.messages, items, given)


def preview_items(items: Sequence[Item], back: str, given: SaveForms) -> dict[str, Any]:
    """Return the page's context for items, and the address that they come from."""
    batch = pending.Batch(items)
    context = {"section": "stream", "back": back, "reading": batch}
    context |= {"items_json": pending.write(items)}
    return context | _lines(batch.messages, items, given)


def complete(items: Sequence[Item], log: str, facts: Mapping[str, Any]) -> list[Item]:
    """Return the items for a log. Metadata of a form fills what their sender left out."""
    given = {name: facts[field] for name, field in _GIVEN.items() if facts[field]}
    return [structs.replace(item, log=log, **_missing(item, given)) for item in items]


def _missing(item: Item, given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if getattr(item, name) is None}


def _lines(messages: Sequence[Message], items: Sequence[Item], given: SaveForms) -> dict[str, Any]:
    """Return the metadata of the messages in the chosen zone, and the rows that show them: each
    message, its first metadata, the number of the rest, and the field of its time, if any.
    """
    chosen, shown_zone = given.zone.both()
    moved = [move(item, chosen) for item in items]
    lines = LineFactsForm(
        moved, given.facts.data if given.facts.is_bound else None, shown_zone=shown_zone
    )
    stored = lines.corrected() if lines.is_valid() else moved
    rows = [
        (message, *metadata.brief(item), lines.time(at))
        for at, (message, item) in enumerate(zip(messages[:ROWS], stored, strict=False))
    ]
    return {
        "facts": given.facts,
        "where": given.where,
        "zone": given.zone,
        "lines": lines,
        "rows": rows,
        "more": max(len(messages) - ROWS, 0),
        "zones": zones.NAMES,
        "shown_zone": chosen.key,
        "limit": SAVED_AT_ONCE,
    }
