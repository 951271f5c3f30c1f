"""A file that has grown is imported again: what was stored of it is recognized."""

import json
from hashlib import sha256
from io import BytesIO
from typing import Any
from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from auditlog.database import faults
from auditlog.database.unavailable import Stuck
from auditlog.erasure.erase import By, Order, erase
from auditlog.ingest.repeats import block_digest, imported_files
from auditlog.log import logs
from auditlog.models import Conflict, ImportedFile, Log, Packet
from playground.audit import importing
from playground.audit.views import imports
from tests.playground.audit.imports.test_importing import send, wires
from tests.playground.drawn import words

pytestmark = pytest.mark.django_db

MONDAY = b"2026-11-23 10:00:01 planner: REQ/TSK|g=1,t=1\n2026-11-23 10:00:02 bob: ACC/TSK|g=1,t=1\n"
TUESDAY = MONDAY + b"2026-11-24 09:00:00 planner: REQ/TSK|g=2,t=1\n"
WEDNESDAY = TUESDAY + b"2026-11-25 09:00:00 planner: REQ/TSK|g=3,t=1\n"
RECORD = b'{"time":"2026-11-23T10:00:01Z","msg":"REQ/TSK|g=1,t=1","from":"planner","to":"bob"}\n'


def ask(client: Client, size: object, body: object = b"", log: str = "default") -> Any:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return client.post(
        f"/import/earlier?{urlencode({'log': log, 'size': size})}",
        data,
        content_type="application/octet-stream",
    )


def digests_of(data: bytes, sizes: list[int]) -> dict[int, str]:
    found = block_digest.read(BytesIO(data), sizes)
    return {size: digest.hex() for size, digest in found.items()}


def upload(
    client: Client, data: bytes, *, log: str = "default", step: int = 64, stop: int | None = None
) -> dict[str, Any]:
    """Import a file in chunks, as the page does, up to the byte ``stop``. Return the sums, and what
    the page says of earlier imports.
    """
    sizes = ask(client, len(data), log=log).json()["sizes"]
    digests = digests_of(data, [*sizes, len(data)])
    found = ask(client, len(data), {size: digests[size] for size in sizes}, log).json()
    about: dict[str, Any] = {
        "file": f"sha256:{sha256(data).hexdigest()}:{len(data)}",
        "earlier": found["earlier"] or "", "log": log,
    }  # fmt: skip
    sums = dict.fromkeys(("kept", "again", "refused"), 0)
    at, line, size, kind, context = 0, 1, step, "", ""
    while at < len(data) and (stop is None or at < stop):
        piece = data[at : at + size]
        last = {"final": "1", "digest": digests[len(data)]} if at + size >= len(data) else {}
        place = {"at": at, "line": line, "kind": kind, "context": context, "final": ""}
        answer = send(client, piece, **about | place | last)
        sums = {name: number + answer[name] for name, number in sums.items()}
        at, line, kind = at + answer["taken"], line + answer["lines"], answer["kind"]
        context, size = answer["context"], step if answer["taken"] else size * 4
    return sums | {"says": words(found["words"])}


def post(client: Client, data: bytes, **fields: str) -> Any:
    return client.post("/import/", {"file": SimpleUploadedFile("app.log", data), **fields})


def post_counts(client: Client, data: bytes, **fields: str) -> dict[str, Any]:
    """Import a file as a form, and return what `upload` returns."""
    page = words(post(client, data, **fields).content.decode())
    return {"says": page} | {
        name: int(page.split(f" {label} ")[1].split()[0].replace(",", ""))
        for name, label in (("again", "duplicates skipped"), ("refused", "rejected"))
    }


