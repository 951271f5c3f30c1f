"""A reading in Markdown: a table of messages, and the problems with their places.

No text of a message can be Markdown. Punctuation is escaped with a backslash; a word that GitHub
would turn into a link, a mention, a reference, or a picture (`https://a`, `@a`, `#1`, `:a:`) is
code, because it does so after it has removed the backslashes. A pipe would end a cell even in
code, so it is always outside.
"""

import re
from collections.abc import Iterator

from cablese import amount, tokens
from playground.display.glyphs import visible
from playground.display.message import FullMessage
from playground.workbench.document import Reading
from playground.workbench.parts.notes import Note

LETTERS = 500
"""The limit of a cell or problem."""
_MARKUP = re.compile(r"[#$&*<>@\[\\\]^`{|}~]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
_LINK = re.compile(r"://|www\.|[@#]|:[\w+-]+:", re.IGNORECASE)
_WORDS = re.compile(r"[^ ]+")
_NOT_CODE = re.compile(r"([`|\\]+)")
_MARKS = {"error": "✖ error", "warning": "▲ warning", "info": "ℹ info"}


def write(reading: Reading) -> str:
    """Return the file, which ends with a line break."""
    return "\n".join((*_head(reading), *_table(reading), *_problems(reading), ""))


def escape(text: str) -> str:
    """Return the text for one line or one cell of a table, without any markup of its own."""
    short = text if len(text) <= LETTERS else f"{text[: LETTERS - 1]}…"
    line = visible(short.replace("\r\n", "\n")).replace("\n", "⏎").replace("\t", "␉")
    return _WORDS.sub(lambda word: _escape_word(word[0]), line)


def _escape_word(word: str) -> str:
    if not _LINK.search(word):
        return _with_backslashes(word)
    parts = _NOT_CODE.split(word)
    return "".join(
        _with_backslashes(part) if at % 2 else f"`{part}`" for at, part in enumerate(parts) if part
    )


def _with_backslashes(word: str) -> str:
    return _MARKUP.sub(r"\\\g<0>", word)


def _head(reading: Reading) -> Iterator[str]:
    yield "# Messages"
    yield ""
    if not reading.total:
        yield "No messages."
        return
    counts = tokens.count_batch([message.wire for message in reading.messages], reading.tokenizer)
    total = sum(count.count for count in counts)
    sign = "" if all(count.exact for count in counts) else "≈ "
    yield (
        f"{amount.count(reading.total, 'message')}, {reading.invalid:,} invalid, {sign}"
        f"{amount.count(total, 'token')} ({_with_backslashes(reading.tokenizer)})."
    )
    if reading.left:
        yield f"{amount.count(reading.left, 'more message')} not shown."
    if reading.ignored:
        yield f"Ignored {amount.count(len(reading.ignored), 'fragment')}."
    yield ""


def _table(reading: Reading) -> Iterator[str]:
    if not reading.total:
        return
    yield "| No. | Line | State | Protocol | English | Tokens |"
    yield "| ---: | ---: | --- | --- | --- | ---: |"
    wires = [message.wire for message in reading.messages]
    counts = tokens.count_batch(wires, reading.tokenizer)
    pairs = zip(reading.messages, reading.cuts, counts, strict=True)
    for number, (message, cut, count) in enumerate(pairs, 1):
        line = reading.places.line(cut.span.start)
        shown = FullMessage(message, reading.tokenizer)
        cells = (
            f"{number}",
            f"{line}",
            "valid" if message.valid else "✖ invalid",
            escape(shown.title),
            escape(shown.sentence),
            f"{'' if count.exact else '≈ '}{count.count}",
        )
        yield f"| {' | '.join(cells)} |"
    yield ""


def _problems(reading: Reading) -> Iterator[str]:
    if not reading.total:
        return
    yield "## Problems"
    yield ""
    if not reading.notes:
        yield "No problems."
    for note in reading.notes:
        yield f"- {_problem(note)}"
    more = sum(reading.tally.values()) - len(reading.notes)
    if more:
        yield f"- {amount.count(more, 'more problem')} not shown."


def _problem(note: Note) -> str:
    diagnostic = note.diagnostic
    mark = _MARKS[diagnostic.severity]
    return f"{mark} at {note.place} (message {note.message}): {escape(diagnostic.message)}"
