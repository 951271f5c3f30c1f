"""What a log has is text on the pages about it: evidence, erasure, searches, and review."""

import json
from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client

from auditlog.check.table import SelfCheck
from auditlog.models import ApiKey, Log, Packet, SavedSearch, Witness
from tests.playground.display.hostile.live import HOSTILE, IN_SLOT, check
from tests.playground.drawn import Elements

pytestmark = pytest.mark.django_db

QUERY = f'"{IN_SLOT[:-2]}"'
"""A query that can be read."""


def value_of(page: str, name: str) -> str | None:
    return next(given["value"] for _, given in Elements(page).found if given.get("name") == name)


def test_a_search_for_evidence_is_text(client: Client, stored: list[Packet]) -> None:
    assert value_of(check(client.get("/audit/evidence", {"q": QUERY})), "q") == QUERY
    for wrong in ({"q": f"({HOSTILE}"}, {"at": HOSTILE}, {"log": HOSTILE}, {"withhold": HOSTILE}):
        check(client.get("/audit/evidence", wrong))
    for headers in ({}, {"HX-Request": "true"}):
        asked = client.get("/audit/evidence/progress", {"token": HOSTILE}, headers=headers)
        check(asked, shows=bool(headers))


def test_an_erasure_is_text(client: Client, stored: list[Packet]) -> None:
    packet = stored[5]
    address = f"/audit/default/{packet.uid}"
    client.post(f"{address}/review", {"state": "flagged", "note": HOSTILE})
    check(client.get(f"{address}/erase"))
    check(client.get(f"{address}/erase", {"field": "ctx"}))
    check(client.get(f"{address}/erase", {"field": HOSTILE}))
    wrong = client.post(
        f"{address}/erase", {"reason": HOSTILE, "field": "none", "previewed": "none"}
    )
    assert HOSTILE in Elements(check(wrong)).text

    sent = {"reason": HOSTILE, "field": "g", "previewed": "g", "keep_notes": "on"}
    assert client.post(f"{address}/erase", sent).status_code == 302
    check(client.get(address))
    check(client.get("/audit/erased"))
    assert client.post(f"{address}/erase", {"reason": HOSTILE}).status_code == 302
    check(client.get(address))


def test_what_is_left_of_a_packet_without_one_field_is_text(
    client: Client, stored: list[Packet]
) -> None:
    address = f"/audit/default/{stored[0].uid}"
    preview = check(client.get(f"{address}/erase", {"field": "g"}))
    assert Elements(preview).text.count(IN_SLOT) > 1
    assert (
        client.post(f"{address}/erase", {"reason": "x", "field": "g", "previewed": "g"}).status_code
        == 302
    )
    assert IN_SLOT in Elements(check(client.get(address))).text


def test_the_erasure_of_what_a_search_finds_is_text(client: Client, stored: list[Packet]) -> None:
    page = check(client.get("/audit/erase", {"q": QUERY}))
    assert value_of(page, "q") == QUERY
    check(client.get("/audit/erase", {"q": f"({HOSTILE}"}))
    check(client.get("/audit/erase", {"q": QUERY, "at": HOSTILE}))
    sent = {"q": QUERY, "number": 999, "reason": HOSTILE}
    check(client.post("/audit/erase", sent))


def test_a_saved_search_is_text(client: Client, stored: list[Packet]) -> None:
    sent = {"log": "default", "name": HOSTILE, "q": QUERY}
    assert client.post("/audit/searches/save", sent).status_code == 302
    address = f"/audit/searches/default/{SavedSearch.objects.get().uid}"
    for page in ("/audit/", "/audit/searches?log=default", f"{address}/delete"):
        check(client.get(page))
    check(client.get("/audit/", {"q": QUERY, "saved": SavedSearch.objects.get().uid}))
    check(client.post(f"{address}/rename", {"name": ""}))
    for wrong in ({"q": f"({HOSTILE}"}, {"name": HOSTILE * 9}, {"at": HOSTILE}):
        check(client.post("/audit/searches/save", sent | wrong))


def test_the_health_of_a_log_is_text(client: Client, ada: User) -> None:
    log = Log.objects.get(slug="default")
    Witness.objects.create(log=log, url=f"https://{HOSTILE}", key="", problem=HOSTILE)
    fault = dict.fromkeys(("row", "at", "part", "message"), HOSTILE)
    now = datetime.now(UTC)
    SelfCheck.objects.create(
        log=log, began=now, ended=now, touched=now, faults=2, found=json.dumps([fault])
    )

    page = Elements(check(client.get("/audit/health")))
    assert page.text.count("x-live onx") == 6
    check(client.get("/audit/health", {"log": HOSTILE}))
    check(client.get("/audit/health/progress", {"log": "default"}))


def test_the_source_of_a_key_is_text(client: Client, ada: User) -> None:
    sent = {"source": HOSTILE, "scopes": ["read"]}
    check(client.post("/account/keys", sent))
    check(client.get("/account/keys"))
    wrong = check(client.post("/account/keys", sent | {"scopes": [HOSTILE]}))
    assert value_of(wrong, "source") == HOSTILE
    key = ApiKey.objects.get()
    check(client.post(f"/account/keys/{key.pk}/rotate", {"grace": HOSTILE}))
    check(client.post(f"/account/keys/{key.pk}/rotate", {"grace": "1h"}))


def test_the_review_of_a_search_is_text(client: Client, stored: list[Packet]) -> None:
    check(client.get("/audit/review/", {"q": QUERY}, follow=True))
    check(client.get("/audit/review/", {"q": f"({HOSTILE}"}))
    check(client.get("/audit/review/", {"log": HOSTILE}))
    for packet in stored:
        at: dict[str, str | int] = {"log": "default", "leaf": packet.leaf, "at": len(stored)}
        check(client.get("/audit/review/packet", at))
        check(client.post("/audit/review/step", at | {"state": "none", "note": HOSTILE}))
        wrong = at | {"state": HOSTILE}
        check(client.post("/audit/review/step", wrong, headers={"HX-Request": "true"}))
        sent = at | {"state": "commented", "note": HOSTILE}
        assert client.post("/audit/review/step", sent).status_code == 302
        check(client.get("/audit/review/", at, follow=True))
    chosen: dict[str, str | int] = {"log": "default", "at": len(stored), "selected": "1-3"}
    check(client.get("/audit/review/bulk", chosen))
    check(client.post("/audit/review/bulk", chosen | {"state": "none", "note": HOSTILE}))


def test_two_texts_and_their_formats_are_text(client: Client, stored: list[Packet]) -> None:
    text = "\n".join(bytes(packet.wire).decode() for packet in stored)
    check(client.post("/diff", {"text": text, "second": HOSTILE}))
    check(client.post("/autopilot", {"text": text}), shows=False)
    check(client.get("/audit/facets", {"q": QUERY}))
    check(client.get("/audit/facets", {"q": f"({HOSTILE}"}), shows=False)
    check(client.get("/audit/statistics", {"source": HOSTILE}))
