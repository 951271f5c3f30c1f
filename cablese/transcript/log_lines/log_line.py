"""Metadata of a log line around its message: time, level, logger, sender, recipient, IDs.

    2026-11-20T10:00:01Z INFO bus planner -> executor REQ/TSK|g=1   sent by planner to executor
    INFO:planner:REQ/TSK|g=1                                        Python's default: logger planner
    ts=1763632801 level=info from=planner trace_id=4bf9 msg="…"     logfmt
    [20/11/2026, 10:00:01] planner: REQ/TSK|g=1                     a chat, exported

An arrow or a key that names a sender beats a name before a colon, which beats a logger.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from cablese.json import jsontext
from cablese.message import Span
from cablese.transcript import times
from cablese.transcript.cut import MESSAGE_KEYS
from cablese.transcript.facts import NOTHING, Facts
from cablese.transcript.quoting import TAG
from cablese.transcript.records import record

LEVELS = (
    "TRACE", "DEBUG", "INFO", "NOTICE", "WARN", "WARNING", "ERROR", "CRITICAL", "FATAL", "SEVERE",
    "ALERT", "EMERG", "PANIC", "VERBOSE", "SUCCESS", "DBG", "INF", "WRN", "ERR", "FTL", "TRC",
    "CRIT", "DEBU", "ERRO", "FATA", "DPANIC", "INFORMATION",
)  # fmt: skip
ANY_LEVEL = "|".join(LEVELS)
LEVEL = re.compile(
    rf"(?<![\w./-])(?:(?:{ANY_LEVEL})(?!\w)(?![.-]\w)|[DIWEF](?=\d{{4,8}} |/|\s+\S+\s*:))"
)
SMALL_LEVEL = re.compile(rf"(?:(?<=\[)|^|(?<=\s))(?:{ANY_LEVEL})(?=\s*[\]:|]|\s)", re.IGNORECASE)
NAME = r"[A-Za-z_@][\w.@+-]{0,63}"
ARROW = re.compile(
    rf"(?<![\w./()])({NAME})(?<!-)\]?[*_`\"']*\s*(?<!<)(?:--?>>?|~>|→|==>|=>|⇒|➜|⟶)\s*"
    rf"\[?[*_`\"']*({NAME})"
    r"(?:[*_`\"'\]]*[:\s]|\Z)"
)
NAMED_AFTER = re.compile(rf"\s*(to|from)\s+({NAME}(?<!\.))[.!?;,]?\s*\Z")
"""What follows a message in "sending … to executor" and "received … from planner"."""
SAY = "says", "said", "wrote", "writes", "asks", "replies"
TELL = (
    "asked", "answered", "answers", "replied", "responded", "responds", "sent", "sends", "told",
    "tells", "reported", "reports",
)  # fmt: skip
SAYING = frozenset((*SAY, *TELL))
SAYS = re.compile(
    rf"(?:\A|[\s\]\[])({NAME})\]?\s+(?:(?:{'|'.join(SAY)})\s*:?|(?:{'|'.join(TELL)})"
    rf"(?:\s+(?:to\s+)?\[?({NAME})\]?)?\s*(?::|(?=[\"'`])))\s*[\"'`]?\Z"
)
"""A sentence that names the sender of the message that it quotes, and perhaps its recipient."""
TITLED = re.compile(rf"(?:\A|[\s\]>|])({NAME})\s+[\[(][^\[\]()|]{{0,40}}[\])]:\s*\Z")
"""A name with something in brackets: `planner (gpt-4):`."""
CLOCK = re.compile(r",?(?:\s(?:at|@))?\s\d\d?:\d\d(?::\d\d)?(?:\s?[AaPp][Mm])?(?=:\s*\Z)")
"""A time without a day between a name and its colon."""
CLOCK_ENDS = frozenset("0123456789mM")
"""What it ends with: most lines have something else there."""
CHEVRON = re.compile(rf"(?:\A|[\s\]])({NAME})\s+(?:>>?|»|›)\s+({NAME})\s*:\s*\Z")
"""An arrow without its shaft: `planner > executor:`."""
ADDRESSED = re.compile(rf"<[@+%~& ]?({NAME})>\s+({NAME})[:,]\s*\Z")
"""A name before the text of IRC: whom its sender speaks to."""
BACK_ARROW = re.compile(rf"(?<![\w./()])({NAME})[*_`\"']*\s*(?:<--?|←)(?!>)\s*[*_`\"']*({NAME})")
TWO_WAY = re.compile(r"<--?>|<=>|↔")
SENT_TO = re.compile(
    rf"(?:\A|[\]|>)-])\s*(?:[Ff]rom\s+({NAME})\s+to\s+({NAME})\s*:?|"
    rf"({NAME})\s+to\s+({NAME})\s*:)\s*[\"'`]?\Z"
)
TO = re.compile(rf"\b(?:[Tt]o|tx|TX)\s+(?:the\s+)?({NAME})\s*:\s*\Z")
FROM = re.compile(rf"\b[Ff]rom\s+(?:the\s+)?({NAME})\s*:\s*\Z")
CHAT = re.compile(
    rf"<[@+%~& ]?({NAME})>:?\s*\Z|\A({NAME})>\s+\Z"
    rf"|(?:^|[\s\]>|*_`“«-])[*_]{{0,3}}({NAME})[*_]{{0,3}}[`”»]?\s?:[*_]{{0,3}}\s*[*_\"'`(\[]*\Z"
)
UNCLEAR = re.compile(
    rf"(?:\A|\s)(?:{NAME}\s?[,&/+]\s?|(?:[Hh]i|[Hh]ello|[Hh]ey|[Dd]ear|OK|[Tt]hanks)\s+"
    r"|(?:-?->|=>|→|⇒)\s*)\Z"
)
"""What is before a name and a colon that need not be the sender: another name, a greeting, an arrow
without a name.
"""
SHORTCODE = re.compile(r"(?<![\w:]):[a-z][a-z0-9_+-]{1,30}:(?![\w:])")
"""An emoji as Slack and GitHub write it."""
AT_TIME = re.compile(r"[\s,;(\[@-]*(?:\bat)?[\s(\[]*\Z")
"""What is between a name and its time: `planner (10:00):`, `planner at 10:00:`."""
TIME_END = re.compile(r"[\s)\]]*:")
"""What is after such a time."""
_CLOCKED = r"[^|]{0,40}\d\d:\d\d[^|]{0,30}"
LEAD = re.compile(
    rf"(?:{ANY_LEVEL}):(?:[\w.-]+|\d[\d\- T:.,]+):"  # Python's logging.BASIC_FORMAT
    rf"|{_CLOCKED}\|\s*(?:{ANY_LEVEL})\s*\|\s*(?:[\w. -]+\|\s*)?"  # NLog
    r"|[-+](?=[A-Z]{2,12}[|/])"  # a diff
    r"|[\w./-]+\.[a-z]{2,5}(?::\d+:(?:\d+:)?|-\d+-)"  # grep
    r"|::[a-z-]+(?: [^:\r\n]*)?::|##\[\w+\]"  # commands of a CI runner
)
"""What a line begins with that hides where its message begins."""
PYTHON_DEFAULT = re.compile(rf"\s*(?:{ANY_LEVEL}):([A-Za-z_][\w.-]*):\s*[\"'`]?\Z")
BRACKETED = re.compile(rf"(?<![\w#])(?<![-*+] )\[({NAME})\]")
TRAILING = re.compile(rf"\s*\[({NAME})\]")
PROCESS = re.compile(r"(?<![\w.])([A-Za-z_][\w.-]{0,63})\[\d+\]")
CONTAINER = re.compile(
    r"\s*(?:\d\d:\d\d:\d\d\s+)?"
    r"(?:([A-Za-z_][\w.-]{0,58}[._-]\d{1,4})|\d{1,4}\|([A-Za-z_][\w.-]{0,62}))\s*\|\s"
    r"|\s*\[pod/([A-Za-z_][\w.-]{0,62})/[\w.-]{1,63}\]"
)
"""What Docker Compose, Foreman, PM2, and kubectl write before each line of a program."""
RFC_5424 = re.compile(
    r"\s*(?:<\d{1,3}>)?1\s+([\w.-]+)\s+([A-Za-z_][\w.-]*)\s+[\w.-]+\s+[\w.-]+\s+(?:-|\[)"
)
DASHED = re.compile(rf"(?:^|\s|\|)[-–|]?\s*({NAME})(?::\w+)*(?::\d+)?\s*[-–|](?:\s|\Z)")
PROSE = re.compile(r"(?:\A|\s)(?:[A-Z]?(?:[^\W\dA-Z_]|')+\s+){1,}(?:[^\W\dA-Z_]|')*\Z")
"""Plain words before a name and a colon: a sentence, and not a speaker."""
PAIR = re.compile(
    r"""(?<![\w.@-])([@A-Za-z_][\w.@-]{0,63})="""
    r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s"',;&<>“”()\[\]{}]+)"""
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
Parties = tuple[str | None, str | None]
"""A sender and a recipient."""
NOBODY: Parties = None, None
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
UNNAMED = frozenset((
    "main", "mainthread", "mainprocess", "root", "__main__", "stdout", "stderr", "thread", "msg",
    "message", "text", "note", "log", "raw", "wire", "data", "payload", "event", "body", "content",
    "output", "input", "result", "received", "sent", "sending", "recv", "send", "out", "in",
    "request", "response", "http", "https", "localhost", "prompt", "reply", "answer", "target",
    "example", "packet", "line", "stdin", "value", "at", "and", "or", "to", "from", "the", "as",
    "ok", "done", "failed", "success", "true", "false", "null", "get", "post", "put", "delete",
    "net", "tid", "pid", "todo", "fixme", "task", "subject", "re", "it", "is", "next", "see",
    "cmd", "command", "truncated", "cannot", "could", "can", "did", "not", "no", "unable",
    "invalid", "bad", "got", "sending", "receiving", "parsing", "parsed", "parse", "decoding",
    "decoded", "unknown", "unexpected", "new", "missing", "malformed", "dropped", "dropping",
    "rejected", "rejecting", "ignored", "ignoring", "skipped", "skipping", "handling", "handled",
    "processing", "processed", "forwarding", "forwarded", "dispatching", "dispatched", "routing",
    "routed", "publishing", "published", "delivering", "delivered", "queued", "retrying", "retry",
    "incoming", "outgoing", "inbound", "outbound", "calling", "called", "executing", "executed",
    "starting", "started", "finished", "timeout", "expected", "while", "when", "after", "before",
    "for", "with", "tx", "rx", "observation", "inst", "i", "you", "we", "he", "she", "they", "who",
    "then", "was", "were", "been", "has", "have", "had", "just", "also", "never", "always",
    "already", "today", "yesterday", "now", "later", "again", "finally", "ws", "udp", "tcp", "mqtt",
    "kafka", "nats", "redis", "amqp", "grpc", "on", "since", "until", "by", "via", "of", "mysql",
    "sqlite", "postgres", "irb", "node", "mongo", "ftp", "ps", "sh", "bash", "php", "python",
    "upstream", "string", "option", "item", "entry", "field", "param", "record", "row", "element",
))  # fmt: skip
"""Words before a colon or in brackets that are not names."""
THREAD = re.compile(
    (
        r"(?:thread|pool|http-nio|worker|task|dummy)[-_]?\d.*|.*-thread-\d+|"
        r"(?:msg|message|req|request|trace|span|corr|job|run|conn|session|call|event|batch|id)"
        r"[-_](?=[a-f-]*\d)[0-9a-f-]+|"
        r".*\.(?:py|go|js|ts|java|rs|cc|c|rb)"
    ),
    re.IGNORECASE,
)
FAULT = re.compile(r"[\w.]*(?:Error|Exception|Warning)")
CALLER = re.compile(r"[\w./-]+\.(?:py|go|js|ts|java|rs|cc|cpp|c|rb):\d+\]?")


