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
TALKS = 1_000
LOOP = 508
"""Loop Detected (RFC 5842)."""
SHOWN = "This middle agent shows its token. It forwards other messages."


@dataclass(frozen=True)
class Talk:
    """A conversation on both sides: our IDs in it, the server's tokens, and who requested our
    authentication.
    """

    id: str
    peer: str
    beyond: str
    tokens: tuple[middle.Token, ...] = ()
    asked_by_server: bool = False
    asked_by_caller: bool = False


class Asked(peers.NoReply):
    """Report that the server requested our authentication."""


class Talks:
    """Conversations of the last hour. The least recently used one is removed first."""

    def __init__(self, most: int = TALKS) -> None:
        self._most = most
        self._lock = Lock()
        self._talks: OrderedDict[str, tuple[Talk, float]] = OrderedDict()

    def find(self, id_: str, peer: Peer) -> Talk | None:
        with self._lock:
            talk, since = self._talks.get(id_, (None, 0.0))
        is_ours = talk is not None and talk.peer == peer.url and time.monotonic() - since < LIFE
        return talk if is_ours else None

    def keep(self, talk: Talk) -> None:
        with self._lock:
            self._talks.pop(talk.id, None)
            self._talks[talk.id] = talk, time.monotonic()
            while len(self._talks) > self._most:
                self._talks.popitem(last=False)


talks = Talks()


def ask(read: server_agent.Request, peer: Peer, *, refused: bool) -> agent.Answer:
    """Request the caller's authentication."""
    facts = _facts(read.message, _talk_of(read.message, peer))
    if not read.message.valid:
        return agent.malformed(read.message, facts)
    return agent.ask(read.message, structs.replace(facts, demanded=True, refused=refused))


def relay(read: server_agent.Request, peer: Peer, *, via: str) -> tuple[agent.Answer, int, str]:
    """Return the server's answer to a message, our HTTP status for it, and the conversation ID.

    Failures on the way are answered with an error message of ours.
    """
    request = read.message
    talk = _talk_of(request, peer) or Talk(token_hex(12), peer.url, token_hex(12))
    if not request.valid:
        return agent.malformed(request, _facts(request, talk)), 400, talk.id
    if asks_for_authentication(request.values):
        talk = replace(talk, asked_by_caller=True)
        talks.keep(talk)
        return _shown(request, talk), 200, talk.id
    try:
        answer, status, talk = _through(request, talk, peer, via)
    except peers.NoReply as none:
        talk = replace(talk, asked_by_server=talk.asked_by_server or isinstance(none, Asked))
        answer, status = (
            agent.refuse_message(str(none), request, _facts(request, talk)),
            none.status,
        )
    talks.keep(talk)
    return answer, status, talk.id


def refuse(words: str, read: server_agent.Request, peer: Peer) -> agent.Answer:
    """Return an error for a message that is not forwarded, with the tokens that it must return."""
    return agent.refuse_message(
        words, read.message, _facts(read.message, _talk_of(read.message, peer))
    )


def _through(request: Message, talk: Talk, peer: Peer, via: str) -> tuple[agent.Answer, int, Talk]:
    """Send a message to the server and return its answer. Raises NoReply."""
    hops, is_loop = peers.came_through(via)
    if is_loop or hops >= peers.HOPS:
        why = (
            "it already passed through this agent"
            if is_loop
            else f"it passed through {hops} agents, and the limit is {peers.HOPS}"
        )
        raise peers.NoReply(f"Message not forwarded: {why}.", LOOP)
    given = (middle.Token(f"{CONVERSATION}_{peers.identity()}", talk.beyond), *talk.tokens)
    shown = (_proof(talk.beyond, peer.url),) if talk.asked_by_server else ()
    try:
        wire = middle.pass_on(request, (*given, *shown))
    except Unencodable as large:
        raise peers.NoReply(f"Cannot forward this message. {large.reason}", 413) from None
    reply = peers.send(peer, wire, via=via)
    said = _read(reply, peer)
    if asks_for_authentication(said.values):
        raise Asked("The server asked this agent to identify itself. Send the message again.")
    try:
        talk = replace(talk, tokens=middle.made_by(said, given, talk.tokens))
        answer = _back(request, said, talk)
    except Unencodable as large:
        raise peers.NoReply(f"Cannot forward the server's answer. {large.reason}") from None
    return answer, _status(reply.status), talk


def _read(reply: peers.Reply, peer: Peer) -> Message:
    """Return the server's answer as a message. Raises NoReply if it is invalid or contradicts its
    status.
    """
    if 300 <= reply.status < 400:
        raise peers.NoReply(
            f"The server sent a redirect (HTTP {reply.status}). Redirects are not followed."
        )
    said = registry.get("nlip").decode(reply.wire, dialect=peers.dialect_of(peer.url))
    if not said.valid:
        wrong = next(found for found in said.diagnostics if found.severity == "error")
        raise peers.NoReply(
            f"The server's answer (HTTP {reply.status}) is not a valid NLIP message:"
            f" {wrong.message}"
        )
    is_fine = (
        200 <= reply.status < 300
        or said.values["is_control"]
        or tells_error(said.values, said.dialect)
    )
    if not is_fine:
        raise peers.NoReply(
            f"The server returned HTTP {reply.status} with a message that reports no error."
        )
    return said


def _back(request: Message, said: Message, talk: Talk) -> agent.Answer:
    """Return the answer for the caller. Raises NoReply if it would break the protocol here too."""
    ours = [middle.Token(f"{CONVERSATION}_{peers.identity()}", talk.id)]
    if talk.asked_by_caller:
        ours.append(_proof(talk.id, ""))
    wire = middle.bring_back(request, said, ours)
    answer = registry.get("nlip").decode(wire, dialect=request.dialect)
    if not answer.valid:
        raise peers.NoReply(
            f"The server's answer cannot be written in the dialect {request.dialect}."
        )
    broken = [
        found
        for found in check(request, answer, own_tokens=(talk.id,))
        if found.severity == "error"
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


def _shown(request: Message, talk: Talk) -> agent.Answer:
    """Answer a request for our authentication ourselves: the caller asked us, not the server."""
    codec = registry.get("nlip")
    words = {"messagetype": "control", "format": "text", "subformat": "English", "content": SHOWN}
    ours = [middle.Token(f"{CONVERSATION}_{peers.identity()}", talk.id), _proof(talk.id, "")]
    return agent.Answer(middle.bring_back(request, codec.decode(codec.encode(words)), ours))


def _proof(talk: str, audience: str) -> middle.Token:
    """Return our authentication token: a signature of the conversation, for one side of it."""
    signed = signing.Signer(salt="cablese.nlip.relay").sign_object([shorten(audience), talk])
    return middle.Token(f"{AUTHENTICATION}_{peers.identity()}", signed)


def _talk_of(request: Message, peer: Peer) -> Talk | None:
    """Return the conversation with that server that one of our tokens in a message names."""
    ours = f"{CONVERSATION}_{peers.identity()}"
    named = (token.text for token in tokens_of(request.values, (ours,)))
    return next((talk for id_ in named if (talk := talks.find(id_, peer))), None)


def _facts(request: Message, talk: Talk | None) -> agent.Facts:
    asked = asks_for_authentication(request.values) or (talk is not None and talk.asked_by_caller)
    return agent.Facts(
        count=server_agent.count,
        conversation=talk.id if talk else "",
        upload="",
        proof=_proof(talk.id if talk else "", "").content if asked else "",
        own=frozenset({talk.id} if talk else ()),
        dialect=request.dialect,
        identity=peers.identity(),
    )
