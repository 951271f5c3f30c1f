"""Forward NLIP messages from agents to a server, and return its answers.

Conversations are stored in this process for an hour: our token for the caller, another one for the
server, and the server's own tokens, which the caller never sees. A message that has passed through
here before, or through too many agents, is not forwarded; ``Via`` names them.
"""

import time
from collections import OrderedDict
from dataclasses import dataclass, replace
from secrets import token_hex
from threading import Lock

from django.core import signing
from msgspec import structs

from cablese import registry
from cablese.codec import Unencodable
from cablese.message import Message
from cablese.protocols.nlip.exchange import agent, middle
from cablese.protocols.nlip.exchange.asks import asks_for_authentication
from cablese.protocols.nlip.exchange.checker import check
from cablese.protocols.nlip.formats import AUTHENTICATION, CONVERSATION
from cablese.protocols.nlip.parts import tells_error
from cablese.protocols.nlip.parts import tokens as tokens_of
from cablese.text import shorten
from playground.nlip import peers, server_agent
from playground.server.environment import Peer

LIFE = 60 * 60
"""Seconds to remember a conversation after its last message."""
CONVERSATION_LIMIT = 1_000
LOOP = 508
"""Loop Detected (RFC 5842)."""
PROOF_NOTE = "This middle agent shows its token. It forwards other messages."


@dataclass(frozen=True)
class RelayedConversation:
    """A conversation on both sides: our IDs in it, the server's tokens, and who requested our
    authentication.
    """

    id: str
    peer: str
    beyond: str
    tokens: tuple[middle.Token, ...] = ()
    asked_by_server: bool = False
    asked_by_caller: bool = False


class AuthenticationRequested(peers.NoReply):
    """Report that the server requested our authentication."""


class RelayedConversations:
    """Conversations of the last hour. The least recently used one is removed first."""

    def __init__(self, most: int = CONVERSATION_LIMIT) -> None:
        self._most = most
        self._lock = Lock()
        self._conversations: OrderedDict[str, tuple[RelayedConversation, float]] = OrderedDict()

    def find(self, id_: str, peer: Peer) -> RelayedConversation | None:
        with self._lock:
            conversation, since = self._conversations.get(id_, (None, 0.0))
        is_valid = (
            conversation is not None
            and conversation.peer == peer.url
            and time.monotonic() - since < LIFE
        )
        return conversation if is_valid else None

    def keep(self, conversation: RelayedConversation) -> None:
        with self._lock:
            self._conversations.pop(conversation.id, None)
            self._conversations[conversation.id] = conversation, time.monotonic()
            while len(self._conversations) > self._most:
                self._conversations.popitem(last=False)


conversations = RelayedConversations()


def ask(read: server_agent.Request, peer: Peer, *, refused: bool) -> agent.Answer:
    """Request the caller's authentication."""
    facts = _facts(read.message, _find_conversation(read.message, peer))
    if not read.message.valid:
        return agent.malformed(read.message, facts)
    return agent.ask(read.message, structs.replace(facts, demanded=True, refused=refused))


def relay(read: server_agent.Request, peer: Peer, *, via: str) -> tuple[agent.Answer, int, str]:
    """Return the server's answer to a message, our HTTP status for it, and the conversation ID.

    Failures on the way are answered with an error message of ours.
    """
    request = read.message
    conversation = _find_conversation(request, peer) or RelayedConversation(
        token_hex(12), peer.url, token_hex(12)
    )
    if not request.valid:
        return agent.malformed(request, _facts(request, conversation)), 400, conversation.id
    if asks_for_authentication(request.values):
        conversation = replace(conversation, asked_by_caller=True)
        conversations.keep(conversation)
        return _prove(request, conversation), 200, conversation.id
    try:
        answer, status, conversation = _through(request, conversation, peer, via)
    except peers.NoReply as none:
        conversation = replace(
            conversation,
            asked_by_server=conversation.asked_by_server
            or isinstance(none, AuthenticationRequested),
        )
        answer, status = (
            agent.refuse_message(str(none), request, _facts(request, conversation)),
            none.status,
        )
    conversations.keep(conversation)
    return answer, status, conversation.id


def refuse(reason: str, read: server_agent.Request, peer: Peer) -> agent.Answer:
    """Return an error for a message that is not forwarded, with the tokens that it must return."""
    return agent.refuse_message(
        reason, read.message, _facts(read.message, _find_conversation(read.message, peer))
    )


