"""The server agent: one message in, one message out (section 6). Pure; what it cannot know comes as
:class:`Facts`.

Every message is answered. What is said in it is cut into messages of our protocols, and the answer
tells of each one what it says, whether it is valid and how many tokens it has. Conversation tokens
come back as they came, control is answered with control, and what cannot be processed is answered
with an error. An error carries the tokens of its request too, as far as that could be read. The
answer never quotes an authentication token.
"""

import base64
import binascii
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from cablese import detection, registry
from cablese.codec import SURROGATE, Unencodable
from cablese.json import jsontext
from cablese.message import Message
from cablese.protocols.nlip import formats, keys, writer
from cablese.protocols.nlip.parts import Part, owed, walk
from cablese.text import ENDED, either, quote
from cablese.transcript import split

from . import asks

IDENTITY = "cablese"
"""What ends the subformat of our own conversation tokens."""
ENGLISH = ("english", "en", "eng")
CODED = ("json", "xml", "html", "uri")
TOLD = 20
"""So many messages are told of in words."""
LISTED = 200
"""So many are listed."""
PROBLEMS = 5
"""So many diagnostics are told of one message."""
ASK = (
    "Please authenticate: send a token submessage with the subformat authentication that holds an "
    "API key."
)

Count = Callable[[Sequence[str]], Sequence[int]]


class Facts(Struct, frozen=True):
    """What stands behind an answer.

    ``conversation`` is the content of our own token for it, empty where none is due; ``own`` are
    contents of tokens that we made before. ``sender`` is who has proven to be one, ``refused`` a
    proof that was worth nothing, ``demanded`` that we asked for one before and did not get it.
    ``proof`` is what we authenticate ourselves with when we were asked to, now or before;
    ``upload`` an address for large content; ``kept`` where this exchange is kept. ``count`` counts
    tokens. ``dialect`` is what the other side speaks: no message says it of itself. ``identity``
    ends our tokens.
    """

    count: Count
    conversation: str
    upload: str
    proof: str = ""
    own: frozenset[str] = frozenset()
    sender: str | None = None
    refused: bool = False
    demanded: bool = False
    kept: str = ""
    policy: str = ""
    dialect: str = formats.DEFAULT
    identity: str = IDENTITY


class Answer(Struct, frozen=True):
    """What to send. ``malformed`` says that the request was no valid message, ``asks`` that we ask
    for authentication, ``full`` that its tokens leave no room for an answer that returns them.
    """

    wire: str
    malformed: bool = False
    asks: bool = False
    full: bool = False


class Told(NamedTuple):
    """What one part of a message said: words, the messages in it, and what could not be
    processed.
    """

    words: str = ""
    messages: tuple[Message, ...] = ()
    more: int = 0
    error: str = ""


def answer(request: Message, facts: Facts) -> Answer:
    """The answer to a message of NLIP, broken ones included."""
    values = request.values
    control = values.get("is_control") is True
    if not request.valid:
        return malformed(request, facts)
    if facts.refused or facts.demanded:
        return ask(request, facts)
    if asks.asks_for_upload(values):
        words = "Send large content to the address that goes with this, as the body of one POST."
        address = _part("structured", "uri", facts.upload)
        return _sent(request, facts, _text(words), [address], control=True)
    if control:
        return _sent(request, facts, _text(_policy(facts)), control=True)
    first, *more = _reading(request, facts)
    return _sent(request, facts, first, more, control=False)


def refuse(words: str, *, dialect: str = formats.DEFAULT) -> str:
    """An error message about a request that was not read."""
    return _write(_error(words, dialect))


def malformed(request: Message, facts: Facts) -> Answer:
    """The error about a broken message: what is wrong with it, in words and as data."""
    first, *more = _malformed(request, facts.dialect)
    control = request.values.get("is_control") is True
    return _sent(request, facts, first, more, control=control, malformed=True)


def ask(request: Message, facts: Facts) -> Answer:
    """A request for authentication."""
    words = "Unknown authentication token." if facts.refused else "Authentication is required."
    return _sent(request, facts, _text(f"{words} {ASK}"), control=True, asks=True)


def refuse_message(words: str, request: Message, facts: Facts) -> Answer:
    """An error message about a request that was read, with the tokens that it owes."""
    control = request.values.get("is_control") is True
    return _sent(request, facts, _error(words, facts.dialect), control=control)


def tell(messages: Sequence[Message], facts: Facts, *, text: str, more: int = 0) -> str:
    """The answer to an upload: ``text`` on it, and what was found in it."""
    parts = [
        _text(" ".join((text, _found(messages, more, facts.count))).strip()),
        *_listed(messages, facts),
    ]
    return _write({**parts[0], "submessages": [*parts[1:], *_ours(facts)]})


