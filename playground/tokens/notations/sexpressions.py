r"""S-expressions: an object is a list of keywords and values, as in Lisp and KQML.

    {"act":"REQUEST","goal":42,"ok":true}    (:act REQUEST :goal 42 :ok true)
    {"steps":["a b",[]],"more":{}}           (:steps ("a b" ()) :more (:))

A text is bare if it is a word, and otherwise a string with the escapes of JSON: ``"a \"b\""``.
Numbers, ``true``, ``false``, and ``null`` are those of JSON; a text that looks like one is a
string.
"""

import json
import re
from typing import Any

_BARE = re.compile(r"(?!(?:true|false|null)\Z)[A-Za-z_][A-Za-z0-9_.-]*")
_PART = re.compile(r'\s*(:?"(?:[^"\\]|\\.)*"|[()]|[^\s()"]+)', re.DOTALL)


def write(value: Any) -> str:
    """Return a JSON value as an S-expression."""
    if isinstance(value, dict):
        pairs = " ".join(f":{_spell(key)} {write(inner)}" for key, inner in value.items())
        return f"({pairs or ':'})"
    if isinstance(value, list):
        return f"({' '.join(map(write, value))})"
    return _spell(value) if isinstance(value, str) else json.dumps(value)


def read(text: str) -> Any:
    """Return the JSON value of what ``write`` wrote. Raises ValueError for anything else."""
    reader = _Reader(text)
    value = reader.read()
    if reader.word is not None:
        raise ValueError("Text after the end of the expression.")
    return value


def _spell(text: str) -> str:
    return text if _BARE.fullmatch(text) else json.dumps(text, ensure_ascii=False)


class _Reader:
    """The words of a text, one after the other; None after the last."""

    def __init__(self, text: str) -> None:
        self.text = text.rstrip()
        self.at = 0
        self.word: str | None = None
        self._advance()

    def read(self) -> Any:
        word = self._take()
        if word != "(":
            return _atom(word)
        if self.word is not None and self.word.startswith(":"):
            return self._read_object()
        items = []
        while self.word != ")":
            items.append(self.read())
        self._take()
        return items

    def _read_object(self) -> dict[str, Any]:
        members: dict[str, Any] = {}
        while self.word != ")":
            key = self._take()
            if key == ":" and self.word == ")":
                break
            if not key.startswith(":"):
                raise ValueError(f"Expected a keyword, not {key}.")
            members[str(_atom(key[1:]))] = self.read()
        self._take()
        return members

    def _take(self) -> str:
        word = self.word
        if word is None:
            raise ValueError("The expression has no end.")
        self._advance()
        return word

    def _advance(self) -> None:
        found = _PART.match(self.text, self.at)
        if found is None and self.at < len(self.text):
            raise ValueError(f"Unexpected text at {self.at}.")
        self.word = found and found[1]
        self.at = found.end() if found else self.at


def _atom(word: str) -> Any:
    if _BARE.fullmatch(word):
        return word
    if word == ")":
        raise ValueError("Unexpected ).")
    return json.loads(word)
