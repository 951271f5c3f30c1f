"""Lines that name who speaks below them, see `headings`."""

import re
from typing import Literal, NamedTuple

from cablese import registry
from cablese.message import Span
from cablese.transcript import times
from cablese.transcript.facts import Time
from cablese.transcript.layers.turns import BEGIN
from cablese.transcript.records.shapes import FACING

from .names import NAME, WHOLE, is_label, is_party

Kind = Literal["chat", "section", "label", "route", "mail", "printed"]
_TIME = (
    r"(?:(?:Today|Yesterday),? (?:at )?|\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4},? "
    r"|\d{1,2} [A-Z][a-z]{2,8} \d{4} (?:at )?)?"
    r"\d{1,2}:\d{2}(?::\d{2})?(?: ?[AaPp]\.?[Mm]\.?)?"
)
_CHAT = re.compile(
    rf"((?!\S+ (?:APP|BOT)\b){WHOLE}|{NAME})(?: {{1,2}}(?:APP|BOT))?,? {{0,2}}[ \t—–-] {{0,2}}"
    rf"[\[(]?{_TIME}[\])]?:?"
    rf"|[\[(]{_TIME}[\])] {{1,2}}({WHOLE}):?"
)
_TIME_LINE = re.compile(rf"(?:(?:APP|BOT) {{1,2}})?[\[(]?{_TIME}[\])]?")
DASHES = ("—", "–", "-")
"""What may be on a line between a name and its time."""
_PRINTED = re.compile(
    rf"({NAME}) \(to ({NAME})\):|-{{5,20}} [A-Z]\w{{0,40}}(?:Message|Event) \(({NAME})\) -{{5,20}}"
    rf"|(?:trce|dbug|info|warn|fail|crit): ({NAME})\[\d{{1,7}}\]"
)
_SECTION = re.compile(rf"-{{10}} ({NAME}) -{{10}}")
_TURN = re.compile(r"={5,40} (Human|Ai|System|Tool) Message ={5,40}")
_TURN_NAME = re.compile(rf"Name: ({NAME})")
_TOKENS = re.compile(BEGIN)
_ROUTE = re.compile(
    rf"(?:[\[(]{_TIME}[\])] {{1,2}}|(?:Step |[\[(#])?\d{{1,4}}[\])]?[.:]? )?"
    rf"({NAME}) ?(?:--?>|=>|→|⇒) ?({NAME}):?"
)
_LABEL = re.compile(
    rf"(?:#{{1,6}} |[-*+] |\d{{1,3}}[.)] |[^\x00-\x7f]{{1,3}} )?"
    rf"(?:[*_`]{{0,3}}({NAME}):?[*_`]{{0,3}}:?|\[({NAME})\]:?|<(user|assistant|system|tool|agent)>)"
)
_COMMENT = re.compile(r"# [a-z][\w.@+-]*")
"""What may be the heading of a chat, and a comment in a script or a configuration."""
_BARE = re.compile(rf"(?:[-*+] |\d{{1,3}}[.)] |[^\x00-\x7f]{{1,3}} )?{NAME}")
_FROM = re.compile(
    rf"(?:#{{1,6}} )?(?:From|Sender|Speaker|Author|Agent): \"?({WHOLE})\"?(?: <[^<>]{{1,80}}>)?"
)
_WROTE = re.compile(
    rf"On [^<>\r\n]{{5,60}}?(?:\d:\d\d|[AP]M|\d{{4}}),? (?![AP]M )({WHOLE})"
    r"(?: <[^<>]{1,80}>)? wrote:"
)
_TO = re.compile(rf"(?:To|Recipient|Receiver): \"?({WHOLE})\"?(?: <[^<>]{{1,80}}>)?")
_DATE = re.compile(r"(?:Date|Sent): (.{8,60})")
_HEADER = re.compile(r"[A-Z][A-Za-z-]{1,30}: [^|]*")
ROLES = frozenset((*FACING["chat"], "agent", "bot"))
_LAST = frozenset(":*_`]>-=")
_BEGINS = (
    "#", "<", "On ", "From: ", "Sender: ", "Speaker: ", "Author: ", "Agent: ", "To: ",
    "Recipient: ", "Receiver: ", "Name: ",
)  # fmt: skip
_ARROWS = "->", "=>", "→", "⇒"
_CLOCK = re.compile(r"\d:\d\d")
"""Each title ends with one of these signs, begins so, or has an arrow or a time."""

_OF_LOG = re.compile(
    r"\{\"|[\[(<]{0,2}(?:\d{4}[/.-]\d\d[/.-]\d\d[T ,_]{1,2}\d\d:\d\d|\d\d:\d\d:\d\d"
    r"|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{1,2}/[A-Z][a-z]{2}/\d{4}[: ]\d\d:\d\d"
    r"|(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b"
    r"|(?:ts|time|timestamp|level)=)"
)
"""What a line of a log begins with: a record, a time with seconds or a day, or a level."""