def find(text: str) -> tuple[tuple[Message, ...], int]:
    """The messages that a text holds, the first ones decoded, and how many there are more."""
    cuts = [
        cut for cut in split(text, most=10 * LISTED).messages if cut.protocol != detection.UNKNOWN
    ]
    decoded = (registry.get(cut.protocol).decode(cut.wire) for cut in cuts[:LISTED])
    return tuple(decoded), max(0, len(cuts) - LISTED)


# What was said


def _reading(request: Message, facts: Facts) -> list[dict[str, Any]]:
    """The parts of an answer to data: first what is said in words, or the error when nothing could
    be processed.
    """
    told = [_told(part) for part in walk(request.values) if part.format != "token"]
    messages = [message for one in told for message in one.messages]
    words = [one.words for one in told if one.words]
    errors = [_error(one.error, facts.dialect) for one in told if one.error]
    if messages:
        words.append(_found(messages, sum(one.more for one in told), facts.count))
    elif not errors and all(part.format in ("token", "text") for part in walk(request.values)):
        titles = ", ".join(codec.title for codec in registry.all_codecs())
        words.append(f"Hello. No message found. Send a message of {titles}, alone or in a log.")
    if facts.kept and words:
        words.append(f"This exchange is stored in the log {facts.kept}.")
    if not words:
        return [*errors]
    return [_text(" ".join(words)), *errors, *_listed(messages, facts)]


def _told(part: Part) -> Told:
    """What a part says. Every format is processed (5.3); a broken part of a valid message there is
    not.
    """
    return TELLERS[part.format](part)


def _told_text(part: Part) -> Told:
    if part.subformat.strip().lower().replace("_", "-").partition("-")[0] not in ENGLISH:
        return Told(error=f"Unsupported language {quote(part.subformat)}. Expected English.")
    return Told("", *find(part.said))


def _told_structured(part: Part) -> Told:
    kind = part.subformat.lower()
    if kind not in CODED:
        words = f"Unsupported code {quote(part.subformat)}. Expected {either(CODED)}."
        return Told(error=words)
    messages, more = find(part.said)
    return Told(
        "" if messages else f"Received structured content ({kind}) without a message.",
        messages,
        more,
    )


def _told_binary(part: Part) -> Told:
    try:
        data = base64.b64decode(part.said, validate=True)
    except (binascii.Error, ValueError):
        return Told(error=f"Received binary content ({part.subformat}) that is not base64.")
    size = f"{len(data):,} byte{'' if len(data) == 1 else 's'} of {part.subformat}"
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return Told(f"Received binary content: {size}.")
    return Told(f"Received binary content: {size}, which is text.", *find(text))


def _told_location(part: Part) -> Told:
    return Told(_ended(f"Received a location: {quote(part.said)}"))


def _told_error(part: Part) -> Told:
    return Told(_ended(f"Received your error: {quote(part.said)}"))


def _told_generic(part: Part) -> Told:
    return Told(
        f"Received content of the unknown extension {quote(part.subformat)}.",
        *find(part.said),
    )


TELLERS: dict[str, Callable[[Part], Told]] = {
    "text": _told_text,
    "structured": _told_structured,
    "binary": _told_binary,
    "location": _told_location,
    "error": _told_error,
    "generic": _told_generic,
}


def _found(messages: Sequence[Message], more: int, count: Count) -> str:
    """Each message in words, with its validity and its tokens."""
    if not messages:
        return "No message found in it."
    total = len(messages) + more
    counts = count([message.wire for message in messages[:TOLD]])
    told = [
        f"{registry.get(message.protocol).title}, {'valid' if message.valid else 'invalid'}, "
        f"{number:,} token{'' if number == 1 else 's'}: {_sentence(message)}{_problem(message)}"
        for message, number in zip(messages[:TOLD], counts, strict=True)
    ]
    rest = f" And {total - TOLD:,} more." if total > TOLD else ""
    return f"{total:,} message{'' if total == 1 else 's'} found. {' '.join(told)}{rest}"


def _sentence(message: Message) -> str:
    return _ended("".join(piece.text for piece in registry.get(message.protocol).describe(message)))


def _problem(message: Message) -> str:
    first = next((found for found in message.diagnostics if found.severity == "error"), None)
    return f" Problem: {_ended(first.message)}" if first else ""


def _ended(words: str) -> str:
    """``words`` as a sentence; what it quotes at its end may end it already."""
    words = words.rstrip()
    return words if ENDED.search(words[-80:]) else f"{words}."


