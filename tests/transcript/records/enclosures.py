"""Messages in quotes, brackets, tags, and lists, escaped as each language does it."""

import csv
import html
import io
import json
import shlex
from collections.abc import Callable
from typing import Literal
from urllib.parse import quote

import yaml

from tests.transcript.lines.formats import line, plain, quoted
from tests.transcript.lines.printer import Printer, Said


def escaped(pattern: str, escape: Callable[[str], str]) -> Callable[[str], str]:
    """Return a printer that escapes the message and puts it where the pattern has «»."""
    return lambda wire: pattern.replace("«»", escape(wire))


def _double(wire: str) -> str:
    """Return the message in a shell's double quotes."""
    for char in '\\"$`':
        wire = wire.replace(char, "\\" + char)
    return f'"{wire}"'


def _code(wire: str) -> str:
    """Return Markdown code, in longer fences where the message has backticks."""
    return f"`` {wire} ``" if "`" in wire else f"`{wire}`"


def _cell(wire: str) -> str:
    return _code(wire).replace("|", "\\|")


def _csv(*fields: str | int, quoting: Literal[0, 2] = csv.QUOTE_MINIMAL) -> str:
    out = io.StringIO()
    csv.writer(out, quoting=quoting).writerow(["2026-11-20T10:00:01Z", "planner", *fields])
    return out.getvalue().rstrip("\r\n")


def _yaml(style: str | None, key: str | None) -> Callable[[str], str]:
    def dump(wire: str) -> str:
        value: object = [wire] if key is None else {key: wire}
        return yaml.safe_dump(value, default_style=style, width=10_000, allow_unicode=True).rstrip(
            "\n"
        )

    return dump


MARKDOWN: tuple[Printer, ...] = (
    Printer("Markdown: code", escaped("«»", _code)),
    Printer(
        "Markdown: code in a sentence",
        escaped("The planner sends «» (once).", _code),
        Said(None, ..., ...),
    ),
    Printer("Markdown: list and code", escaped("- «»: the first one", _code)),
    Printer("Markdown: cell", escaped("| planner | «» |", _code), Said(None, ..., None)),
    Printer(
        "Markdown: cell, bars escaped",
        escaped("| planner | «» | ok |", _cell),
        Said(None, ..., None),
    ),
    Printer("Markdown: fenced", line("```\n«»\n```"), lines=True),
    Printer("Markdown: fenced with a language", line("~~~text\n«»\n~~~"), lines=True),
    Printer("Markdown: in a list", line("- «»"), lines=True, open=True),
    Printer("Markdown: starred list", line("* «»"), lines=True, open=True),
    Printer("Markdown: numbered list", line("1. «»"), lines=True, open=True),
    Printer("Markdown: task list", line("- [ ] «»"), lines=True, open=True),
    plain("bullet", "• «»"),
    plain("number and bracket", "1) «»"),
    Printer(
        "quote",
        lambda wire: "\n".join(f"> {one}" for one in wire.split("\n")),
        lines=True,
        open=True,
    ),
    Printer(
        "quote: twice",
        lambda wire: "\n".join(f">> {one}" for one in wire.split("\n")),
        lines=True,
        open=True,
    ),
    Printer(
        "diff: added",
        lambda wire: "\n".join(f"+{one}" for one in wire.split("\n")),
        lines=True,
        open=True,
    ),
    Printer(
        "diff: removed",
        lambda wire: "\n".join(f"-{one}" for one in wire.split("\n")),
        lines=True,
        open=True,
    ),
    Printer(
        "diff: added, spaced",
        lambda wire: "\n".join(f"+ {one}" for one in wire.split("\n")),
        lines=True,
        open=True,
    ),
    Printer(
        "indented",
        lambda wire: "\n".join(f"    {one}" for one in wire.split("\n")),
        lines=True,
        open=True,
    ),
)

MARKUP: tuple[Printer, ...] = (
    Printer("HTML: code", escaped("<code>«»</code>", html.escape)),
    Printer("HTML: list item", escaped("<li>«»</li>", html.escape)),
    Printer(
        "HTML: cell",
        escaped("<tr><td>planner</td><td>«»</td></tr>", html.escape),
        Said(None, ..., None),
    ),
    Printer(
        "HTML: paragraph", escaped("<p><b>planner:</b> «»</p>", html.escape), Said(None, ..., None)
    ),
    Printer("HTML: preformatted", escaped('<pre class="log">«»</pre>', html.escape)),
    Printer("HTML: attribute", escaped('<span title="«»">task</span>', html.escape)),
    Printer(
        "XML: element",
        escaped('<message from="planner" to="executor">«»</message>', html.escape),
        Said(None, ..., ...),
    ),
    Printer("XML: CDATA", line("<message><![CDATA[«»]]></message>")),
)