@pytest.mark.parametrize("step", [30, 64, 10_000])
def test_a_file_that_has_grown_twice_is_stored_once(admin_client: Client, step: int) -> None:
    monday, tuesday, again, wednesday = (
        upload(admin_client, data, step=step) for data in (MONDAY, TUESDAY, TUESDAY, WEDNESDAY)
    )

    assert (monday["kept"], tuesday["kept"], again["kept"], wednesday["kept"]) == (2, 1, 0, 1)
    assert (tuesday["again"], again["again"], wednesday["again"]) == (2, 3, 3)
    assert monday["says"] == ""
    row = ImportedFile.objects.get(size=len(TUESDAY))
    at = row.created.strftime("%Y-%m-%d %H:%M:%S UTC")
    assert (
        again["says"]
        == f"You imported this file on {at}. Its messages that are stored are skipped."
    )
    assert wednesday["says"] == (
        f"This file begins with the {len(TUESDAY)} bytes that you imported on {at}. "
        "Messages in them that are stored are skipped."
    )


def test_without_javascript_the_server_does_the_same(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imports, "_BLOCK", 60)
    done = [post_counts(admin_client, data) for data in (MONDAY, TUESDAY, TUESDAY, WEDNESDAY)]

    assert [one["again"] for one in done] == [0, 2, 3, 3]
    assert Packet.objects.count() == 4
    assert "imported on" not in done[0]["says"]
    assert "You imported this file on" in done[2]["says"]
    assert f"This file begins with the {len(TUESDAY)} bytes that you" in done[3]["says"]


def test_a_file_is_known_whichever_way_it_was_imported(admin_client: Client) -> None:
    upload(admin_client, MONDAY)
    assert post_counts(admin_client, TUESDAY)["again"] == 2
    assert upload(admin_client, WEDNESDAY)["again"] == 3
    assert Packet.objects.count() == 4


def test_a_repeated_import_adds_no_row(admin_client: Client) -> None:
    for _ in range(2):
        upload(admin_client, MONDAY)
        post(admin_client, MONDAY)

    assert ImportedFile.objects.count() == 1


@pytest.mark.parametrize("cut", range(len(MONDAY), len(TUESDAY) + 1, 4))
def test_a_half_line_is_stored_and_so_is_the_whole_one(admin_client: Client, cut: int) -> None:
    upload(admin_client, TUESDAY[:cut])
    done = upload(admin_client, TUESDAY)

    assert done["refused"] == 0
    assert wires().count("REQ/TSK|g=2,t=1") == 1
    assert wires().count("REQ/TSK|g=1,t=1") == 1


@pytest.mark.parametrize("cut", [50, 51, 52, 60, 68, 80, 82, 83, 84])
def test_the_metadata_of_a_line_that_was_not_complete_is_not_lost(
    admin_client: Client, cut: int
) -> None:
    file = RECORD + RECORD.replace(b"g=1", b"g=2")
    cut += len(RECORD)
    upload(admin_client, file[:cut])
    done = [upload(admin_client, file + RECORD * number) for number in (0, 1, 2)]

    assert [one["refused"] for one in done] == [0, 0, 0]
    stated = [
        json.loads(packet.supplied) for packet in Packet.objects.all() if b"g=2" in packet.wire
    ]
    complete = [(facts["from"], facts["to"]) for facts in stated if "to" in facts]
    assert complete == [("planner", "bob")]
    assert Packet.objects.filter(wire=b"REQ/TSK|g=1,t=1").count() == 3
    assert not Conflict.objects.exists()


@pytest.mark.parametrize("lines", [1, 3, 70])
@pytest.mark.parametrize(
    "more", ["", "REQ/TSK|g=1,t=1", '{"msg":"REQ/TSK|g=1,t=1","from":"a"', "prose"]
)
def test_what_may_change_when_a_file_grows_begins_at_its_last_line(
    admin_client: Client, lines: int, more: str
) -> None:
    whole = MONDAY.splitlines(keepends=True)[0] * lines
    upload(admin_client, whole + more.encode(), step=10_000)

    assert ImportedFile.objects.get().settled == len(whole)


