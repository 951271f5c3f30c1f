"""The library: what messages mean and what they cost.

>>> import cablese
>>> message = cablese.decode("REQ/TSK|g=42,t=1,p=2,@=auth_healthcheck")
>>> message.protocol, message.valid
('nslip', True)
>>> cablese.encode("nslip", message.values)
'REQ/TSK|g=42,t=1,p=2,@=auth_healthcheck'

Plain Python and msgspec. No Django, no input or output, no clock, no settings: everything arrives
as an argument. Tokenizers are loaded by the first call of `count`, and codecs by the first use of a
name from here: `cablese.verify`, which checks proofs, needs none of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cablese.codec import Unencodable
    from cablese.conversation.model import Conversation
    from cablese.detection import Guess
    from cablese.message import Message
    from cablese.registry import UnknownDialect, UnknownProtocol
    from cablese.tokens import Count
    from cablese.transcript import Transcript
    from cablese.translation.translate import Translation

__all__ = [
    "Conversation",
    "Guess",
    "Message",
    "Transcript",
    "Translation",
    "Unencodable",
    "UnknownDialect",
    "UnknownProtocol",
    "converse",
    "count",
    "decode",
    "detect",
    "encode",
    "split",
    "translate",
]

_CLASSES = {
    "Conversation": "cablese.conversation.model",
    "Guess": "cablese.detection",
    "Message": "cablese.message",
    "Transcript": "cablese.transcript",
    "Translation": "cablese.translation.translate",
    "Unencodable": "cablese.codec",
    "UnknownDialect": "cablese.registry",
    "UnknownProtocol": "cablese.registry",
}


def __getattr__(name: str) -> Any:
    if name not in _CLASSES:
        raise AttributeError(f"module 'cablese' has no attribute {name!r}")
    return getattr(import_module(_CLASSES[name]), name)


def decode(wire: str, protocol: str | None = None, *, dialect: str | None = None) -> Message:
    """Return what a wire says: its values, fields, and diagnostics, whatever the text.

    Without a protocol it is read as the one that claims it most surely; a text that none claims
    gives a message of the protocol `unknown`. Raises UnknownProtocol and UnknownDialect.

    >>> decode("T|17|Q|obj=door").values["payload"]
    {'obj': 'door'}
    >>> [found.code for found in decode("hello").diagnostics]
    ['unknown.protocol']
    """
    from cablese import detection

    return detection.decode(wire, protocol, dialect=dialect)


def encode(protocol: str, values: Mapping[str, Any], *, dialect: str | None = None) -> str:
    """Return the wire of a protocol that says these values, in canonical form.

    Raises Unencodable when there is none, UnknownProtocol, and UnknownDialect.

    >>> encode("tline", {"id": 17, "kind": "Q", "payload": {"obj": "door"}})
    'T|17|Q|obj=door'
    """
    from cablese import registry

    registry.check_dialect(protocol, dialect)
    return registry.get(protocol).encode(dict(values), dialect=dialect)


def split(text: str, protocol: str | None = None) -> Transcript:
    """Return the messages of a text, such as a log or a chat, and what of it was ignored.

    Places are half-open spans of code points. With a protocol every line, folded packet, or JSON
    value is read as that one. Raises UnknownProtocol.

    >>> [cut.wire for cut in split("10:00 ann: T|17|Q|obj=door\\nhello").messages]
    ['T|17|Q|obj=door']
    """
    from cablese import transcript

    return transcript.split(text, protocol)


def detect(wire: str) -> tuple[Guess, ...]:
    """Return the protocols that a wire resembles, the surest first, each with its reasons.

    >>> detect("T|17|Q|obj=door")[0].protocol
    'tline'
    """
    from cablese import detection

    return detection.rank(wire)


def translate(message: Message | str, to: str) -> Translation:
    """Return a message in another protocol or dialect, as `english`, or as `json`.

    The translation says what was kept, changed, or lost; one that is impossible says why. Raises
    UnknownProtocol for a target that does not exist.

    >>> translate("T|17|Q|obj=door", "json").wire
    '{"id":17,"kind":"query","objective":"door"}'
    """
    from cablese.translation import translate as translation

    return translation.translate(decode(message) if isinstance(message, str) else message, to)


def converse(messages: Sequence[Message | str]) -> tuple[Conversation, ...]:
    """Return the conversations of messages given in the order they were sent.

    Indexes are places in `messages`. A message of no protocol is in none.

    >>> [turn.index for turn in converse(["T|17|Q|obj=door", "T|18|A|obj=door"])[0].turns]
    [0, 1]
    """
    from cablese.conversation.gather import gather

    return gather(
        [decode(message) if isinstance(message, str) else message for message in messages]
    )


def count(text: str, tokenizer: str = "o200k_base") -> Count:
    """Return how many tokens a text is, and whether that is exact.

    Raises tokens.UnknownTokenizer, and tokens.VocabularyError on a broken installation.

    >>> count("REQ/TSK|g=42,t=1,p=2,@=auth_healthcheck").count
    19
    """
    from cablese import tokens

    return tokens.count(text, tokenizer)
