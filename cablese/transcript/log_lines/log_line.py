"""Metadata of a log line around its message: time, level, logger, sender, recipient, IDs.

    2026-11-20T10:00:01Z INFO bus planner -> executor REQ/TSK|g=1   sent by planner to executor
    INFO:planner:REQ/TSK|g=1                                        Python's default: logger planner
    ts=1763632801 level=info from=planner trace_id=4bf9 msg="…"     logfmt
    [20/11/2026, 10:00:01] planner: REQ/TSK|g=1                     a chat, exported

An arrow or a key that names a sender beats a name before a colon, which beats a logger. The
writer of a line that says that its message came in is not the sender (`incoming`).
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from cablese.json import jsontext
from cablese.message import Span
from cablese.transcript import times
from cablese.transcript.cut import MESSAGE_KEYS
from cablese.transcript.ends import arrow, sentence
from cablese.transcript.facts import NOTHING, Facts
from cablese.transcript.records import programs, record

from . import incoming
from .names import ANY_LEVEL, LEVELS, NAME, is_label, is_party
from .parties import PYTHON_DEFAULT, Parties, read_parties

LEVEL = re.compile(rf"[^\w./-]((?:{ANY_LEVEL})(?!\w)(?![.-]\w)|[DIWEF](?=\d{{4,8}} |/|\s+\S+\s*:))")
SMALL_LEVEL = re.compile(
    rf"[\s\[](?=[{''.join(sorted({level[0] for level in LEVELS}))}])({ANY_LEVEL})(?=\s*[\]:|]|\s)",
    re.IGNORECASE,
)
"""Both begin with the character before a level, which makes the search several times as fast."""
NAMED_AFTER = re.compile(
    rf"(?P<quote>[\"'`”’»])?\s*(?:{sentence.ROUTE}|to\s+(?P<to>{NAME}(?<!\.))"
    rf"|from\s+(?P<from>{NAME}(?<!\.))){sentence.END}"
)
"""What follows a message in "sending … to executor" and "received … from planner"."""
AT_TIME = re.compile(r"[\s,;(\[@-]*(?:\bat)?[\s(\[]*\Z")
"""What is between a name and its time: `planner (10:00):`, `planner at 10:00:`."""
TIME_END = re.compile(r"[\s)\]]*:")
"""What is after such a time."""
EXPORTED = re.compile(
    r"(?:\]|\s-)\s(?:~\s?)?(\+\d[\d\s()-]{5,20}\d"
    r"|[^\W\d_][^\s:|<>\[\]{}\"=/\\]{0,40}(?:\s[^\W\d_][^\s:|<>\[\]{}\"=/\\]{0,40}){0,3}):\s*\Z"
)
"""A name in any script, or a telephone number, after the time in the export of a chat."""
_CLOCKED = r"[^|]{0,40}\d\d:\d\d[^|]{0,30}"
LEAD = re.compile(
    rf"(?:(?:{ANY_LEVEL}):(?:[\w.-]+|\d[\d\- T:.,]+):"  # Python's logging.BASIC_FORMAT
    rf"|(?=[^|]{{5,75}}+\|){_CLOCKED}\|\s*(?:{ANY_LEVEL})\s*\|\s*(?:[\w. -]+\|\s*)?"  # NLog
    r"|[-+](?=[A-Z]{2,12}[|/])"  # a diff
    r"|[\w./-]+\.[a-z]{2,5}(?::\d+:(?:\d+:)?|-\d+-|-(?=[A-Z]{2,12}[|/]))"  # grep
    r"|\d{1,7}[-.](?=[A-Z]{2,12}[|/])"  # the same, of one file, or the number of a list
    r"|::[a-z-]+(?: [^:\r\n]*)?::|##\[\w+\])"  # commands of a CI runner
    r"[ \t]*"
)
"""What a line begins with that hides where its message begins."""
TRAILING = re.compile(rf"\s*(?:\[({NAME})\]|<s:({NAME})>)")
"""The logger after a message, as structlog and Serilog write it."""
PROCESS = re.compile(
    rf"(?<![\w.])(?:app\[([a-z][\w-]{{0,29}}\.\d{{1,4}})\]:|({NAME})\[\d+\]|<s:({NAME})>)"
    rf"|(?<=[A-Z] \()({NAME})/\d{{1,7}}\):|\A\(({NAME}) pid=\d+[,)]"
)
"""What wrote a line: a dyno of Heroku, a process of syslog, the logger of Serilog, that of pino as
pino-pretty shows it, and an actor of Ray.
"""
CHANNEL = re.compile(rf"(?<=\] )([A-Za-z_][\w-]{{0,63}})\.({ANY_LEVEL}):")
"""The channel and the level of Monolog: `[2026-11-20 10:00:01] planner.INFO:`."""
CONTAINER = re.compile(
    r"\s*(?:\d\d:\d\d:\d\d\s+)?"
    r"(?:([A-Za-z_][\w.-]{0,58}[._-]\d{1,4})|\d{1,4}\|([A-Za-z_][\w.-]{0,62}))\s*\|\s"
    r"|\s*\[pod/([A-Za-z_][\w.-]{0,62})/[\w.-]{1,63}\]"
    r"|(?P<alone>[A-Za-z_][\w.-]{0,62})\s{2,40}\|\s"
)
"""What Docker Compose, Foreman, PM2, and kubectl write before each line of a program."""
_TIME_OF_DAY = r"\d\d:\d\d:\d\d(?:[.,]\d{1,9})?"
WITHIN = re.compile(
    rf"[\s\[]{{0,4}}(?:{_TIME_OF_DAY}[\s\]|-]{{1,4}})?(?:{ANY_LEVEL})"
    rf"[\s:|\[\]-]{{1,8}}({NAME})(?::\s*|\]\s*:?\s*|\s+-\s+)",
    re.IGNORECASE,
)
"""The level and the logger of a program there: a part of it, and not an agent."""
RFC_5424 = re.compile(
    r"\s*(?:<\d{1,3}>)?1\s+([\w.-]+)\s+([A-Za-z_][\w.-]*)\s+[\w.-]+\s+[\w.-]+\s+(?:-|\[)"
)
DASHED = re.compile(rf"(?:^|\s|\|)[-–|]?\s*({NAME})(?::\w+)*(?::\d+)?\s*[-–|](?:\s|\Z)")
PAIR = re.compile(
    r"""(?<![\w.@-])([@A-Za-z_][\w.@-]{0,63})="""
    r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s"',;&<>“”()\[\]{}]++(?!\())"""
)
ELEMENT = re.compile(r"<([A-Za-z_][\w.-]{0,63})>([^<>]{1,200})</\1>")
"""A member of a record in XML, one of which is a message."""
OWN_ELEMENT = re.compile(r"<(\w{1,40})>\Z")
MEMBER = re.compile(
    r"""["']([@A-Za-z_][\w.@-]{0,63})["']\s*:\s*"""
    r"""("[^"\\]*"|'[^'\\]*'|-?\d[\d.]*|true|false)"""
)
"""A member of a record that is not clean JSON."""
AS_MEMBER = re.compile(
    r"""(?<![.-])\b(\w{1,40})["']?(?:\s{0,2}(?:=>|[:=])\s{0,2}|\s(?="))(?:<<)?["']?\Z"""
)
"""What is before a message that is a member of a printed object, and its key."""
PARTY = re.compile(
    r"""(?<![\w.@-])(?:(:)|["']|)(from|sender|agent|author|to|recipient|receiver)["']?"""
    rf"""(?:\s{{0,2}}(?:=>|[:=])|(?(1)(?=\s)|(?!)))\s{{0,2}}(?:\((?:set\s+\()?"""
    r"""agent-identifier\s+:name\s+)?"""
    rf"""(?:"({NAME})"|'({NAME})'|({NAME})(?=\s{{0,2}}[,;|)}}\]]|\s+["':]?\w+["']?\s?[:=]"""
    r"""|(?(1)\s+:\w|(?!))))""",
    re.IGNORECASE,
)
"""A member of it that names a party: `from: "planner"`, `:to=>"executor"`, `From = planner,`, and,
in KQML and FIPA ACL, `:sender planner` and `:receiver (agent-identifier :name executor)`.
"""
MAX_KEY = 48
"""Characters before a message that may name its member."""
KEY_ENDS = tuple(MESSAGE_KEYS)
"""What a line ends with there: `str.endswith` takes a tuple alone."""
STEP = re.compile(
    rf"""\s*(?:<\d{{1,3}}>\d?\s*|\[[^\[\]|]{{1,80}}\]:?\s*|(?:{ANY_LEVEL})\b[\s:|-]*
    |{NAME}(?:\[\d+\])?:\s+|[-–—|]\s+|{NAME}\s*(?:->|→|=>)\s*{NAME}:?\s+
    |(?=[^\s|{{"'\d]{{0,80}}+\d)[^\s|{{"']{{1,80}}+\s+)""",
    re.VERBOSE | re.IGNORECASE,
)
"""One thing that may come before a message: a time, a level, a name, a number."""
FOLLOWING = re.compile(
    rf"(?![A-Z][a-z]+ (?:start|finish|complet|end|stopp|fail|succeed|begin|began|paus|resum|schedul"
    rf"|open|clos|establish|initializ)[a-z]*\b)({NAME})(?=\s|:|\])"
)
"""The logger after a level, unless that begins a sentence: `INFO Activity started`."""
CALLER = re.compile(r"[\w./-]+\.(?:py|go|js|ts|java|rs|cc|cpp|c|rb):\d+\]?")