def test_files_that_only_begin_alike_are_two_files(admin_client: Client) -> None:
    first = MONDAY + b"2026-11-24 09:00:00 planner: REQ/TSK|g=2,t=1\n"
    second = MONDAY + b"2026-11-24 09:30:00 planner: REQ/TSK|g=2,t=1\n"

    assert [upload(admin_client, data)["kept"] for data in (first, second)] == [3, 3]


def test_files_after_a_common_beginning_that_was_imported_are_two_files(
    admin_client: Client,
) -> None:
    """Programs write the same first lines into each log. The next ones may be at the same place."""
    upload(admin_client, MONDAY)
    first = MONDAY + b"2026-11-24 09:00:00 planner: REQ/TSK|g=2,t=1\n"
    second = MONDAY + b"2026-11-24 09:30:00 planner: REQ/TSK|g=2,t=1\n"
    done = [upload(admin_client, data) for data in (first, second, first)]

    assert [one["kept"] for one in done] == [1, 1, 0]
    assert [one["refused"] for one in done] == [0, 0, 0]


def test_a_beginning_that_was_changed_is_another_file(admin_client: Client) -> None:
    upload(admin_client, MONDAY)
    done = upload(admin_client, TUESDAY.replace(b"10:00:01", b"10:00:00"))

    assert (done["kept"], done["again"], done["says"]) == (3, 0, "")


def test_another_log_has_files_of_its_own(admin_client: Client) -> None:
    logs.create(slug="other")
    upload(admin_client, MONDAY)
    done = upload(admin_client, TUESDAY, log="other")

    assert (done["kept"], done["says"]) == (3, "")
    other = ImportedFile.objects.get(log__slug="other")
    number = ImportedFile.objects.get(log__slug="default").pk
    refused = send(admin_client, b"x", earlier=number, log="other")
    assert refused == {"refused": imports._UNKNOWN_EARLIER}
    assert send(admin_client, b"x", earlier=other.pk, log="other")["kept"] == 0


def test_a_person_learns_nothing_of_the_files_of_others(admin_client: Client) -> None:
    upload(admin_client, MONDAY)
    client = Client()
    known = digests_of(MONDAY, [len(MONDAY)])
    refused = ask(client, 1_000), ask(client, 1_000, known)
    assert [answer.status_code for answer in refused] == [403, 403]
    reasons = [answer.json()["refused"] for answer in refused]
    assert reasons == ["You have been signed out. Sign in in a new tab, then resume."] * 2

    client.force_login(User.objects.create_user("bob"))
    assert ask(client, 1_000).json() == {"sizes": []}
    assert ask(client, 1_000, known).json()["earlier"] is None
    number = ImportedFile.objects.get().pk
    assert send(client, b"x", earlier=number) == {"refused": imports._UNKNOWN_EARLIER}
    assert upload(client, TUESDAY)["kept"] == 3


def test_a_form_of_another_site_learns_nothing(admin_user: User) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(admin_user)

    assert ask(strict, 1_000).status_code == 403


