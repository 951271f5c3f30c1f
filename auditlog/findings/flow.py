"""The detector `flow`: a message that breaks the flow of its conversation, when it arrives.

    REQ/TSK|g=42,t=1
    ACC/PLN|g=42,t=1      accepts, though nothing was proposed

A conversation is what packets of one log and protocol share: a thread, IDs and replies, or else the
thread, or the goal and task, of their metadata. `cablese.conversation` checks it, and what concerns
the newest message is its finding. What is missing so far, such as a reply, is none, and a single
message is checked only if it replies.

The detector remembers the newest `HORIZON` leaves of a log, as far as they have at most `MEMORY`
bytes, and of a conversation the newest `TURNS` messages, so that it never searches the log. Nothing
else decides what it finds: after a restart it reads the leaves before its position again. Of long
messages it checks the newest with `CHECKED` bytes, because each message has them decoded again.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple, Protocol

import msgspec

from auditlog import text
from auditlog.findings.finding import MOST, Found
from cablese import detection, registry
from cablese.conversation import checks
from cablese.conversation.gather import gather
from cablese.conversation.lanes import CHAT
from cablese.conversation.model import ALL, Supplied
from cablese.message import Message

HORIZON = 20_000
TURNS = 50
MEMORY = 64 * 1024 * 1024
CHECKED = 128 * 1024
MISSING = frozenset(
    checks.RULES[name].code
    for name in ("unmatched-request", "undecided-proposal", "unfinished", "failed")
)
"""Findings that a later message may end."""
Key = tuple[str, ...]
"""A protocol, and what packets share."""


class _Said(msgspec.Struct):
    """The members of a meaning, or of metadata, that say which conversation a packet is in."""

    act: str | None = None
    thread: str | None = None
    goal: str | None = None
    task: str | None = None
    id: str | None = None
    reply_to: str | None = None


_decode = msgspec.json.Decoder(_Said).decode


class Sent(NamedTuple):
    """A packet as this detector reads it. ``meaning`` and ``supplied`` are as stored."""

    leaf: int
    protocol: str
    dialect: str
    wire: bytes
    meaning: str
    supplied: str
    sent_at: str | None
    moment: str
    """When it was received, as the database writes a time."""

    @property
    def size(self) -> int:
        return len(self.wire) + len(self.supplied)

    @property
    def received(self) -> datetime:
        moment = datetime.fromisoformat(self.moment)
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


class Memory:
    """The conversations of one log, up to a leaf."""

    def __init__(self) -> None:
        self._conversations: dict[Key, tuple[int, list[Sent]]] = {}
        """Each with the leaf of its newest packet that has this key. Most have one packet, for
        which a deque would take ten times the memory.
        """
        self._order: deque[tuple[int, Key]] = deque()
        self._sizes: deque[tuple[int, int]] = deque()
        """Leaves with their bytes."""
        self._size = 0

    def add(self, packet: Sent) -> Sequence[Sent]:
        """Take the next packet. Returns its conversation so far, itself the last; nothing if there
        is nothing to check.
        """
        said = _read(packet.meaning)
        keys = _find_keys(packet, said)
        if not keys:
            return ()
        packet = packet._replace(meaning="")  # It is not needed again, and may be long.
        self._forget(self._make_room(packet))
        known = [self._conversations[key][1] for key in keys if key in self._conversations]
        conversation = known[0] if known else []
        conversation.append(packet)
        del conversation[:-TURNS]
        for key in keys:
            self._conversations[key] = packet.leaf, conversation
            self._order.append((packet.leaf, key))
        replies = said.reply_to is not None or said.act in checks.REPLYING
        return _newest(conversation) if replies or len(conversation) > 1 else ()

    def _make_room(self, packet: Sent) -> int:
        """Return the first leaf that is remembered with this packet."""
        first = packet.leaf - HORIZON
        self._sizes.append((packet.leaf, packet.size))
        self._size += packet.size
        while self._size > MEMORY or self._sizes[0][0] < first:
            leaf, size = self._sizes.popleft()
            self._size -= size
            first = max(first, leaf + 1)
        return first

    def _forget(self, before: int) -> None:
        while self._order and self._order[0][0] < before:
            leaf, key = self._order.popleft()
            newest, conversation = self._conversations[key]
            while conversation and conversation[0].leaf < before:
                del conversation[0]
            if newest == leaf:
                del self._conversations[key]


def _newest(conversation: Iterable[Sent]) -> Sequence[Sent]:
    """Return the newest messages of a conversation, which are checked."""
    taken: list[Sent] = []
    size = 0
    for packet in reversed([*conversation]):
        size += packet.size
        if taken and size > CHECKED:
            break
        taken.append(packet)
    return taken[::-1]


def _find_keys(packet: Sent, said: _Said) -> list[Key]:
    """Return what ties a packet to others: its wire goes before its metadata."""
    name = packet.protocol
    if name == detection.UNKNOWN:
        return []
    if said.thread is not None:
        return [(name, "thread", said.thread)]
    if said.id is not None or said.reply_to is not None:
        codec, message = registry.get(name), _decode_message(packet)
        ties = codec.ties(message, codec.meaning(message))
        if ALL not in ties:
            return [(name, tie) for tie in ties]
    if packet.supplied == "{}":
        return []
    given = _read(packet.supplied)
    if given.thread:
        return [(name, "thread", given.thread)]
    goal, task = given.goal or said.goal, given.task or said.task
    return [(name, "task", goal, task)] if goal and task else []


def _read(stored: str) -> _Said:
    try:
        return _decode(stored)
    except (msgspec.DecodeError, UnicodeEncodeError):
        whole = text.from_json(stored)  # has unpaired surrogates, or a name that is not text
        names = [name for name in _Said.__struct_fields__ if whole.get(name) is not None]
        return _Said(**{name: str(whole[name]) for name in names})


def _decode_message(packet: Sent) -> Message:
    return detection.decode(text.from_bytes(packet.wire), packet.protocol, dialect=packet.dialect)


def check(conversation: Sequence[Sent]) -> list[Found]:
    """Return what the newest packet of a conversation, which is the last, breaks in it."""
    newest = conversation[-1].leaf
    ordered = [packet for _, packet in sorted(zip(place(conversation), conversation, strict=True))]
    at = next(at for at, packet in enumerate(ordered) if packet.leaf == newest)
    gathered = gather(
        [_decode_message(packet) for packet in ordered],
        [read_supplied(packet.supplied) for packet in ordered],
    )
    found = (finding for each in gathered for finding in each.findings if at in finding.messages)
    return [
        Found(finding.code, other=_other(finding.messages, at, ordered))
        for finding in found
        if finding.severity != "info" and finding.code not in MISSING
    ][:MOST]


def _other(messages: tuple[int, ...], at: int, ordered: list[Sent]) -> int | None:
    """Return the leaf of the latest other message of a finding."""
    return max((ordered[other].leaf for other in messages if other != at), default=None)


def read_supplied(stored: str) -> Supplied:
    """Return the metadata of a packet that a conversation can use."""
    if stored == "{}":
        return Supplied()
    facts = text.from_json(stored)
    goal, task, thread, sender, recipient = (
        str(facts[name]) if name in facts else None
        for name in ("goal", "task", "thread", "from", "to")
    )
    stated = facts.get("from_line", ())
    # What a line states of a chat are roles: one assistant may be many agents.
    roles = "from" in stated and sender in CHAT
    line = not roles and not {"from", "to"}.isdisjoint(stated)
    return Supplied(goal, task, thread, sender, recipient, roles=roles, line=line)


class _Timed(Protocol):
    @property
    def leaf(self) -> int: ...
    @property
    def sent_at(self) -> str | None: ...
    @property
    def received(self) -> datetime: ...


def place(conversation: Sequence[_Timed]) -> Iterator[tuple[datetime, int]]:
    """Yield what orders each packet of a conversation, given as stored: its time and its leaf.

    Times order two packets that both state one. A packet without one stays after the packet stored
    before it, because the time received may be days later: that of an import.
    """
    times = [read_sent(packet) for packet in conversation]
    stated = [time for time in times if time is not None]
    last = min(stated, default=None)
    for packet, time in zip(conversation, times, strict=True):
        if time is not None:
            last = time
        elif not stated:  # so as not to be after later conversations; a clock may be set back
            last = packet.received if last is None else max(last, packet.received)
        assert last is not None
        yield last, packet.leaf


def read_sent(packet: _Timed) -> datetime | None:
    """Return the sender's time; None if it is not stated."""
    if packet.sent_at is None:
        return None
    # RFC 3339 allows a leap second; Python does not.
    return datetime.fromisoformat(packet.sent_at.upper().replace(":60", ":59"))
