"""Answer one message as the server agent (section 6). Pure; what it cannot know comes as
:class:`Facts`.

Every message is answered. Its content is cut into messages of our protocols, and the answer says of
each one what it says, whether it is valid, and how many tokens it has. Conversation tokens are
returned unchanged, control is answered with control, and what cannot be processed is answered with
an error. An error carries the tokens of its request too, as far as they could be read. The answer
never quotes an authentication token.
"""

import base64
import binascii
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from cablese import amount, detection, registry
from cablese.codec import SURROGATE, Unencodable
from cablese.json import jsontext
from cablese.message import Message
from cablese.protocols.nlip import formats, keys, writer
from cablese.protocols.nlip.parts import Part, owed, walk
from cablese.text import ENDED, either, quote
from cablese.transcript import split

from . import asks

IDENTITY = "cablese"
"""The end of the subformats of our own tokens."""
ENGLISH = ("english", "en", "eng")
CODED = ("json", "xml", "html", "uri")
TOLD = 20
"""Messages that the text of an answer describes."""
LISTED = 200
"""Messages that the data of an answer lists."""
LISTED_TEXT = 200
"""Characters of a message that the data of an answer lists."""
PROBLEMS = 5
"""Diagnostics that are listed for one message."""
ASK = (
    "Please authenticate: send a token submessage with the subformat authentication that contains "
    "an API key."
)


class Facts(Struct, frozen=True):
    """What an answer depends on besides the request.

    ``conversation`` is the content of our own token for the conversation, or empty; ``own`` are the
    contents of our earlier tokens. ``sender`` is the authenticated sender; ``refused`` says that
    the authentication token is unknown, ``demanded`` that we asked for one before and did not get
    it. ``proof`` is our own authentication token if we were asked for it, now or before;
    ``upload`` is an address for large content; ``log`` is the log that stores this exchange.
    ``count`` counts tokens. ``dialect`` is that of the other side, which no message states.
    ``identity`` ends the subformats of our tokens.
    """

    count: Callable[[Sequence[str]], Sequence[int]]
    conversation: str
    upload: str
    proof: str = ""
    own: frozenset[str] = frozenset()
    sender: str | None = None
    refused: bool = False
    demanded: bool = False
    log: str = ""
    policy: str = ""
    dialect: str = formats.DEFAULT
    identity: str = IDENTITY


class Answer(Struct, frozen=True):
    """A message to send. ``malformed`` says that the request is invalid, ``asks`` that we ask for
    authentication, ``full`` that its tokens leave no room for an answer that returns them.
    """

    wire: str
    malformed: bool = False
    asks: bool = False
    full: bool = False


class PartReading(NamedTuple):
    """What one part of a message says: text for the answer, the messages in it, the number of
    further messages, and why the part cannot be processed.
    """

    text: str = ""
    messages: tuple[Message, ...] = ()
    more: int = 0
    error: str = ""


def answer(request: Message, facts: Facts) -> Answer:
    """Return the answer to an NLIP message, valid or not."""
    if not request.valid:
        return malformed(request, facts)
    if facts.refused or facts.demanded:
        return ask(request, facts)
    if asks.asks_for_upload(request.values):
        text = "Send large content to the address in this message, as the body of one POST request."
        return _sent(request, facts, _text(text), [_part("structured", "uri", facts.upload)])
    if request.values.get("is_control") is True:
        return _sent(request, facts, _text(_policy(facts)))
    first, *more = _reading(request, facts)
    return _sent(request, facts, first, more)


def refuse(reason: str, *, dialect: str = formats.DEFAULT) -> str:
    """Return an error message about a request that was not read."""
    return _write(_error(reason, dialect))


def malformed(request: Message, facts: Facts) -> Answer:
    """Return the error about an invalid message: the problem as text, and all of them as data."""
    error = next(diagnostic for diagnostic in request.diagnostics if diagnostic.severity == "error")
    first = _error(f"This is not a valid NLIP message. {_ended(error.message)}", facts.dialect)
    details = _part("structured", "json", {"diagnostics": _problems(request)})
    return _sent(request, facts, first, [details | {"label": "reading"}], malformed=True)


def ask(request: Message, facts: Facts) -> Answer:
    """Return a request for authentication."""
    reason = "Unknown authentication token." if facts.refused else "Authentication is required."
    return _sent(request, facts, _text(f"{reason} {ASK}"), control=True, asks=True)


def refuse_message(reason: str, request: Message, facts: Facts) -> Answer:
    """Return an error message about a request that was read, with the tokens that it owes."""
    return _sent(request, facts, _error(reason, facts.dialect))


