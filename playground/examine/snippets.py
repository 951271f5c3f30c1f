"""A message as something to run: curl, Python, a test. Whatever its text, each is exactly one
command or one file.

Every text is written in ASCII with escapes, as JSON inside single quotes for a shell and as a
literal for Python, so that no quote, line break, NUL or character that turns text around can leave
its place. What is pasted is what is seen.
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
"""Characters of a message that is written so: a command line has an end, and so has a clipboard."""
KEY = '"Authorization: Bearer $CABLESE_KEY"'
WIDTH = 110


class Snippet(Struct, frozen=True):
    """One thing to copy. ``note`` says what it needs."""

    name: str
    title: str
    text: str
    note: str = ""


def write(message: Message, base: str) -> tuple[Snippet, ...]:
    """Everything that can be copied of ``message`` for the server at ``base``; nothing of one that
    is too long.
    """
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
    """``json.dumps`` writes ASCII without line breaks, and `shlex` what a shell takes as
    one word.
    """
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
    codes = [found.code for found in message.diagnostics]
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
    said = msgspec.to_builtins(registry.get(message.protocol).meaning(message))
    lines = "".join(
        f"    assert meaning.{name} == {_literal(_frozen(value), '    ')}\n"
        for name, value in said.items()
    )
    return (
        f"    meaning = registry.get(message.protocol).meaning(message)\n{lines}" if lines else ""
    )


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _name(message: Message) -> str:
    """A name for a test that says what it is of."""
    act = (
        ""
        if message.protocol == detection.UNKNOWN
        else registry.get(message.protocol).meaning(message).act
    )
    words = f"{message.dialect} {act} {'reads' if message.valid else 'is_refused'} as today"
    return re.sub(r"\W+", "_", words.lower(), flags=re.ASCII).strip("_")


def _literal(value: Any, indent: str = "") -> str:
    """A JSON value as Python writes it, in ASCII, over lines where it is long."""
    short = ascii(value)
    if len(short) + len(indent) <= WIDTH or not isinstance(value, dict | list | tuple) or not value:
        return short
    inner = f"{indent}    "
    if isinstance(value, dict):
        lines = [f"{inner}{key!a}: {_literal(one, inner)},\n" for key, one in value.items()]
        return f"{{\n{''.join(lines)}{indent}}}"
    lines = [f"{inner}{_literal(one, inner)},\n" for one in value]
    opening, closing = "[]" if isinstance(value, list) else "()"
    return f"{opening}\n{''.join(lines)}{indent}{closing}"
