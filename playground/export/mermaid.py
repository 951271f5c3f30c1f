"""Conversations as a sequence diagram in Mermaid's text form.

sequenceDiagram
    participant p1 as planner
    participant p2 as executor
    Note over p1,p2: nSLIP, goal 42, task 1
    p1->>p2: 1 request TSK
    p2--xp1: 2 ✖ data PLN

Participants have IDs of our own, and every character that Mermaid, Markdown, or HTML could take for
markup is written as a code such as ``#59;``, so no text of a message becomes part of the
diagram's syntax.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from cablese import registry
from cablese.conversation.model import Conversation, Leg, Turn
from playground.display.glyphs import visible
from playground.display.sequence_diagram import Pointed, summarize

MESSAGES = 400
"""The limit of a diagram. Mermaid refuses texts of more than 50,000 characters."""
NAMES = 40
LETTERS = 60
NOBODY = "not stated"
_UNSAFE = re.compile(r"[^\w ./,=!+()✖…⟨⟩␀-␡-]")


def write(conversations: Sequence[Conversation], places: Sequence[Pointed]) -> str:
    """Return the diagram of all conversations, one after another. ``places`` are those of all
    gathered messages.
    """
    ids = _identify(conversations)
    total = sum(len(conversation.turns) for conversation in conversations)
    lines = [f"participant {key} as {escape(name)}" for name, key in ids.items()]
    lines += islice(_draw(conversations, places, ids), MESSAGES + len(conversations))
    if total > MESSAGES:
        lines.append(_note(ids, f"The first {MESSAGES:,} of {total:,} messages"))
    return "".join(("sequenceDiagram\n", *(f"    {line}\n" for line in lines)))


def escape(text: str) -> str:
    """Return the text as a label: one line, without a character that has a meaning in Mermaid."""
    short = text if len(text) <= LETTERS else f"{text[: LETTERS - 1]}…"
    line = visible(short).replace("\n", " ").replace("\t", " ")
    return _UNSAFE.sub(lambda found: f"#{ord(found[0])};", line).strip() or "#160;"


def _identify(conversations: Sequence[Conversation]) -> dict[str, str]:
    """Return the ID of each participant by its name, in the order of their messages."""
    legs = (leg for conversation in conversations for leg in conversation.legs)
    names = dict.fromkeys(name for leg in legs for name in (leg.sender, leg.recipient) if name)
    chosen = list(islice(names, NAMES)) or [NOBODY]
    return {name: f"p{at}" for at, name in enumerate(chosen, 1)}


def _draw(
    conversations: Sequence[Conversation], places: Sequence[Pointed], ids: dict[str, str]
) -> Iterator[str]:
    left = MESSAGES
    for conversation in conversations:
        if left <= 0:
            return
        yield _note(ids, entitle(conversation))
        pairs = zip(conversation.turns, conversation.legs, strict=True)
        for turn, leg in islice(pairs, left):
            yield _message(turn, leg, places[turn.index].number, ids)
        left -= len(conversation.turns)


def entitle(conversation: Conversation) -> str:
    """Return the protocol and what ties the messages of a conversation."""
    title = registry.get(conversation.protocol).title
    return f"{title}, {conversation.key or 'messages with no conversation ID'}"


def _message(turn: Turn, leg: Leg, number: int, ids: dict[str, str]) -> str:
    valid = turn.message.valid
    label = escape(f"{number} {'' if valid else '✖ '}{summarize(turn)}")
    sender, recipient = (ids.get(name or "") for name in (leg.sender, leg.recipient))
    if sender and recipient:
        line = "--" if leg.reason else "-"
        return f"{sender}{line}{'>>' if valid else 'x'}{recipient}: {label}"
    note = f"Note over {sender or recipient or _across(ids)}: {label}"
    if not leg.sender and not leg.recipient:
        return note
    # Only so many are participants: the others are named here.
    parties = (("sender", sender, leg.sender), ("recipient", recipient, leg.recipient))
    others = (f"{side} {escape(name or NOBODY)}" for side, key, name in parties if not key)
    return f"{note} ({', '.join(others)})"


def _note(ids: dict[str, str], text: str) -> str:
    return f"Note over {_across(ids)}: {escape(text)}"


def _across(ids: dict[str, str]) -> str:
    first, last = next(iter(ids.values())), next(reversed(ids.values()))
    return first if first == last else f"{first},{last}"
