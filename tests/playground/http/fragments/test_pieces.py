"""Answers in two pieces, of which a browser shows the first while the second is made."""

import re
import zlib
from collections.abc import Iterator
from typing import Any

import pytest
from django.http.response import HttpResponseBase
from django.test import Client, RequestFactory

from cablese.message import Message
from playground.http import decoding
from playground.http.fragments.pieces import ASKED, END, REST, InPieces
from playground.http.pages import Compressed
from playground.workbench import views
from playground.workbench.examples import EXAMPLES
from tests.playground.drawn import Elements

STAMP = re.compile(r'data-stamp="([0-9a-f]{16})"')
TEXT = "REQ/TSK|g=42,t=1,@=auth\nRJE/PLN|g=42,t=1\n"
EDITS = (
    TEXT.replace("auth", "autho"),
    TEXT.replace("t=1", "t=01"),
    TEXT.replace("t=1", "t=1,p=2"),
    TEXT.replace("auth", "4111 1111 1111 1111"),
    f"INF/OBS|g=1,t=1\n{TEXT}",
    "FETCH|HR|return:HR-Agent|p:1|aacp:1.1\nT|17|Q|obj=<b>&amp;\n",
    "\u200bREQ/TSK|g=42,t=1,@=auth ",
    *(example.text for example in EXAMPLES),
)


@pytest.fixture(autouse=True)
def _all_are_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "SHORT", 0)


def ask(client: Client, text: str, page: str, **said: str) -> HttpResponseBase:
    asked: dict[str, Any] = {ASKED: True}
    return client.post("/reading", form(text, page, **said), **asked)


def form(text: str, page: str, **said: str) -> dict[str, str]:
    rows = len(re.findall(r'<li id="message-\d', page))
    return {"text": text, "have": " ".join(STAMP.findall(page)), "rows": str(rows)} | said


def opened(client: Client, text: str = TEXT, **said: str) -> str:
    return client.post("/reading", {"text": text} | said).content.decode()


def pieces(answer: HttpResponseBase) -> list[str]:
    assert isinstance(answer, InPieces)
    return [piece.decode() for piece in answer]


def patches(sent: str) -> dict[str, str]:
    """The markup of the patches in an answer, by ID."""
    sent = re.sub(r"<template>(<tr .*?)</template>", r"\1", sent, flags=re.DOTALL)
    names = [str(attributes["id"]) for _, attributes in Elements(sent).outermost]
    starts = [sent.index(f' id="{name}"') for name in names]
    parts = [sent[start:end] for start, end in zip(starts, [*starts[1:], None], strict=True)]
    return {
        name: re.sub(r"<!--\w+-->|\s*<\w+$", "", part).strip()
        for name, part in zip(names, parts, strict=True)
    }


@pytest.mark.django_db
@pytest.mark.parametrize("view", ["table", "tree", "raw"])
@pytest.mark.parametrize("before", [TEXT, "", "hello"])
@pytest.mark.parametrize("text", EDITS)
def test_two_pieces_have_what_a_whole_answer_has(
    client: Client, text: str, before: str, view: str
) -> None:
    page = opened(client, before, view=view)
    whole = client.post("/reading", form(text, page, view=view)).content.decode()

    first, rest = pieces(ask(client, text, page, view=view))

    assert first.endswith(REST)
    assert rest.endswith(END)
    both = patches(first) | patches(rest)
    # What is around the message may be sent with it again.
    assert {name: both[name] for name in patches(whole)} == patches(whole)
    assert set(both) - set(patches(whole)) <= set(patches(first))


@pytest.mark.django_db
def test_the_first_piece_is_the_message(client: Client) -> None:
    first, rest = pieces(ask(client, EDITS[0], opened(client)))

    assert {"english", "field-5"} <= set(patches(first))
    assert {"reading-state", "chips"} <= set(patches(rest))


@pytest.mark.django_db
def test_a_page_without_a_message_has_a_place_for_the_first(client: Client) -> None:
    first, rest = pieces(ask(client, TEXT, opened(client, "")))

    assert set(patches(first)) == {"told"}
    assert {"lists", "panels"} <= set(patches(rest)) - {"told", "reading"}


@pytest.mark.django_db
def test_the_first_piece_waits_for_no_other_message(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    decoded: list[str] = []
    decode = decoding.decode

    def note(wire: str, protocol: str | None, dialect: str | None = None) -> Message:
        decoded.append(wire)
        return decode(wire, protocol, dialect)

    monkeypatch.setattr(decoding, "decode", note)
    answer = ask(client, TEXT, opened(client, ""))
    assert isinstance(answer, InPieces)
    came = iter(answer)

    next(came)
    assert decoded == TEXT.splitlines()[:1]
    next(came)
    assert decoded == TEXT.splitlines()


@pytest.mark.django_db
@pytest.mark.parametrize("text", ["", "hello", "x" * (1024 * 1024 + 1)], ids=len)
def test_an_answer_without_a_message_is_whole(client: Client, text: str) -> None:
    assert not ask(client, text, opened(client)).streaming


@pytest.mark.django_db
def test_an_answer_to_a_browser_without_a_page_is_whole(client: Client) -> None:
    assert not ask(client, TEXT, "").streaming


@pytest.mark.django_db
def test_the_answer_to_a_short_text_is_whole(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "SHORT", len(TEXT))
    page = opened(client)

    assert not ask(client, TEXT, page).streaming
    assert ask(client, f"{TEXT}\n", page).streaming


@pytest.mark.django_db
def test_an_answer_is_whole_for_a_server_that_does_not_ask(client: Client) -> None:
    page = opened(client)

    answer = client.post("/reading", form(TEXT, page))

    assert REST not in answer.content.decode()


def compressed(first: str, rest: str, **headers: str) -> InPieces:
    answer = InPieces(first, lambda: rest)
    Compressed(lambda _: answer)(RequestFactory().get("/", headers=headers))
    assert "Accept-Encoding" in answer.headers["Vary"]
    return answer


def test_each_piece_can_be_unpacked_when_it_arrives() -> None:
    answer = compressed("a" * 9_000, "b", **{"Accept-Encoding": "br, gzip"})
    unpack = zlib.decompressobj(wbits=31).decompress
    came: Iterator[bytes] = iter(answer)

    assert answer.headers["Content-Encoding"] == "gzip"
    assert unpack(packed := next(came)) == b"a" * 9_000 + REST.encode()
    assert len(packed) < 1_000
    assert unpack(b"".join(came)) == b"b" + END.encode()


@pytest.mark.parametrize("accepted", ["", "br", "xgzip"])
def test_pieces_are_not_compressed_for_whom_does_not_accept_it(accepted: str) -> None:
    answer = compressed("a", "b", **{"Accept-Encoding": accepted})

    assert "Content-Encoding" not in answer.headers
    assert b"".join(answer) == f"a{REST}b{END}".encode()