def _listed(messages: Sequence[Message], facts: Facts) -> list[dict[str, Any]]:
    """The messages for a program to read."""
    if not messages:
        return []
    counts = facts.count([message.wire for message in messages])
    listed = [
        {
            "protocol": message.protocol,
            "version": message.dialect,
            "wire": message.wire[:LISTED],
            "valid": message.valid,
            "tokens": number,
            "english": _sentence(message),
            "diagnostics": _problems(message),
        }
        for message, number in zip(messages, counts, strict=True)
    ]
    return [_part("structured", "json", {"messages": listed}) | {"label": "reading"}]


def _problems(message: Message) -> list[dict[str, Any]]:
    return [
        {"code": one.code, "severity": one.severity, "span": list(one.span), "message": one.message}
        for one in message.diagnostics[:PROBLEMS]
    ]


def _malformed(request: Message, dialect: str) -> Iterator[dict[str, Any]]:
    wrong = next(found for found in request.diagnostics if found.severity == "error")
    yield _error(f"This is not a valid NLIP message. {_ended(wrong.message)}", dialect)
    yield _part("structured", "json", {"diagnostics": _problems(request)}) | {"label": "reading"}


def _policy(facts: Facts) -> str:
    who = (
        f"You are authenticated as {facts.sender}."
        if facts.sender
        else "You are not authenticated."
    )
    kept = (
        f"This exchange is stored in the log {facts.kept}."
        if facts.kept
        else "This exchange is not stored."
    )
    titles = ", ".join(codec.title for codec in registry.all_codecs())
    policy = f" {facts.policy}" if facts.policy else ""
    return (
        f"This end-point understands text in English and reads messages of {titles}. {who} {kept} "
        "Authentication is a token with the subformat authentication that holds an API key; "
        f"a key is optional.{policy}"
    )


# What is sent


def _sent(
    request: Message,
    facts: Facts,
    first: dict[str, Any],
    more: Sequence[dict[str, Any]] = (),
    *,
    control: bool,
    malformed: bool = False,
    asks: bool = False,
) -> Answer:
    owed = [*_returned(request, facts), *_proof(facts)]
    head = {**({"messagetype": keys.CONTROL} if control else {}), **first}
    # Libraries write keys in lower case and read no others; who writes them as the draft does gets
    # them so.
    spell = writer.ordered if '"Format"' in request.wire else dict
    for parts in ([*more, *owed, *_ours(facts)], [*owed, *_ours(facts)], owed):
        try:
            wire = _write(spell(head | ({"submessages": parts} if parts else {})))
        except Unencodable:
            continue
        if registry.get(request.protocol).decode(wire, dialect=facts.dialect).valid:
            return Answer(wire, malformed, asks)
    # Tokens of nearly a megabyte come back, or as many as a message may hold.
    words = "The tokens of this message are too large to return with an answer."
    return Answer(_write({**head, **_error(words, facts.dialect)}), full=True)


def _returned(request: Message, facts: Facts) -> Iterator[dict[str, Any]]:
    """The tokens of the other side that go back; ours we add ourselves (6.2)."""
    for token in owed(request.values, facts.dialect):
        if token.said not in facts.own:
            yield _part("token", token.subformat, token.content)


def _ours(facts: Facts) -> list[dict[str, Any]]:
    """Our own token of this conversation, where there is one."""
    subformat = f"{formats.CONVERSATION}_{facts.identity}"
    return [_part("token", subformat, facts.conversation)] if facts.conversation else []


def _proof(facts: Facts) -> list[dict[str, Any]]:
    """What authenticates us once the other side has asked, in errors too (6.5)."""
    subformat = f"{formats.AUTHENTICATION}_{facts.identity}"
    return [_part("token", subformat, facts.proof)] if facts.proof else []


def _text(words: str) -> dict[str, Any]:
    return _part("text", "English", words)


def _error(words: str, dialect: str) -> dict[str, Any]:
    """An error. ECMA-430 has no format for one, so there a text says that it is one."""
    if "error" in formats.DIALECTS[dialect].formats:
        return _part("error", "text", words)
    return _text(f"Error: {words}")


def _part(format_: str, subformat: str, content: object) -> dict[str, Any]:
    return {"format": format_, "subformat": subformat, "content": content}


def _write(values: dict[str, Any]) -> str:
    """The answer as text. Raises Unencodable when it is larger than a message may be."""
    try:
        return jsontext.write(values)
    except UnicodeEncodeError:  # words that quote half a surrogate pair of a broken message
        return SURROGATE.sub("\ufffd", jsontext.dump(values))
