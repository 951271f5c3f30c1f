"""Our NLIP middle agent: takes a message from an agent, passes it on to a server, and brings the
answer back.

What a conversation needs is remembered here, in this process and for an hour: our token for the
caller, another one for the server, and the server's own tokens, which the caller never sees. A
message that has come through here before, or through many agents, goes no further: ``Via`` names
them.
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
from cablese.protocols.nlip.exchange.agent import Answer, Facts
from cablese.protocols.nlip.exchange.asks import asks_for_authentication
from cablese.protocols.nlip.exchange.checker import check
from cablese.protocols.nlip.exchange.middle import Token
from cablese.protocols.nlip.formats import AUTHENTICATION, CONVERSATION
from cablese.protocols.nlip.parts import tells_error
from cablese.protocols.nlip.parts import tokens as tokens_of
from cablese.text import shorten
from playground.nlip import peers, server_agent
from playground.nlip.peers import HOPS, NoReply, Reply
from playground.server.environment import Peer

LIFE = 60 * 60
"""Seconds that a conversation is remembered after its last message."""
TALKS = 1_000
LOOP = 508
"""Loop Detected (RFC 5842)."""
SHOWN = "This middle agent shows its token. It passes other messages on."


@dataclass(frozen=True)
class Talk:
    """A conversation on both sides: our ids in it, what the server made, and who asked us who we
    are.
    """

    id: str
    peer: str
    beyond: str
    tokens: tuple[Token, ...] = ()
    asked_by_server: bool = False
    asked_by_caller: bool = False


class Asked(NoReply):
    """The server asks who we are."""

    def __init__(self) -> None:
        super().__init__(
            "The server asks who we are, and is told from the next message on. Send this one again."
        )


class Talks:
    """The conversations of the last hour; the one that was quiet for longest is forgotten first."""

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


def ask(read: server_agent.Request, peer: Peer, *, refused: bool) -> Answer:
    """Ask the caller who it is."""
    facts = _facts(read.message, _talk_of(read.message, peer))
    if not read.message.valid:
        return agent.malformed(read.message, facts)
    return agent.ask(read.message, structs.replace(facts, demanded=True, refused=refused))


def relay(read: server_agent.Request, peer: Peer, *, via: str) -> tuple[Answer, int, str]:
    """The answer of a server to a caller's message, our HTTP status for it, and the id of the
    conversation.

    What goes wrong on the way is an error of ours, in a message like any other.
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
    except NoReply as none:
        talk = replace(talk, asked_by_server=talk.asked_by_server or isinstance(none, Asked))
        answer, status = (
            agent.refuse_message(str(none), request, _facts(request, talk)),
            none.status,
        )
    talks.keep(talk)
    return answer, status, talk.id


def refuse(words: str, read: server_agent.Request, peer: Peer) -> Answer:
    """An error about a message that goes no further, with the tokens that it owes."""
    return agent.refuse_message(
        words, read.message, _facts(read.message, _talk_of(read.message, peer))
    )


def _through(request: Message, talk: Talk, peer: Peer, via: str) -> tuple[Answer, int, Talk]:
    """To the server and back. Raises NoReply."""
    hops, is_loop = peers.came_through(via)
    if is_loop or hops >= HOPS:
        why = (
            "it came through here before"
            if is_loop
            else f"it came through {hops} agents, and the limit is {HOPS}"
        )
        raise NoReply(f"This message goes no further: {why}.", LOOP)
    given = (Token(f"{CONVERSATION}_{peers.identity()}", talk.beyond), *talk.tokens)
    shown = (_proof(talk.beyond, peer.url),) if talk.asked_by_server else ()
    try:
        wire = middle.pass_on(request, (*given, *shown))
    except Unencodable as large:
        raise NoReply(f"This message cannot be passed on. {large.reason}", 413) from None
    reply = peers.send(peer, wire, via=via)
    said = _read(reply, peer)
    if asks_for_authentication(said.values):
        raise Asked
    try:
        talk = replace(talk, tokens=middle.made_by(said, given, talk.tokens))
        answer = _back(request, said, talk)
    except Unencodable as large:
        raise NoReply(f"The answer of the server cannot be passed on. {large.reason}") from None
    return answer, _status(reply.status), talk