@lru_cache(maxsize=512)
def read(before: str, after: str = "") -> Facts:
    """Return the facts in what is ``before`` and ``after`` the messages of a line."""
    if not before.strip() and not after.strip():
        return NOTHING
    time, place = times.find(before) or (None, None)
    remainder = before if place is None else _without_time(before, place)
    members = (dict(_pairs(before)), dict(_pairs(after)), *_trailing_object(after))
    own = OWN_ELEMENT.search(before) if before.endswith(">") else None
    if own is not None and own[1].lower() in MESSAGE_KEYS:
        members = (*members, dict(ELEMENT.findall(before)), dict(ELEMENT.findall(after)))
    if _is_member(before):
        members = (*members, dict(_parties(before)), dict(_parties(after)))
    stated = [record.flatten(member) for member in members if member]
    pairs = record.collect(stated, free=stated)
    attributes = pairs.attributes | _attributes(remainder, before, after)
    sender, recipient = read_parties(remainder)
    named = NAMED_AFTER.match(after)
    if named is not None:
        sender, recipient = (sender, named[2]) if named[1] == "to" else (named[2], recipient)
    logger = attributes.get("logger")
    if sender is None and isinstance(logger, str) and is_party(logger):
        sender = logger
    return Facts(
        time=time or pairs.time,
        sender=pairs.sender or sender,
        recipient=pairs.recipient or recipient,
        thread=pairs.thread,
        attributes=attributes,
    )


