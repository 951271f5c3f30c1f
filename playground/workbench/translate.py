"""A translation as a page shows it: the text, the ledger, and the verdict of the round trip."""

from collections import Counter
from datetime import UTC, datetime
from typing import Any, get_args

from msgspec import UNSET, structs

from auditlog.findings import sensitive
from auditlog.ingest.item import Item
from cablese import registry, tokens
from cablese.json import jsontext
from cablese.message import Message
from cablese.transcript.facts import Time
from cablese.translation.around import Around, supply
from cablese.translation.ledger import Verdict
from cablese.translation.statement import Place
from cablese.translation.translate import (
    ENGLISH,
    JSON,
    Translation,
    get_targets,
    get_title,
    translate,
)
from playground.display.glyphs import visible

WIRE_LENGTH = 20_000
VALUE_LENGTH = 160
LINES = 200
MICROSECONDS = 6
"""Digits of a fraction of a second."""
PRIVATE = 5
"""Private fields that are named."""
TITLES = {ENGLISH: "English", JSON: "plain JSON"}
VERDICTS = {
    "faithful": "The round trip gives the same message.",
    "changed": "The round trip gives a different message.",
    "lost": "The round trip loses fields.",
}


def show(message: Message, to: str, tokenizer: str, around: Around) -> dict[str, Any]:
    """Return the context of the panel: ``message`` in the protocol ``to``, with what its line
    states.
    """
    translation = translate(message, to)
    supplied = None if translation.wire is None else supply(message, to, around)
    if supplied:
        translation = structs.replace(translation, wire=supplied.wire, added=supplied.added)
    translation = withhold(translation)
    wire, back = translation.wire or "", translation.back
    counted = Counter(row.verdict for row in translation.ledger)
    changes = back.differences[:LINES] if back else ()
    verified = back if back and not back.words else None
    return {
        "translation": translation,
        "title": TITLES.get(to) or get_title(to),
        "tokenizer": tokenizer,
        "wire": visible(wire[:WIRE_LENGTH]),
        "is_cut": len(wire) > WIRE_LENGTH,
        "lines": [
            (row, _show_place(row.source), _show_place(row.target))
            for row in translation.ledger[:LINES]
        ],
        "left": max(len(translation.ledger) - LINES, 0),
        "tally": [(kind, counted[kind]) for kind in get_args(Verdict) if counted[kind]],
        "added": [_show_place(place) for place in translation.added],
        "supplied": [_show_place(place) for place in supplied.places] if supplied else [],
        "verdict": f"{VERDICTS[verified.verdict]}{_rely(verified.private)}" if verified else "",
        "changes": [
            (visible(change.key), show_value(change.before), show_value(change.after))
            for change in changes
        ],
        "cost": tokens.count_batch([wire, message.wire], tokenizer),
    }


def read_line(item: Item | None, time: Time | None) -> Around:
    """Return what the line of a message states; no time that rests on an assumed zone or year."""
    if item is None:
        return Around()
    is_sure = time is not None and time.has_year and not time.assumed
    return Around(item.from_, item.to, _in_utc(item.sent_at) if is_sure and item.sent_at else None)


def _in_utc(sent_at: str) -> str | None:
    """Return the same time with a Z; None for one that Python would round."""
    if sent_at.endswith(("Z", "z")):
        return sent_at.upper()
    seconds = sent_at[:-6].partition(".")
    if seconds[0].endswith(":60") or len(seconds[2]) > MICROSECONDS:
        return None
    return datetime.fromisoformat(sent_at).astimezone(UTC).isoformat().replace("+00:00", "Z")


def _rely(private: tuple[str, ...]) -> str:
    """Return a sentence about the private fields that the round trip depends on."""
    if not private:
        return ""
    named = ", ".join(visible(key) for key in private[:PRIVATE])
    more = f" and {len(private) - PRIVATE:,} more" if len(private) > PRIVATE else ""
    fields = "a private field" if len(private) == 1 else f"{len(private):,} private fields"
    return f" It depends on {fields} that only Cablese reads: {named}{more}."


def withhold(translation: Translation) -> Translation:
    """Return the translation, or a refusal if its protocol forbids the sensitive data in it."""
    if (
        translation.wire is None
        or translation.to not in registry.get_names()
        or not registry.get(translation.to).forbids_sensitive
    ):
        return translation
    codec = registry.get(translation.to)
    findings = sensitive.find(codec.decode(translation.wire))
    if not findings:
        return translation
    reason = f"{codec.title} forbids sensitive data in values. {findings[0].words}"
    return Translation(translation.protocol, translation.to, refused=reason)


def choices() -> list[tuple[str, str]]:
    """Return all translation targets as choices of a select."""
    return [(name, TITLES.get(name) or get_title(name)) for name in get_targets()]


def offer(message: Message) -> list[tuple[str, str]]:
    """Return the translation targets of one message.

    A protocol means its first dialect. That dialect is a target of its own only for messages of
    another dialect.
    """
    own = (message.protocol, message.dialect)
    first = {codec.dialects[0] for codec in registry.all_codecs() if codec.name != message.protocol}
    return [(name, title) for name, title in choices() if name not in own and name not in first]


def _show_place(place: Place | None) -> str:
    if place is None:
        return ""
    return (
        f"{visible(place.key)} = {show_value(place.value)}"
        if place.key
        else show_value(place.value)
    )


def show_value(value: object) -> str:
    """Return a value as text, empty for a missing one."""
    if value is None or value is UNSET:
        return ""
    text = value if isinstance(value, str) else jsontext.dump(value)
    return visible(text if len(text) <= VALUE_LENGTH else f"{text[:VALUE_LENGTH]}…")
