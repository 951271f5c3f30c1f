"""Is a receipt true? What is compared, what is told to whom, and what is not proven."""

import json
import re
from datetime import UTC, datetime
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from auditlog import access
from auditlog.erasure.tables import Erasure
from auditlog.log import logs
from auditlog.models import LogEnd, Packet, Seed
from playground.audit import receipt_pace, receipt_text, receipts
from playground.audit.receipt_text import Receipt, Unreadable
from playground.audit.receipts import Check
from playground.http.throttle import Throttle
from tests.auditlog.erasure.orders import erase_leaves

pytestmark = pytest.mark.django_db

WIRE = "REQ/TSK|g=42,t=1,p=2,@=auth_refactor"


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bucket of requests that no other test has taken from."""
    monkeypatch.setattr(receipt_pace, "throttle", Throttle(burst=30, pace=0.001))


@pytest.fixture
def held(client: Client) -> dict[str, Any]:
    """The receipt that the log answers with, between two others."""
    key = access.create_key(source="hr-bot", scopes=("ingest",))[1]
    items = [
        {"wire": "ACC/PLN|g=1"},
        {"wire": WIRE, "event_id": "a-1", "goal": 7, "attributes": {"n": 1}},
        {"wire": "ACC/PLN|g=2"},
    ]
    answer = client.post(
        "/api/v1/packets/batch", json.dumps(items), content_type="application/json",
        headers={"Authorization": f"Bearer {key}"},
    )  # fmt: skip
    assert answer.status_code == 201
    receipt: dict[str, Any] = answer.json()["results"][1]
    return receipt


def checked(held: dict[str, Any], *, wire: str | None = None, reads: bool = False) -> Check:
    (receipt,) = receipt_text.read(json.dumps(held))
    return receipts.check(receipt, wire=wire, reads=lambda _log: reads)


def marks(check: Check) -> dict[str, str]:
    """Returns the comparisons without that with a checkpoint, see `proofs.test_receipts`."""
    return {step.name: step.mark for step in check.steps if step.name != "proof"}


def text_of(check: Check) -> str:
    assert check.raw_text is not None
    return check.raw_text.verdict


def store(held: dict[str, Any], **columns: Any) -> None:
    """Alters the packet's row behind the log's back."""
    Packet.objects.filter(uid=held["packet"]).update(**columns)


def test_a_receipt_as_it_was_answered_is_verified(held: dict[str, Any]) -> None:
    found = checked(held)

    assert (found.verdict, found.raw_text) == ("verified", None)
    assert marks(found) == dict.fromkeys(
        ("packet", "log", "place", "hash", "event", "leaf", "commitments"), "holds"
    )  # fmt: skip
    assert (found.log, found.leaf) == ("default", held["leaf"])
    assert found.received is not None
    assert found.received.endswith("Z")


def test_the_wire_is_compared_byte_for_byte(held: dict[str, Any]) -> None:
    same, other = checked(held, wire=WIRE), checked(held, wire=WIRE + " ")

    assert [text_of(one) for one in (same, other)] == ["matches", "differs"]


def test_a_text_that_differs_takes_nothing_from_the_receipts_own_verdict(
    held: dict[str, Any],
) -> None:
    alone, beside = checked(held), checked(held, wire="another text")

    assert beside.verdict == alone.verdict == "verified"
    assert (beside.words, beside.steps, beside.received) == (
        alone.words,
        alone.steps,
        alone.received,
    )
    assert text_of(beside) == "differs"


def test_a_receipt_that_does_not_match_is_not_saved_by_its_text(held: dict[str, Any]) -> None:
    found = checked(held | {"leaf": 0}, wire=WIRE, reads=True)

    assert (found.verdict, text_of(found)) == ("does_not_match", "matches")


def test_without_a_packet_there_is_nothing_to_compare_a_text_with(held: dict[str, Any]) -> None:
    found = checked(
        held | {"packet": "019a0000-0000-7000-8000-000000000000", "leaf_hash": "0" * 64}, wire=WIRE
    )

    assert (found.verdict, text_of(found)) == ("unknown", "not_compared")


@pytest.mark.parametrize(
    ("name", "value", "step"),
    [
        ("leaf_hash", "0" * 64, "hash"),
        ("leaf", 0, "place"),
        ("log", "other", "log"),
        ("event_id", "a-2", "event"),
    ],
)
def test_a_receipt_that_was_changed_does_not_match_and_tells_nothing(
    held: dict[str, Any], name: str, value: object, step: str
) -> None:
    found = checked(held | {name: value}, wire=WIRE)

    assert found.verdict == "does_not_match"
    assert marks(found)[step] == "fails"
    assert text_of(found) == "not_compared"
    assert (found.log, found.leaf, found.received) == (None, None, None)
    assert held["leaf_hash"] not in str(found) or name != "leaf_hash"


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"wire": b"REQ/TSK|g=43"}, "Differences: raw text."),
        ({"event_id": None}, "Differences: event ID."),
        ({"sent_at": "2026-11-20T10:00:02Z"}, "Differences: sender’s time."),
        ({"valid": False, "dialect": "slip/3"}, "Differences: protocol version; validity."),
    ],
)
def test_what_was_altered_in_the_store_is_named_and_not_shown(
    held: dict[str, Any], columns: dict[str, Any], words: str
) -> None:
    store(held, **columns)
    found = checked(held)

    assert found.verdict == "altered"
    assert words in next(step.words for step in found.steps if step.name == "commitments")
    assert "g=43" not in str(found)


def test_a_leaf_whose_bytes_were_altered_is_noticed(held: dict[str, Any]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'auditlog_leaf'"
        )
        for (name,) in cursor.fetchall():
            cursor.execute(f'DROP TRIGGER "{name}"')
        cursor.execute(
            'UPDATE auditlog_leaf SET bytes = %s WHERE "index" = %s', [b"{}", held["leaf"]]
        )
    found = checked(held)

    assert found.verdict == "altered"
    assert (marks(found)["leaf"], marks(found)["commitments"]) == ("fails", "fails")


def test_a_packet_without_its_seed_cannot_be_compared(held: dict[str, Any]) -> None:
    Seed.objects.filter(leaf=held["leaf"]).delete()
    found = checked(held)

    assert found.verdict == "altered"
    assert marks(found)["commitments"] == "fails"


def test_of_an_erased_packet_the_place_stands(held: dict[str, Any]) -> None:
    erase_leaves(held["leaf"])
    found = checked(held, wire=WIRE)
    assert (found.verdict, marks(found)["hash"], text_of(found)) == (
        "erased",
        "holds",
        "not_compared",
    )
    assert checked(held | {"leaf_hash": "0" * 64}).verdict == "does_not_match"
    assert receipts.check(Receipt(packet=held["packet"]), reads=lambda _log: False).erased == ()
    (gone,) = receipts.check(Receipt(packet=held["packet"]), reads=lambda _log: True).erased
    assert (gone.by, gone.reason) == ("manage.py erase", "the person asked for it")


def test_a_packet_that_is_gone_without_a_redaction_leaf_was_removed(held: dict[str, Any]) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM auditlog_packet WHERE leaf = %s", [held["leaf"]])
    assert checked(held).verdict == "altered"

    # An erasure in the table does not make it one: a leaf must say so, of this packet.
    Erasure.objects.create(
        log_id=1, leaf=0, packet_leaf=held["leaf"], uid=held["packet"], source="x", reason="x",
        at=datetime.now(UTC), notes=0, seed=b"",
    )  # fmt: skip
    assert checked(held).verdict == "altered"


def test_a_stranger_learns_of_no_erasure_of_a_packet_that_is_still_there(
    held: dict[str, Any],
) -> None:
    Erasure.objects.create(
        log_id=1, leaf=0, packet_leaf=held["leaf"], uid=held["packet"], source="x", reason="x",
        at=datetime.now(UTC), notes=0, seed=b"",
    )  # fmt: skip

    assert (checked(held).verdict, checked(held).erased) == ("verified", ())
    assert [one.reason for one in checked(held, reads=True).erased] == ["x"]


def test_an_id_alone_says_that_the_packet_is_whole_and_nothing_of_it(held: dict[str, Any]) -> None:
    found = receipts.check(Receipt(packet=held["packet"]), wire=WIRE, reads=lambda _log: False)

    assert (found.verdict, found.log, found.leaf, found.received) == ("verified", None, None, None)
    assert text_of(found) == "not_compared"
    assert found.words.endswith("The receipt has no leaf hash to compare.")
    assert (
        receipts.check(Receipt(packet=held["packet"]), wire=WIRE, reads=lambda _log: True).log
        == "default"
    )


def test_a_hash_alone_is_looked_for_only_for_readers(held: dict[str, Any]) -> None:
    (receipt,) = receipt_text.read(held["leaf_hash"].upper())

    with pytest.raises(Unreadable, match="requires read access"):
        receipts.check(receipt, reads=lambda _log: False)
    assert receipts.check(receipt, reads=lambda _log: True).leaf == held["leaf"]
    logs.create(slug="other")
    with pytest.raises(Unreadable):
        receipts.check(receipt, reads=lambda log: log == "none")
    assert receipts.check(receipt, reads=lambda log: log == "other").verdict == "unknown"


def test_a_hash_alone_is_looked_for_among_the_newest_leaves(
    held: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    (receipt,) = receipt_text.read(held["leaf_hash"])
    after = LogEnd.objects.get(log__slug="default").size - held["leaf"]

    monkeypatch.setattr(receipts, "NEWEST", after)
    assert receipts.check(receipt, reads=lambda _log: True).leaf == held["leaf"]
    monkeypatch.setattr(receipts, "NEWEST", after - 1)
    assert receipts.check(receipt, reads=lambda _log: True).verdict == "unknown"


def test_a_place_alone_tells_nobody_what_is_there(held: dict[str, Any]) -> None:
    with pytest.raises(Unreadable, match="neither packet nor leaf_hash"):
        receipt_text.read(json.dumps({"log": "default", "leaf": held["leaf"]}))
    guess = Receipt(log="default", leaf=held["leaf"], leaf_hash="0" * 64)
    assert receipts.check(guess, reads=lambda _log: False).verdict == "unknown"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("", "Paste the receipt"),
        ("hello", "Expected JSON, a packet ID"),
        ("[" * 100_000, "Expected JSON, a packet ID"),
        ("[]", "contains no receipt"),
        ("7", "JSON object"),
        ('{"packet": 7}', "packet must be a packet ID"),
        ('{"packet": "019a0000-0000-7000-8000-000000000000", "leaf": true}',
         "leaf must be a leaf index"),
        ('{"packet": "019a0000-0000-7000-8000-000000000000", "leaf": 1e3}',
         "leaf must be a leaf index"),
        ('{"leaf_hash": "zz"}', "leaf_hash must be 64 hexadecimal digits"),
        ('{"item": 0, "status": 422, "error": {"detail": "no", "pointer": ""}}',
         "an error, not a receipt"),
        (json.dumps([{"leaf_hash": "0" * 64}] * 21), "The limit is 20"),
        (" " * 300_000 + "x" * 300_000, "the limit of 262,144 bytes"),
    ],
)  # fmt: skip
def test_what_is_no_receipt_is_said_in_words(given: str, words: str) -> None:
    with pytest.raises(Unreadable, match=re.escape(words)):
        receipt_text.read(given)


def post(client: Client, body: dict[str, Any], key: str | None = None) -> Any:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return client.post(
        "/api/v1/receipts/check", json.dumps(body), content_type="application/json", headers=headers
    )


def test_the_api_checks_a_receipt_with_and_without_a_key(
    client: Client, held: dict[str, Any]
) -> None:
    answer = post(client, {"receipt": held, "wire": WIRE}).json()
    alone = {"receipt": held["packet"], "wire": WIRE}
    reader = access.create_key(source="reader", scopes=("read",))[1]
    writer = access.create_key(source="writer", scopes=("ingest",))[1]

    assert [one["verdict"] for one in answer["checks"]] == ["verified"]
    assert [one["raw_text"]["verdict"] for one in answer["checks"]] == ["matches"]
    assert "does not prove that the log was never rewritten and signed again" in answer["unproven"]
    assert post(client, alone, reader).json()["checks"][0]["leaf"] == held["leaf"]
    assert post(client, alone, writer).json()["checks"][0]["leaf"] is None
    assert post(client, alone).json()["checks"][0]["raw_text"]["verdict"] == "not_compared"
    assert (
        post(client, {"receipt": {"results": [held, held]}}).json()["checks"][1]["verdict"]
        == "verified"
    )
    (differs,) = post(client, {"receipt": held, "wire": "another"}).json()["checks"]
    assert (differs["verdict"], differs["raw_text"]["verdict"]) == ("verified", "differs")
    assert "wire" not in {step["name"] for step in differs["steps"]}


def test_the_api_says_what_is_wrong(client: Client) -> None:
    answer = post(client, {"receipt": "hello"})

    assert (answer.status_code, answer.json()["pointer"]) == (422, "/receipt")
    assert post(client, {"wire": "x"}).json()["pointer"] == "/receipt"


def test_a_number_that_no_reader_takes_is_no_receipt(client: Client) -> None:
    body = f'{{"receipt": {{"leaf": {"1" * 5_000}}}}}'

    answer = client.post("/api/v1/receipts/check", body, content_type="application/json")

    assert (answer.status_code, answer.json()["pointer"]) == (422, "/receipt")


def test_who_asks_too_often_waits(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receipt_pace, "throttle", Throttle(burst=1, pace=0.1))

    assert post(client, {"receipt": "hello"}).status_code == 422
    answer = post(client, {"receipt": "hello"})
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "10")
    page = client.post("/audit/receipt", {"receipt": "hello"})
    assert (page.status_code, page.headers["Retry-After"]) == (429, "10")


def words_of(page: Any) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page.content.decode())).split())


def shown(page: Any) -> list[tuple[str, ...]]:
    """The verdicts of each check on the page: of the receipt, and of the text with it."""
    parts = re.findall(
        r'<section class="panel check.*?</section>', page.content.decode(), re.DOTALL
    )
    return [tuple(re.findall(r'data-verdict="(\w+)"', part)) for part in parts]


def test_the_page_answers_without_an_account(client: Client, held: dict[str, Any]) -> None:
    assert "Check that a packet is in its log" in words_of(client.get("/audit/receipt"))

    page = client.post("/audit/receipt", {"receipt": json.dumps(held), "wire": WIRE})
    assert shown(page) == [("verified", "matches")]
    assert "never rewritten" in words_of(page)
    other = client.post("/audit/receipt", {"receipt": json.dumps(held), "wire": "another text"})
    assert shown(other) == [("verified", "differs")]
    assert shown(client.post("/audit/receipt", {"receipt": json.dumps(held | {"leaf": 0})})) == [
        ("does_not_match",)
    ]


def test_the_page_tells_only_people_who_are_signed_in_more_than_the_receipt_does(
    client: Client, held: dict[str, Any], django_user_model: type[User]
) -> None:
    by_id = {"receipt": held["packet"], "wire": WIRE}
    assert shown(client.post("/audit/receipt", by_id)) == [("verified", "not_compared")]
    by_hash = client.post("/audit/receipt", {"receipt": held["leaf_hash"]})
    assert (by_hash.status_code, shown(by_hash)) == (422, [])

    client.force_login(django_user_model.objects.create_user("ada"))
    assert shown(client.post("/audit/receipt", by_id)) == [("verified", "matches")]
    assert shown(client.post("/audit/receipt", {"receipt": held["leaf_hash"]})) == [("verified",)]


def test_the_page_gives_back_what_was_pasted_and_says_what_is_wrong(client: Client) -> None:
    page = client.post("/audit/receipt", {"receipt": "<script>alert(1)</script>"})

    assert page.status_code == 422
    assert "&lt;script&gt;alert(1)" in page.content.decode()
    assert "Expected JSON, a packet ID" in page.content.decode()