def tell(messages: Sequence[Message], facts: Facts, *, text: str, more: int = 0) -> str:
    """Return the answer to an upload: ``text`` about it, and the messages in it."""
    first = _text(f"{text} {_describe_messages(messages, more, facts)}".strip())
    ours = _own_token(facts, formats.CONVERSATION, facts.conversation)
    return _write({**first, "submessages": [*_listed(messages, facts), *ours]})


def find(text: str) -> tuple[tuple[Message, ...], int]:
    """Return the first messages of a text, decoded, and the number of further messages."""
    cuts = [
        cut for cut in split(text, most=10 * LISTED).messages if cut.protocol != detection.UNKNOWN
    ]
    decoded = tuple(registry.get(cut.protocol).decode(cut.wire) for cut in cuts[:LISTED])
    return decoded, max(0, len(cuts) - LISTED)


# The content of a request


def _reading(request: Message, facts: Facts) -> list[dict[str, Any]]:
    """Return the parts of an answer to data. The first is text, or an error when no part can be
    processed.
    """
    parts = [part for part in walk(request.values) if part.format != "token"]
    readings = [_read_part(part) for part in parts]
    messages = [message for reading in readings for message in reading.messages]
    texts = [reading.text for reading in readings if reading.text]
    errors = [_error(reading.error, facts.dialect) for reading in readings if reading.error]
    if messages:
        texts.append(_describe_messages(messages, sum(reading.more for reading in readings), facts))
    elif not errors and all(part.format == "text" for part in parts):
        titles = ", ".join(codec.title for codec in registry.all_codecs())
        texts.append(f"Hello. No message found. Send a message of {titles}, alone or in a log.")
    if not texts:
        return [*errors]
    if facts.log:
        texts.append(f"This exchange is stored in the log {facts.log}.")
    return [_text(" ".join(texts)), *errors, *_listed(messages, facts)]


def _read_part(part: Part) -> PartReading:
    """Return what a part says. Every format is processed (5.3)."""
    subformat = part.subformat.strip().lower()
    match part.format:
        case "text" if subformat.replace("_", "-").partition("-")[0] not in ENGLISH:
            error = f"Unsupported language {quote(part.subformat)}. Expected English."
            return PartReading(error=error)
        case "text":
            return PartReading("", *find(part.text))
        case "structured" if part.subformat.lower() not in CODED:
            error = f"Unsupported code {quote(part.subformat)}. Expected {either(CODED)}."
            return PartReading(error=error)
        case "structured":
            messages, more = find(part.text)
            text = f"Received structured content ({part.subformat.lower()}) without a message."
            return PartReading("" if messages else text, messages, more)
        case "binary":
            return _read_binary(part)
        case "location":
            return PartReading(_ended(f"Received a location: {quote(part.text)}"))
        case "error":
            return PartReading(_ended(f"Received your error: {quote(part.text)}"))
        case _:
            text = f"Received content of the unknown extension {quote(part.subformat)}."
            return PartReading(text, *find(part.text))


def _read_binary(part: Part) -> PartReading:
    try:
        data = base64.b64decode(part.text, validate=True)
    except (binascii.Error, ValueError):
        return PartReading(error=f"Received binary content ({part.subformat}) that is not base64.")
    size = f"{amount.count(len(data), 'byte')} of {part.subformat}"
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return PartReading(f"Received binary content: {size}.")
    return PartReading(f"Received binary content: {size}, which is text.", *find(text))


def _describe_messages(messages: Sequence[Message], more: int, facts: Facts) -> str:
    """Return a sentence for each message, with its validity and its tokens."""
    if not messages:
        return "No message found in it."
    total = len(messages) + more
    counts = facts.count([message.wire for message in messages[:TOLD]])
    sentences = [
        f"{registry.get(message.protocol).title}, {'valid' if message.valid else 'invalid'}, "
        f"{amount.count(number, 'token')}: {_sentence(message)}{_problem(message)}"
        for message, number in zip(messages[:TOLD], counts, strict=True)
    ]
    remainder = f" And {total - TOLD:,} more." if total > TOLD else ""
    return f"{amount.count(total, 'message')} found. {' '.join(sentences)}{remainder}"


def _sentence(message: Message) -> str:
    return _ended("".join(piece.text for piece in registry.get(message.protocol).describe(message)))


def _problem(message: Message) -> str:
    first = next(
        (diagnostic for diagnostic in message.diagnostics if diagnostic.severity == "error"), None
    )
    return f" Problem: {_ended(first.message)}" if first else ""


