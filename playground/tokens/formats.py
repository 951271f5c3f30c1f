"""The same message in other formats: English, JSON, YAML, and every protocol that can carry it.

A protocol looks small next to a rival that no one would send. So each format is written out in
full, with what it loses: the changes of the round trip, or the fields that the English omits.

    short English   our description of the message
    full English    a sentence for each field: "The goal is 42. The tag is auth_refactor."
    JSON, YAML, …   the message with full words, as a team would send it without the protocol
    short keys      the same JSON, with the keys of all messages shortened by one legend
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Literal, get_args

from msgspec import Struct, structs

from auditlog import baseline, text
from cablese import detection, registry, tokens
from cablese.message import Message
from cablese.translation import ledger
from cablese.translation.translate import (
    ENGLISH,
    JSON,
    Return,
    Translation,
    return_from_plain,
    translate,
)
from playground.tokens.notations import short_keys
from playground.tokens.notations.notation import (
    MINIFIED,
    PRETTY,
    SEXPRESSIONS,
    SHORT_KEYS,
    TOON,
    XML,
    YAML,
    Notation,
    get_notations,
)
from playground.tokens.notations.short_keys import Legend
from playground.workbench.translate import withhold

Verdict = Literal["itself", "faithful", "one way", "changed", "lost", "refused"]
"""From best to worst. ``one way``: complete, but nothing can decode it back."""
OUTCOMES: dict[Verdict, str] = {
    "itself": "original",
    "faithful": "lossless",
    "one way": "one-way",
    "changed": "lossy",
    "lost": "lossy",
    "refused": "not available",
}

MESSAGE, SHORT, FULL = "message", "short", "full"
TITLES = {
    SHORT: "short English",
    FULL: "full English",
    MINIFIED: "minified JSON",
    SHORT_KEYS: "JSON with short keys",
    PRETTY: "pretty JSON",
    YAML: "YAML",
    TOON: "TOON",
    XML: "XML",
    SEXPRESSIONS: "S-expressions",
}
LONGEST = 64 * 1024
"""Longest message that is compared, in characters: ten times as long, YAML takes a second."""
MOST = 100
"""Messages that are compared at once."""


class Format(Struct, frozen=True):
    """One format of a message. Without ``text``, it is not available for the reason explained.

    ``lost`` are the fields that a round trip changes or loses, or that English omits; ``private``
    those that only Cablese reads back. ``tally`` counts the rows of the ledger by verdict.
    """

    key: str
    title: str
    text: str | None
    verdict: Verdict
    explanation: str
    lost: tuple[str, ...] = ()
    private: tuple[str, ...] = ()
    tally: dict[ledger.Verdict, int] = {}


def make_legend(messages: Sequence[Message]) -> Legend:
    """Return the short keys for all of the messages together."""
    return short_keys.make(read_plain(message) for message in messages if _is_plain(message))


def read_plain(message: Message) -> Any:
    """Return the message as JSON with full words. Raises UnknownProtocol."""
    return text.whole(registry.get(message.protocol).plain(message))


def _is_plain(message: Message) -> bool:
    is_short = len(message.wire) <= LONGEST
    return is_short and message.valid and message.protocol != detection.UNKNOWN


class Row(Struct, frozen=True):
    """A format with its token count. ``change`` is in percent of the baseline; None without a
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

    @property
    def outcome(self) -> str:
        """Return the verdict as the page names it."""
        return OUTCOMES[self.verdict]

    @property
    def is_poor(self) -> bool:
        """Return whether the verdict needs an explanation."""
        return self.verdict in ("lost", "changed", "refused")


class Strip(Struct, frozen=True):
    """All formats of ``messages`` messages together, in one tokenizer, compared with a baseline."""

    tokenizer: str
    baseline: str
    baseline_title: str
    messages: int
    rows: tuple[Row, ...]


def get_titles() -> dict[str, str]:
    """Return the titles of everything that can be the baseline."""
    return TITLES | {codec.name: codec.title for codec in registry.all_codecs()}


def compare(messages: Sequence[Message], tokenizer: str, against: str = MINIFIED) -> Strip:
    """Count all formats of ``messages`` and the messages themselves. Raises UnknownTokenizer."""
    legend = make_legend(messages)
    formats = [list(write_formats(message, legend)) for message in messages]
    counted = [_count(list(column), tokenizer) for column in zip(*formats, strict=True)]
    base = next((row.count for row in counted if row.key == against), None)
    rows = tuple(_against(row, base) for row in counted)
    title = get_titles()[against]
    return Strip(tokenizer, against, title, len(messages), rows)


def write_formats(message: Message, legend: Legend | None = None) -> Iterator[Format]:
    """Yield the message itself and all other formats, always in the same order.

    The ``legend`` is that of the messages it is sent with; without one, it is of this message.
    """
    protocol = (
        registry.get(message.protocol).title
        if message.protocol != detection.UNKNOWN
        else "this message"
    )
    yield Format(MESSAGE, protocol, message.wire, "itself", "The message as sent.")
    if len(message.wire) > LONGEST:
        yield from _refuse()
    else:
        yield from _other_formats(message, make_legend([message]) if legend is None else legend)


