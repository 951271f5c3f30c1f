"""What ordinary people cannot do on pages: change what holds for the whole installation."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from playground.aacp.models import Candidate, Rule
from playground.http.refusals import NotAdministrator
from playground.models import Definition
from tests.playground.securitylines import events, recorded

pytestmark = pytest.mark.django_db

VERB = '{"name": "translate", "description": "Says it.", "inputs": ["text"], "outputs": "string"}'
PLAN = '{"g":"VISIT","plan":[["check","VISA_QUERY",{"nationality":"FR"}]]}'
CHANGES: tuple[tuple[str, dict[str, str]], ...] = (
    ("/sacp/verb/", {"body": VERB}),
    ("/sacp/verb/generate", {"body": VERB}),
    ("/sacp/verb/generate/withdraw", {}),
    ("/sacp/plan/spawn", {"text": PLAN}),
    ("/aacp/candidates/1", {"state": "promoted"}),
    ("/aacp/candidates/1/slots", {"step": "promote", "english": "Ask.", "packet": "REQ"}),
    ("/aacp/rules/1/withdraw", {}),
)


def _state() -> list[object]:
    return [
        *Definition.objects.values_list("pk"),
        *Candidate.objects.values_list("state"),
        *Rule.objects.values(),
    ]


@pytest.mark.parametrize(("address", "form"), CHANGES)
def test_an_ordinary_person_changes_nothing_that_holds_everywhere(
    client: Client, address: str, form: dict[str, str]
) -> None:
    client.force_login(User.objects.create_user("bob"))
    before = _state()

    with recorded() as lines:
        answer = client.post(address, form)

    assert answer.status_code == 403
    assert "Only administrators" in answer.content.decode()
    assert _state() == before
    (line,) = events(lines, "route", "address")
    assert line == {
        "event": "right.refused",
        "needed": "administrator",
        "person": "bob",
        "method": "POST",
    }


@pytest.mark.parametrize(("address", "form"), CHANGES)
def test_a_stranger_changes_nothing_either(
    client: Client, address: str, form: dict[str, str]
) -> None:
    before = _state()

    answer = client.post(address, form)

    assert answer.status_code in (302, 403)
    assert _state() == before


def test_pages_offer_changes_to_administrators_only(client: Client) -> None:
    def offers() -> bool:
        return "Withdraw generate" in client.get("/sacp/verb/generate").content.decode()

    assert not offers()
    client.force_login(User.objects.create_user("bob"))
    assert not offers()
    client.force_login(User.objects.create_superuser("ada"))
    assert offers()


def test_a_change_on_a_page_is_logged_with_the_person(client: Client) -> None:
    client.force_login(User.objects.create_superuser("ada"))

    with recorded() as lines:
        client.post("/sacp/verb/", {"body": VERB})
        client.post("/sacp/verb/translate/withdraw")
        client.post("/sacp/verb/translate/withdraw")  # Nothing is left to change.
        client.post("/sacp/plan/spawn", {"text": PLAN})

    told = [(line["event"], line["change"], line["rule"], line["person"]) for line in lines]
    assert told == [
        ("rule.changed", "registered", "verb", "ada"),
        ("rule.changed", "withdrawn", "verb", "ada"),
        ("rule.changed", "spawned", "agent", "ada"),
    ]


def test_the_refusal_says_who_may() -> None:
    assert str(NotAdministrator()) == "Only administrators can do this."
