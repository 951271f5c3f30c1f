"""Messages in the output of tools, databases, debuggers, and frameworks, and in source code."""

import logging

from langchain_core.messages import AIMessage, HumanMessage
from openai.types.chat import ChatCompletionMessage

from .lines.formats import (
    ANY,
    MILLI,
    SECOND,
    UTC_MILLI,
    UTC_SECOND,
    closed,
    line,
    plain,
    quoted,
    said,
    unsure,
)
from .lines.log_record import formatted
from .lines.printer import Printer, Said
from .records.enclosures import escaped

SOME = Said(None, ..., ...)
PYTEST = "%(levelname)-8s %(name)s:%(filename)s:%(lineno)d %(message)s"


def _strace(wire: str) -> str:
    return f"write(3, {quoted(wire + chr(10))}, {len(wire) + 1}) = {len(wire) + 1}"


def _literal(wire: str) -> str:
    """Return the text as SQL quotes it."""
    doubled = wire.replace("'", "''")
    return f"'{doubled}'"


def _mysql(wire: str) -> str:
    width = len(wire) + 2
    return f"| 42 | planner | {wire} |\n+----+---------+{'-' * width}+"


def _openai(wire: str) -> str:
    return repr(ChatCompletionMessage(role="assistant", content=wire))


def _dataclass(wire: str) -> str:
    return f"Message(sender='planner', recipient='executor', text={wire!r}, retries=3)"


def _listed(wire: str) -> str:
    return f"[\n    {wire!r},\n]"


TOOLS: tuple[Printer, ...] = (
    plain("cat -n", "    42\t«»"),
    plain("grep -n", "bus.log:42:«»", unsure()),
    plain("grep -A", "bus.log-42-«»", unsure()),
    plain("git blame", "46c7bec1 (planner 2026-11-20 10:00:01 +0000 42) «»", unsure(UTC_SECOND)),
    plain("byte order mark", "\ufeff«»"),
    plain(
        "journald: verbose",
        "Fri 2026-11-20 10:00:01.125000 UTC [s=a1;i=2]\n    PRIORITY=6\n    MESSAGE=«»",
        ANY,
    ),
    plain("pytest: live log", "INFO     planner:bus.py:42 «»", said(None, "planner", level="INFO")),
    Printer(
        "pytest: live log of logging itself",
        formatted(logging.Formatter(PYTEST)),
        said(None, "planner", level="INFO"),
        open=True,
    ),
    plain("Ray", "(planner pid=7) «»", unsure()),
    plain("Ray: colored", "\x1b[36m(planner pid=7)\x1b[0m «»", unsure()),
    plain("arrow in", "--> «»"),
    plain("arrow out", "<-- «»"),
    plain("telnet", "<<< «»"),
    plain("server-sent event", "event: message\ndata: «»", SOME),
    plain("server-sent data", "data: «»", SOME),
    Printer("strace", _strace, SOME),
    Printer("socket.io", lambda wire: f'42["message",{quoted(wire)}]', SOME),
    Printer("cron mail", line("planner@bus01 (cron):\n\n«»\n"), ANY),
)

TABLES: tuple[Printer, ...] = (
    Printer("psql: aligned", line(" 42 | planner | executor | «»"), SOME),
    Printer(
        "psql: expanded",
        line("-[ RECORD 1 ]------\nid      | 42\nsender  | planner\nmessage | «»"),
        ANY,
    ),
    Printer("MySQL", _mysql, SOME),
    Printer(
        "SQL: insert", escaped("INSERT INTO messages VALUES (42, 'planner', «»);", _literal), SOME
    ),
    Printer("TSV", line("2026-11-20T10:00:01Z\tplanner\texecutor\t«»"), Said(UTC_SECOND, ..., ...)),
    closed(
        "TSV: more behind",
        "2026-11-20T10:00:01Z\tplanner\texecutor\t«»\t200",
        Said(UTC_SECOND, ..., ...),
    ),
    closed("table of dashes", "planner    «»    200", SOME),
)

