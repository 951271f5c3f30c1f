"""Find what a message asks of the other side: an upload address (6.4), or authentication (6.5).

The draft has no field for either. A control message asks in prose, which is checked a sentence at a
time:

    Where may I send a large file?      asks for an address
    Please give me an upload URL.       asks for an address
    How large may an upload be?         asks about uploads, and is a question like any other
    Where do you keep uploaded files?   asks about files
    Please authenticate yourself.       asks for authentication
    Do I have to authenticate?          asks about it

The exchange checker and the server agent both use this module, so that they never disagree.
"""

import re
from collections.abc import Iterator
from typing import Any

from cablese.protocols.nlip.parts import authentication, walk

HEAD = 2000
"""Characters of a text that are looked at."""
UNAUTHORIZED = ("401", "407")
"""Error codes of HTTP that ask for authentication."""

SENTENCE = re.compile(r"(?<=[.?!;])\s+|[\r\n]+")
_SEND = r"(?:send|upload|post|put|transfer|transmit|submit|deliver|push|stream)"
_SENT = r"(?:sent|uploaded|posted|put|transferred|transmitted|submitted|delivered|pushed|streamed)"
_CONTENT = (
    r"(?:uploads?|files?|binar(?:y|ies)|contents?|data|images?|pictures?|photos?"
    r"|videos?|audio|recordings?|"
    r"attachments?|documents?|archives?|payloads?|blobs?|objects?|media|datasets?"
    r"|backups?|scans?|films?)"
)
_PLACE = (
    r"(?:address(?:es)?|ur[il]s?|locations?|places?|end-?points?|links?|destinations?|targets?)"
)
# What stands between a verb and the content it sends: "a large binary", not "questions about your".
_FEW = (
    r"(?:[\s,]+(?!(?:about|regarding|concerning|on|of|for|your|you|they"
    r"|the policy)\b)[\w.’'-]+){0,6}?[\s,]+"
)
_ME = r"(?:\s+(?!(?:you|your|yours|they|their|go|goes|after|once|when)\b)[\w’'-]+){0,6}?\s+"
"""Words between "where" and the verb: "may I", not "do you"."""

