"""Rules with slots over the API."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from auditlog import access
from auditlog.models import Log
from playground.aacp.models import Candidate, Rule
from tests.playground.aacp.slots import ENGLISH, HEAD, SLOTS, WRITTEN, asked, call, promote, write
from tests.playground.securitylines import recorded

pytestmark = pytest.mark.django_db


def test_only_the_withdrawal_that_ends_a_rule_is_logged(client: Client, ada: User) -> None:
    by_page, by_key = (
        promote(asked(), ada),
        promote(
            asked("Fetch the salary of employee 7 for May.", f"{HEAD}|filter:emp=7|period:may"), ada
        ),
    )
    _, admin = access.create_key(source="ops", scopes=("admin",))
    client.force_login(ada)

    with recorded() as lines:
        for _ in range(2):
            client.post(f"/aacp/rules/{by_page.pk}/withdraw")
            call(client, "DELETE", f"rules/{by_key.pk}", admin)

    told = [(line["change"], line["candidate"], line["version"]) for line in lines]
    assert told == [("withdrawn", rule.candidate_id, 1) for rule in (by_page, by_key)]


@pytest.mark.requirement("AACP-23")
def test_the_api_previews_promotes_lists_and_withdraws(client: Client) -> None:
    one = asked()
    other = asked("Fetch the salary of employee 1 for May.", f"{HEAD}|filter:emp=1|period:may")
    key, admin = access.create_key(source="ops", scopes=("read", "admin"))
    _, reader = access.create_key(source="reader", scopes=("read",))

    status, listed = call(client, "GET", "candidates", reader)
    assert (status, [candidate["id"] for candidate in listed["candidates"]]) == (
        200,
        [other.pk, one.pk],
    )
    status, seen = call(client, "POST", f"candidates/{one.pk}/preview", reader, {})
    assert (status, seen["english"], seen["packet"]) == (200, SLOTS, WRITTEN)
    assert [(each["candidate"], each["same"]) for each in seen["catches"]] == [(other.pk, True)]
    texts = {"english": SLOTS, "packet": WRITTEN}
    assert call(client, "POST", f"candidates/{one.pk}/rule", reader, texts)[0] == 403
    status, made = call(client, "POST", f"candidates/{one.pk}/rule", admin, texts)
    assert (status, made["version"], made["withdrawn"]) == (201, 1, None)
    assert Rule.objects.get().key == key
    assert write("Fetch the salary of employee 5 for May.").version == 1
    assert call(client, "GET", "rules", reader)[1]["rules"] == [made | {"uses": 1}]
    status, ended = call(client, "DELETE", f"rules/{made['id']}", admin)
    assert status == 200
    assert ended["withdrawn"] is not None


@pytest.mark.requirement("AACP-23")
def test_the_api_promotes_a_candidate_without_slots(client: Client) -> None:
    one = asked()
    _, admin = access.create_key(source="ops", scopes=("admin",))
    _, reader = access.create_key(source="reader", scopes=("read",))
    path = f"candidates/{one.pk}/decision"

    assert call(client, "POST", path, reader, {"state": "promoted"})[0] == 403
    status, decided = call(client, "POST", path, admin, {"state": "promoted"})
    assert (status, decided["id"], decided["state"]) == (200, one.pk, "promoted")
    rule = write(one.english)
    assert (rule.by, rule.packet, rule.version) == ("rule", one.packet, None)
    assert call(client, "POST", path, admin, {"state": "rejected"})[1]["state"] == "rejected"
    assert call(client, "POST", path, admin, {"state": "great"})[0] == 422


@pytest.mark.requirement("AACP-23")
def test_the_api_promotes_no_candidate_without_a_packet(client: Client) -> None:
    one = asked()
    Candidate.objects.filter(pk=one.pk).update(packet="", failure="No answer.")
    _, admin = access.create_key(source="ops", scopes=("admin",))

    status, problem = call(
        client, "POST", f"candidates/{one.pk}/decision", admin, {"state": "promoted"}
    )
    assert (status, problem["pointer"]) == (422, "/state")
    status, problem = call(client, "POST", "candidates/999/decision", admin, {"state": "promoted"})
    assert (status, problem["pointer"]) == (404, "/number")


@pytest.mark.parametrize(
    ("path", "body", "status", "pointer"),
    [
        ("candidates/{}/rule", {"english": SLOTS}, 422, "/packet"),
        ("candidates/{}/rule", {"packet": WRITTEN}, 422, "/english"),
        ("candidates/{}/rule", {"english": "Fetch {", "packet": WRITTEN}, 422, "/english"),
        ("candidates/{}/preview", {"packet": f"{HEAD}|period:}}"}, 422, "/packet"),
        (f"candidates/{2**63}/preview", {}, 422, "/number"),
        ("candidates/999/preview", {}, 404, "/number"),
        ("candidates/999/rule", {"english": SLOTS, "packet": WRITTEN}, 404, "/number"),
    ],
)
def test_the_api_says_what_is_wrong_where(
    client: Client, path: str, body: Any, status: int, pointer: str
) -> None:
    _, admin = access.create_key(source="ops", scopes=("read", "admin"))

    answered, problem = call(client, "POST", path.format(asked().pk), admin, body)

    assert (answered, problem["pointer"]) == (status, pointer)


def test_a_text_of_a_rule_has_a_limit(client: Client) -> None:
    one = asked()
    _, reader = access.create_key(source="reader", scopes=("read",))
    at_limit, over = (
        call(client, "POST", f"candidates/{one.pk}/preview", reader, {"english": "x" * length})[1]
        for length in (5_000, 5_001)
    )

    assert "Expected a slot" in at_limit["detail"]
    assert "<= 5000" in over["detail"]


def test_the_newest_hundred_are_listed(client: Client, admin_client: Client) -> None:
    one = asked()
    fresh = {"digest": one.digest, "asked": one.asked, "calls": 1, "tokens_in": 1, "tokens_out": 1}
    Candidate.objects.bulk_create(
        Candidate(english=f"say {n}", reported=True, **fresh) for n in range(100)
    )
    Rule.objects.bulk_create(
        Rule(candidate=one, version=n, english="x", packet="x", made=one.asked, withdrawn=one.asked)
        for n in range(1, 102)
    )
    _, reader = access.create_key(source="reader", scopes=("read",))

    candidates_ = call(client, "GET", "candidates", reader)[1]["candidates"]
    rules_ = call(client, "GET", "rules", reader)[1]["rules"]
    page = admin_client.get("/aacp/candidates").content.decode()

    assert [each["english"] for each in candidates_] == [f"say {n}" for n in reversed(range(100))]
    assert [each["version"] for each in rules_] == list(range(101, 1, -1))
    assert ("say 0" in page, ENGLISH in page) == (True, False)


def test_a_key_for_one_log_reads_no_instructions(client: Client) -> None:
    _, token = access.create_key(
        source="one", scopes=("read",), log=Log.objects.get(slug="default")
    )

    assert call(client, "GET", "candidates", token)[0] == 403