LOGS: tuple[Printer, ...] = (
    closed(
        "Monolog",
        '[2026-11-20T10:00:01.125000+00:00] bus.INFO: «» {"trace_id":"4bf92f35"} []',
        said(UTC_MILLI, "bus", level="INFO", trace_id=...),
    ),
    closed(
        "Monolog: empty context",
        "[2026-11-20T10:00:01.125000+00:00] bus.INFO: «» [] []",
        said(UTC_MILLI, "bus", level="INFO"),
    ),
    plain("Laravel", "[2026-11-20 10:00:01] local.INFO: «»", said(SECOND, None, level="INFO")),
    plain(
        "Elixir", "10:00:01.125 [info] «»", Said(..., ..., None, {"level": "info", "logger": ...})
    ),
    plain(
        "Quarkus", "2026-11-20 10:00:01,125 INFO  [planner] (main) «»", unsure(MILLI, level="INFO")
    ),
    plain(
        "Tomcat", "20-Nov-2026 10:00:01.125 INFO [main] planner.send «»", unsure(..., level="INFO")
    ),
    plain(
        "java.util.logging",
        "Nov 20, 2026 10:00:01 AM planner send\nINFO: «»",
        Said(..., ..., None, {"level": "INFO", "logger": ...}),
    ),
    plain(
        "12 hours",
        "11/20/2026 10:00:01 AM INFO planner: «»",
        Said(..., "planner", None, {"level": "INFO", "logger": ...}),
    ),
    plain("RFC 2822 date", "Fri, 20 Nov 2026 10:00:01 +0000 planner: «»", Said(..., "planner")),
    plain(
        "ANSI: level colored, speaker bold",
        "\x1b[32mINFO\x1b[0m \x1b[1mplanner\x1b[0m: «»",
        said(None, "planner", level="INFO"),
    ),
)

FRAMES: tuple[Printer, ...] = (
    plain("AutoGen: console", "planner (to executor):\n\n«»", ANY),
    plain("AutoGen: chat console", "---------- TextMessage (planner) ----------\n«»", ANY),
    Printer("LangChain: repr", lambda wire: repr(AIMessage(wire)), SOME),
    Printer(
        "LangChain: pretty",
        lambda wire: str(HumanMessage(wire).pretty_repr()),
        SOME,
        lines=True,
        open=True,
    ),
    Printer("OpenAI: repr", _openai, SOME),
    Printer("dataclass: repr", _dataclass, SOME),
    Printer("Java: record", line("Message[sender=planner, text=«»]"), SOME),
    Printer("Kotlin: data class", line("Message(sender=planner, text=«»)"), SOME),
    Printer("Go: %+v", line("{From:planner To:executor Text:«»}"), SOME),
    Printer("Go: %q", escaped("sent «» to executor", quoted), SOME),
    Printer("Rust: debug", escaped('Message { from: "planner", text: «» }', quoted), SOME),
    Printer("Rust: Some", escaped("Some(«»)", quoted), SOME),
    Printer("Ruby: inspect", escaped('#<Message from="planner" text=«»>', quoted), SOME),
    Printer("Ruby: hash", escaped('{:from=>"planner", :text=>«»}', quoted), SOME),
    Printer("JavaScript: console.log", lambda wire: f"{{ from: 'planner', text: {wire!r} }}", SOME),
    Printer("Python: list over lines", _listed, SOME),
    Printer("Python: bytes", lambda wire: repr((wire + "\n").encode()), SOME),
    Printer("IPython: Out", lambda wire: f"Out[1]: {wire!r}", SOME),
    Printer("C: printf", escaped("printf(«»);", lambda wire: quoted(wire + "\n")), SOME),
)

DOCUMENTS: tuple[Printer, ...] = (
    Printer("reStructuredText: literal", line("The planner sends ``«»`` first."), SOME),
    Printer("Slack: triple backticks", line("```«»```"), SOME),
    Printer("BBCode", line("[code]«»[/code]"), SOME),
    Printer("AsciiDoc", line("----\n«»\n----"), SOME, lines=True),
    Printer(
        "shell: export",
        escaped("export MESSAGE=«»", lambda wire: "'" + wire.replace("'", "'\\''") + "'"),
        SOME,
    ),
    plain("properties file", "bus.message=«»", SOME),
    plain("HTTP header", "X-Message: «»", SOME),
    plain("subject line", "Subject: «»", SOME),
)

OUTPUTS = TOOLS + TABLES + LOGS + FRAMES + DOCUMENTS
