"""A message as something to run: curl, Python, or a test. Each is one command or one file, whatever
the text.

Every text is written in ASCII with escapes, as JSON in single quotes for a shell and as a literal
for Python, so that no quote, line break, NUL, or bidirectional character can break out.
"""

import json
import re
import shlex
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from cablese import detection, registry
from cablese.message import Message

LONGEST = 16 * 1024
"""The longest message with snippets, in characters: command lines and clipboards have limits."""
KEY = '"Authorization: Bearer $CABLESE_KEY"'
WIDTH = 110


class Snippet(Struct, frozen=True):
    """A text to copy. ``note`` states its requirements."""

    name: str
    title: str
    text: str
    note: str = ""


def write(message: Message, base: str) -> tuple[Snippet, ...]:
    """Return the snippets of ``message`` for the server at ``base``; none if it is too long."""
    return tuple(_write(message, base.rstrip("/"))) if len(message.wire) <= LONGEST else ()


def _write(message: Message, base: str) -> Iterator[Snippet]:
    protocol = message.protocol if message.protocol != detection.UNKNOWN else None
    named = {"protocol": protocol} if protocol else {}
    decoding = {"text": message.wire, **named}
    yield Snippet("curl", "curl: decode", _curl(f"{base}/api/v1/decode", decoding))
    note = "Requires a key in CABLESE_KEY: manage.py apikey create NAME --scopes ingest"
    yield Snippet(
        "ingest",
        "curl: save to log",
        _curl(f"{base}/api/v1/packets", {"wire": message.wire, **named}, KEY),
        note,
    )
    yield Snippet(
        "urllib",
        "Python: decode on this server",
        _urllib(f"{base}/api/v1/decode", decoding),
    )
    note = "Requires the cablese package"
    yield Snippet("python", "Python (library)", _python(message, protocol), note)
    yield Snippet("pytest", "pytest snapshot test", _pytest(message, protocol), note)


def _curl(address: str, body: dict[str, Any], *headers: str) -> str:
    """Return a command. ``json.dumps`` writes ASCII without line breaks, and `shlex` quotes it."""
    lines = [f"curl {shlex.quote(address)}"]
    lines += [f"-H {header}" for header in (*headers, "'Content-Type: application/json'")]
    return " \\\n  ".join([*lines, f"--data-raw {shlex.quote(json.dumps(body))}"]) + "\n"


def _urllib(address: str, body: dict[str, Any]) -> str:
    return f"""\
import json
import urllib.request

body = {_literal(body)}
request = urllib.request.Request(
    {address!a},
    data=json.dumps(body).encode("ascii"),
    headers={{"Content-Type": "application/json"}},
)
with urllib.request.urlopen(request) as answer:
    decoded = json.load(answer)
for message in decoded["messages"]:
    print(message["protocol"], "valid" if message["valid"] else "invalid", message["values"])
"""


def _python(message: Message, protocol: str | None) -> str:
    named = f", {protocol!a}" if protocol else ""
    return f"""\
import cablese

wire = {message.wire!a}
message = cablese.decode(wire{named})
print(message.dialect, "valid" if message.valid else "invalid")
print(message.values)
for found in message.diagnostics:
    print(found.code, tuple(found.span), ascii(found.message))
"""


def _pytest(message: Message, protocol: str | None) -> str:
    named = f", {protocol!a}" if protocol else ""
    codes = [diagnostic.code for diagnostic in message.diagnostics]
    meaning = _meaning(message)
    imports = "import cablese\nfrom cablese import registry\n" if meaning else "import cablese\n"
    return f"""\
{imports}
WIRE = {message.wire!a}


def test_{_name(message)}() -> None:
    message = cablese.decode(WIRE{named})

    assert (message.protocol, message.dialect) == {(message.protocol, message.dialect)!a}
    assert message.valid is {message.valid}
    assert message.values == {_literal(message.values, "    ")}
    assert [found.code for found in message.diagnostics] == {_literal(codes, "    ")}
{meaning}"""


def _meaning(message: Message) -> str:
    if message.protocol == detection.UNKNOWN:
        return ""
    terms = msgspec.to_builtins(registry.get(message.protocol).meaning(message))
    lines = "".join(
        f"    assert meaning.{name} == {_literal(_frozen(value), '    ')}\n"
        for name, value in terms.items()
    )
    return (
        f"    meaning = registry.get(message.protocol).meaning(message)\n{lines}" if lines else ""
    )


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _name(message: Message) -> str:
    """Return a name for the test."""
    act = (
        ""
        if message.protocol == detection.UNKNOWN
        else registry.get(message.protocol).meaning(message).act
    )
    name = f"{message.dialect} {act} {'reads' if message.valid else 'is_refused'} as today"
    return re.sub(r"\W+", "_", name.lower(), flags=re.ASCII).strip("_")


def _literal(value: Any, indent: str = "") -> str:
    """Return a JSON value as a Python literal in ASCII, on several lines if it is long."""
    short = ascii(value)
    if len(short) + len(indent) <= WIDTH or not isinstance(value, dict | list | tuple) or not value:
        return short
    inner = f"{indent}    "
    if isinstance(value, dict):
        lines = [f"{inner}{key!a}: {_literal(item, inner)},\n" for key, item in value.items()]
        return f"{{\n{''.join(lines)}{indent}}}"
    lines = [f"{inner}{_literal(item, inner)},\n" for item in value]
    opening, closing = "[]" if isinstance(value, list) else "()"
    return f"{opening}\n{''.join(lines)}{indent}{closing}"