SHELL: tuple[Printer, ...] = (
    Printer("shell: echo '…'", escaped("echo «»", lambda wire: shlex.quote(wire + " ")[:-2] + "'")),
    Printer('shell: echo "…"', escaped("echo «»", _double)),
    Printer('shell: $ send "…"', escaped("$ send «» --to executor", _double), Said(None, ..., ...)),
    Printer("shell: curl -d '…'", escaped("curl -d «» https://bus.example.com/send", shlex.quote)),
    Printer("shell: pipe", escaped("printf '%s\\n' «» | nc bus 7", shlex.quote)),
    Printer("shell: here document", line("send <<'END'\n«»\nEND"), lines=True),
    plain("prompt: >>>", ">>> «»"),
    plain("prompt: $", "$ «»"),
    plain("prompt: user and host", "planner@bus:~$ «»", Said(None, ..., None)),
    plain("prompt: In [1]", "In [1]: «»", Said(None, ..., None)),
)

CODE: tuple[Printer, ...] = (
    Printer("Python: list", lambda wire: repr([wire])),
    Printer("Python: tuple", lambda wire: repr(("planner", wire)), Said(None, ..., None)),
    Printer(
        "Python: dictionary",
        lambda wire: repr({"sender": "planner", "text": wire}),
        Said(sender="planner"),
    ),
    Printer("Python: call", escaped("bus.send(«», retry=3)", repr)),
    Printer("Python: assignment", escaped("message = «»", repr)),
    Printer("JSON: list", lambda wire: json.dumps([wire])),
    Printer(
        "JSON: list, more strings",
        lambda wire: json.dumps(["planner", wire, "executor"]),
        Said(None, ..., ...),
    ),
    Printer("JSON: string", quoted),
    Printer(
        "JSON: string with escapes",
        lambda wire: json.dumps(wire).replace("/", "\\/").replace("|", "\\u007c"),
    ),
    Printer(
        "URL: query string",
        escaped("GET /send?m=«»&n=1 HTTP/1.1", lambda wire: quote(wire, safe="")),
        Said(attributes={"n": "1"}),
    ),
    Printer("YAML: list", _yaml(None, None)),
    Printer("YAML: double quotes", _yaml('"', "msg")),
    Printer("YAML: single quotes", _yaml("'", "msg")),
    Printer("YAML: plain", _yaml(None, "msg")),
    Printer(
        "YAML: block",
        lambda wire: "msg: |\n" + "\n".join(f"  {one}" for one in wire.split("\n")),
        lines=True,
    ),
    Printer("TOML: string", escaped("msg = «»", quoted)),
    Printer(
        "logfmt",
        escaped("ts=2026-11-20T10:00:01Z level=info msg=«»", quoted),
        Said("2026-11-20T10:00:01+00:00", attributes={"level": "info"}),
    ),
    Printer(
        "logfmt: more behind",
        escaped("level=info msg=«» dur=12ms", quoted),
        Said(attributes={"level": "info"}),
    ),
    Printer("CSV", lambda wire: _csv(wire), Said("2026-11-20T10:00:01+00:00", ..., None)),
    Printer(
        "CSV: more behind",
        lambda wire: _csv(wire, 200, quoting=csv.QUOTE_NONNUMERIC),
        Said("2026-11-20T10:00:01+00:00", ..., None),
    ),
    Printer(
        "prose: quoted",
        escaped("Then the planner sent «», and waited.", quoted),
        Said(None, ..., ...),
    ),
    Printer(
        "prose: curly quotes",
        line("Then the planner sent “«”, and waited.".replace("«", "«»")),
        Said(None, ..., ...),
    ),
    Printer("brackets", line("[«»]")),
    Printer("parentheses", line("(«»)")),
    Printer("angle quotes", line("‹«»›")),
)

ENCLOSURES = MARKDOWN + MARKUP + SHELL + CODE
