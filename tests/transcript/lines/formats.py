"""Lines in formats that other programs document: syslog, containers, loggers of other languages,
chats, and CI.
"""

import json
from collections.abc import Callable
from typing import Any

from .printer import SILENT, Printer, Said

DAY, SECOND, MILLI = "2026-11-20", "2026-11-20T10:00:01", "2026-11-20T10:00:01.125"
UTC_SECOND, UTC_MILLI = SECOND + "+00:00", MILLI + "+00:00"
NO_YEAR, NO_YEAR_MILLI = "-11-20T10:00:01", "-11-20T10:00:01.125"
ESC = "\x1b"


def line(pattern: str) -> Callable[[str], str]:
    """Return a printer that puts the message where the pattern has «»."""
    return lambda wire: pattern.replace("«»", wire)


def plain(name: str, pattern: str, said: Said = SILENT) -> Printer:
    """Return a printer of a prefix: the message ends its line, and may go on over the next ones."""
    assert pattern.endswith("«»")
    return Printer(name, line(pattern), said, lines=True, open=True)


def closed(name: str, pattern: str, said: Said = SILENT) -> Printer:
    """Return a printer that prints something after the message, too."""
    return Printer(name, line(pattern), said)


def said(
    time: str | None = None,
    sender: str | None = None,
    recipient: str | None = None,
    /,
    **attributes: object,
) -> Said:
    """Return facts in which the name of the logger may be an attribute as well."""
    return Said(time, sender, recipient, {"logger": ..., **attributes})


def unsure(time: Any = None, /, **attributes: object) -> Said:
    """Return facts in which a name may be taken for the sender, or left."""
    return Said(time, ..., None, {"logger": ..., **attributes})


def quoted(wire: str) -> str:
    """Return the text in double quotes, as Go, JSON, and logfmt write it."""
    return json.dumps(wire, ensure_ascii=False)


def _logrus(wire: str) -> str:
    return (
        f'time="2026-11-20T10:00:01Z" level=info msg={quoted(wire)} agent=planner trace_id=4bf92f35'
    )


def _slog(wire: str) -> str:
    return (
        f"time=2026-11-20T10:00:01.125Z level=INFO msg={quoted(wire)} "
        "from=planner to=executor span_id=00f067aa"
    )


def _nginx(wire: str) -> str:
    return f'10.0.0.1 - - [20/Nov/2026:10:00:01 +0000] "POST /bus HTTP/1.1" 200 12 {quoted(wire)}'


ANY = Said(..., ..., ..., {"level": ..., "logger": ...})

