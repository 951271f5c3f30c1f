"""The first messages of a file, before it is imported."""

from typing import Any

from auditlog.ingest.item import Item, Refusal, Refused
from auditlog.log.draft import decode
from playground.audit import metadata
from playground.audit.importing import (
    FilePosition,
    count_fitting,
    looks_like_items,
    peek,
)

SHOWN = 20


def preview(
    data: bytes, position: FilePosition, kind: str, *, final: bool = False
) -> dict[str, Any]:
    """Return the context of the messages of ``data``, the beginning of a file, or with ``final``
    all of it.
    """
    done, items = peek(data, position, kind=kind, final=final)
    fitting = count_fitting(each.item for each in items)
    better, more = _find_better(data, position, kind, len(items), fitting, final=final)
    rows = [{"line": each.line} | _draw(each.item) for each in items[:SHOWN]]
    rest = [_draw(each.item) for each in items[SHOWN:]]
    rejected = sum("detail" in one for one in rest)
    return {
        "total": len(items),
        "left": len(rest) - rejected,
        "rejected": rejected,
        "rows": rows,
        "fitting": fitting,
        "better": better,
        "better_fitting": more,
        "done": done,
        "zone": position.zone,
        # Whether a time that is shown depends on the zone.
        "assumed": any(fact.note for row in rows for fact in row.get("facts", ())),
    }


def _find_better(
    data: bytes, position: FilePosition, kind: str, total: int, fitting: int, *, final: bool
) -> tuple[str | None, int]:
    """Return the format that fits more messages, and how many, if the chosen one fits few."""
    other = "text" if kind == "ndjson" else "ndjson"
    if not kind or (total and 2 * fitting >= total):
        return None, 0
    if other == "ndjson" and not looks_like_items(data):
        return None, 0
    _, found = peek(data, position, kind=other, final=final)
    more = count_fitting(each.item for each in found)
    return (other, more) if more > fitting else (None, 0)


def _draw(item: Item | Refusal) -> dict[str, Any]:
    """Return a message with the first metadata that will be stored with it and the number of the
    rest, or why it will be rejected.
    """
    if isinstance(item, Refusal):
        return {"detail": item.detail}
    try:
        message = decode(item)
    except Refused as refused:
        return {"detail": refused.refusal.detail}
    facts, left = metadata.brief(item)
    return {"message": message, "facts": facts, "left": left}
