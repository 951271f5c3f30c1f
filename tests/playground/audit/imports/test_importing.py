"""A file goes into a log whole, in whatever pieces it comes."""

import json
from typing import Any
from urllib.parse import urlencode

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from auditlog.export import lines
from auditlog.ingest.body import STREAM_LIMIT
from auditlog.log import logs
from auditlog.log import packet as packets
from auditlog.models import Packet
from playground.audit import importing
from playground.audit.views import imports
from tests.playground.drawn import words
from tests.playground.stating import LINES

pytestmark = pytest.mark.django_db

LOG = "2026-11-20T10:00:01Z planner: REQ/TSK|g=42,t=1,@=größe\nnothing to see\nRJE/PLN|g=42,t=1\n"
FOLDED = "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|res:emp_salary|\nperiod:2024-08|fmt:json\n"


def send(client: Client, data: bytes, **about: object) -> Any:
    said = {"file": "a.log:1:2", "at": 0, "line": 1, "log": "default", "final": "1"} | about
    address = f"/import/piece?{urlencode(said)}"
    return client.post(address, data, content_type="application/octet-stream").json()


def send_all(client: Client, data: bytes, size: int) -> tuple[list[Any], int]:
    """The answers to pieces of ``size`` bytes, larger where nothing was taken, as the page sends
    them.
    """
    answers, at, line, now, kind, context = [], 0, 1, size, "", ""
    while True:
        piece = data[at : at + now]
        final = at + len(piece) >= len(data)
        about = {"at": at, "line": line, "kind": kind, "context": context}
        answer = send(client, piece, final="1" if final else "", **about)
        answers.append(answer)
        at, line, kind = at + answer["taken"], line + answer["lines"], answer["kind"]
        context = answer["context"]
        now = size if answer["taken"] else now * 4
        if final and at >= len(data):
            return answers, at


def wires() -> list[str]:
    return [bytes(packet.wire).decode() for packet in Packet.objects.order_by("leaf")]


@pytest.mark.parametrize("size", [7, 50, 64, 10_000])
def test_no_line_no_message_and_no_character_is_cut_in_two(admin_client: Client, size: int) -> None:
    data = (LOG + FOLDED).encode() * 3
    answers, taken = send_all(admin_client, data, size)

    assert taken == len(data)
    assert sum(answer["kept"] for answer in answers) == 9
    assert sum(answer["lines"] for answer in answers) == data.count(b"\n")
    assert (
        wires()
        == [
            "REQ/TSK|g=42,t=1,@=größe",
            "RJE/PLN|g=42,t=1",
            FOLDED.rstrip("\n"),
        ]
        * 3
    )


@pytest.mark.parametrize(
    "data",
    [
        LOG.encode() * 5,
        b'{"wire":"REQ/TSK|g=1"}\n\n{"wire":7}\n' * 4,
        b"REQ/TSK|g=1 " * 9,
        b"\x1b[32mREQ/TSK|g=1\x1b[0m\n" * 9,
    ],
)
def test_a_piece_of_many_messages_is_taken_part_by_part(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch, data: bytes
) -> None:
    whole = send(admin_client, data, file="whole")
    monkeypatch.setattr(importing, "ITEM_LIMIT", 3)
    answers, taken = send_all(admin_client, data, len(data))

    assert len(answers) > 2
    assert all(answer["kept"] + answer["refused"] <= 4 for answer in answers)
    assert taken == len(data)
    for name in ("kept", "valid", "refused", "ignored", "lines"):
        assert sum(answer[name] for answer in answers) == whole[name]
    assert wires()[: whole["kept"]] == wires()[whole["kept"] :]


