"""Every output of a tool, a database, or a debugger gives the message back, and what it says of it."""

import pytest

from .lines import PRINTERS, unheard, unread
from .outputs import OUTPUTS
from .printer import Printer

BY_NAME = pytest.mark.parametrize("printer", OUTPUTS, ids=lambda printer: printer.name)

UNREAD = frozenset(
    [
        "grep -n",
        "grep -A",
        "strace",
        "socket.io",
        "MySQL",
        "SQL: insert",
        "TSV: more behind",
        "table of dashes",
        "Monolog",
        "Monolog: empty context",
        "LangChain: repr",
        "OpenAI: repr",
        "dataclass: repr",
        "Java: record",
        "Kotlin: data class",
        "Go: %+v",
        "Go: %q",
        "Rust: debug",
        "Rust: Some",
        "Ruby: inspect",
        "Ruby: hash",
        "JavaScript: console.log",
        "Python: list over lines",
        "Python: bytes",
        "IPython: Out",
        "C: printf",
        "reStructuredText: literal",
        "Slack: triple backticks",
        "BBCode",
        "shell: export",
    ]
)
"""Outputs whose messages end in the wrong place today; it only shrinks."""
UNHEARD = frozenset(
    [
        "git blame",
        "pytest: live log",
        "pytest: live log of logging itself",
        "TSV",
        "TSV: more behind",
        "Monolog",
        "Monolog: empty context",
        "Laravel",
        "Elixir",
        "Quarkus",
        "Tomcat",
        "java.util.logging",
        "12 hours",
        "RFC 2822 date",
        "ANSI: level colored, speaker bold",
    ]
)


def test_no_name_is_of_two_printers() -> None:
    names = [printer.name for printer in (*PRINTERS, *OUTPUTS)]
    assert len(set(names)) == len(names)


@BY_NAME
def test_it_ends_messages_where_they_end(printer: Printer) -> None:
    assert not unread(printer) or printer.name in UNREAD, unread(printer)


@BY_NAME
def test_it_reads_what_the_output_says(printer: Printer) -> None:
    assert not unheard(printer) or printer.name in UNHEARD, unheard(printer)