def test_an_import_that_was_stopped_is_not_recorded(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload(admin_client, TUESDAY, stop=len(MONDAY))
    assert not ImportedFile.objects.exists()

    def fail(*_: object, **__: object) -> None:
        raise Stuck(faults.Fault("locked", "The database is locked."))

    monkeypatch.setattr(importing, "receive", fail)
    assert post(admin_client, TUESDAY).status_code == 503
    assert not ImportedFile.objects.exists()


def test_a_form_that_was_stopped_at_its_limit_is_not_recorded(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (importing, imports):
        monkeypatch.setattr(module, "ITEM_LIMIT", 1)
    assert post(admin_client, MONDAY).status_code == 413
    assert not ImportedFile.objects.exists()


def test_a_chunk_of_which_a_part_is_left_is_not_the_last(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "ITEM_LIMIT", 1)
    digest = digests_of(MONDAY, [len(MONDAY)])[len(MONDAY)]
    first = send(admin_client, MONDAY, digest=digest)
    assert (first["kept"], ImportedFile.objects.count()) == (1, 0)
    send(admin_client, MONDAY[first["taken"] :], at=first["taken"], digest=digest)

    assert ImportedFile.objects.get().size == len(MONDAY)


def test_a_message_that_was_erased_is_not_stored_again(admin_client: Client) -> None:
    upload(admin_client, MONDAY)
    erase(log=Log.objects.get(slug="default"), leaves=[0], order=Order(By(), "asked for"))
    done = upload(admin_client, TUESDAY)

    assert (done["kept"], done["again"], done["refused"]) == (1, 1, 1)
    assert wires() == ["ACC/TSK|g=1,t=1", "REQ/TSK|g=2,t=1"]


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_file_in_utf_16_that_grows_is_known_in_utf_8(admin_client: Client, mark: str) -> None:
    monday, tuesday = (data.decode().replace("bob", "größe_🙂") for data in (MONDAY, TUESDAY))
    post(admin_client, (mark + monday).encode("utf-16"))
    done = post_counts(admin_client, (mark + tuesday).encode("utf-16"))

    assert done["again"] == 2
    assert f"begins with the {len((mark + monday).encode())} bytes" in done["says"]
    assert upload(admin_client, (mark + tuesday).encode())["again"] == 3


def test_items_of_a_file_that_grows_are_known(admin_client: Client) -> None:
    lines = [json.dumps({"wire": f"REQ/TSK|g={number},t=1"}).encode() for number in range(4)]
    first = upload(admin_client, b"\n".join(lines[:3]))
    second = upload(admin_client, b"\n".join(lines) + b"\n")

    assert (first["kept"], second["kept"], second["again"]) == (3, 1, 3)


@pytest.mark.parametrize("size", ["", "0", "-1", "x", str(2**53)])
def test_a_size_has_bounds(admin_client: Client, size: str) -> None:
    answer = ask(admin_client, size)

    assert (answer.status_code, list(answer.json())) == (422, ["refused"])


@pytest.mark.parametrize(
    "body",
    [
        b"x", b"\xff", b"[]", b"[" * 10_000, {"0": "a" * 64}, {"-1": "a" * 64}, {"x": "a" * 64},
        {"1": "a" * 63}, {"1": "a" * 65}, {"1": "A" * 64}, {"1": "a" * 64 + "\n"}, {"1": 7},
        {str(size): "a" * 64 for size in range(1, imported_files.LIMIT + 2)},
    ],
)  # fmt: skip
def test_digests_have_a_form_and_a_limit(admin_client: Client, body: object) -> None:
    answer = ask(admin_client, 1_000, body)

    assert answer.status_code == 422
    assert answer.json()["refused"].startswith("Expected a JSON object with the digests of at most")


def test_as_many_digests_as_there_are_sizes_are_taken(admin_client: Client) -> None:
    known = {str(size): "a" * 64 for size in range(1, imported_files.LIMIT + 1)}

    assert ask(admin_client, 1_000, known).json()["earlier"] is None
    assert ask(admin_client, 1_000, {str(10**30): "a" * 64}).json()["earlier"] is None
    assert ask(admin_client, 1_000, b" " * 70_000).status_code == 413


def test_a_digest_of_more_than_the_file_has_is_not_looked_for(admin_client: Client) -> None:
    upload(admin_client, MONDAY)

    assert ask(admin_client, len(MONDAY) - 1).json() == {"sizes": []}
    known = digests_of(MONDAY, [len(MONDAY)])
    assert ask(admin_client, len(MONDAY) - 1, known).json()["earlier"] is None


@pytest.mark.parametrize(
    "about",
    [{"digest": "a" * 63}, {"digest": "g" * 64}, {"earlier": "0"}, {"earlier": "x"}, {"at": 2**53}],
)
def test_what_a_chunk_says_of_its_file_is_checked(
    admin_client: Client, about: dict[str, object]
) -> None:
    assert "refused" in send(admin_client, MONDAY, **about)
    assert not Packet.objects.exists()
    assert not ImportedFile.objects.exists()
