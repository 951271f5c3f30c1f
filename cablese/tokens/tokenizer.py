"""The tokenizers of this installation, and what a text costs in each.

There is no tokenizer for Claude, because Anthropic does not publish one. An estimate would be
another tokenizer's count times a ratio, and would claim savings that Claude does not give: for the
same packet, the AACP source reports −7.1% on Claude and −12.7% on GPT-4o.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from itertools import chain
from typing import NamedTuple

from msgspec import Struct

from cablese.text import quote
from cablese.tokens.cut import LIMIT, cut
from cablese.tokens.engine import Engine, Gemma, OpenAI, Qwen, Splintr
from cablese.tokens.piece import Piece, begin, group, lay, trace

_SURROGATE = re.compile("[\ud800-\udfff]")


class UnknownTokenizer(LookupError):
    """A tokenizer that is not installed here."""

    def __init__(self, name: str) -> None:
        super().__init__(f"Unknown tokenizer {quote(name)}. Expected {', '.join(names())}.")


class Info(Struct, frozen=True, gc=False):
    """What to show with a count. ``exact``: the model family's own tokenizer counts the same."""

    name: str
    title: str
    family: str
    exact: bool
    note: str


class Count(Struct, frozen=True, gc=False):
    """The tokens of a text alone, without chat formatting. ``reason`` says why it is not exact."""

    count: int
    exact: bool
    reason: str = ""


class _Row(NamedTuple):
    info: Info
    package: str
    load: Callable[[], Engine]


_ROWS = {
    row.info.name: row
    for row in (
        _Row(
            Info(
                "o200k_base",
                "o200k",
                "OpenAI GPT-4o and later",
                exact=True,
                note="tiktoken's own vocabulary",
            ),
            "tiktoken",
            lambda: OpenAI("o200k_base"),
        ),
        _Row(
            Info(
                "cl100k_base",
                "cl100k",
                "OpenAI GPT-4 and GPT-3.5",
                exact=True,
                note="tiktoken's own vocabulary",
            ),
            "tiktoken",
            lambda: OpenAI("cl100k_base"),
        ),
        _Row(
            Info("llama3", "Llama 3", "Meta Llama 3 to 3.3", exact=True, note="128,000 tokens"),
            "splintr",
            lambda: Splintr("llama3"),
        ),
        _Row(
            Info(
                "gemma3",
                "Gemma 3",
                "Google Gemma 3",
                exact=True,
                note="262,144 tokens; ▁ counts as a space",
            ),
            "splintr",
            lambda: Gemma("gemma3"),
        ),
        _Row(
            Info(
                "qwen3",
                "Qwen 3",
                "Alibaba Qwen 2 to 3",
                exact=True,
                note="text is normalized to NFC first",
            ),
            "splintr",
            lambda: Qwen("qwen3"),
        ),
        _Row(
            Info(
                "deepseek_v3",
                "DeepSeek V3",
                "DeepSeek V3 and R1",
                exact=True,
                note="128,000 tokens",
            ),
            "splintr",
            lambda: Splintr("deepseek_v3"),
        ),
        _Row(
            Info(
                "mistral_v3",
                "Mistral Tekken",
                "Mistral NeMo, Large 2, Pixtral",
                exact=True,
                note="131,072 tokens",
            ),
            "splintr",
            lambda: Splintr("mistral_v3"),
        ),
    )
}


@cache
def names() -> tuple[str, ...]:
    """Return the installed tokenizers, o200k_base first. Those of splintr need the extra
    ``tokenizers``.
    """
    present = {package for package in {row.package for row in _ROWS.values()} if find_spec(package)}
    return tuple(name for name, row in _ROWS.items() if row.package in present)


def info(name: str) -> Info:
    """Return name and family of a tokenizer. Raises UnknownTokenizer. Loads nothing."""
    if name not in names():
        raise UnknownTokenizer(name)
    return _ROWS[name].info


def count(text: str, tokenizer: str = "o200k_base") -> Count:
    """Return the number of tokens of `text`. `count_batch` counts many texts several times faster.

    Raises UnknownTokenizer and, on a broken installation, VocabularyError.
    """
    return count_batch((text,), tokenizer)[0]


def count_batch(texts: Sequence[str], tokenizer: str = "o200k_base") -> list[Count]:
    """Return the number of tokens of each text, in order.

    A text over 200,000 characters is counted in parts, cut between a letter or digit and a space,
    which no token crosses. Without such a place the count is not exact: each cut may add a few
    tokens. Neither is a text with lone surrogates, each of which is counted as U+FFFD.
    """
    engine = _engine(tokenizer)
    fold = engine.fold
    if all(
        len(text) <= LIMIT and (text.isascii() or not _SURROGATE.search(text)) for text in texts
    ):
        return [
            Count(number, exact=True) for number in engine.counts([fold(text) for text in texts])
        ]
    counted = {text: _count_hard(text, engine) for text in set(texts)}
    return [counted[text] for text in texts]


def pieces(text: str, tokenizer: str = "o200k_base") -> tuple[Piece, ...]:
    """Return the tokens of `text` as pieces; joined, they are `text`. Raises as `count` does."""
    engine = _engine(tokenizer)
    laid = (
        lay(part, group(folded, engine.split(folded)), engine.ends(valid), at)
        for at, part, valid, folded in _folded_parts(text, engine)
    )
    return tuple(chain.from_iterable(laid))


def starts(text: str, tokenizer: str = "o200k_base") -> list[int]:
    """Return the code point of `text` in which each of its tokens begins. Raises as `count` does.

    Several tokens that share the bytes of a character begin in it, and so does a token that begins
    before the bytes of a character are over.
    """
    engine = _engine(tokenizer)
    return [
        at + place
        for at, _, valid, folded in _folded_parts(text, engine)
        for place in trace(begin(folded, engine.split(folded)), engine.ends(valid))
    ]


def _folded_parts(text: str, engine: Engine) -> Iterator[tuple[int, str, str, str]]:
    """Yield each part of a text: its place, as given, without lone surrogates, and folded."""
    at = 0
    for part, _ in cut(text):
        valid = _SURROGATE.sub("\ufffd", part)
        yield at, part, valid, engine.fold(valid)
        at += len(part)


def _count_hard(text: str, engine: Engine) -> Count:
    parts = list(cut(text))
    # Parts of a text that repeats itself are equal.
    different = list(dict.fromkeys(part for part, _ in parts))
    folded = [engine.fold(_SURROGATE.sub("\ufffd", part)) for part in different]
    number = dict(zip(different, engine.counts(folded), strict=True))
    reasons = []
    if not all(seam for _, seam in parts):
        reasons.append(f"counted in parts: over {LIMIT:,} characters without a space to split at")
    if _SURROGATE.search(text):
        reasons.append("unpaired surrogates are counted as U+FFFD")
    total = sum(number[part] for part, _ in parts)
    return Count(total, exact=not reasons, reason="; ".join(reasons))


@cache
def _engine(name: str) -> Engine:
    info(name)
    return _ROWS[name].load()
