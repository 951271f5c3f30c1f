"""What an NLIP conversation keeps: its tokens, which an end-point returns as they came (section 6.2).

    client  {…,"submessages":[{"format":"token","subformat":"conversation","content":"c-17"}]}
    server  {…,"submessages":[{"format":"token","subformat":"conversation","content":"c-17"},
                              {"format":"token","subformat":"conversation_s1","content":"x"}]}

A token comes back with the next message of the other side, unless it is that side's own, which first sent it. NLIP
carries no sender: sides are told by labels that are roles, by the identity that may end a token's name, and otherwise
by taking turns. The draft returns the tokens of the conversation, ECMA-430 every token.
"""

from collections.abc import Iterator, Sequence

from protocols.conversation import Course, Leg, Turn
from protocols.finding import Finding, found
from protocols.message import Message, Rule
from protocols.words import quote

from .formats import CONVERSATION, DEFAULT, DIALECTS

SECTION = "6.2 Requests containing Token field"
NOT_RETURNED = Rule("nlip.token-not-returned", "warning", SECTION, "NLIP-21", "A token is not returned.")
CHANGED = Rule("nlip.token-changed", "warning", SECTION, "NLIP-21", "A token comes back with other content.")
UNANSWERED = Rule("nlip.unanswered", "info", SECTION, "NLIP-20", "No other message carries the token of this one.")
RULES = (NOT_RETURNED, CHANGED, UNANSWERED)

LABELLED = "a label says so; NLIP carries no sender"
IDENTIFIED = "it first sent the token that ends in this identity; NLIP carries no sender"
DRAFT = DIALECTS[DEFAULT]
Token = tuple[str, str]
"""The subformat in lower case, and the content. An end-point may have one of its own under the same subformat."""


def ties(message: Message) -> tuple[str, ...]:
    """Each conversation token."""
    return tuple(f"{name} {content}" for name, content in _tokens(message, (CONVERSATION,)))


def converse(turns: Sequence[Turn]) -> Course:
    """The course of a conversation: tokens that were not returned, and who speaks as far as it can be told."""
    carried = [_tokens(turn.message, DIALECTS.get(turn.message.dialect, DRAFT).returned) for turn in turns]
    origins: dict[Token, int] = {}
    for at, tokens in enumerate(carried):
        for token in tokens:
            origins.setdefault(token, at)
    legs = tuple(_legs(turns, origins))
    return Course(legs=legs, findings=tuple(_findings(turns, carried, origins, legs)))


def _legs(turns: Sequence[Turn], origins: dict[Token, int]) -> Iterator[Leg]:
    """Senders by label, or by the identity behind the ``_`` of a token at its first message."""
    identities: dict[int, str] = {}
    for (name, _), at in origins.items():
        identity = name.partition("_")[2]
        if identity:
            identities.setdefault(at, identity)
    for at, turn in enumerate(turns):
        if turn.meaning.sender is not None:
            yield Leg(turn.index, turn.meaning.sender, None, LABELLED)
        elif at in identities:
            yield Leg(turn.index, identities[at], None, IDENTIFIED)


def _findings(
    turns: Sequence[Turn], carried: Sequence[tuple[Token, ...]], origins: dict[Token, int], legs: Sequence[Leg]
) -> Iterator[Finding]:
    """What each message does not return of what the one before it carried."""
    if len(turns) == 1 and carried[0]:
        words = f"No other message carries the token {quote(carried[0][0][1])}; an answer returns it."
        yield found(UNANSWERED, words, (turns[0].index,))
    senders = {leg.message: leg.sender for leg in legs}
    names = [senders.get(turn.index) for turn in turns]
    for at in range(1, len(turns)):
        if _same_side(names, at, at - 1):
            continue
        returned = set(carried[at])
        fresh = {name: content for name, content in carried[at] if origins[name, content] == at}
        for name, content in carried[at - 1]:
            if (name, content) in returned or _same_side(names, at, origins[name, content]):
                continue
            messages = turns[at - 1].index, turns[at].index
            if name in fresh:
                words = f"The token {quote(name)} was {quote(content)} and comes back as {quote(fresh[name])}."
                yield found(CHANGED, words, messages)
            else:
                yield found(NOT_RETURNED, f"The token {quote(name)} with {quote(content)} is not returned.", messages)


def _same_side(names: Sequence[str | None], one: int, other: int) -> bool:
    """By their names; when one has none, two sides take turns."""
    if names[one] is not None and names[other] is not None:
        return names[one] == names[other]
    return (one - other) % 2 == 0


def _tokens(message: Message, prefixes: tuple[str, ...]) -> tuple[Token, ...]:
    """The tokens whose subformat begins with one of ``prefixes``, each once."""
    submessages = message.values.get("submessages", ())
    parts = [message.values, *(part for part in submessages if isinstance(part, dict))]
    found_tokens: dict[Token, None] = {}
    for part in parts:
        name, content = str(part.get("subformat", "")).lower(), part.get("content")
        if part.get("format") == "token" and name.startswith(prefixes) and isinstance(content, str) and content:
            found_tokens[name, content] = None
    return tuple(found_tokens)