def _read(reply: Reply, peer: Peer) -> Message:
    """The answer of a server as a message. Raises NoReply for one that breaks NLIP or contradicts
    its status.
    """
    if 300 <= reply.status < 400:
        raise NoReply(
            f"The server redirects (HTTP {reply.status}), and redirections are not followed."
        )
    said = registry.get("nlip").decode(reply.wire, dialect=peers.dialect_of(peer))
    if not said.valid:
        wrong = next(found for found in said.diagnostics if found.severity == "error")
        raise NoReply(
            f"The answer of the server (HTTP {reply.status}) is not a valid NLIP message: {wrong.message}"
        )
    is_fine = (
        200 <= reply.status < 300
        or said.values["is_control"]
        or tells_error(said.values, said.dialect)
    )
    if not is_fine:
        raise NoReply(
            f"The server reports an error (HTTP {reply.status}) and answers as if there were none."
        )
    return said


def _back(request: Message, said: Message, talk: Talk) -> Answer:
    """The answer as it is given to the caller. Raises NoReply when the server's would break the
    protocol here too.
    """
    ours = [Token(f"{CONVERSATION}_{peers.identity()}", talk.id)]
    if talk.asked_by_caller:
        ours.append(_proof(talk.id, ""))
    wire = middle.bring_back(request, said, ours)
    answer = registry.get("nlip").decode(wire, dialect=request.dialect)
    if not answer.valid:
        raise NoReply(f"The answer of the server cannot be said in the dialect {request.dialect}.")
    broken = [
        found
        for found in check(request, answer, own_tokens=(talk.id,))
        if found.severity == "error"
    ]
    if broken:
        raise NoReply(
            f"The answer of the server breaks {broken[0].requirement}: {broken[0].message}"
        )
    return Answer(wire)


def _status(status: int) -> int:
    """Our status for an answer that is passed on. Who the server wants to know is between the
    server and us.
    """
    if status < 400:
        return 200
    return 502 if status in (401, 403, 407) else status


def _shown(request: Message, talk: Talk) -> Answer:
    """Who we are: asked by the caller, and answered by us, because the server is not the one who
    was asked.
    """
    codec = registry.get("nlip")
    words = {"messagetype": "control", "format": "text", "subformat": "English", "content": SHOWN}
    ours = [Token(f"{CONVERSATION}_{peers.identity()}", talk.id), _proof(talk.id, "")]
    return Answer(middle.bring_back(request, codec.decode(codec.encode(words)), ours))


def _proof(talk: str, audience: str) -> Token:
    """What shows who we are: our signature on a conversation, for one side of it."""
    signed = signing.Signer(salt="cablese.nlip.relay").sign_object([shorten(audience), talk])
    return Token(f"{AUTHENTICATION}_{peers.identity()}", signed)


def _talk_of(request: Message, peer: Peer) -> Talk | None:
    """The conversation with that server that one of our tokens in a message names."""
    ours = f"{CONVERSATION}_{peers.identity()}"
    named = (token.said for token in tokens_of(request.values, (ours,)))
    return next((talk for id_ in named if (talk := talks.find(id_, peer))), None)


def _facts(request: Message, talk: Talk | None) -> Facts:
    asked = asks_for_authentication(request.values) or (talk is not None and talk.asked_by_caller)
    return Facts(
        count=server_agent.count,
        conversation=talk.id if talk else "",
        upload="",
        proof=_proof(talk.id if talk else "", "").content if asked else "",
        own=frozenset({talk.id} if talk else ()),
        dialect=request.dialect,
        identity=peers.identity(),
    )
