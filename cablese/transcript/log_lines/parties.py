"""Who sends a message to whom, as a line says in front of it.

    planner -> executor REQ/TSK|g=1          sent by planner to executor
    from planner to executor: REQ/TSK|g=1    the same
    planner (gpt-4): REQ/TSK|g=1             sent by planner
    planner told executor "REQ/TSK|g=1"      a sentence

`names` tells what can be a name.
"""

import re

from cablese.transcript.quoting import TAG

from .names import ANY_LEVEL, NAME, WHOLE, find_begin, find_end, is_party, is_state

ARROW = re.compile(
    rf"(?<![\w./()])({NAME})(?<!-)\]?[*_`\"']*\s*(?<!<)(?:--?>>?|~>|→|==>|=>|⇒|➜|⟶)\s*"
    rf"\[?[*_`\"']*({NAME})"
    r"(?:[*_`\"'\]]*[:\s]|\Z)"
)
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
CHEVRON = re.compile(rf"(?:\A|[\s\]])({NAME})\s+(?:>{{1,3}}|»|›)\s+({NAME})\s*:\s*\Z")
"""An arrow without its shaft: `planner > executor:`."""
ADDRESSED = re.compile(rf"<[@+%~& ]?({NAME})>\s+({NAME})[:,]\s*\Z")
"""A name before the text of IRC: whom its sender speaks to."""
BACK_ARROW = re.compile(rf"(?<![\w./()])({NAME})[*_`\"']*\s*(?:<--?|←)(?!>)\s*[*_`\"']*({NAME})")
TWO_WAY = re.compile(r"<--?>|<=>|↔")
SENT_TO = re.compile(
    rf"(?:\A|[\]|>)-])\s*(?:[Ff]rom\s+({WHOLE})\s+to\s+({WHOLE})\s*:?|"
    rf"({WHOLE})\s+to\s+({WHOLE})\s*:)\s*[\"'`]?\Z"
)
TO = re.compile(rf"\b(?:[Tt]o|tx|TX)\s+(?:the\s+)?({WHOLE})\s*:\s*\Z")
FROM = re.compile(rf"\b[Ff]rom\s+(?:the\s+)?({WHOLE})\s*:\s*\Z")
CHAT = re.compile(
    rf"<[@+%~& ]?({WHOLE})>:?\s*\Z|\A({NAME})>\s+\Z"
    rf"|(?:^|[\s\]>|*_`“«-])[*_]{{0,3}}({NAME})[*_]{{0,3}}[`”»]?\s?:[*_]{{0,3}}\s*[*_\"'`(\[]*\Z"
)
COLON, LATIN = 3, "\N{LATIN SMALL LETTER Y WITH STROKE}"
"""The group of a name before a colon, and the last letter of the Latin script here. In another
script, the word before a colon is as likely to be a label.
"""
UNCLEAR = re.compile(
    rf"(?:\A|\s)(?:{NAME}\s?[,&/+]\s?|(?:[Hh]i|[Hh]ello|[Hh]ey|[Dd]ear|OK|[Tt]hanks)\s+"
    r"|(?:-?->|=>|→|⇒)\s*|(?:about|against|among|at|for|in|inside|into|on|onto|over|through"
    r"|towards?|under|using|via|with|within|without)\s+)\Z"
)
"""What is before a name and a colon that need not be the sender: another name, a greeting, an arrow
without a name, a preposition such as that before a host.
"""
SHORTCODE = re.compile(r":(?<![\w:]:)[a-z][a-z0-9_+-]{1,30}:(?![\w:])")
"""An emoji as Slack and GitHub write it."""
PYTHON_DEFAULT = re.compile(rf"\s*(?:{ANY_LEVEL}):([A-Za-z_][\w.-]*):\s*[\"'`]?\Z")
BRACKETED = re.compile(rf"(?<![\w#])(?<!(?<!-)[-*+] )\[(?![xX]\])({NAME})\]")
"""A name in brackets, but not a box that is checked, which some programs print before a line."""
PROSE = re.compile(r"(?:\A|\s)(?:[A-Z]?(?:[^\W\dA-Z_]|')+\s+){1,}(?:[^\W\dA-Z_]|')*\Z")
"""Plain words before a name and a colon: a sentence, and not a speaker."""
Parties = tuple[str | None, str | None]
"""A sender and a recipient."""
NOBODY: Parties = None, None


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
    """Return the parties on both sides of an arrow. A state beside it is none."""
    back_arrow = BACK_ARROW.search(text) if "<-" in text or "←" in text else None
    if back_arrow is not None:
        return _side(back_arrow[2]), _side(back_arrow[1])
    if ">" not in text and text.isascii():
        return None
    *_, arrow = (None, *ARROW.finditer(text))
    if arrow is None:
        return None
    # A chain of arrows has more than one pair.
    if text.count("->") + text.count("→") > 1:
        return NOBODY
    recipient = text[arrow.start(2) : find_end(text, *arrow.span(2))]
    return _side(_whole(text, *arrow.span(1))), _side(recipient)


