"""Carried messages on the page and over HTTP: the wrapper is named and counted apart, and no paint
is misplaced.
"""

import json
from typing import Any

import pytest
from django.test import Client

from auditlog.ingest.item import Item
from auditlog.ingest.plain import Reader
from cablese import tokens
from playground.workbench.document import Reading
from tests.playground.drawn import unfold, words

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("AACP-46")]

WIRE = "ACC/PLN|g=42,t=01"
ODD = 'ACC/PLN|g=42,t=01,@=a"b'
CALL = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "tell", "arguments": {"message": WIRE}},
}
PLAIN, ESCAPED = json.dumps(CALL), json.dumps({"role": "user", "content": ODD})
TOKENIZER = "o200k_base"


def read(text: str) -> Reading:
    return Reading(text, protocol=None, tokenizer=TOKENIZER)


def decode(client: Client, text: str) -> list[dict[str, Any]]:
    body = json.dumps({"text": text, "tokenizers": [TOKENIZER]})
    return list(
        client.post("/api/v1/decode", body, content_type="application/json").json()["messages"]
    )


def test_the_row_and_the_panels_name_the_wrapper(client: Client) -> None:
    page = words(client.post("/reading", {"text": PLAIN}).content.decode())

    assert "inside MCP nSLIP" in page
    assert "Inside MCP tools/call, params.arguments.message." in page
    wrapper = tokens.count(PLAIN.replace(WIRE, ""), TOKENIZER).count
    assert f"+{wrapper} tokens for the wrapper" in page


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<code>REQ/TSK|g=1,t=1,@=a&amp;b</code>", "Inside HTML. Wrapper"),
        (
            "GET /bus?m=REQ%2FTSK%7Cg%3D42%2Ct%3D1 HTTP/1.1",
            "Inside URL-encoded text. Wrapper",
        ),
        (
            """curl -d '{"format":"text","subformat":"English","content":"It'\\''s late"}'""",
            "Inside quoted text. Wrapper",
        ),
        (
            '{"a":"<code>REQ/TSK|g=1,t=1,@=a&amp;b</code>"}',
            "Inside JSON record › HTML, a. Wrapper",
        ),
        ('{"":"REQ/TSK|g=1,t=1"}', "Inside JSON record. Wrapper"),
    ],
)
def test_a_wrapper_that_is_all_around_a_message_has_no_path(
    client: Client, text: str, said: str
) -> None:
    page = client.post("/reading", {"text": text}).content.decode()

    assert said in words(page)
    assert 'title=""' not in page


def test_a_message_that_stands_free_has_no_wrapper(client: Client) -> None:
    page = words(client.post("/reading", {"text": WIRE}).content.decode())

    assert "wrapper" not in page
    assert "Inside " not in page


def test_what_is_painted_is_what_is_written() -> None:
    painted = [PLAIN[mark[0] : mark[1]] for mark in read(PLAIN).painting.marks]

    assert painted == ["ACC", "PLN", "42", "01", "01"]


def test_a_message_with_escapes_is_not_painted_and_its_fixes_are_not_offered() -> None:
    reading = read(ESCAPED)
    (note,) = reading.notes

    assert reading.painting.marks == []
    assert note.diagnostic.code == "nslip.leading-zero"
    assert note.diagnostic.fix is None
    ((begin, end),) = unfold(read(ESCAPED).spans)
    assert (note.start, note.end) == (0, end - begin)
    assert ESCAPED[begin:end] == json.dumps(ODD)[1:-1]


def test_a_message_without_escapes_can_be_mended_in_its_wrapper() -> None:
    (note,) = read(PLAIN).notes
    ((begin, _),) = unfold(read(PLAIN).spans)

    assert note.diagnostic.fix is not None
    assert PLAIN[begin:][note.fix_start : note.fix_end] == "01"


def test_the_page_mends_it_there(client: Client) -> None:
    page = client.post("/", {"text": PLAIN, "fix": "1:1"}).content.decode()

    assert "ACC/PLN|g=42,t=1&quot;" in page


def test_a_program_gets_the_wrapper_and_its_tokens(client: Client) -> None:
    (message,) = decode(client, PLAIN)

    start = PLAIN.index(WIRE)
    assert message["span"] == [start, start + len(WIRE)]
    assert message["carrier"] == {
        "kind": "mcp",
        "words": "MCP tools/call",
        "path": "/params/arguments/message",
        "span": [0, len(PLAIN)],
        "sender": "client",
        "recipient": "server",
        "inner": None,
        "call": None,
    }
    assert message["tokens"][TOKENIZER]["count"] == tokens.count(WIRE, TOKENIZER).count
    assert (
        message["tokens"][TOKENIZER]["wrapper"]
        == tokens.count(PLAIN.replace(WIRE, ""), TOKENIZER).count
    )


def test_a_program_gets_what_escapes_stand_for(client: Client) -> None:
    text = f"{WIRE}\n{ESCAPED}"
    free, carried = decode(client, text)

    assert (free["carrier"], free["tokens"][TOKENIZER]["wrapper"]) == (None, None)
    assert carried["wire"] == ODD
    assert json.loads(f'"{text[slice(*carried["span"])]}"') == ODD
    assert text[slice(*carried["carrier"]["span"])] == ESCAPED


def test_messages_of_one_wrapper_share_it(client: Client) -> None:
    text = json.dumps(
        {"messages": [{"role": "user", "content": WIRE}, {"role": "assistant", "content": ODD}]}
    )
    first, second = decode(client, text)

    around = text.replace(json.dumps(ODD)[1:-1], "").replace(WIRE, "")
    assert first["tokens"][TOKENIZER]["wrapper"] == tokens.count(around, TOKENIZER).count
    assert second["tokens"][TOKENIZER]["wrapper"] == first["tokens"][TOKENIZER]["wrapper"]
    assert read(text).total == 2


def test_a_plain_log_keeps_the_message_and_the_place_where_it_was_written() -> None:
    text = f"{ESCAPED}\n{PLAIN}\n"

    (piece,) = Reader().read([text[:30].encode(), text[30:].encode()])

    assert [item.wire for item in piece.items if isinstance(item, Item)] == [ODD, WIRE]
    assert piece.spans is not None
    assert [text[start:end] for start, end in piece.spans] == [json.dumps(ODD)[1:-1], WIRE]


def test_a_wrapper_in_a_wrapper_is_shown_with_the_path_through_both(client: Client) -> None:
    call = {"function": {"name": "tell", "arguments": json.dumps({"message": WIRE})}}
    text = json.dumps({"messages": [{"role": "assistant", "tool_calls": [call]}]})

    page = words(client.post("/reading", {"text": text}).content.decode())
    (message,) = decode(client, text)

    assert "Inside chat › tool call, messages.0.tool_calls.0.function.arguments › message." in page
    wrapper = tokens.count(text.replace(WIRE, ""), TOKENIZER).count
    assert f"+{wrapper} tokens for the wrapper" in page
    assert message["carrier"]["path"] == "/messages/0/tool_calls/0/function/arguments"
    assert message["carrier"]["inner"]["path"] == "/message"
    (note,) = read(text).notes
    ((begin, _),) = unfold(read(text).spans)
    assert text[begin:][note.fix_start : note.fix_end] == "01"