@lru_cache(maxsize=512)
def read(before: str, after: str = "", *, is_last: bool = True, is_row: bool = False) -> Facts:
    """Return the facts in what is ``before`` and ``after`` the messages of a line.

    After one that is not the last, a logger wrote the next one. In a row, bars part its cells.
    """
    if not before.strip() and not after.strip():
        return NOTHING
    before = CHANNEL.sub(r"\2 \1:", before) if "] " in before else before
    time, place = times.find(before) or (None, None)
    text = before if place is None else _without_time(before, place)
    remainder, told, program = (text, text, None) if is_row else _of_program(text)
    stated = _list_members(before, after)
    attributes = _attributes(remainder, program, before, after if is_last else "")
    logger = _party(attributes.get("logger"))
    is_log = bool(attributes)
    arrival = incoming.receive(told, logger)
    pairs = record.collect(stated, free=stated, arrival=arrival, is_log=is_log, has_programs=False)
    if arrival is not None:
        sender, recipient = arrival.sender, arrival.recipient
    else:
        sender, recipient = read_parties(told)
        if place is not None and sender is None:
            sender = _exported(before, place)
        came_in = any(map(record.read_arrival, stated))
        sender = None if came_in else sender or logger or programs.find(stated)
    sides = _read_after(before, after) or arrow.read_parties(before, after)
    if sides is not None:
        sender, recipient = sides[0] or sender, sides[1] or recipient
    return Facts(
        time=time or pairs.time,
        sender=pairs.sender or sender,
        recipient=pairs.recipient or recipient,
        thread=pairs.thread,
        attributes=pairs.attributes | attributes,
    )


