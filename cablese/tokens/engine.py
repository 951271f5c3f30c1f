"""The libraries that tokenize, each behind the same three acts: fold, count, split.

``fold`` gives the text as the tokenizer sees it; ``counts`` and ``split`` take folded text of at
most `cut.LIMIT` characters without lone surrogates. Text that spells a special token
(``<|endoftext|>``) is text everywhere: an agent's message is counted, never obeyed.
"""

from collections.abc import Callable, Iterator
from typing import Protocol

from cablese.normalization import is_nfc, normalize
from cablese.tokens import vocabulary
from cablese.tokens.composed import composed_ends


class Engine(Protocol):
    def fold(self, text: str) -> str: ...

    def ends(self, text: str) -> dict[int, int] | None:
        """Where places of the folded text lie in `text`; None when both have the same characters
        side by side.
        """

    def counts(self, texts: list[str]) -> list[int]: ...

    def split(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield each token's ID and its length in bytes of the folded text."""


class OpenAI:
    """tiktoken's encoding; toktok counts ASCII, where the two agree, many times faster.

    Elsewhere they differ now and then (before ``'s``, toktok takes U+088F for a letter), so
    `isascii` decides. One text a call: toktok's public ``batch_count`` spends as long on its
    threads as on counting a hundred messages.
    """

    def __init__(self, name: str) -> None:
        self.encoding = vocabulary.encoding(name)
        self.count_ascii: Callable[[str], int] = vocabulary.carried(name).count

    def fold(self, text: str) -> str:
        return text

    def ends(self, text: str) -> None:
        return None

    def counts(self, texts: list[str]) -> list[int]:
        fast, encode = self.count_ascii, self.encoding.encode_ordinary
        return [fast(text) if text.isascii() else len(encode(text)) for text in texts]

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
    """SentencePiece writes a blank as ▁ and cannot tell the two apart: a ▁ of the text is counted
    as a blank.
    """

    def fold(self, text: str) -> str:
        return text.replace("▁", " ")


class Qwen(Splintr):
    """Qwen's own tokenizer composes the text first (NFC); splintr leaves that to us."""

    def fold(self, text: str) -> str:
        return text if is_nfc(text) else normalize("NFC", text)

    def ends(self, text: str) -> dict[int, int] | None:
        return None if is_nfc(text) else composed_ends(text)
