"""A translation as a page shows it: the text, the ledger, and the verdict of the round trip."""

from collections import Counter
from functools import cached_property
from typing import get_args

from msgspec import UNSET

from auditlog import sensitive
from cablese import registry, tokens
from cablese.json import jsontext
from cablese.message import Message
from cablese.translation.ledger import Row, Verdict
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
PRIVATE = 5
"""Private fields that are named."""
TITLES = {ENGLISH: "English", JSON: "plain JSON"}
VERDICTS = {
    "faithful": "The round trip gives the same message.",
    "changed": "The round trip gives a different message.",
    "lost": "The round trip loses fields.",
}


class Translated:
    """``message`` in the protocol ``to``, ready to draw."""

    def __init__(self, message: Message, to: str, tokenizer: str) -> None:
        self.made: Translation = withhold(translate(message, to))
        self.source = message.wire
        self.tokenizer = tokenizer
        self.title = TITLES.get(to) or get_title(to)

    @property
    def wire(self) -> str:
        return visible((self.made.wire or "")[:WIRE_LENGTH])

    @property
    def is_cut(self) -> bool:
        return len(self.made.wire or "") > WIRE_LENGTH

    @property
    def lines(self) -> list[tuple[Row, str, str]]:
        """Return the rows of the ledger, each with its change: ``g = 42 → x-cablese-goal = 42``."""
        rows = self.made.ledger[:LINES]
        return [(row, _shown(row.source), _shown(row.target)) for row in rows]

    @property
    def left(self) -> int:
        return max(len(self.made.ledger) - LINES, 0)

    @property
    def tally(self) -> list[tuple[str, int]]:
        counted = Counter(row.verdict for row in self.made.ledger)
        return [(verdict, counted[verdict]) for verdict in get_args(Verdict) if counted[verdict]]

    @property
    def added(self) -> list[str]:
        return [_shown(place) for place in self.made.added]

    @property
    def verdict(self) -> str:
        back = self.made.back
        if back is None or back.words:
            return ""
        return f"{VERDICTS[back.verdict]}{_rely(back.private)}"

    @property
    def changes(self) -> list[tuple[str, str, str]]:
        """Return what the round trip changes: the key, and its value before and after."""
        found = self.made.back.differences[:LINES] if self.made.back else ()
        return [(visible(one.key), show_value(one.before), show_value(one.after)) for one in found]

    @cached_property
    def cost(self) -> tuple[tokens.Count, tokens.Count]:
        """Tokens of the translation and of the source."""
        ours, theirs = tokens.count_batch([self.made.wire or "", self.source], self.tokenizer)
        return ours, theirs


def _rely(private: tuple[str, ...]) -> str:
    """Return which private fields the round trip depends on, in words."""
    if not private:
        return ""
    named = ", ".join(visible(key) for key in private[:PRIVATE])
    more = f" and {len(private) - PRIVATE:,} more" if len(private) > PRIVATE else ""
    fields = "a private field" if len(private) == 1 else f"{len(private):,} private fields"
    return f" It depends on {fields} that only Cablese reads: {named}{more}."


def withhold(made: Translation) -> Translation:
    """Return the translation, or a refusal if its protocol forbids the sensitive data in it."""
    if (
        made.wire is None
        or made.to not in registry.get_names()
        or not registry.get(made.to).forbids_sensitive
    ):
        return made
    codec = registry.get(made.to)
    found = sensitive.find(codec.decode(made.wire))
    if not found:
        return made
    words = f"{codec.title} forbids sensitive data in values. {found[0].words}"
    return Translation(made.protocol, made.to, refused=words)


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


def _shown(place: Place | None) -> str:
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