def _list_members(before: str, after: str) -> list[record.Flat]:
    """Return the pairs and the members around a message, with keys in lower case."""
    pairs = dict(_pairs(before))
    if "source" in pairs and "models_usage=" in before:  # AutoGen
        pairs["from"] = pairs.pop("source")
    members = (pairs, dict(_pairs(after)), *_trailing_object(after))
    own = OWN_ELEMENT.search(before) if before.endswith(">") else None
    if own is not None and own[1].lower() in MESSAGE_KEYS:
        members = (*members, dict(ELEMENT.findall(before)), dict(ELEMENT.findall(after)))
    if _is_member(before):
        members = (*members, dict(_parties(before)), dict(_parties(after)))
    return [record.flatten(member) for member in members if member]


def _read_after(before: str, after: str) -> Parties | None:
    """Return the parties that a sentence names after a message, or after the string it is in."""
    named = NAMED_AFTER.match(after)
    if named is None or (named["quote"] and not sentence.is_passed(before)):
        return None
    origin = named["origin"] or named["source"] or named["from"]
    target = named["target"] or named["goal"] or named["to"]
    return _party(origin), _party(target)


def _party(name: str | None) -> str | None:
    return name if name is not None and is_party(name) else None


def _without_time(before: str, place: Span) -> str:
    head, tail = before[: place.start], before[place.end :]
    end = TIME_END.match(tail)
    if end is None:
        return f"{head} {tail}"
    return f"{AT_TIME.sub('', head)}{tail[end.end() - 1 :]}"


