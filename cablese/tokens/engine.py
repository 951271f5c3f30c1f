"""The libraries that tokenize, each with the same three operations: fold, count, split.

``fold`` returns the text as the tokenizer reads it; ``counts`` and ``split`` take folded text of at
most `cut.LIMIT` characters without lone surrogates. Text that spells a special token
(``<|endoftext|>``) is text everywhere: an agent's message is counted, never obeyed.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from functools import cached_property

import tiktoken

from cablese.normalization import is_nfc, normalize
from cablese.tokens import vocabulary
from cablese.tokens.composed import composed_ends


class Engine(ABC):
    """One tokenizer. Most read a text as it is."""

    def fold(self, text: str) -> str:
        return text

    def ends(self, text: str) -> dict[int, int] | None:
        """Return where places of the folded text are in `text`; None where they are the same."""
        return None

    @abstractmethod
    def counts(self, texts: list[str]) -> list[int]:
        """Return the number of tokens of each folded text."""

    @abstractmethod
    def split(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield each token's ID and its length in bytes of the folded text."""


class OpenAI(Engine):
    """tiktoken's encoding; toktok counts ASCII, where the two agree, many times faster.

    Elsewhere they sometimes differ (before ``'s``, toktok takes U+088F for a letter), so `isascii`
    decides. One text a call: toktok's public ``batch_count`` spends as long on its threads as on
    counting a hundred messages.

    tiktoken is loaded with the first text that needs it: that takes 0.7 s, and most packets are
    ASCII.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self.count_ascii: Callable[[str], int] = vocabulary.carried(name).count

    @cached_property
    def encoding(self) -> tiktoken.Encoding:
        return vocabulary.encoding(self._name)

    def counts(self, texts: list[str]) -> list[int]:
        fast = self.count_ascii
        return [
            fast(text) if text.isascii() else len(self.encoding.encode_ordinary(text))
            for text in texts
        ]

    def split(self, text: str) -> Iterator[tuple[int, int]]:
        spelled = self.encoding.decode_single_token_bytes
        return ((token, len(spelled(token))) for token in self.encoding.encode_ordinary(text))


class Splintr(Engine):
    """A vocabulary of splintr, whose tokens are the bytes of the text."""

    def __init__(self, name: str) -> None:
        from splintr import Tokenizer

        self.tokenizer = Tokenizer.from_pretrained(name)

    def counts(self, texts: list[str]) -> list[int]:
        encode = self.tokenizer.encode_ordinary
        return [len(encode(text)) for text in texts]

    def split(self, text: str) -> Iterator[tuple[int, int]]:
        spelled = self.tokenizer.decode_token_bytes
        return ((token, len(spelled(token))) for token in self.tokenizer.encode_ordinary(text))


class Gemma(Splintr):
    """SentencePiece writes a space as ▁ and cannot tell the two apart: a ▁ counts as a space."""

    def fold(self, text: str) -> str:
        return text.replace("▁", " ")


class Qwen(Splintr):
    """Qwen's own tokenizer composes the text first (NFC); splintr leaves that to us."""

    def fold(self, text: str) -> str:
        return text if is_nfc(text) else normalize("NFC", text)

    def ends(self, text: str) -> dict[int, int] | None:
        return None if is_nfc(text) else composed_ends(text)