def test_a_form_stores_no_more_messages_than_a_request_may(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (importing, imports):
        monkeypatch.setattr(module, "ITEM_LIMIT", 3)
    many = SimpleUploadedFile("many.log", b"REQ/TSK|g=1\n" * 5)
    few = SimpleUploadedFile("few.log", b"REQ/TSK|g=2\n" * 3)
    stopped = admin_client.post("/import/", {"file": many})
    whole = admin_client.post("/import/", {"file": few})

    assert (stopped.status_code, whole.status_code) == (413, 200)
    assert (
        "The import stopped after line 3. Without JavaScript, it stores at most 3 messages."
        in words(stopped.content.decode())
    )
    assert "stopped" not in words(whole.content.decode())
    assert Packet.objects.count() == 6


def test_a_form_takes_a_file_without_messages_however_many_lines_it_has(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (importing, imports):
        monkeypatch.setattr(module, "ITEM_LIMIT", 3)
    prose = SimpleUploadedFile("prose.log", b"nothing\n" * 50 + b"REQ/TSK|g=1\n")
    answer = admin_client.post("/import/", {"file": prose})

    assert answer.status_code == 200
    assert Packet.objects.count() == 1


def test_what_is_sent_again_is_kept_once(admin_client: Client) -> None:
    first = send(admin_client, LOG.encode())
    second = send(admin_client, LOG.encode())
    other = send(admin_client, LOG.encode(), file="b.log:1:2")

    assert (first["kept"], first["valid"], first["again"]) == (2, 1, 0)
    assert (second["kept"], second["again"]) == (0, 2)
    assert other["kept"] == 2


def test_the_same_line_twice_in_a_file_is_two_messages(admin_client: Client) -> None:
    assert send(admin_client, b"REQ/TSK|g=1,t=1\n" * 2)["kept"] == 2


def test_items_are_known_by_their_look_and_errors_name_the_line_of_the_file(
    admin_client: Client,
) -> None:
    lines = [
        json.dumps({"wire": "REQ/TSK|g=1,t=1"}),
        "",
        '{"wire": 7}',
        "{oops",
        json.dumps({"wire": "x", "goal": 1}),
    ]
    answer = send(admin_client, "\n".join(lines).encode(), line=11, at=500)

    assert answer["kind"] == "ndjson"
    assert (answer["kept"], answer["refused"]) == (2, 2)
    assert [one["line"] for one in answer["wrong"]] == [13, 14]
    assert answer["wrong"][0]["detail"] == "Expected text, got a whole number. (/wire)"
    assert "not a JSON object" in answer["wrong"][1]["detail"]


def test_an_item_that_is_not_whole_waits_for_the_next_piece(admin_client: Client) -> None:
    data = b'{"wire":"REQ/TSK|g=1,t=1"}\n{"wire":"REQ/TS'
    answer = send(admin_client, data, final="")

    assert (answer["taken"], answer["kept"], answer["lines"]) == (27, 1, 1)


def test_bytes_that_are_no_utf_8_are_kept_as_they_are(admin_client: Client) -> None:
    data = b"INF/OBS|g=1,t=1,@=gr\xf6\xdfe\n"
    answer = send(admin_client, data)

    assert (answer["kept"], answer["taken"]) == (1, len(data))


def test_nobody_imports_who_is_not_signed_in(client: Client) -> None:
    answer = client.post(
        "/import/piece?file=a&at=0&line=1&final=1", b"REQ/TSK|g=1,t=1", content_type="text/plain"
    )
    form = client.post("/import/", {"file": SimpleUploadedFile("a.log", LOG.encode())})

    assert answer.json()["refused"].startswith("You have been signed out.")
    assert (answer.status_code, form.status_code) == (403, 403)
    assert "Sign in in a new tab" in words(form.content.decode())
    assert "Sign in in a new tab" in words(client.get("/import/").content.decode())
    assert Packet.objects.count() == 0


@pytest.mark.parametrize(
    "about",
    [
        {"at": -1}, {"line": 0}, {"log": "nowhere"}, {"kind": "csv"}, {"protocol": "morse"},
        {"file": "x" * 1001},
    ],
)  # fmt: skip
def test_a_piece_with_a_wrong_address_is_refused(
    admin_client: Client, about: dict[str, object]
) -> None:
    assert "refused" in send(admin_client, b"REQ/TSK|g=1,t=1", **about)
    assert Packet.objects.count() == 0


def test_a_piece_that_is_too_large_is_refused(admin_client: Client) -> None:
    assert "8,388,608" in send(admin_client, b"x" * (8 * 1024 * 1024 + 1))["refused"]


@pytest.mark.parametrize(
    ("kind", "data", "refused"),
    [("text", b"REQ/TSK|g=1,t=1,@=" + b"a" * 42, 0), ("ndjson", b'{"wire":"' + b"a" * 51, 1)],
)
def test_a_line_as_long_as_a_piece_is_taken_although_it_may_go_on(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch, kind: str, data: bytes, refused: int
) -> None:
    monkeypatch.setattr(importing, "CHUNK_LIMIT", 60)
    shorter = send(admin_client, data[:-1], kind=kind, final="")
    answer = send(admin_client, data, kind=kind, final="")

    assert (shorter["taken"], shorter["kept"], shorter["refused"]) == (0, 0, 0)
    assert (answer["taken"], answer["kept"], answer["refused"]) == (60, 1 - refused, refused)


@pytest.mark.parametrize(("more", "status"), [(0, 200), (1, 413)])
def test_a_file_of_a_form_has_a_limit(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch, more: int, status: int
) -> None:
    length = STREAM_LIMIT + imports._ROOM + more
    monkeypatch.setattr(imports, "announced", lambda _request: length)
    page = admin_client.post("/import/", {"file": SimpleUploadedFile("a.log", LOG.encode())})

    assert page.status_code == status
    said = "The file is larger than the limit of 64 MiB."
    shown = words(page.content.decode())
    assert (said in shown) == (status == 413)
    assert "The limit is 64 MiB and 20,000 messages." in shown
    assert Packet.objects.exists() == (status == 200)


def test_a_form_does_the_same_in_one_go(admin_client: Client) -> None:
    file = SimpleUploadedFile("a.log", LOG.encode())
    page = admin_client.post("/import/", {"file": file, "log": "default"}).content.decode()

    assert '<dd data-count="valid">1</dd>' in page
    assert '<dd data-count="invalid">1</dd>' in page
    assert "q=leaf:" in page
    again = admin_client.post(
        "/import/", {"file": SimpleUploadedFile("b.log", LOG.encode())}
    ).content.decode()
    assert '<dd data-count="again">2</dd>' in again


RESEMBLING = (
    b"LOG|user=bob|action=login\nREQ/TSK|g=1,t=1\nLOG|user=ada|action=login\nT|x|y\nprose\n"
)


def test_a_form_counts_the_fragments_that_resemble_a_protocol(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imports, "_BLOCK", 60)
    page = admin_client.post(
        "/import/", {"file": SimpleUploadedFile("a.log", RESEMBLING)}
    ).content.decode()

    assert "2 fragments resemble AACP and were not stored." in words(page)
    assert "1 fragment resembles T-line and was not stored." in words(page)
    plain = admin_client.post(
        "/import/", {"file": SimpleUploadedFile("b.log", LOG.encode())}
    ).content.decode()
    assert "resemble" not in words(plain)


def test_a_piece_says_how_many_fragments_resemble_which_protocol(admin_client: Client) -> None:
    assert send(admin_client, RESEMBLING)["resembling"] == {"aacp": 2, "tline": 1}
    assert send(admin_client, b'{"wire":"REQ/TSK|g=1,t=1"}\n')["resembling"] == {}


def test_a_form_without_its_token_or_its_file_is_refused(admin_user: Any) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(admin_user)
    sent = strict.post("/import/", {"file": SimpleUploadedFile("a.log", LOG.encode())})
    piece = strict.post(
        "/import/piece?file=a&at=0&line=1&final=1", LOG.encode(), content_type="text/plain"
    )

    assert (sent.status_code, piece.status_code) == (403, 403)
    assert Packet.objects.count() == 0


def test_a_form_without_a_file_says_so(admin_client: Client) -> None:
    page = admin_client.post("/import/", {"log": "default"})

    assert page.status_code == 422
    assert b"Choose a file first." in page.content


@pytest.mark.parametrize("block", [20, 200])
def test_a_large_file_of_a_form_is_taken_in_pieces(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(imports, "_BLOCK", block)
    data = (LOG + FOLDED).encode() * 5
    page = admin_client.post(
        "/import/", {"file": SimpleUploadedFile("a.log", data)}
    ).content.decode()

    assert '<dd data-count="valid">10</dd>' in page
    assert '<dd data-count="invalid">5</dd>' in page


def facts() -> list[tuple[str | None, Any]]:
    return [
        (packet.sent_at, json.loads(packet.supplied)) for packet in Packet.objects.order_by("leaf")
    ]


@pytest.mark.parametrize("size", [40, 100, 10_000])
def test_what_lines_say_goes_into_the_log_with_the_chosen_zone(
    admin_client: Client, stated: None, size: int
) -> None:
    data, at, line = LINES.encode(), 0, 1
    while at < len(data):
        piece = data[at : at + size]
        final = at + size >= len(data)
        answer = send(
            admin_client, piece, at=at, line=line, zone="Europe/Berlin", final="1" if final else ""
        )
        at, line, size = (
            at + answer["taken"],
            line + answer["lines"],
            size if answer["taken"] else size * 4,
        )

    (first, said), (second, _), (third, nothing) = facts()
    assert (first, second, third) == (
        "2026-11-20T10:00:01+01:00",
        "2026-11-20T10:00:02+01:00",
        None,
    )
    assert (said["sent_zone"], said["from"], said["attributes"]) == (
        "Europe/Berlin", "planner", {"trace_id": "4bf92f35"},
    )  # fmt: skip
    assert nothing == {}


def test_the_same_lines_again_are_known_and_in_another_zone_refused(
    admin_client: Client, stated: None
) -> None:
    first = send(admin_client, LINES.encode())
    again = send(admin_client, LINES.encode())
    other = send(admin_client, LINES.encode(), zone="Europe/Berlin")

    assert (first["kept"], again["again"], again["refused"]) == (3, 3, 0)
    assert (other["kept"], other["again"], other["refused"]) == (0, 2, 1)


def test_a_form_takes_the_zone_too(admin_client: Client, stated: None) -> None:
    file = SimpleUploadedFile("a.log", LINES.encode())
    page = admin_client.post("/import/", {"file": file, "zone": "Asia/Tokyo"})

    assert page.status_code == 200
    assert facts()[0][0] == "2026-11-20T10:00:01+09:00"


def test_an_unknown_zone_is_refused_with_the_nearest(admin_client: Client) -> None:
    file = SimpleUploadedFile("a.log", LINES.encode())
    form = admin_client.post("/import/", {"file": file, "zone": "Europe/Berln"})

    assert "at most 100 characters" in send(admin_client, b"", zone="x" * 101)["refused"]
    assert (
        "Did you mean Europe/Berlin?"
        in send(admin_client, LINES.encode(), zone="Europe/Berln")["refused"]
    )
    assert form.status_code == 422
    assert "Did you mean Europe/Berlin?" in words(form.content.decode())
    assert Packet.objects.count() == 0


def test_an_export_can_be_imported_with_all_that_was_supplied(
    admin_client: Client, stated: None
) -> None:
    send(admin_client, LINES.encode())
    send(
        admin_client,
        b'{"wire":"INF/OBS|g=1,t=1","goal":7,"tags":["a"],"content":"do","attributes":{"n":0.5}}\n',
    )
    send(admin_client, b"\xff\xfe INF/OBS|g=1,t=1,@=gr\xf6\xdfe\n", file="b")
    send(admin_client, b'{"wire":"prose"}', file="c")
    old = {"wire": '{"format":"text","subformat":"english","content":"Hello"}', "protocol": "nlip"}
    send(admin_client, json.dumps(old | {"dialect": "nlip/ecma-430"}).encode(), file="e")
    first = list(Packet.objects.order_by("leaf"))
    exported = b"".join(lines.as_ndjson([packets.records(first)]))
    columns = ("wire", "protocol", "dialect", "sent_at", "supplied", "content", "event_id", "valid")
    expected = list(Packet.objects.order_by("leaf").values_list(*columns))

    logs.create(slug="copy")
    answer = send(admin_client, exported, log="copy", file="d")

    assert (answer["kind"], answer["kept"], answer["refused"]) == ("ndjson", 7, 0)
    copied = Packet.objects.filter(log__slug="copy").order_by("leaf").values_list(*columns)
    assert list(copied) == expected
