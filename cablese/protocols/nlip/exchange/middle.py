"""Rewrite messages as a middle agent: a server agent to one side, a client agent to the other
(4.8). Pure; it sends nothing itself.

    caller ── conversation c-1 ──▶ middle ── conversation_<middle> m-1 ──▶ server
    caller ◀─ c-1, conversation_<middle> ours ── middle ◀─ m-1, conversation_<server> s-1 ── server

Tokens belong to one hop. The tokens of caller and middle stay between them, and so do those of
middle and server; an authentication token goes no further than its recipient. Everything else is
passed on unchanged.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from cablese.codec import Unencodable
from cablese.json import jsontext
from cablese.message import Message
from cablese.protocols.nlip import keys, writer
from cablese.protocols.nlip.formats import CONVERSATION, token_prefix
from cablese.protocols.nlip.parts import SECRET, owed, tokens

TOKEN_LIMIT = 16 * 1024
"""Characters of the tokens of one conversation that are stored for the next turn."""


class Token(NamedTuple):
    """A token as its side made it."""

    subformat: str
    content: str

    @property
    def part(self) -> dict[str, Any]:
        return {"format": "token", "subformat": self.subformat, "content": self.content}


def add(message: Message, given: Iterable[Token], *, control: bool = False) -> str:
    """Return the message with more tokens, with ``control`` as a control message. Raises
    Unencodable.
    """
    kind = keys.CONTROL if control else message.values.get("messagetype")
    first = {
        key: value
        for key, value in message.values.items()
        if key not in (keys.DERIVED, "messagetype")
    }
    return _compose(message, kind, [first, *(token.part for token in given)])


def pass_on(request: Message, given: Iterable[Token]) -> str:
    """Return the message for the next hop: without the tokens of this one, and with those
    ``given``. Raises Unencodable when it is too large.
    """
    return _compose(
        request,
        request.values.get("messagetype"),
        [*_beyond(request.values), *(token.part for token in given)],
    )


def bring_back(request: Message, reply: Message, given: Iterable[Token]) -> str:
    """Return the answer for the caller: the server's answer, the caller's own tokens, and those
    ``given``.

    A control message is answered with one, whatever the server did. Raises Unencodable when it is
    too large.
    """
    returned = (Token(part.subformat, part.text) for part in owed(request.values, request.dialect))
    named = dict.fromkeys((*returned, *given))
    contents = [part for part in _beyond(reply.values) if _token_of(part) not in named]
    kind = (
        keys.CONTROL
        if request.values.get("is_control") is True
        else reply.values.get("messagetype")
    )
    return _compose(request, kind, [*contents, *(token.part for token in named)])


def made_by(
    reply: Message, given: Iterable[Token], before: Sequence[Token] = ()
) -> tuple[Token, ...]:
    """Return the conversation tokens of a server that the next request returns: those of
    ``before``, and those in its reply that were not ``given`` to it. A new one replaces an old one
    with the same identity.

    Raises Unencodable when they are too long to be stored.
    """
    ours = set(given) - set(before)
    returned = (Token(part.subformat, part.text) for part in tokens(reply.values, (CONVERSATION,)))
    new = [token for token in returned if token not in ours]
    renewed = {token.subformat for token in new if "_" in token.subformat}
    renewal = tuple(
        dict.fromkeys((*(token for token in before if token.subformat not in renewed), *new))
    )
    if sum(len(token.subformat) + len(token.content) for token in renewal) > TOKEN_LIMIT:
        raise Unencodable(
            "/submessages", f"Its conversation tokens have more than {TOKEN_LIMIT:,} characters."
        )
    return renewal


def _beyond(values: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the parts of a message, the message itself first, without the tokens of a hop."""
    message = {
        key: value
        for key, value in values.items()
        if key not in (keys.DERIVED, "messagetype", "submessages")
    }
    yield from _within([message, *values.get("submessages", ())])


def _within(parts: Iterable[Any]) -> Iterator[dict[str, Any]]:
    for part in parts:
        if isinstance(part, dict) and not _is_of_hop(part):
            below = list(_within(part.get("submessages", ())))
            values = {key: value for key, value in part.items() if key != "submessages"}
            yield {**values, "submessages": below} if below else values


def _is_of_hop(part: dict[str, Any]) -> bool:
    subformat = str(part.get("subformat", "")).lower()
    return part.get("format") == "token" and (
        subformat.startswith(CONVERSATION) or token_prefix(subformat) in SECRET
    )


def _token_of(part: dict[str, Any]) -> Token | None:
    is_token = part.get("format") == "token" and isinstance(part.get("content"), str)
    return Token(str(part.get("subformat")), part["content"]) if is_token else None


def _compose(request: Message, kind: object, parts: Sequence[dict[str, Any]]) -> str:
    """Return a message of these parts. Its keys are spelled as in ``request``."""
    first, *rest = parts
    values = {
        **({"messagetype": kind} if kind is not None else {}),
        **first,
        **(
            {"submessages": [*first.get("submessages", ()), *rest]}
            if rest or "submessages" in first
            else {}
        ),
    }
    try:
        return jsontext.write(writer.ordered(values) if '"Format"' in request.wire else values)
    except UnicodeEncodeError:
        raise Unencodable("", "The message holds what is not text.") from None
