"""What an import lists and what a preview reads have limits; all is counted."""

from urllib.parse import urlencode

import pytest
from django.test import Client

from playground.audit import importing
from playground.audit.importing import FilePosition, Imported, Wrong, store_chunk
from playground.audit.views import imports
from tests.auditlog.sending import make_sender
from tests.playground.audit.imports.test_importing import send_all, wires
from tests.playground.drawn import words

pytestmark = pytest.mark.django_db


def test_all_errors_of_a_chunk_are_counted_and_the_first_are_listed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(importing, "REFUSED", 3)
    place = FilePosition("a", 0, 1, "default")

    done = store_chunk(b'{"wire":7}\n' * 5, place, kind="ndjson", final=True, sender=make_sender())

    assert done.refused == 5
    assert [wrong.line for wrong in done.wrong] == [1, 2, 3]


def test_the_first_errors_of_a_file_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "REFUSED", 3)
    whole = Imported("text")

    for first in (1, 3):
        chunk = [Wrong(first, "odd"), Wrong(first + 1, "odd")]
        whole.add(Imported("text", refused=2, wrong=chunk))

    assert whole.refused == 4
    assert [wrong.line for wrong in whole.wrong] == [1, 2, 3]


@pytest.mark.parametrize(("limit", "shown"), [(1_000, 2), (51, 2), (50, 1)])
def test_a_preview_leaves_a_message_that_its_limit_may_have_cut(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch, limit: int, shown: int
) -> None:
    monkeypatch.setattr(imports, "LOOK_LIMIT", limit)
    lines = b"REQ/TSK|g=1,t=1,@=aaaaa\nREQ/TSK|g=1,t=1,@=aaaaaaaaaa"
    said = {"file": "a.log:1:2", "at": 0, "line": 1, "log": "default"}

    answer = admin_client.post(
        f"/import/preview?{urlencode(said)}", lines[:50], content_type="application/octet-stream"
    )

    assert words(answer.content.decode()).count("REQ/TSK") == shown


def test_long_lines_are_not_cut_where_a_chunk_ends(admin_client: Client) -> None:
    lines = [f"REQ/TSK|g={goal},t=1,@=" + "a" * 3_000_000 for goal in range(3)]

    send_all(admin_client, "\n".join(lines).encode(), 512 * 1024)

    assert [(wire[:11], len(wire)) for wire in wires()] == [
        (line[:11], len(line)) for line in lines
    ]
