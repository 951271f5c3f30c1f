"""The libraries that tokenize, each behind the same three acts: fold, count, split.

``fold`` gives the text as the tokenizer sees it; ``counts`` and ``split`` take folded text of at most `cut.LIMIT`
characters without lone surrogates. Text that spells a special token (``<|endoftext|>``) is text everywhere: an agent's
message is counted, never obeyed.
"""

from collections.abc import Iterator
from typing import Protocol

import tiktoken
import toktok

from auditlog.tokens import vocabulary
from auditlog.tokens.composed import compose, composed_ends, is_composed


class Engine(Protocol):
    def fold(self, text: str) -> str: ...

    def ends(self, text: str) -> dict[int, int] | None:
        """Where places of the folded text lie in `text`; None when both have the same characters side by side."""

    def counts(self, texts: list[str]) -> list[int]: ...

    def split(self, text: str) -> Iterator[tuple[int, int]]:
        """Each token's id and its length in bytes of the folded text."""


class OpenAI:
    """tiktoken's encoding; toktok counts ASCII, where the two agree, many times faster.

    Elsewhere they differ now and then, so `isascii` decides. One thread: below some hundred messages a call, handing
    work to more costs more than it saves, and a server's other threads have work of their own.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.encoding: tiktoken.Encoding = vocabulary.encoding(name)

    def fold(self, text: str) -> str:
        return text

    def ends(self, text: str) -> None:
        return None

    def counts(self, texts: list[str]) -> list[int]:
        ascii_texts = [text for text in texts if text.isascii()]
        ascii_counts: list[int] = toktok.batch_count(ascii_texts, self.name, threads=1) if ascii_texts else []
        if len(ascii_counts) == len(texts):
            return ascii_counts
        fast = iter(ascii_counts)
        encode = self.encoding.encode_ordinary
        return [next(fast) if text.isascii() else len(encode(text)) for text in texts]

    def split(self, text: str) -> Iterator[tuple[int, int]]:
        spelled = self.encoding.decode_single_token_bytes
        return ((token, len(spelled(token))) for token in self.encoding.encode_ordinary(text))


class Splintr:
    """A vocabulary of splintr, which is byte for byte the text that it is given."""

    def __init__(self, name: str) -> None:
        from splintr import Tokenizer

        self.tokenizer = Tokenizer.from_pretrained(name)

    def fold(self, text: str) -> str:
        return text

    def ends(self, text: str) -> dict[int, int] | None:
        return None

    def counts(self, texts: list[str]) -> list[int]:
        encode = self.tokenizer.encode_ordinary
        return [len(encode(text)) for text in texts]

    def split(self, text: str) -> Iterator[tuple[int, int]]:
        spelled = self.tokenizer.decode_token_bytes
        return ((token, len(spelled(token))) for token in self.tokenizer.encode_ordinary(text))


class Gemma(Splintr):
    """SentencePiece writes a blank as ▁ and cannot tell the two apart: a ▁ of the text is counted as a blank."""

    def fold(self, text: str) -> str:
        return text.replace("▁", " ")


class Qwen(Splintr):
    """Qwen's own tokenizer composes the text first (NFC); splintr leaves that to us."""

    def fold(self, text: str) -> str:
        return text if is_composed(text) else compose(text)

    def ends(self, text: str) -> dict[int, int] | None:
        return None if is_composed(text) else composed_ends(text)