SYSTEM: tuple[Printer, ...] = (
    plain("syslog: RFC 3164", "<34>Nov 20 10:00:01 bus01 planner[7]: «»", said(NO_YEAR, "planner")),
    plain(
        "syslog: RFC 3164 without PRI",
        "Nov 20 10:00:01 bus01 planner: «»",
        said(NO_YEAR, "planner"),
    ),
    plain(
        "syslog: RFC 3164, day of one digit",
        "<13>Nov  2 10:00:01 bus01 planner: «»",
        said("-11-02T10:00:01", "planner"),
    ),
    plain(
        "syslog: RFC 5424",
        "<165>1 2026-11-20T10:00:01.125Z bus01 planner 7 ID47 - «»",
        said(UTC_MILLI, "planner"),
    ),
    plain(
        "syslog: RFC 5424 without PRI",
        "1 2026-11-20T10:00:01.125Z bus01 planner 7 - - «»",
        said(UTC_MILLI, "planner"),
    ),
    plain(
        "syslog: RFC 5424 with data",
        '<165>1 2026-11-20T11:00:01.125+01:00 bus01 planner 7 ID47 [origin@32473 ip="10.0.0.1"] «»',
        said(UTC_MILLI, "planner"),
    ),
    plain(
        "journald: short-precise",
        "Nov 20 10:00:01.125000 bus01 planner[7]: «»",
        said(NO_YEAR_MILLI, "planner"),
    ),
    plain(
        "journald: short-iso",
        "2026-11-20T10:00:01+0000 bus01 planner[7]: «»",
        said(UTC_SECOND, "planner"),
    ),
    plain("docker logs -t", "2026-11-20T10:00:01.125000000Z «»", Said(UTC_MILLI)),
    plain("docker compose", "planner-1  | «»", unsure()),
    plain("docker compose: colored", f"{ESC}[36mplanner-1  | {ESC}[0m«»", unsure()),
    plain("kubectl logs --prefix", "[pod/planner-7d9f/planner] «»", unsure()),
    plain("stern", "planner-7d9f planner «»", unsure()),
    plain("klog", "I1120 10:00:01.125000       1 bus.go:12] «»", unsure(NO_YEAR_MILLI, level=...)),
    plain(
        "glog with a year",
        "I20261120 10:00:01.125000     7 bus.cc:12] «»",
        unsure(MILLI, level=...),
    ),
    plain(
        "Heroku",
        "2026-11-20T10:00:01.125000+00:00 app[planner.1]: «»",
        said(UTC_MILLI, "planner.1"),
    ),
    plain(
        "CloudWatch: aws logs tail",
        "2026-11-20T10:00:01.125000+00:00 planner/7d9 «»",
        unsure(UTC_MILLI),
    ),
    plain(
        "AWS Lambda: Node.js",
        "2026-11-20T10:00:01.125Z\t8c668cde-235b-4872\tINFO\t«»",
        unsure(UTC_MILLI, level="INFO"),
    ),
    plain(
        "gcloud logging",
        "INFO     2026-11-20T10:00:01.125Z  [resource.type: global] «»",
        unsure(UTC_MILLI, level="INFO"),
    ),
    plain("GitHub Actions", "2026-11-20T10:00:01.1250000Z «»", Said(UTC_MILLI)),
    plain(
        "GitHub Actions: gh run view",
        "send\tRun bus\t2026-11-20T10:00:01.1250000Z «»",
        unsure(UTC_MILLI),
    ),
    plain("CI: ##[group]", "##[group]«»"),
    plain(
        "CI: ##[debug]",
        "2026-11-20T10:00:01.1250000Z ##[debug]«»",
        Said(UTC_MILLI, attributes={"level": ...}),
    ),
    plain("CI: ::notice::", "::notice file=bus.py,line=42::«»", Said(attributes={"level": ...})),
    plain("tail -f", "==> planner.log <==\n«»", unsure()),
    plain(
        "HTTP request",
        "POST /bus HTTP/1.1\r\nHost: bus.example.com\r\nContent-Type: text/plain\r\n\r\n«»",
        unsure(),
    ),
    closed(
        "tcpdump -A",
        "10:00:01.125000 IP 10.0.0.1.5000 > 10.0.0.2.80: Flags [P.], length 64\nE..t..@.@.\n«»\n",
        ANY,
    ),
    plain(
        "PostgreSQL",
        "2026-11-20 10:00:01.125 UTC [7] planner@bus LOG:  «»",
        unsure(UTC_MILLI, level=...),
    ),
    plain(
        "nginx: error log", "2026/11/20 10:00:01 [info] 7#7: *1 «»", unsure(SECOND, level="info")
    ),
    Printer("nginx: request body", _nginx, Said(UTC_SECOND, ..., None)),
    plain(
        "Apache: error log",
        "[Fri Nov 20 10:00:01.125000 2026] [proxy:info] [pid 7] [client 10.0.0.1:5000] «»",
        unsure(MILLI, level=...),
    ),
    plain(
        "Android logcat: threadtime",
        "11-20 10:00:01.125     7    42 I planner : «»",
        said(NO_YEAR_MILLI, "planner", level=...),
    ),
    plain("Android logcat: brief", "I/planner (    7): «»", unsure(level=...)),
)
"""What operating systems, containers, and servers print."""