def _ended(text: str) -> str:
    """Return ``text`` as a sentence. What it quotes at its end may end it already."""
    text = text.rstrip()
    return text if ENDED.search(text[-80:]) else f"{text}."


def _listed(messages: Sequence[Message], facts: Facts) -> list[dict[str, Any]]:
    """Return the messages as data for a program."""
    if not messages:
        return []
    counts = facts.count([message.wire for message in messages])
    listed = [
        {
            "protocol": message.protocol,
            "version": message.dialect,
            "wire": message.wire[:LISTED_TEXT],
            "valid": message.valid,
            "tokens": number,
            "english": _sentence(message),
            "diagnostics": _problems(message),
        }
        | ({"shortened": True} if len(message.wire) > LISTED_TEXT else {})
        for message, number in zip(messages, counts, strict=True)
    ]
    return [_part("structured", "json", {"messages": listed}) | {"label": "reading"}]


def _problems(message: Message) -> list[dict[str, Any]]:
    return [
        {
            "code": diagnostic.code,
            "severity": diagnostic.severity,
            "span": list(diagnostic.span),
            "message": diagnostic.message,
        }
        for diagnostic in message.diagnostics[:PROBLEMS]
    ]


def _policy(facts: Facts) -> str:
    identity = (
        f"You are authenticated as {facts.sender}."
        if facts.sender
        else "You are not authenticated."
    )
    storage = (
        f"This exchange is stored in the log {facts.log}."
        if facts.log
        else "This exchange is not stored."
    )
    titles = ", ".join(codec.title for codec in registry.all_codecs())
    policy = f" {facts.policy}" if facts.policy else ""
    return (
        f"This endpoint understands English text and decodes messages of {titles}. {identity} "
        f"{storage} Authentication is a token with the subformat authentication that contains an "
        f"API key; a key is optional.{policy}"
    )


# The parts of an answer


def _sent(
    request: Message,
    facts: Facts,
    first: dict[str, Any],
    more: Sequence[dict[str, Any]] = (),
    *,
    control: bool = False,
    malformed: bool = False,
    asks: bool = False,
) -> Answer:
    returned = _returned(request, facts)
    ours = _own_token(facts, formats.CONVERSATION, facts.conversation)
    # A control message is answered with one.
    control = control or request.values.get("is_control") is True
    head = {**({"messagetype": keys.CONTROL} if control else {}), **first}
    # Libraries write keys in lower case and read no others; who writes them as the draft does gets
    # them so.
    spell = writer.ordered if '"Format"' in request.wire else dict
    for parts in ([*more, *returned, *ours], [*returned, *ours], returned):
        try:
            wire = _write(spell(head | ({"submessages": parts} if parts else {})))
        except Unencodable:
            continue
        if registry.get(request.protocol).decode(wire, dialect=facts.dialect).valid:
            return Answer(wire, malformed, asks)
    # Tokens of nearly a megabyte come back, or as many as a message may hold.
    return Answer(
        _write(
            {
                **head,
                **_error(
                    "The tokens of this message are too large to return with an answer.",
                    facts.dialect,
                ),
            }
        ),
        full=True,
    )


def _returned(request: Message, facts: Facts) -> list[dict[str, Any]]:
    """Return the tokens of the other side (6.2), and our authentication if they asked for it."""
    theirs = (
        _part("token", token.subformat, token.content)
        for token in owed(request.values, facts.dialect)
        if token.text not in facts.own
    )
    return [*theirs, *_own_token(facts, formats.AUTHENTICATION, facts.proof)]


def _own_token(facts: Facts, prefix: str, content: str) -> list[dict[str, Any]]:
    """Return a token of ours, or nothing without content. Errors carry them too (6.5)."""
    return [_part("token", f"{prefix}_{facts.identity}", content)] if content else []


def _text(text: str) -> dict[str, Any]:
    return _part("text", "English", text)


def _error(reason: str, dialect: str) -> dict[str, Any]:
    """Return an error. ECMA-430 has no format for one, so there a text says that it is one."""
    has_errors = "error" in formats.DIALECTS[dialect].formats
    return _part("error", "text", reason) if has_errors else _text(f"Error: {reason}")


def _part(format_: str, subformat: str, content: object) -> dict[str, Any]:
    return {"format": format_, "subformat": subformat, "content": content}


def _write(values: dict[str, Any]) -> str:
    """Return the answer as sent. Raises Unencodable when it is larger than a message may be."""
    try:
        return jsontext.write(values)
    except UnicodeEncodeError:  # it quotes half a surrogate pair of an invalid message
        return SURROGATE.sub("\ufffd", jsontext.dump(values))
