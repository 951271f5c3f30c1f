"""Send one NLIP message to a server, and return its answer and the tokens for the next turn.

The caller keeps the conversation tokens: they come with each message and go back with each answer.
No state is stored here.
"""

from dataclasses import dataclass
from secrets import token_hex
from typing import Literal

from msgspec import Struct

from cablese import registry
from cablese.codec import SURROGATE, Unencodable
from cablese.json import jsontext
from cablese.message import Message
from cablese.protocols.nlip.exchange import middle
from cablese.protocols.nlip.exchange.checker import Report, examine
from cablese.protocols.nlip.formats import AUTHENTICATION, CONVERSATION
from cablese.protocols.nlip.parts import tokens as tokens_of
from playground.nlip import peers, server_agent
from playground.server.environment import Peer

HALF = "Unpaired surrogate: this is not valid Unicode text."
LONG = "The server's conversation tokens are too long for the next message."


class BadMessage(ValueError):
    """Report an invalid message. ``part`` says whether the message or its tokens are invalid."""

    def __init__(self, reason: str, part: Literal["message", "tokens"] = "message") -> None:
        super().__init__(reason)
        self.part = part


class Kept(Struct, frozen=True, forbid_unknown_fields=True):
    """A conversation token for the next turn, and whether it is the server's."""

    subformat: str
    content: str
    theirs: bool

    @property
    def token(self) -> middle.Token:
        return middle.Token(self.subformat, self.content)


@dataclass(frozen=True)
class Draft:
    """A draft: an NLIP message as JSON, or plain text.

    ``exact`` sends the text unchanged, valid or not. ``proof`` is sent as an authentication token.
    """

    text: str
    dialect: str
    control: bool = False
    exact: bool = False
    proof: str = ""
    tokens: tuple[Kept, ...] = ()


@dataclass(frozen=True)
class Turn:
    """One exchange. ``request`` and ``answer`` have their secrets removed."""

    request: Message
    answer: Message
    status: int
    moved: str
    report: Report
    tokens: tuple[Kept, ...]
    note: str = ""


def take(peer: Peer, draft: Draft) -> Turn:
    """Send a message and check the answer. Raises BadMessage, or peers.NoReply without one."""
    wire = _exact(draft.text) if draft.exact else _compose(draft)
    reply = peers.send(peer, wire)
    request, answer = (_concealed(text, draft.dialect) for text in (wire, reply.wire))
    earlier = tuple(kept.token for kept in draft.tokens if kept.theirs)
    own = [token.content for token in earlier]
    report = examine((request, answer), own_tokens=own, statuses=(None, reply.status))
    sent = tuple(
        middle.Token(token.subformat, token.text)
        for token in tokens_of(request.values, (CONVERSATION,))
    )
    ours = [Kept(*token, theirs=False) for token in dict.fromkeys(sent) if token not in earlier]
    try:
        returned, note = middle.made_by(answer, sent, earlier), ""
    except Unencodable:
        returned, note = earlier, LONG
    tokens = (*ours, *(Kept(*token, theirs=True) for token in returned))
    return Turn(request, answer, reply.status, reply.moved, report, tokens, note)


def _exact(text: str) -> str:
    if SURROGATE.search(text):
        raise BadMessage(HALF)
    return text


def _compose(draft: Draft) -> str:
    """Return the message with its tokens. Raises BadMessage."""
    codec = registry.get("nlip")
    message = codec.decode(draft.text, dialect=draft.dialect)
    if message.values.keys() & {"format", "subformat"}:
        if not message.valid:
            wrong = next(
                diagnostic for diagnostic in message.diagnostics if diagnostic.severity == "error"
            )
            raise BadMessage(f"Invalid NLIP message. {wrong.message}")
    elif not draft.text.strip():
        raise BadMessage("Enter a message.")
    else:
        kind = {"messagetype": "control"} if draft.control else {}
        text = {"format": "text", "subformat": "English", "content": draft.text}
        message = codec.decode(_written(kind | text), dialect=draft.dialect)
    tokens = [token for token in _tokens(message, draft) if token not in _tokens_in(message)]
    try:
        wire = middle.add(message, tokens, control=draft.control)
    except Unencodable as bad:
        raise BadMessage(bad.reason) from None
    if not codec.decode(wire, dialect=draft.dialect).valid:
        raise BadMessage("The conversation tokens cannot be sent with this message.", "tokens")
    return wire


def _written(values: dict[str, str]) -> str:
    """Return a message with lowercase keys, the only ones that public libraries read. Raises
    BadMessage.
    """
    try:
        return jsontext.write(values)
    except UnicodeEncodeError:
        raise BadMessage(HALF) from None
    except Unencodable as bad:
        raise BadMessage(bad.reason) from None


def _tokens(message: Message, draft: Draft) -> list[middle.Token]:
    """Return the tokens to add: those of the conversation, our first one, and the authentication
    token.
    """
    tokens = [returned.token for returned in draft.tokens]
    if not draft.tokens and not tokens_of(message.values, (CONVERSATION,)):
        tokens.append(middle.Token(f"{CONVERSATION}_{peers.identity()}-client", token_hex(12)))
    if draft.proof:
        tokens.append(middle.Token(AUTHENTICATION, draft.proof))
    return tokens


def _tokens_in(message: Message) -> set[middle.Token]:
    return {middle.Token(token.subformat, token.text) for token in tokens_of(message.values, ("",))}


def _concealed(wire: str, dialect: str) -> Message:
    """Return a message without its secrets, decoded again."""
    return server_agent.read_text(wire, dialect).message