LANGUAGES: tuple[Printer, ...] = (
    plain(
        "log4j: ISO date",
        "2026-11-20 10:00:01,125 INFO  [main] planner: «»",
        unsure(MILLI, level="INFO"),
    ),
    plain(
        "logback: default",
        "10:00:01.125 [main] INFO  planner -- «»",
        Said(..., ..., None, {"level": "INFO", "logger": ...}),
    ),
    plain(
        "Spring Boot",
        "2026-11-20T10:00:01.125Z  INFO 7 --- [bus] [main] c.a.Planner : «»",
        unsure(UTC_MILLI, level="INFO"),
    ),
    plain("Serilog: console", "[10:00:01 INF] «»", Said(..., attributes={"level": "INF"})),
    plain(
        "Serilog: file",
        "2026-11-20 10:00:01.125 +00:00 [INF] «»",
        Said(UTC_MILLI, attributes={"level": "INF"}),
    ),
    closed(
        "Serilog: source after",
        "[10:00:01 INF] «» <s:planner>",
        Said(..., "planner", None, {"level": "INF", "logger": "planner"}),
    ),
    plain(
        "Serilog: source before",
        "[10:00:01 INF] <s:planner> «»",
        Said(..., "planner", None, {"level": "INF", "logger": "planner"}),
    ),
    plain(".NET: console", "info: Planner[0]\n      «»", unsure(level=...)),
    plain(".NET: console on one line", "info: Planner[0] «»", unsure(level="info")),
    plain(
        "NLog: default",
        "2026-11-20 10:00:01.1250|INFO|planner|«»",
        said(MILLI, "planner", level="INFO"),
    ),
    closed(
        "NLog: ASP.NET",
        "2026-11-20 10:00:01.1250|0|INFO|planner|«» |url: https://bus/send|action: Send",
        said(MILLI, "planner", level="INFO"),
    ),
    plain(
        "zap: console",
        "2026-11-20T10:00:01.125Z\tINFO\tplanner\tbus/send.go:12\t«»",
        unsure(UTC_MILLI, level="INFO"),
    ),
    closed(
        "zap: console with fields",
        '2026-11-20T10:00:01.125Z\tINFO\tplanner\tbus/send.go:12\t«»\t{"trace_id": "4bf92f35"}',
        unsure(UTC_MILLI, level="INFO", trace_id=...),
    ),
    closed(
        "zerolog: console", "10:00AM INF «» agent=planner", Said(..., ..., None, {"level": "INF"})
    ),
    plain(
        "zerolog: console with time",
        "2026-11-20T10:00:01Z INF «»",
        Said(UTC_SECOND, attributes={"level": "INF"}),
    ),
    Printer(
        "logrus: text",
        _logrus,
        Said(UTC_SECOND, "planner", None, {"level": "info", "trace_id": "4bf92f35"}),
    ),
    closed(
        "logrus: terminal",
        "INFO[0000] «»                 agent=planner",
        Said(None, ..., None, {"level": "INFO"}),
    ),
    Printer(
        "Go: slog text",
        _slog,
        Said(UTC_MILLI, "planner", "executor", {"level": "INFO", "span_id": "00f067aa"}),
    ),
    plain("Go: log", "2026/11/20 10:00:01 «»", Said(SECOND)),
    plain("Go: log with file", "2026/11/20 10:00:01.125000 bus.go:42: «»", unsure(MILLI)),
    plain(
        "pino-pretty",
        "[10:00:01.125] INFO (planner/7): «»",
        Said(..., "planner", None, {"level": "INFO", "logger": "planner"}),
    ),
    plain("winston: simple", "info: «»", Said(attributes={"level": "info"})),
    closed(
        "winston: simple with fields",
        'info: «» {"service":"bus"}',
        Said(attributes={"level": "info"}),
    ),
    plain(
        "winston: timestamp",
        "2026-11-20T10:00:01.125Z [info]: «»",
        Said(UTC_MILLI, attributes={"level": "info"}),
    ),
    plain(
        "bunyan: CLI",
        "[2026-11-20T10:00:01.125Z]  INFO: planner/7 on bus01: «»",
        unsure(UTC_MILLI, level="INFO"),
    ),
    plain(
        "Rails: tagged",
        "I, [2026-11-20T10:00:01.125000 #7]  INFO -- : [4bf92f35] «»",
        unsure(MILLI, level=...),
    ),
    plain(
        "Rust: env_logger",
        "[2026-11-20T10:00:01Z INFO  planner] «»",
        said(UTC_SECOND, "planner", level="INFO"),
    ),
    plain(
        "Rust: tracing",
        "2026-11-20T10:00:01.125000Z  INFO planner: «»",
        said(UTC_MILLI, "planner", level="INFO"),
    ),
    plain(
        "Twisted: text file",
        "2026-11-20T10:00:01+0000 [planner#info] «»",
        unsure(UTC_SECOND, level=...),
    ),
    plain(
        "ANSI: whole line",
        f"{ESC}[32m2026-11-20T10:00:01Z planner: «»{ESC}[0m"[: -len(f"{ESC}[0m")],
        said(UTC_SECOND, "planner"),
    ),
    closed(
        "ANSI: whole line, reset",
        f"{ESC}[1;32m2026-11-20T10:00:01Z INFO «»{ESC}[0m",
        Said(UTC_SECOND, attributes={"level": "INFO"}),
    ),
    closed("ANSI: message colored", f"10:00:01 {ESC}[36m«»{ESC}[39m (12ms)", ANY),
)
"""What loggers of other languages print."""