def _through(
    request: Message, conversation: RelayedConversation, peer: Peer, via: str
) -> tuple[agent.Answer, int, RelayedConversation]:
    """Send a message to the server and return its answer. Raises NoReply."""
    hops, is_loop = peers.count_hops(via)
    if is_loop or hops >= peers.HOPS:
        why = (
            "it already passed through this agent"
            if is_loop
            else f"it passed through {hops} agents, and the limit is {peers.HOPS}"
        )
        raise peers.NoReply(f"Message not forwarded: {why}.", LOOP)
    given = (
        middle.Token(f"{CONVERSATION}_{peers.identity()}", conversation.beyond),
        *conversation.tokens,
    )
    proofs = (_proof(conversation.beyond, peer.url),) if conversation.asked_by_server else ()
    try:
        wire = middle.pass_on(request, (*given, *proofs))
    except Unencodable as large:
        raise peers.NoReply(f"Cannot forward this message. {large.reason}", 413) from None
    reply = peers.send(peer, wire, via=via)
    received = _read(reply, peer)
    if asks_for_authentication(received.values):
        raise AuthenticationRequested(
            "The server asked this agent to identify itself. Send the message again."
        )
    try:
        conversation = replace(
            conversation, tokens=middle.made_by(received, given, conversation.tokens)
        )
        answer = _bring_back(request, received, conversation)
    except Unencodable as large:
        raise peers.NoReply(f"Cannot forward the server's answer. {large.reason}") from None
    return answer, _status(reply.status), conversation


def _read(reply: peers.Reply, peer: Peer) -> Message:
    """Return the server's answer as a message. Raises NoReply if it is invalid or contradicts its
    status.
    """
    if 300 <= reply.status < 400:
        raise peers.NoReply(
            f"The server sent a redirect (HTTP {reply.status}). Redirects are not followed."
        )
    message = registry.get("nlip").decode(reply.wire, dialect=peers.dialect_of(peer.url))
    if not message.valid:
        wrong = next(
            diagnostic for diagnostic in message.diagnostics if diagnostic.severity == "error"
        )
        raise peers.NoReply(
            f"The server's answer (HTTP {reply.status}) is not a valid NLIP message:"
            f" {wrong.message}"
        )
    is_fine = (
        200 <= reply.status < 300
        or message.values["is_control"]
        or tells_error(message.values, message.dialect)
    )
    if not is_fine:
        raise peers.NoReply(
            f"The server returned HTTP {reply.status} with a message that reports no error."
        )
    return message


def _bring_back(
    request: Message, received: Message, conversation: RelayedConversation
) -> agent.Answer:
    """Return the answer for the caller. Raises NoReply if it would break the protocol here too."""
    own = [middle.Token(f"{CONVERSATION}_{peers.identity()}", conversation.id)]
    if conversation.asked_by_caller:
        own.append(_proof(conversation.id, ""))
    wire = middle.bring_back(request, received, own)
    answer = registry.get("nlip").decode(wire, dialect=request.dialect)
    if not answer.valid:
        raise peers.NoReply(
            f"The server's answer cannot be written in the dialect {request.dialect}."
        )
    broken = [
        finding
        for finding in check(request, answer, own_tokens=(conversation.id,))
        if finding.severity == "error"
    ]
    if broken:
        raise peers.NoReply(
            f"The server's answer violates {broken[0].requirement}: {broken[0].message}"
        )
    return agent.Answer(wire)


def _status(status: int) -> int:
    """Return our status for a forwarded answer. The server's authentication is between the server
    and us.
    """
    if status < 400:
        return 200
    return 502 if status in (401, 403, 407) else status


def _prove(request: Message, conversation: RelayedConversation) -> agent.Answer:
    """Answer a request for our authentication ourselves: the caller asked us, not the server."""
    codec = registry.get("nlip")
    values = {
        "messagetype": "control",
        "format": "text",
        "subformat": "English",
        "content": PROOF_NOTE,
    }
    own = [
        middle.Token(f"{CONVERSATION}_{peers.identity()}", conversation.id),
        _proof(conversation.id, ""),
    ]
    return agent.Answer(middle.bring_back(request, codec.decode(codec.encode(values)), own))


def _proof(conversation: str, audience: str) -> middle.Token:
    """Return our authentication token: a signature of the conversation, for one side of it."""
    signed = signing.Signer(salt="cablese.nlip.relay").sign_object(
        [shorten(audience), conversation]
    )
    return middle.Token(f"{AUTHENTICATION}_{peers.identity()}", signed)


def _find_conversation(request: Message, peer: Peer) -> RelayedConversation | None:
    """Return the conversation with that server that one of our tokens in a message names."""
    subformat = f"{CONVERSATION}_{peers.identity()}"
    named = (token.text for token in tokens_of(request.values, (subformat,)))
    return next(
        (conversation for id_ in named if (conversation := conversations.find(id_, peer))), None
    )


def _facts(request: Message, conversation: RelayedConversation | None) -> agent.Facts:
    requested = asks_for_authentication(request.values) or (
        conversation is not None and conversation.asked_by_caller
    )
    return agent.Facts(
        count=server_agent.count,
        conversation=conversation.id if conversation else "",
        upload="",
        proof=_proof(conversation.id if conversation else "", "").content if requested else "",
        own=frozenset({conversation.id} if conversation else ()),
        dialect=request.dialect,
        identity=peers.identity(),
    )
