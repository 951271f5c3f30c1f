"""A middle agent: a server agent to one side, a client agent to the other (4.8). Pure; it sends
nothing itself.

    caller ── conversation c-1 ──▶ middle ── conversation_<middle> m-1 ──▶ server
    caller ◀─ c-1, conversation_<middle> ours ── middle ◀─ m-1, conversation_<server> s-1 ── server

Tokens belong to one hop. What ties caller and middle stays between them, what ties middle and
server too, and a proof goes no further than to whom it was shown. Everything else is passed on as
it came.
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
"""Characters of the tokens of one conversation that are kept for the next turn."""


class Token(NamedTuple):
    """A token as one side made it."""

    subformat: str
    content: str

    @property
    def part(self) -> dict[str, Any]:
        return {"format": "token", "subformat": self.subformat, "content": self.content}


def add(message: Message, given: Iterable[Token], *, control: bool = False) -> str:
    """The message with more tokens, and as a control message if it shall be one. Raises
    Unencodable.
    """
    values = {key: value for key, value in message.values.items() if key != keys.DERIVED}
    kind = keys.CONTROL if control else values.pop("messagetype", None)
    first = {key: value for key, value in values.items() if key != "messagetype"}
    return _compose(message, kind, [first, *(token.part for token in given)])


def pass_on(request: Message, given: Iterable[Token]) -> str:
    """The message for the next hop: without the tokens of this one, and with those that are
    ``given``.

    Raises Unencodable when it is too large.
    """
    parts = [*_beyond(request.values), *(token.part for token in given)]
    return _compose(request, request.values.get("messagetype"), parts)


def bring_back(request: Message, reply: Message, given: Iterable[Token]) -> str:
    """The answer for the caller: what the server says, the caller's own tokens, and those that are
    ``given``.

    A control message is answered with one, whatever the server did. Raises Unencodable when it is
    too large.
    """
    returned = (Token(part.subformat, part.said) for part in owed(request.values, request.dialect))
    named = dict.fromkeys((*returned, *given))
    said = [part for part in _beyond(reply.values) if _token_of(part) not in named]
    control = request.values.get("is_control") is True
    kind = keys.CONTROL if control else reply.values.get("messagetype")
    return _compose(request, kind, [*said, *(token.part for token in named)])


def made_by(
    reply: Message, given: Iterable[Token], before: Sequence[Token] = ()
) -> tuple[Token, ...]:
    """The conversation tokens of a server that the next request returns: those of ``before``, and
    those in its reply that were not ``given`` to it. A new one takes the place of an old one with
    the same identity.

    Raises Unencodable when they are too long to be kept.
    """
    ours = set(given) - set(before)
    found = dict.fromkeys(
        Token(part.subformat, part.said) for part in tokens(reply.values, (CONVERSATION,))
    )
    new = [token for token in found if token not in ours]
    renewed = {token.subformat for token in new if "_" in token.subformat}
    made = tuple(
        dict.fromkeys((*(token for token in before if token.subformat not in renewed), *new))
    )
    if sum(len(token.subformat) + len(token.content) for token in made) > TOKEN_LIMIT:
        raise Unencodable(
            "/submessages", f"Its conversation tokens have more than {TOKEN_LIMIT:,} characters."
        )
    return made


def _beyond(values: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The parts of a message, the message itself first, without the tokens of a hop."""
    apart = (keys.DERIVED, "messagetype", "submessages")
    whole = {key: value for key, value in values.items() if key not in apart}
    yield from _within([whole, *values.get("submessages", ())])


def _within(parts: Iterable[Any]) -> Iterator[dict[str, Any]]:
    for part in parts:
        if isinstance(part, dict) and not _is_of_hop(part):
            below = list(_within(part.get("submessages", ())))
            kept = {key: value for key, value in part.items() if key != "submessages"}
            yield {**kept, "submessages": below} if below else kept


def _is_of_hop(part: dict[str, Any]) -> bool:
    subformat = str(part.get("subformat", "")).lower()
    return part.get("format") == "token" and (
        subformat.startswith(CONVERSATION) or token_prefix(subformat) in SECRET
    )


def _token_of(part: dict[str, Any]) -> Token | None:
    if part.get("format") != "token" or not isinstance(part.get("content"), str):
        return None
    return Token(str(part.get("subformat")), part["content"])


def _compose(request: Message, kind: object, parts: Sequence[dict[str, Any]]) -> str:
    """A message of these parts, with its keys spelled as the caller spells them."""
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