WHERE = re.compile(
    rf"\bwhere\b{_ME}(?:upload\b|{_SEND}\b{_FEW}{_CONTENT}\b)|"
    rf"\bwhere\b{_ME}{_CONTENT}\b(?:\s+[\w’'-]+){{0,4}}?\s+(?:be|get)\s+{_SENT}\b|"
    rf"\bwhere\b{_ME}{_CONTENT}\b(?:\s+[\w’'-]+){{0,2}}?\s+go(?:es)?\b(?!\s+(?:after|once|when))|"
    rf"\b(?:at|to|on)?\s*(?:which|what)\s+{_PLACE}\b(?:\s+(?!(?:you|your"
    rf"|they)\b)[\w’'-]+){{0,6}}?\s+"
    rf"(?:upload(?:s|ing)?\b|{_SEND}\b{_FEW}{_CONTENT}\b|takes?{_FEW}{_CONTENT}\b)|"
    rf"\bhow\s+(?:do|can|may|should|could|shall|must)\s+(?:I|we|one)\s+(?:upload\b"
    rf"|{_SEND}\b{_FEW}{_CONTENT}\b)|"
    rf"\b(?:which|what)\s+{_PLACE}\b(?:\s+(?:should|may|can|must|do|to|I|we|use)\b)+\s+"
    rf"(?:for|with){_FEW}{_CONTENT}\b",
    re.IGNORECASE,
)
CONTENT = re.compile(
    rf"\bupload\b|\b{_SEND}\b{_FEW}{_CONTENT}\b|\b(?:large|big|huge)\s+{_CONTENT}\b", re.IGNORECASE
)
WHERE_IT = re.compile(
    rf"\bwhere\b{_ME}(?:{_SEND})\s+(?:it|them|this|that)\b|"
    rf"\bwhere\s+(?:should|shall|may|can|must|does|do)\s+(?:it|they|this|that)\s+go\b|"
    rf"\b(?:give|tell|provide|name|need|want)\b[^.?!]{{0,40}}?\b(?:the|an?)\s+{_PLACE}\W*\Z",
    re.IGNORECASE,
)
"""A question where to send what another sentence names."""
NAMED = re.compile(
    rf"\b(?:upload(?:ing)?|redirect(?:ion)?)\s+{_PLACE}\b|"
    rf"\b{_PLACE}\s+(?:for|to|where|that|which|at\s+which|of){_FEW}?(?:{_SEND}\b"
    rf"|uploading\b|(?:large\s+)?{_CONTENT}\b)|"
    rf"\bredirect\s+(?:me|my|our|this)\b|\bredirection\b|\bredirected\b",
    re.IGNORECASE,
)
"""The address by its name: an upload address, a location for large uploads."""
REQUEST = re.compile(
    r"\A\W*(?:what|which|where|(?:is|are)\s+there|do\s+you\s+have|(?:may|can|could)\s+"
    r"(?:I|we)\s+(?:have|get|be)|"
    r"(?:may|can|could|will|would)\s+you|upload(?:ing)?|redirect(?:ion)?|requests?"
    r"|requesting|i\s+request)\b|"
    r"\b(?:give|tell|send|provide|return|share|name|assign|allocate|need|want|request"
    r"|ask(?:ing)?\s+for|redirect\s+(?:me|my|our|this))\b",
    re.IGNORECASE,
)
ABOUT = re.compile(
    r"\b(?:limits?|limited|maxim(?:um|al)|max|how\s+(?:large|big|long|many|much|often"
    r"|old)|polic(?:y|ies)|rules?|"
    r"retention|retain(?:ed)?|keep|kept|stored?|logged|delet(?:e|ed)|expires?|expired"
    r"|expiry|allow(?:ed)?|accept(?:ed)?|"
    r"encrypt(?:ed|ion)|secure|costs?|price|whether|confirm|works?|lives?|lifetime|follow)\b",
    re.IGNORECASE,
)
"""A question about uploads that does not ask for an address."""
SUBJECT = re.compile(
    r"\b(?:authenticat|authori[sz]ation|credential|log ?in\b|sign ?in\b"
    r"|identify yourself|prove who)",
    re.IGNORECASE,
)
ASKING = re.compile(
    r"\?|\b(?:please|must|need|needs|needed|required?|requires|provide|send|supply"
    r"|present|missing|give|asks?)\b|"
    r"\A\W*(?:authenticat\w+|credentials|identify yourself)(?: (?:yourself|information"
    r"|request))?\W*\Z",
    re.IGNORECASE,
)
QUESTION = re.compile(
    r"\A\W*(?:do|does|did|is|are|am|must|should|shall|how|when|what|which|why|may|whether)\b",
    re.IGNORECASE,
)
DONE = re.compile(
    r"\b(?:authenticated|accepted|granted|succeeded|successful(?:ly)?|confirmed|here "
    r"(?:is|are)|enclosed|attached|"
    r"(?:not|no longer) (?:needed|required|necessary)|(?:no|without) authentication)\b",
    re.IGNORECASE,
)


def asks_for_upload(values: dict[str, Any]) -> bool:
    """Return whether a control message asks for an upload address."""
    return _is_control(values) and any(map(_asks_where, _texts(values, "text")))


def asks_for_upload_as_data(values: dict[str, Any]) -> bool:
    """Return whether a message that is not a control message asks for an upload address."""
    return not _is_control(values) and any(map(_asks_where, _texts(values, "text")))


def _asks_where(text: str) -> bool:
    return any(
        WHERE.search(sentence)
        or (WHERE_IT.search(sentence) and CONTENT.search(text) and not ABOUT.search(text))
        or (NAMED.search(sentence) and REQUEST.search(sentence) and not ABOUT.search(sentence))
        for sentence in SENTENCE.split(text)
    )


def asks_for_authentication(values: dict[str, Any]) -> bool:
    """Return whether a control message asks for authentication. One with an authentication token
    does not.
    """
    return (
        _is_control(values)
        and not authentication(values)
        and any(_requests(values, "text", "error"))
    )


def asks_for_authentication_as_data(values: dict[str, Any]) -> bool:
    """Return whether an error that is not a control message asks for authentication."""
    return not _is_control(values) and any(_requests(values, "error"))


def _is_control(values: dict[str, Any]) -> bool:
    return values.get("is_control") is True


def _requests(values: dict[str, Any], *formats: str) -> Iterator[bool]:
    for part in walk(values):
        if part.format == "error" and part.subformat.lower() == "code":
            yield part.text in UNAUTHORIZED
    for text in _texts(values, *formats):
        yield bool(
            SUBJECT.search(text)
            and ASKING.search(text)
            and not QUESTION.search(text)
            and not DONE.search(text)
        )


def _texts(values: dict[str, Any], *formats: str) -> Iterator[str]:
    for part in walk(values):
        if part.format in formats and isinstance(part.content, str):
            yield part.content[:HEAD]