CHATS: tuple[Printer, ...] = (
    plain("speaker", "planner: «»", Said(sender="planner")),
    plain("speaker in brackets", "[planner] «»", Said(sender="planner")),
    plain(
        "speaker and listener",
        "planner -> executor: «»",
        Said(sender="planner", recipient="executor"),
    ),
    plain(
        "speaker and listener, arrow",
        "planner → executor: «»",
        Said(sender="planner", recipient="executor"),
    ),
    plain(
        "speaker and listener, bare",
        "planner -> executor «»",
        Said(sender="planner", recipient="executor"),
    ),
    plain(
        "a bus with parties",
        "2026-11-20T10:00:01Z INFO bus planner -> executor «»",
        Said(UTC_SECOND, "planner", "executor", {"level": "INFO", "logger": ...}),
    ),
    plain(
        "parties as pairs",
        "ts=1795168801125 from=planner to=executor «»",
        Said(UTC_MILLI, "planner", "executor"),
    ),
    plain("epoch in nanoseconds", "1795168801125000000 planner: «»", Said(UTC_MILLI, "planner")),
    plain("IRC", "[10:00:01] <planner> «»", Said(..., "planner")),
    plain("IRC: irssi", "10:00 <@planner> «»", Said(..., ...)),
    plain("Slack", "planner  10:00 AM\n«»", ANY),
    plain("WhatsApp: iOS", "[20/11/2026, 10:00:01] planner: «»", Said(SECOND, "planner")),
    plain(
        "WhatsApp: Android",
        "20/11/2026, 10:00 - planner: «»",
        Said("2026-11-20T10:00:00", "planner"),
    ),
    plain("Telegram", "planner, [20.11.2026 10:00:01]\n«»", ANY),
    plain("Discord", "[2026-11-20 10:00] planner: «»", Said("2026-11-20T10:00:00", "planner")),
    Printer("Markdown: speaker and code", line("**planner:** `«»`"), Said(sender="planner")),
    Printer(
        "Markdown: speakers and code",
        line("**planner → executor:** `«»`"),
        Said(sender="planner", recipient="executor"),
    ),
)
"""What chats and transcripts print."""

REMARKS: tuple[Printer, ...] = (
    closed(
        "remark: (12ms)",
        "2026-11-20T10:00:01Z INFO «» (12ms)",
        Said(UTC_SECOND, attributes={"level": "INFO"}),
    ),
    closed("remark: [200]", "INFO «» [200]", Said(attributes={"level": "INFO"})),
    closed("remark: JSON", 'INFO «» {"service":"bus"}', Said(attributes={"level": "INFO"})),
    closed("remark: took=12ms", "planner: «» took=12ms", Said(sender="planner")),
    closed("remark: <- 200 OK", "planner: «» <- 200 OK", Said(sender="planner")),
    closed("remark: => 200", "planner: «» => 200", Said(sender="planner")),
    closed("remark: # comment", "«» # the first one"),
    closed("remark: // comment", "«» // the first one"),
)
"""What stands after a message without an enclosing pair."""

FORMATS = SYSTEM + LANGUAGES + CHATS + REMARKS