def _without_time(before: str, place: Span) -> str:
    head, tail = before[: place.start], before[place.end :]
    end = TIME_END.match(tail)
    if end is None:
        return f"{head} {tail}"
    return f"{AT_TIME.sub('', head)}{tail[end.end() - 1 :]}"


def is_party(name: str) -> bool:
    """Return False for the names that programs give to threads, streams, files, and errors."""
    is_word = name.lower() in UNNAMED or name.upper() in LEVELS
    return not is_word and THREAD.fullmatch(name) is None and FAULT.fullmatch(name) is None


def read_parties(text: str) -> Parties:
    """Return the sender and the recipient that ``text``, which is before a message, names."""
    if text.rstrip()[-2:-1] in CLOCK_ENDS:
        text = CLOCK.sub("", text)
    text = SHORTCODE.sub(" ", text) if text.count(":") > 1 else text
    if TWO_WAY.search(text):
        return NOBODY
    for read_them in (_joined, _addressed, _speaking):
        parties = read_them(text)
        if parties is not None:
            return parties
    names = [name for name in BRACKETED.findall(text) if is_party(name)]
    return (names[-1], None) if names else NOBODY


def _joined(text: str) -> Parties | None:
    """Return the parties on both sides of an arrow."""
    back_arrow = BACK_ARROW.search(text)
    if back_arrow is not None:
        return back_arrow[2], back_arrow[1]
    arrows = ARROW.findall(text)
    if not arrows:
        return None
    # A chain of arrows has more than one pair.
    return NOBODY if text.count("->") + text.count("→") > 1 else arrows[-1]


