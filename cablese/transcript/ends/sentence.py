"""Words with which a line goes on after the message that it is about.

    Sent REQ/TSK|g=42,t=1 from planner to executor     its sender and its recipient
    failed to deliver REQ/TSK|g=42,t=1: timeout        what came of it
    INFO REQ/TSK|g=42,t=1 bus.py:18                    the place in the program that logged it

A value may have such words itself. They end a message if the words before it announce them, or if
its last value has no further words: a number, a code, or a name. A reason may have any: if it has
several words, only an error of a system ends it, in a line about a failure.
"""

import re

from cablese.codec import Codec
from cablese.message import Message
from cablese.transcript.log_lines.names import NAME, is_party

from .room import Room

PASSED = re.compile(
    r"\b(?:send(?:s|ing)?|sent|(?:forward|deliver|post|relay)(?:s|ing|ed)|dispatch(?:es|ing|ed)"
    r"|publish(?:es|ing|ed)|receiv(?:es|ing|ed)|recv(?:d|ed)?|rcvd|incoming|gets|got"
    r"|rout(?:es|ing|ed)) [\"'`“‘«]?\Z",
    re.IGNORECASE,
)
"""What is before a message in a sentence that goes on with its recipient or its sender."""
PASSED_ENDS = ("g", "d", "t", "s", "v", "G", "D", "T", "S", "V")
"""The last letters of those words: most lines have another there."""
_QUOTES = " \"'`“‘«"
_PARTY = rf"{NAME}(?<!\.)"
ROUTE = (
    rf"(?:from\s+(?P<origin>{_PARTY})\s+to\s+(?P<target>{_PARTY})"
    rf"|to\s+(?P<goal>{_PARTY})\s+from\s+(?P<source>{_PARTY}))"
)
END = r"(?=[.!?;,]?\s*(?:\Z|\s[(\[{])|:\s)"
"""What is after the last name: the end of the line, or of a sentence, a remark, or a colon."""
TO_NAME = re.compile(rf"(?:{ROUTE}|(?:to|from)\s+{_PARTY}){END}")
_MOVES = re.compile(
    r"(?:\b|_)(?:mov|migrat|chang|switch|convert|renam|cop[iy]|transfer|transition|promot|demot"
    r"|upgrad|downgrad|increas|decreas|reduc|rais|lower|drop|translat|go|went|fell|rose|grew)"
    r"\w{0,6}\Z",
    re.IGNORECASE,
)
"""What goes from one place to another, and is not a message: `moved from staging to prod`."""
_FAILED = re.compile(
    r"(?:\b(?:fail(?:s|ed|ing|ure)?|cannot|can't|could\snot|couldn't|unable)\b[\w\s]{0,20}"
    r"|\b(?-i:[Ee]rror)\s\w[\w\s]{0,20}"
    r"|\b(?:dropp|reject|discard|refus|ignor|skipp|retry|abort|bounc)(?:ed|ing)|\bretry"
    r"|\btime(?:out|d\sout)\b[\w\s]{0,20}|\bgiving\sup\son"
    r"|\b(?:send|delivery|publish)\s(?:error|failure):)"
    r"\s(?:the\s)?(?:message\s|packet\s)?\Z",
    re.IGNORECASE,
)
"""What is before a message in a line that tells why something failed, after a colon. A level alone
announces no cause.
"""
_TIMEOUT = r"(?:timeout|timed[ ]out|deadline[ ]exceeded)"
_ERROR = re.compile(
    r"(?:(?:dial|read|write|connect|lookup(?:[ ][\w.-]+)?|post|get|rpc[ ]error)"  # as Go prints it
    r"(?:[ ](?:tcp|udp|unix|on|[^ ]*[.:/\"][^ ]*))*:[ ])*+"
    r"(?:\[(?:Errno|WinError)[ ]-?\d{1,6}\]|(?-i:E[A-Z]{4,14}|[A-Z]\w{0,40}(?:Error|Exception))"
    r"|connection[ ](?:was[ ])?(?:refused|reset(?:[ ]by[ ]peer)?|closed|aborted|lost)"
    rf"|(?:(?:connection|request|operation|read|write|i/o|gateway|socket|context)[ ])?{_TIMEOUT}"
    r"|broken[ ]pipe|no[ ](?:route[ ]to|such)[ ]host|(?:host|network)[ ](?:is[ ])?unreachable"
    r"|(?:unexpected[ ])?EOF|socket[ ]hang[ ]up|service[ ]unavailable|bad[ ]gateway)"
    r"(?=\Z|(?<=\])[ ]|[ ]?[(\[,;:.!]|[ ](?:after|on|at|while)[ ])",
    re.IGNORECASE,
)
"""Why a message was not delivered, as programs and systems print it."""
PADDED = re.compile(r"(?:\A|\]|\s)(?:DEBUG   |INFO    |WARNING |ERROR   |CRITICAL) ")
"""A level as Rich prints it, which writes the place in the program at the right."""
PLACE = (
    r"[\w./\\-]{1,200}\.(?:py|go|jsx?|mjs|tsx?|java|kt|rs|rb|cs|c|cc|cpp|php|exs?|scala|swift)"
    r"(?:(?::\w{1,60})?:|[ ]on[ ]line[ ])\d{1,7}"
)
_OUTCOME = (
    r"(?:(?:has|have|was|were|is)[ ](?:been[ ])?\w{2,20}(?:ed|nt|st)\b"
    r"|(?:(?:at|on|@)[ ])?(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?"
    r"(?:Z|[ ]?[+-]\d\d:?\d\d)?\.?\Z"
    r"|(?:(?:took|in|after)[ ])?\d{1,9}(?:\.\d{1,9})?[ ]?(?:ns|[uµ]s|ms|s)\b"
    rf"|(?:by|via|for)[ ]{_PARTY}{END}|(?:on|from|to)[ ](?:the[ ])?(?:topic|channel|queue|stream)\b"
    r"|[✓✔✅❌✗✘⚠↩⏎\U0001f300-\U0001faff]|(?:OK|ok|done|failed|sent|delivered|received)[.!]?\Z)"
)
"""What became of a message, when, and through what."""
_WORDS = (
    r"(?P<cause>(?:(?<=[^\s:;,][:;,][ ])|(?<=[^\s:;,][ ])[-–—:][ ])(?=[\[(<\"']?[A-Za-z0-9]))"
    rf"|(?P<route>{ROUTE}{END})|(?P<outcome>{_OUTCOME})"
)
_GOES_ON = re.compile(rf"[ ](?:{_WORDS})")
_GOES_ON_TO_PLACE = re.compile(rf"[ ](?:{_WORDS}|(?P<place>(?:(?:at|in|@)[ ])?{PLACE}\Z))")
"""All begin with a space, because a search for one is fast."""
_MAX_TRIES = 8
"""Words of one line that are tried."""
_SEARCHED = 32
"""So many characters that are searched for words count as one that is decoded."""
_NEAR = 60
"""Characters before a message that are searched for what announces them."""
_SPACE = re.compile(r"\s")