def _addressed(text: str) -> Parties | None:
    """Return the parties after "from" and "to"."""
    both = SENT_TO.search(text)
    if both is not None:
        return _party(both[1] or both[3]), both[2] or both[4]
    origin = FROM.search(text) if "rom " in text else None
    if origin is not None:
        return _party(origin[1]), None
    target = TO.search(text) if text.rstrip().endswith(":") else None
    return None if target is None else (None, _party(target[1]))


def _speaking(text: str) -> Parties | None:
    """Return who says something, and perhaps to whom."""
    if PYTHON_DEFAULT.match(text):
        return NOBODY
    words = text.rstrip(" :\"'`]").rsplit(None, 3)[-3:]
    says = None if SAYING.isdisjoint(words) else SAYS.search(text)
    if says is not None:
        recipient = _party(says[2]) if says[2] else None
        return (_whole(text, *says.span(1)) if is_party(says[1]) else None), recipient
    titled = TITLED.search(text) if "):" in text or "]:" in text else None
    if titled is not None and is_party(titled[1]):
        return _after_prose(text, titled, 1)
    chevron = CHEVRON.search(text) if ">" in text or "»" in text or "›" in text else None
    if chevron is not None and is_party(chevron[1]):
        return _whole(text, *chevron.span(1)), chevron[2]
    addressed = ADDRESSED.search(text) if ">" in text else None
    if addressed is not None and is_party(addressed[2]):
        return addressed[1], addressed[2]
    chat = CHAT.search(text)
    group = chat.lastindex if chat is not None else None
    if chat is None or not group or not is_party(chat[group]) or TAG.fullmatch(chat[0].strip()):
        return None
    name, lead = chat[group], text[: chat.start(group)]
    if group == COLON and name[0] > LATIN:
        return None
    if name.startswith("@") and not lead.endswith("<"):
        return None, _party(name[1:])  # a mention
    if lead.endswith("_"):
        return NOBODY if PROSE.search(text, 0, chat.start()) else (name.rstrip("_"), None)
    return _after_prose(text, chat, group)


def _after_prose(text: str, named: re.Match[str], group: int) -> Parties:
    """Return a sender that nothing or a mark is before, and not a sentence."""
    begin = find_begin(text, named.start(group))
    if begin is None:
        return NOBODY
    end = named.start() if begin == named.start(group) else max(0, begin - 1)
    is_clear = not PROSE.search(text, 0, end) and not UNCLEAR.search(text[:begin])
    return (text[begin : named.end(group)], None) if is_clear else NOBODY


def _whole(text: str, start: int, end: int) -> str | None:
    """Return the name whose last word is at these places."""
    begin = find_begin(text, start)
    return None if begin is None else text[begin:end]


def _side(name: str | None) -> str | None:
    return None if name is None or is_state(name) else name


def _party(name: str) -> str | None:
    return name if is_party(name) else None