def _addressed(text: str) -> Parties | None:
    """Return the parties after "from" and "to"."""
    both = SENT_TO.search(text)
    if both is not None:
        return _party(both[1] or both[3]), both[2] or both[4]
    origin = FROM.search(text) if "rom " in text else None
    if origin is not None:
        return _party(origin[1]), None
    target = TO.search(text)
    return None if target is None else (None, _party(target[1]))


def _speaking(text: str) -> Parties | None:
    """Return who says something, and perhaps to whom."""
    if PYTHON_DEFAULT.match(text):
        return NOBODY
    words = text.rstrip(" :\"'`]").rsplit(None, 3)[-3:]
    says = None if SAYING.isdisjoint(words) else SAYS.search(text)
    if says is not None:
        return _party(says[1]), says[2]
    titled = TITLED.search(text) if "):" in text or "]:" in text else None
    if titled is not None and is_party(titled[1]):
        return NOBODY if PROSE.search(text, 0, titled.start()) else (titled[1], None)
    chevron = CHEVRON.search(text) if ">" in text or "»" in text or "›" in text else None
    if chevron is not None and is_party(chevron[1]):
        return chevron[1], chevron[2]
    addressed = ADDRESSED.search(text) if ">" in text else None
    if addressed is not None and is_party(addressed[2]):
        return addressed[1], addressed[2]
    chat = CHAT.search(text)
    group = chat.lastindex if chat is not None else None
    if chat is None or not group or not is_party(chat[group]) or TAG.fullmatch(chat[0].strip()):
        return None
    name, lead = chat[group], text[: chat.start(group)]
    if name.startswith("@") and not lead.endswith("<"):
        return None, name[1:]  # a mention
    if PROSE.search(text, 0, chat.start()) or UNCLEAR.search(lead):
        return NOBODY
    return (name.rstrip("_") if lead.endswith("_") else name), None


def _party(name: str) -> str | None:
    return name if is_party(name) else None


def _attributes(text: str, before: str, after: str) -> dict[str, Any]:
    """Return level and logger. ``text`` is ``before`` without its time."""
    attributes: dict[str, Any] = {}
    level = LEVEL.search(before) or SMALL_LEVEL.search(text)
    if level is not None:
        attributes["level"] = level[0]
    logger = _logger(text, None if level is None else level[0])
    if logger is None:
        trailing = TRAILING.match(after)
        logger = trailing[1] if trailing is not None and is_party(trailing[1]) else None
    if logger is not None:
        attributes["logger"] = logger
    return attributes


def _logger(text: str, level: str | None) -> str | None:
    default = PYTHON_DEFAULT.match(text)
    if default is not None:
        return default[1]
    standard = RFC_5424.match(text)
    if standard is not None:
        return standard[2]
    container = CONTAINER.match(text) if "|" in text or "[" in text else None
    if container is not None:
        return container[1] or container[2] or container[3]
    process = PROCESS.search(text)
    if process is not None and is_party(process[1]):
        return process[1]
    if level is None:
        return None
    dashed = next((name for name in DASHED.findall(text) if is_party(name)), None)
    if dashed is not None:
        return str(dashed)
    following = text[text.find(level) + len(level) :].lstrip(" :]|>-")
    named = re.match(rf"({NAME})(?=\s|:|\])", following)
    is_caller = CALLER.match(following) is not None
    return named[1] if named is not None and is_party(named[1]) and not is_caller else None


def _pairs(text: str) -> Iterator[tuple[str, Any]]:
    stated = text.rstrip()
    for key, value in (*PAIR.findall(text), *MEMBER.findall(text)):
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
