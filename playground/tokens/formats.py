"""The same meaning said otherwise: as English, as JSON, as YAML and in every protocol that can
carry it.

A protocol looks small beside a rival that nobody would send. So each way is written out here, in
full, with what it loses: translations say it by the return trip that was really made, English by
the fields that it does not speak of.

    short English   our description of the message
    full English    a sentence for each field: "The goal is 42. The tag is auth_refactor."
    JSON, YAML      the message in full words, as a team would send it without the protocol
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Literal, get_args

import yaml
from msgspec import Struct, structs

from auditlog import baseline, text
from cablese import detect, registry, tokens
from cablese.message import Message
from cablese.translation.translate import ENGLISH, JSON, Translation, translate
from playground.workbench.translate import withhold

Verdict = Literal["itself", "faithful", "one way", "changed", "lost", "refused"]
"""From the best to the worst. ``one way``: it says everything, and no rule reads it back."""

MESSAGE, SHORT, FULL, MINIFIED, PRETTY, YAML = "message", "short", "full", "json", "pretty", "yaml"
TITLES = {
    SHORT: "short English",
    FULL: "full English",
    MINIFIED: "minified JSON",
    PRETTY: "pretty JSON",
    YAML: "YAML",
}
LONGEST = 64 * 1024
"""Characters of a message that is said otherwise: writing YAML takes a second for ten times as
much.
"""
MOST = 100
"""Messages that are said otherwise at once."""


class Way(Struct, frozen=True):
    """One way to say a message. Without ``text`` there is none, and ``words`` say why."""

    key: str
    title: str
    text: str | None
    verdict: Verdict
    words: str


class Row(Struct, frozen=True):
    """A way, counted. ``change`` is percent against the baseline; none where one of the two has no
    count.
    """

    key: str
    title: str
    verdict: Verdict
    words: str
    count: int | None = None
    exact: bool = True
    difference: int | None = None
    change: float | None = None


class Strip(Struct, frozen=True):
    """Every way, counted with one tokenizer and compared with one baseline, for ``messages``
    messages together.
    """

    tokenizer: str
    baseline: str
    baseline_title: str
    messages: int
    rows: tuple[Row, ...]


def get_titles() -> dict[str, str]:
    """Everything that can be the baseline."""
    return TITLES | {codec.name: codec.title for codec in registry.all_codecs()}


def compare(messages: Sequence[Message], tokenizer: str, against: str = MINIFIED) -> Strip:
    """All ways to say ``messages`` beside the messages themselves. Raises UnknownTokenizer."""
    said = [list(say(message)) for message in messages]
    counted = [_count(list(column), tokenizer) for column in zip(*said, strict=True)]
    base = next((row.count for row in counted if row.key == against), None)
    rows = tuple(_against(row, base) for row in counted)
    title = get_titles()[against]
    return Strip(tokenizer, against, title, len(messages), rows)


def say(message: Message) -> Iterator[Way]:
    """The message itself, and every other way to say it. In one order, whatever the message."""
    protocol = (
        registry.get(message.protocol).title
        if message.protocol != detect.UNKNOWN
        else "this message"
    )
    yield Way(MESSAGE, protocol, message.wire, "itself", "The message as it was sent.")
    too_long = len(message.wire) > LONGEST
    refused = (
        f"Only messages of at most {LONGEST:,} characters are said otherwise." if too_long else ""
    )
    yield from _refuse(refused) if refused else _otherwise(message)


def _otherwise(message: Message) -> Iterator[Way]:
    yield _in_english(message)
    yield from _in_words(message)
    for codec in registry.all_codecs():
        if codec.name == message.protocol:
            yield Way(
                codec.name, codec.title, message.wire, "itself", "The message as it was sent."
            )
        else:
            yield _translated(codec.name, codec.title, withhold(translate(message, codec.name)))


def _refuse(words: str) -> Iterator[Way]:
    for key, title in get_titles().items():
        yield Way(key, title, None, "refused", words)


def _in_english(message: Message) -> Way:
    made = translate(message, ENGLISH)
    if made.wire is None:
        return Way(SHORT, TITLES[SHORT], None, "refused", made.refused or "")
    unsaid = [
        row.source.key or row.term
        for row in made.ledger
        if row.verdict == "dropped" and not row.returns
    ]
    if unsaid:
        return Way(
            SHORT,
            TITLES[SHORT],
            made.wire,
            "lost",
            f"It does not speak of {', '.join(unsaid[:6])}.",
        )
    return Way(
        SHORT, TITLES[SHORT], made.wire, "one way", "Our description; no rule reads it back."
    )


def _in_words(message: Message) -> Iterator[Way]:
    made = translate(message, JSON)
    minified = baseline.write(message) if made.wire is not None else None
    if minified is None:
        for key in (FULL, MINIFIED, PRETTY, YAML):
            yield Way(key, TITLES[key], None, "refused", made.refused or "Nothing of it was read.")
        return
    plain = text.whole(registry.get(message.protocol).plain(message))
    sentences = " ".join(_tell(plain, ""))
    yield Way(
        FULL,
        TITLES[FULL],
        sentences,
        "one way",
        "A sentence for each field; no rule reads it back.",
    )
    json_way = _translated(MINIFIED, TITLES[MINIFIED], made)
    yield Way(MINIFIED, TITLES[MINIFIED], minified, json_way.verdict, json_way.words)
    pretty = json.dumps(plain, indent=2, ensure_ascii=False)
    yield Way(PRETTY, TITLES[PRETTY], pretty, json_way.verdict, json_way.words)
    written = yaml.dump(
        plain, Dumper=yaml.SafeDumper, sort_keys=False, allow_unicode=True, width=10**6
    )
    yield Way(YAML, TITLES[YAML], written, json_way.verdict, json_way.words)


def _translated(key: str, title: str, made: Translation) -> Way:
    if made.wire is None or made.back is None:
        return Way(key, title, None, "refused", made.refused or "")
    verdict = made.back.verdict
    if verdict == "faithful":
        return Way(key, title, made.wire, verdict, "The way back gives the same message.")
    gone = list(dict.fromkeys(one.key for one in made.back.differences))[:6]
    fallback = made.back.words or "The way back gives another message."
    words = f"The way back does not give {', '.join(gone)}." if gone else fallback
    return Way(key, title, made.wire, verdict, words)


def _tell(value: Any, name: str) -> Iterator[str]:
    """A sentence for each value: ``The plan 1 verb is search.``"""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _tell(inner, f"{name} {str(key).replace('_', ' ')}".strip())
    elif isinstance(value, list | tuple) and any(
        isinstance(one, dict | list | tuple) for one in value
    ):
        for number, inner in enumerate(value, 1):
            yield from _tell(inner, f"{name} {number}".strip())
    elif isinstance(value, list | tuple) and value:
        yield f"The {name} are {', '.join(map(_spell, value))}."
    else:
        yield f"The {name} is {_spell(value)}."


def _spell(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if value in (None, [], {}, ()):
        return "empty"
    return str(value)


def _count(column: list[Way], tokenizer: str) -> Row:
    """One way for all messages: none where one of them cannot be said so."""
    first = column[0]
    found = Counter(way.verdict for way in column)
    worst = max(found, key=get_args(Verdict).index)
    texts = [way.text for way in column if way.text is not None]
    words = first.words if len(column) == 1 else _sum_up(column, found, worst)
    if len(texts) < len(column):
        return Row(first.key, first.title, "refused", words)
    counts = tokens.count_batch(texts, tokenizer)
    total, exact = sum(one.count for one in counts), all(one.exact for one in counts)
    title = first.title if len({way.title for way in column}) == 1 else "the messages"
    return Row(first.key, title, worst, words, total, exact)


def _sum_up(column: list[Way], found: Counter[Verdict], worst: Verdict) -> str:
    said = ", ".join(f"{found[one]:,} {one}" for one in get_args(Verdict) if found[one])
    example = next(way.words for way in column if way.verdict == worst)
    return f"{said}. {example}" if len(found) > 1 else example


def _against(row: Row, base: int | None) -> Row:
    if row.count is None or not base:
        return row
    difference = row.count - base
    change = round(100 * difference / base, 1)
    return structs.replace(row, difference=difference, change=change)