class Title(NamedTuple):
    """Where a title is, its line, whom it names, what wrote it, whether it shares its line with a
    message, and when what is below it was sent. One without a sender ends the one before it.
    """

    span: Span
    line: str
    sender: str | None
    recipient: str | None
    kind: Kind
    is_shared: bool = False
    time: Time | None = None


def may_be(line: str) -> bool:
    """Return whether a line may be a title: a quick look, because most lines are not."""
    return (
        line[-1:] in _LAST
        or line.startswith(_BEGINS)
        or any(arrow in line for arrow in _ARROWS)
        or _CLOCK.search(line) is not None
    )


def is_of_log(line: str) -> bool:
    """Return whether a line, other than a title, begins as a log writes its lines."""
    return _OF_LOG.match(line) is not None


def may_share(line: str) -> bool:
    """Return whether a title on the line of its message may say more than the line does: a turn of
    a model, or `planner (to executor):`.
    """
    return "<" in line or "(" in line


def read(span: Span, line: str) -> Title | None:
    """Return the title that a line is, with its time if that has a day."""
    title = _read(span, line)
    found = times.find(line) if title is not None and _CLOCK.search(line) else None
    return title if title is None or found is None else title._replace(time=found[0])


def _read(span: Span, line: str) -> Title | None:
    for read_one in (_read_turn, _read_section, _read_printed, _read_mail):
        title = read_one(span, line)
        if title is not None:
            return title
    chat = _CHAT.fullmatch(line)
    if chat is not None:
        name = chat[1] or chat[2]
        return Title(span, line, name, None, "chat") if is_party(name) else None
    route = _ROUTE.fullmatch(line)
    if route is not None and is_party(route[1]) and is_party(route[2]):
        return Title(span, line, route[1], route[2], "route")
    return _read_label(span, line) if line[-1] in _LAST or line[0] == "#" else None


def is_time(line: str) -> bool:
    """Return whether a line is the time of what a chat shows below it."""
    return _CLOCK.search(line) is not None and _TIME_LINE.fullmatch(line) is not None


def read_below(span: Span, line: str, above: Title, *, directly: bool) -> Title | None:
    """Return what a line makes of the title above it, perhaps with other headers between them."""
    if above.kind == "mail" and (mail := add_header(above, line)) is not None:
        return mail._replace(span=span, line=line)
    if directly and (name := _TURN_NAME.fullmatch(line)) is not None and is_party(name[1]):
        is_turn = _TURN.fullmatch(above.line) is not None
        return Title(span, line, name[1], None, "printed") if is_turn else None
    return None


def add_header(mail: Title, line: str) -> Title | None:
    """Return the title of a mail with what another of its headers states; None if it states
    nothing.
    """
    if (to := _TO.fullmatch(line)) is not None and is_party(to[1]):
        return mail._replace(recipient=to[1])
    date = _DATE.fullmatch(line)
    found = None if date is None else times.find(date[1])
    return None if found is None else mail._replace(time=found[0])


def is_header(line: str) -> bool:
    """Return whether a line may be a header of a mail."""
    return _HEADER.fullmatch(line) is not None


def _read_turn(span: Span, line: str) -> Title | None:
    if line[0] not in "=<[":
        return None
    if turn := _TURN.fullmatch(line):
        role, name = turn[1].lower(), None
    elif tokens := _TOKENS.fullmatch(line):
        role, name = tokens[1] or tokens[3] or tokens[4], tokens[2]
    else:
        return None
    return Title(span, line, name or role, None if name else FACING["chat"].get(role), "printed")


def _read_printed(span: Span, line: str) -> Title | None:
    printed = _PRINTED.fullmatch(line)
    if printed is None:
        return None
    sender, recipient = printed[1] or printed[3] or printed[4], printed[2]
    named = all(map(is_party, filter(None, (sender, recipient))))
    return Title(span, line, sender, recipient, "printed") if named else None


def _read_section(span: Span, line: str) -> Title | None:
    section = _SECTION.fullmatch(line)
    if section is None or not (section[1] in ROLES or is_party(section[1])):
        return None
    return Title(span, line, section[1], None, "section")


def _read_mail(span: Span, line: str) -> Title | None:
    mail = (_FROM.fullmatch(line) or _WROTE.fullmatch(line)) if line.startswith(_BEGINS) else None
    if mail is None or not is_party(mail[1]):
        return None
    return Title(span, line, mail[1], None, "mail")


def _read_label(span: Span, line: str) -> Title | None:
    label = _LABEL.fullmatch(line)
    if label is None or _BARE.fullmatch(line) is not None:
        return None
    name = label[1] or label[2] or label[3]
    word = name.lower()
    is_name = word in ROLES or (
        _COMMENT.fullmatch(line) is None
        and is_party(name)
        and not is_label(word)
        and word not in registry.get_names()
    )
    return Title(span, line, name if is_name else None, None, "label")
