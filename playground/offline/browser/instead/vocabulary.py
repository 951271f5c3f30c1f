"""In place of `cablese.tokens.vocabulary`: the vocabularies are in the JavaScript tokenizer."""

from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tokenizer_in_javascript import count  # type: ignore[import-not-found]

from playground.offline.browser.instead.tiktoken import Encoding


class VocabularyError(Exception):
    """Never raised in the browser."""


def configure(directory: Path | None) -> None:
    """Store nothing: the browser keeps the tokenizer."""


def encoding(name: str) -> Encoding:
    return Encoding(name)


def carried(name: str) -> Any:
    return SimpleNamespace(count=partial(count, name))