def _other_formats(message: Message, legend: Legend) -> Iterator[Format]:
    yield _in_english(message)
    yield from _in_full(message, legend)
    for codec in registry.all_codecs():
        if codec.name == message.protocol:
            yield Format(codec.name, codec.title, message.wire, "itself", "The message as sent.")
        else:
            yield _translated(codec.name, codec.title, withhold(translate(message, codec.name)))


def _refuse() -> Iterator[Format]:
    explanation = f"Messages longer than {LONGEST:,} characters are not shown in other formats."
    for key, title in get_titles().items():
        yield Format(key, title, None, "refused", explanation)


def _in_english(message: Message) -> Format:
    translation = translate(message, ENGLISH)
    if translation.wire is None:
        return Format(SHORT, TITLES[SHORT], None, "refused", translation.refused or "")
    omitted = tuple(
        row.source.key or row.term
        for row in translation.ledger
        if row.verdict == "dropped" and not row.returns
    )
    tally = _tally(translation)
    if omitted:
        explanation = f"Omits {', '.join(omitted[:6])}."
        return Format(
            SHORT, TITLES[SHORT], translation.wire, "lost", explanation, omitted, tally=tally
        )
    explanation = "Complete, but can’t be decoded back."
    return Format(SHORT, TITLES[SHORT], translation.wire, "one way", explanation, tally=tally)


def _in_full(message: Message, legend: Legend) -> Iterator[Format]:
    translation, notations = translate(message, JSON), get_notations(legend)
    if translation.wire is None or baseline.write(message) is None:
        explanation = translation.refused or "No fields were decoded."
        for key in (FULL, *(notation.key for notation in notations)):
            yield Format(key, TITLES[key], None, "refused", explanation)
        return
    plain = read_plain(message)
    yield Format(
        FULL,
        TITLES[FULL],
        " ".join(_sentences(plain, "")),
        "one way",
        "A sentence for each field. Complete, but can’t be decoded back.",
        tally=_tally(translation),
    )
    for notation in notations:
        yield _written(message, plain, translation, notation)


def _written(message: Message, plain: Any, translation: Translation, notation: Notation) -> Format:
    """Return the plain message in a notation. What is read back the same has the fate of JSON."""
    key, tally = notation.key, _tally(translation)
    try:
        written = notation.write(plain)
    except ValueError as error:
        return Format(key, TITLES[key], None, "refused", f"Not possible: {error}")
    again = notation.read_or_none(written)
    back = translation.back if ledger.same(plain, again) else return_from_plain(message, again)
    assert back is not None
    return _judged(key, TITLES[key], written, back, tally)


def _translated(key: str, title: str, translation: Translation) -> Format:
    if translation.wire is None or translation.back is None:
        return Format(key, title, None, "refused", translation.refused or "")
    return _judged(key, title, translation.wire, translation.back, _tally(translation))


def _judged(
    key: str, title: str, written: str, back: Return, tally: dict[ledger.Verdict, int]
) -> Format:
    """Return a format with the verdict of its round trip."""
    if back.verdict == "faithful":
        explanation = "The round trip gives the same message."
        return Format(
            key, title, written, "faithful", explanation, private=back.private, tally=tally
        )
    lost = tuple(dict.fromkeys(difference.key for difference in back.differences))
    fallback = back.words or "The round trip gives a different message."
    explanation = f"Lost in the round trip: {', '.join(lost[:6])}." if lost else fallback
    lost = lost or ("everything",)
    return Format(key, title, written, back.verdict, explanation, lost, back.private, tally)


def _tally(translation: Translation) -> dict[ledger.Verdict, int]:
    return dict(Counter(row.verdict for row in translation.ledger))


def _sentences(value: Any, name: str) -> Iterator[str]:
    """Yield a sentence for each value: ``The plan 1 verb is search.``"""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _sentences(inner, f"{name} {str(key).replace('_', ' ')}".strip())
    elif isinstance(value, list | tuple) and any(
        isinstance(inner, dict | list | tuple) for inner in value
    ):
        for number, inner in enumerate(value, 1):
            yield from _sentences(inner, f"{name} {number}".strip())
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


def _count(column: list[Format], tokenizer: str) -> Row:
    """Count one format for all messages; refused if one of them does not have it."""
    first = column[0]
    verdicts = Counter(cell.verdict for cell in column)
    worst = max(verdicts, key=get_args(Verdict).index)
    texts = [cell.text for cell in column if cell.text is not None]
    explanation = first.explanation if len(column) == 1 else _sum_up(column, verdicts, worst)
    if len(texts) < len(column):
        return Row(first.key, first.title, "refused", explanation)
    counts = tokens.count_batch(texts, tokenizer)
    total, exact = sum(count.count for count in counts), all(count.exact for count in counts)
    title = first.title if len({cell.title for cell in column}) == 1 else "the messages"
    return Row(first.key, title, worst, explanation, total, exact)


def _sum_up(column: list[Format], verdicts: Counter[Verdict], worst: Verdict) -> str:
    summary = ", ".join(
        f"{verdicts[verdict]:,} {OUTCOMES[verdict]}"
        for verdict in get_args(Verdict)
        if verdicts[verdict]
    )
    example = next(cell.explanation for cell in column if cell.verdict == worst)
    return f"{summary}. {example}" if len(verdicts) > 1 else example


def _against(row: Row, base: int | None) -> Row:
    if row.count is None or not base:
        return row
    difference = row.count - base
    change = round(100 * difference / base, 1)
    return structs.replace(row, difference=difference, change=change)
