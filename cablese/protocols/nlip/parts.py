"""The parts of a message that was read: the message itself and its submessages, and the tokens
among them.

Everything here takes ``values`` of broken messages too, where a member may be missing or of any
type.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from cablese.codec import SURROGATE
from cablese.json import jsontext

from .formats import AUTHENTICATION, AUTHORIZATION, DIALECTS, FORMATS, subformat_fits, token_prefix

SECRET = (AUTHENTICATION, AUTHORIZATION)


class Part(NamedTuple):
    """The message or one of its submessages. ``name`` is where its fields stand, such as
    ``submessages.0.``.
    """

    name: str
    values: dict[str, Any]

    @property
    def format(self) -> str:
        return str(self.values.get("format", ""))

    @property
    def subformat(self) -> str:
        return str(self.values.get("subformat", ""))

    @property
    def content(self) -> Any:
        return self.values.get("content")

    @property
    def identity(self) -> str:
        """What stands behind the ``_`` of a token's subformat: who made it (6.2)."""
        return self.subformat.partition("_")[2]

    @property
    def said(self) -> str:
        """The content as text, to be compared and quoted."""
        if isinstance(self.content, str):
            return self.content
        try:
            return jsontext.dump(self.content)
        except ValueError:  # a number of a broken message that JSON cannot write
            return repr(self.content)


def walk(values: dict[str, Any]) -> Iterator[Part]:
    """The message and every submessage, those that are nested included, in their order."""
    waiting = [Part("", values)]
    while waiting:
        part = waiting.pop()
        yield part
        below = part.values.get("submessages")
        named = enumerate(below) if isinstance(below, list) else ()
        inner = [
            Part(f"{part.name}submessages.{at}.", one) for at, one in named if isinstance(one, dict)
        ]
        waiting += reversed(inner)


def tokens(values: dict[str, Any], prefixes: tuple[str, ...]) -> tuple[Part, ...]:
    """The tokens with content whose subformat begins with one of ``prefixes``."""
    return tuple(
        part
        for part in walk(values)
        if part.format == "token"
        and part.content not in (None, "")
        and part.subformat.lower().startswith(prefixes)
    )


def owed(values: dict[str, Any], dialect: str) -> tuple[Part, ...]:
    """The tokens that an answer to a message returns (6.2), each once.

    A broken message may hold tokens that no message can carry; these are not owed. ECMA-430 returns
    every token, but an authentication token is a secret between two end-points and stays out of
    answers.
    """
    whole = (part for part in tokens(values, DIALECTS[dialect].returned) if _is_whole(part))
    return tuple({(part.subformat, part.said): part for part in whole}.values())


def _is_whole(token: Part) -> bool:
    return (
        isinstance(token.content, str)
        and token_prefix(token.subformat) not in SECRET
        and subformat_fits(FORMATS["token"], token.subformat)
        and SURROGATE.search(f"{token.subformat}{token.content}") is None
    )


def authentication(values: dict[str, Any]) -> tuple[Part, ...]:
    """The authentication tokens, those included that a library calls ``authorization``."""
    return tuple(part for part in tokens(values, SECRET) if token_prefix(part.subformat) in SECRET)


def tells_error(values: dict[str, Any], dialect: str) -> bool:
    """True when a message tells of an error. ECMA-430 has no format for one, so there a text says
    so.
    """
    if any(part.format == "error" for part in walk(values)):
        return True
    first = Part("", values)
    return (
        "error" not in DIALECTS[dialect].formats and first.format == "text" and is_error(first.said)
    )


def is_error(words: str) -> bool:
    """True for a text that begins as an error does: ``Error: …``."""
    return words[:40].lstrip().lower().startswith("error")