def is_passed(before: str) -> bool:
    """Return whether a sentence says before a message that it was sent or received."""
    stem = before[-2:].rstrip(_QUOTES) or before[-3:].rstrip(_QUOTES)
    return stem.endswith(PASSED_ENDS) and PASSED.search(before, len(before) - _NEAR) is not None


def is_route(words: re.Match[str], before: str) -> bool:
    """Return whether "from" and "to" after ``before`` name the parties of a message."""
    names = (words["origin"] or words["source"], words["target"] or words["goal"])
    return not _MOVES.search(before, max(0, len(before) - _NEAR)) and all(
        name is not None and is_party(name) for name in names
    )


def find(codec: Codec, wire: str, before: str, room: Room) -> int | None:
    """Return where ``wire`` ends because the line goes on with words about it; None if they may be
    its own. ``before`` is what is before it on its line.
    """
    if " " not in wire or not room.take(len(wire) // _SEARCHED):
        return None
    whole: Message | None = None
    goes_on = _GOES_ON_TO_PLACE if wire[-1].isdigit() else _GOES_ON
    for number, words in enumerate(goes_on.finditer(wire)):
        at = words.start()
        at -= wire[at - 1] in ":;,"
        if number == _MAX_TRIES or not room.take(at + len(wire)):
            break
        if words.lastgroup == "route" and not is_route(words, wire[:at]):
            continue
        if wire[at] in ";," and wire[at] in codec.separators:
            continue
        if codec.further is not None and codec.further.search(wire, at):
            continue
        short = codec.decode(wire[:at])
        has_words = _has_words(codec, short)
        if not short.valid or (has_words and not _is_error(words)):
            continue
        if _is_announced(words.lastgroup, before):
            return at
        if has_words:
            continue
        whole = codec.decode(wire) if whole is None else whole
        if _is_complete(codec, short, whole):
            return at
    return None


def _is_announced(kind: str | None, before: str) -> bool:
    """Return whether the words before a message announce those of a ``kind`` after it."""
    if kind == "cause":
        return _FAILED.search(before, max(0, len(before) - _NEAR)) is not None
    return kind == "place" and PADDED.search(before) is not None


def _is_error(words: re.Match[str]) -> bool:
    """Return whether the words tell of an error of a system, which no value has."""
    return words.lastgroup == "cause" and _ERROR.match(words.string, words.end()) is not None


def _has_words(codec: Codec, message: Message) -> bool:
    """Return whether the last value of a message has more than one word, or is one of several that
    only spaces part.
    """
    value = message.fields[-1].span.start if codec.separators.strip() else 0
    return _SPACE.search(message.wire, value) is not None


def _is_complete(codec: Codec, short: Message, whole: Message) -> bool:
    """Return whether the last value of ``short`` has no further words, though ``whole`` has."""
    if not whole.valid:
        return True
    meaning = codec.meaning(short)
    if any(text and short.wire.endswith(text) for text in (meaning.reason, meaning.result)):
        return False
    names = (*meaning.tags, meaning.object, meaning.topic, meaning.status, meaning.answer_to)
    if any(name and short.wire.endswith(name) for name in names):
        return True
    return _count_problems(whole) > _count_problems(short)


def _count_problems(message: Message) -> int:
    return sum(one.severity != "info" for one in message.diagnostics)
