"""Walk the parts of a message: the message itself, its submessages, and the tokens among them.

Everything here takes ``values`` of invalid messages too, where a member may be missing or of any
type.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from cablese.codec import SURROGATE
from cablese.json import jsontext

from .formats import AUTHENTICATION, AUTHORIZATION, DIALECTS, FORMATS, subformat_fits, token_prefix

SECRET = (AUTHENTICATION, AUTHORIZATION)


class Part(NamedTuple):
    """The message or one of its submessages. ``name`` is the prefix of its fields, such as
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
        """Return the part of a token's subformat after the ``_``: who made it (6.2)."""
        return self.subformat.partition("_")[2]

    @property
    def text(self) -> str:
        """Return the content as text, to compare and quote it."""
        if isinstance(self.content, str):
            return self.content
        try:
            return jsontext.dump(self.content)
        except ValueError:  # a number of a broken message that JSON cannot write
            return repr(self.content)


def walk(values: dict[str, Any]) -> Iterator[Part]:
    """Yield the message and every submessage, nested ones included, in order."""
    waiting = [Part("", values)]
    while waiting:
        part = waiting.pop()
        yield part
        below = part.values.get("submessages")
        inner = [
            Part(f"{part.name}submessages.{at}.", submessage)
            for at, submessage in (enumerate(below) if isinstance(below, list) else ())
            if isinstance(submessage, dict)
        ]
        waiting += reversed(inner)


def tokens(values: dict[str, Any], prefixes: tuple[str, ...]) -> tuple[Part, ...]:
    """Return the tokens with content whose subformat begins with one of ``prefixes``."""
    return tuple(
        part
        for part in walk(values)
        if part.format == "token"
        and part.content not in (None, "")
        and part.subformat.lower().startswith(prefixes)
    )


def owed(values: dict[str, Any], dialect: str) -> tuple[Part, ...]:
    """Return the tokens that the answer to a message must return (6.2), each once.

    An invalid message may have tokens that no message can carry; these are not owed. ECMA-430
    returns every token, but an authentication token is a secret of two end-points and stays out of
    answers.
    """
    returned = tokens(values, DIALECTS[dialect].returned)
    return tuple(
        {(part.subformat, part.text): part for part in returned if _is_whole(part)}.values()
    )


def _is_whole(token: Part) -> bool:
    return (
        isinstance(token.content, str)
        and token_prefix(token.subformat) not in SECRET
        and subformat_fits(FORMATS["token"], token.subformat)
        and SURROGATE.search(f"{token.subformat}{token.content}") is None
    )


def authentication(values: dict[str, Any]) -> tuple[Part, ...]:
    """Return the authentication tokens, also those that a library calls ``authorization``."""
    return tuple(part for part in tokens(values, SECRET) if token_prefix(part.subformat) in SECRET)


def tells_error(values: dict[str, Any], dialect: str) -> bool:
    """Return whether a message reports an error. ECMA-430 has no format for one, so there a text
    begins with ``Error``.
    """
    if any(part.format == "error" for part in walk(values)):
        return True
    first = Part("", values)
    return (
        "error" not in DIALECTS[dialect].formats
        and first.format == "text"
        and first.text[:40].lstrip().lower().startswith("error")
    )
