"""An import counts the fragments without a message, and lists the first with their lines."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from playground.audit import importing
from playground.audit.importing import Fragment, Imported
from playground.audit.views import imports
from tests.playground.audit.imports.test_import_preview import look
from tests.playground.audit.imports.test_importing import send, send_all
from tests.playground.drawn import words

pytestmark = pytest.mark.django_db

WIRE = "2026-11-20T10:00:01Z planner: REQ/TSK|g=42,t=1"
LOG = f"""\
# a comment
nothing to see

{WIRE} took=3ms
 GET /größe 404
```
{{"level":"info",
"msg":"started"}}
{WIRE}
the last line"""
LISTED = [
    (2, "nothing to see"), (5, "GET /größe 404"), (7, '{"level":"info",\n"msg":"started"}'),
    (10, "the last line"),
]  # fmt: skip


def form(client: Client, data: bytes) -> str:
    file = SimpleUploadedFile("a.log", data)
    return str(client.post("/import/", {"file": file}).content.decode())


def drawn(page: str) -> str:
    """Return the words of the list."""
    found = re.search(r'<details class="import-unclaimed" >(.*?)</details>', page, re.DOTALL)
    return words(found[1]) if found else ""


@pytest.mark.parametrize("size", [40, 90, 10_000])
def test_chunks_list_lines_without_a_message(admin_client: Client, size: int) -> None:
    answers, _ = send_all(admin_client, LOG.encode(), size)
    fragments = [(one["line"], one["text"]) for each in answers for one in each["fragments"]]

    assert fragments == LISTED
    assert sum(answer["unclaimed"] for answer in answers) == 4
    assert sum(answer["ignored"] for answer in answers) > 4


@pytest.mark.parametrize("block", [90, 10_000])
def test_a_form_lists_lines_without_a_message(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(imports, "_BLOCK", block)

    listed = [f"Line {line}: {text}".replace("\n", " ") for line, text in LISTED]
    said = " ".join(["4 fragments without a message", *listed, "and 0 more"])
    page = form(admin_client, LOG.encode())

    assert drawn(page) == said
    assert '<p class="hint" hidden>and' in page


def test_a_preview_lists_lines_without_a_message(admin_client: Client) -> None:
    page = look(admin_client, LOG.encode()).content.decode()

    assert drawn(page).startswith("4 fragments without a message Line 2: nothing to see Line 5: ")
    nothing = look(admin_client, b"prose\nmore prose\n").content.decode()
    assert "No messages found" in words(nothing)
    assert drawn(nothing).startswith("2 fragments without a message Line 1: prose Line 2: more")


@pytest.mark.parametrize("data", [WIRE.encode(), b'{"wire":"REQ/TSK|g=42,t=1"}\n{"wire":7}\n'])
def test_a_file_without_such_lines_has_no_list(admin_client: Client, data: bytes) -> None:
    pages = form(admin_client, data), look(admin_client, data).content.decode()

    assert [drawn(page) for page in pages] == ["", ""]
    assert all('<details class="import-unclaimed" hidden>' in page for page in pages)


def test_the_first_twenty_are_listed_and_all_are_counted(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = "".join(f"prose {number}\n" for number in range(1, 1_235)).encode()
    for page in (form(admin_client, data), look(admin_client, data).content.decode()):
        assert drawn(page).startswith("1,234 fragments without a message Line 1: prose 1 Line 2: ")
        assert drawn(page).endswith("Line 20: prose 20 and 1,214 more")
        assert '<p class="hint" >and' in page
    answer = send(admin_client, data)
    assert (answer["unclaimed"], len(answer["fragments"])) == (1_234, 20)


def test_the_first_of_all_chunks_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "FRAGMENTS", 3)
    whole = Imported("text")
    for first in (1, 3):
        chunk = [Fragment(first, "a"), Fragment(first + 1, "b")]
        whole.add(Imported("text", unclaimed=7, fragments=chunk))

    assert (whole.unclaimed, whole.fragments_left) == (14, 11)
    assert [fragment.line for fragment in whole.fragments] == [1, 2, 3]


def test_a_long_line_is_shortened_and_nothing_in_it_is_hidden(admin_client: Client) -> None:
    data = f"<img src=x>\u202eabc\x07{'x' * 500}\n".encode() + b"gr\xf6\xdfe\n"
    page = form(admin_client, data)

    assert "<img" not in page
    assert "Line 1: <img src=x>⟨U+202E⟩abc␇xxx" in drawn(page)
    assert f"{'x' * 100}… Line 2: gr⟨0xF6⟩⟨0xDF⟩e" in drawn(page)
    assert [len(one["text"]) for one in send(admin_client, data)["fragments"]] == [200, 15]
