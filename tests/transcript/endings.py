"""What may stand around a message on its line, apart from what escapes it, what may be between two,
and messages of every vector file.
"""

import json
from functools import cache
from typing import Any, NamedTuple

from cablese.transcript import split

from .lines.formats import CHATS, LANGUAGES, SYSTEM
from .lines.loggers import LOGGERS
from .lines.printer import Printer
from .negatives import VECTORS

MARK = "REQ/TSK|g=7,t=7"


class Ending(NamedTuple):
    """What opens before a message, and what closes or follows it. One with a ``foreign`` character
    is not put there.
    """

    name: str
    opener: str
    closer: str
    foreign: str


ENDINGS: tuple[Ending, ...] = (
    Ending("line end", "", "", ""),
    Ending("double quotes", '"', '"', '"\\'),
    Ending("single quotes", "'", "'", "'\\"),
    Ending("backticks", "`", "`", "`"),
    Ending("curly quotes", "“", "”", "“”"),
    Ending("guillemets", "«", "»", "«»"),
    Ending("brackets", "[", "]", "[]"),
    Ending("parentheses", "(", ")", "()"),
    Ending("code tag", "<code>", "</code>", "<>&"),
    Ending("quotes and a comma", '"', '", "next"', '"\\'),
    Ending("quotes and more pairs", 'msg="', '" level=info', '"\\'),
    Ending("backticks and a sentence", "It sends `", "`, and then waits.", "`"),
    Ending("quotes and a bar", '| "', '" | ok |', '"\\'),
    Ending("quotes and a command", "send '", "' --to executor", "'\\"),
    Ending("a duration", "", " (12ms)", " ()"),
    Ending("a status", "", " [200]", " []"),
    Ending("an object", "", ' {"service":"bus"}', " {}"),
    Ending("a pair", "", " took=12ms", " "),
    Ending("an arrow", "", " <- 200 OK", " <"),
    Ending("a comment", "", " # the first one", " #"),
    Ending("the end of a comment", "/* ", " */", "* "),
    Ending("a drawn cell", "│ ", " │ ok │", "│ "),
    Ending("the place in the program", "", "    src/bus.py:13", " "),
    Ending("a time", "", "   10:00:01", " "),
    Ending("an attribute that ends its tag", '<e m="', '"/>', '"\\<&'),
    Ending("a space that does not break", "", "\u00a0", ""),
    Ending("one before a duration", "", "\u202f(12ms)", " ()"),
    Ending("a reset color", "\x1b[32m", "\x1b[0m", "\x1b"),
    Ending("a link", "\x1b]8;;http://bus/42\x1b\\", "\x1b]8;;\x1b\\", "\x1b"),
    Ending("a reset of a character set", "\x1b[1m", "\x1b(B\x1b[m", "\x1b"),
    Ending("bold", "**", "**", "*"),
    Ending("bold and a sentence", "It sends **", "**, and then waits.", "*"),
    Ending("struck", "~~", "~~", "~"),
    Ending("three double quotes", '"""', '"""', '"\\'),
    Ending("three single quotes", "'" * 3, "'" * 3, "'\\"),
    Ending("Jira: code", "{code}", "{code}", "{}"),
    Ending("Jira: code with a language", "{code:text}", "{code}", "{}"),
    Ending("Jira: no format", "{noformat}", "{noformat}", "{}"),
    Ending("a line break in HTML", "", "<br>", "<"),
    Ending("a link in Markdown", "[", "](http://bus/42)", "[]"),
    Ending("German quotes", "„", "“", "„“”"),
    Ending("quotes in HTML", "&quot;", "&quot;", "&"),
    Ending("the next member in Java", "Message{id=42, wire=", ", from=planner}", "{}= ,"),
    Ending("the next member in Go", "&{Wire:", " From:planner}", "{} "),
    Ending("the next member in Rust", 'Message { wire: "', '", from: "planner" }', '"\\'),
    Ending("the next member in Ruby", '{:wire=>"', '", :from=>"planner"}', '"\\'),
    Ending("a string in Erlang", '#{wire => <<"', '">>, from => planner}', '"\\'),
    Ending("the next member of a form", "wire=", "&from=planner", "&"),
    Ending("a query string", "POST /send?wire=", "&from=planner HTTP/1.1", "&"),
    Ending(
        "the request in nginx",
        "2026/11/20 10:00:01 [error] 31#31: *1 [lua] bus.lua:2: ",
        ', client: 10.0.0.1, server: bus, request: "POST /send?a=1 HTTP/1.1", host: "bus:80"',
        "",
    ),
    Ending("how much is missing", "", " <truncated 200 bytes>", " <>"),
    Ending("that it is not whole", "", " [truncated]", " []"),
    Ending("spaces", "", "   ", ""),
    Ending("a carriage return", "", "\r", ""),
)

BETWEEN = (
    " => ",
    " → ",
    " / ",
    " executor: ",
    " then ",
    " and then ",
    " (12ms) ",
    "; ",
    " • ",
    ' "',
    " took=12ms ",
    "<br>",
    "<br />",
)
"""What may be between two messages of one line."""


@cache
def wires() -> tuple[str, ...]:
    """Return the valid messages of the vector files on one line that are read as they are when they
    stand alone.
    """
    lines = [
        line
        for path in sorted(VECTORS.parent.glob("*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
    ]
    vectors: list[dict[str, Any]] = [json.loads(line) for line in lines]
    found = {
        vector["wire"] for vector in vectors if vector.get("valid") and vector["wire"].isprintable()
    }
    return tuple(sorted(wire for wire in found if _is_read(wire)))


def _is_read(wire: str) -> bool:
    return wire == wire.strip() and [cut.wire for cut in split(wire).messages] == [wire]


def prefixes() -> tuple[str, ...]:
    """Return what the printers print before a message that ends its line."""
    printers: tuple[Printer, ...] = (*LOGGERS, *SYSTEM, *LANGUAGES, *CHATS)
    texts = [printer.print(MARK) for printer in printers if printer.open]
    return ("", *(text.removesuffix(MARK) for text in texts if text.endswith(MARK)))