def _find_container(text: str) -> re.Match[str] | None:
    """Return what a program that collects the lines of others writes before one."""
    container = CONTAINER.match(text) if "|" in text or "[" in text else None
    alone = None if container is None else container["alone"]
    return container if alone is None or (is_party(alone) and not is_label(alone)) else None


def _of_program(text: str) -> tuple[str, str, str | None]:
    """Return what is before a message, for its logger and for its parties, and the program whose
    name is before the line.

    The logger of such a program is a part of it, and no party. Where a program runs several agents,
    its logger tells which, and its own name is neither.
    """
    container = _find_container(text)
    if container is None:
        return text, text, None
    program = next(filter(None, container.groups()))
    within = WITHIN.match(text, container.end())
    if within is None:
        return text, text, program
    if programs.is_shared(program):
        rest = text[container.end() :]
        return rest, rest, None
    if not is_party(within[1]):
        return text, text, program
    return text, text[: container.end()] + text[within.end() :], program


def _exported(before: str, place: Span) -> str | None:
    """Return whose message it is in the export of a chat: after a day, a comma, and a time."""
    is_first = not before[: place.start].strip("[\u200e\u200f\ufeff \t")
    if not is_first or "," not in before[slice(*place)]:
        return None
    named = EXPORTED.match(before, place.end)
    if named is None or any(word[0].islower() for word in named[1].split()):
        return None
    return named[1] if is_party(named[1]) else None


def _attributes(text: str, program: str | None, before: str, after: str) -> dict[str, Any]:
    """Return level and logger. ``text`` is ``before`` without its time; a ``program`` wrote it."""
    attributes: dict[str, Any] = {}
    level = LEVEL.search(f" {before}") or SMALL_LEVEL.search(f" {text}")
    if level is not None:
        attributes["level"] = level[1]
    logger = _logger(text, program, None if level is None else level[1])
    if logger is None:
        trailing = TRAILING.match(after)
        logger = None if trailing is None else _party(trailing[1] or trailing[2])
    if logger is not None:
        attributes["logger"] = logger
    return attributes


def _logger(text: str, program: str | None, level: str | None) -> str | None:
    default = PYTHON_DEFAULT.match(text)
    if default is not None:
        return default[1]
    standard = RFC_5424.match(text)
    if standard is not None:
        return standard[2]
    if program is not None:
        return program
    process = PROCESS.search(text) if "[" in text or "<s:" in text or "(" in text else None
    named = None if process is None else _party(process[process.lastindex or 0])
    if named is not None:
        return named
    if level is None:
        return None
    dashed = next((one[1] for one in DASHED.finditer(text) if is_party(one[1])), None)
    if dashed is not None:
        return dashed
    following = text[text.find(level) + len(level) :].lstrip(" \t:]|>-")
    word = FOLLOWING.match(following)
    is_caller = CALLER.match(following) is not None
    return word[1] if word is not None and is_party(word[1]) and not is_caller else None


def _pairs(text: str) -> Iterator[tuple[str, Any]]:
    stated = text.rstrip()
    pairs = PAIR.findall(text) if "=" in text else ()
    for key, value in (*pairs, *MEMBER.findall(text)):
        if value.endswith(":") and stated.endswith(value):
            value = value[:-1]  # what is said to whom: `to=executor: `
        yield key, value[1:-1] if value[:1] in ("'", '"') and len(value) > 1 else value


def _is_member(before: str) -> bool:
    """Return whether a message is a member of a printed object."""
    near = before[-MAX_KEY:]
    stem = near.rstrip(" \"'<:=>")
    # Most lines have no such key. The members of logfmt are pairs.
    if not stem.lower().endswith(KEY_ENDS) or near[len(stem) :] in ("=", '="'):
        return False
    key = AS_MEMBER.search(before, max(0, len(before) - MAX_KEY))
    return key is not None and key[1].lower() in MESSAGE_KEYS


def _parties(text: str) -> Iterator[tuple[str, str]]:
    for _, key, *values in PARTY.findall(text):
        yield key, "".join(values)


def _trailing_object(text: str) -> list[dict[str, Any]]:
    start = text.find("{")
    if start < 0:
        return []
    value = jsontext.load_or_none(text[start : text.rfind("}") + 1])
    return [value] if isinstance(value, dict) else []
