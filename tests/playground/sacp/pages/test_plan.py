"""The page that checks plans and asks for the agents that are missing."""

import json
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client

from playground.models import Definition
from playground.sacp import store
from tests.playground.drawn import words
from tests.playground.sacp.pages.requests import get, post

pytestmark = pytest.mark.django_db


@pytest.mark.requirement("SACP-24")
@pytest.mark.requirement("SACP-31")
def test_a_pasted_plan_is_checked_and_missing_agents_are_asked_for(client: Client) -> None:
    assert "Feasible" in words(get(client, "/sacp/plan"))

    page = words(
        post(
            client,
            "/sacp/plan",
            {"text": '{"g":"VISIT","plan":[["check","VISA_QUERY",{"c":"Paris"}]]}'},
        )
    )

    assert "Not feasible ERR" in page
    assert "UNKNOWN_VERB" in page
    assert '"g":"SPAWN_AGENT"' in page
    assert "no agent" in page


@pytest.mark.requirement("SACP-30")
def test_parameters_that_do_not_fit_are_shown(client: Client) -> None:
    page = post(
        client,
        "/sacp/plan",
        {"text": '{"g":"A","plan":[["s","H_API",{"c":"Paris","color":"red"}]]}'},
    )

    assert page.count('<li class="parameter">') == 2
    assert get(client, "/sacp/plan").count('<li class="parameter">') == 0


@pytest.mark.requirement("SACP-15")
@pytest.mark.requirement("SACP-18")
@pytest.mark.requirement("SACP-21")
def test_the_dry_run_shows_states_and_fallbacks(client: Client) -> None:
    sent: dict[str, object] = {
        "text": '{"g":"A","plan":[["s","H_API",{}],["r","RANK",{}]]}',
        "failing": ["HOTEL_FINDER"],
    }

    page = words(post(client, "/sacp/plan", sent))

    assert "Replaces HOTEL_FINDER." in page
    assert "PENDING → IN_PROGRESS → FAILED" in page


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no JSON",
        "[]",
        '{"g":"A","plan":[]}',
        '{"status":"VALID"}',
        '{"g":"\\ud800","plan":[["\\ud800","",5]]}',
        '{"g":"A","plan":[["<script>","</textarea>",{"":null}]]}',
    ],
)
def test_any_text_is_answered(client: Client, text: str) -> None:
    response = client.post("/sacp/plan", {"text": text})

    assert response.status_code == (200 if text else 422)
    assert "<script>" not in response.content.decode().replace("<script src", "")


VISIT = '{"g":"VISIT","plan":[["check","VISA_QUERY",{"nationality":"FR"}]]}'


@pytest.mark.requirement("SACP-24")
@pytest.mark.requirement("SACP-30")
def test_a_plan_says_what_was_withdrawn_by_whom(person: Client) -> None:
    person.post("/sacp/tool/H_API/withdraw")

    page = words(post(person, "/sacp/plan", {"text": '{"g":"A","plan":[["s","H_API",{}]]}'}))

    assert 'Step 1: the tool "H_API" is not registered: it was withdrawn.' in page
    assert "Step 1: the tool H_API was withdrawn on" in page
    assert "by user:ada." in page
    assert "search with H_API" not in get(person, "/sacp/assemble")


@pytest.mark.requirement("SACP-14")
@pytest.mark.requirement("SACP-30")
def test_subtasks_are_shown_inside_the_plan(client: Client) -> None:
    inner = {"g": "PAY", "plan": [["fly", "KITE", {}]]}
    text = json.dumps(
        {"g": "BOOK", "plan": [["s", "H_API", {}]], "subtask": inner | {"subtask": inner}}
    )

    page = words(post(client, "/sacp/plan", {"text": text}))

    assert 'Subtask, step 1: the verb \\"fly\\" is not registered.' in page
    assert "Subtask: PAY" in page
    assert "Subtask of the subtask: PAY" in page
    assert page.count('"g":"SPAWN_AGENT"') == 1


@pytest.mark.requirement("SACP-14")
def test_subtasks_far_inside_are_judged_and_counted(client: Client) -> None:
    made: dict[str, object] = {"g": "LAST", "plan": [["fly", "KITE", {}]]}
    for _ in range(7):
        made = {"g": "A", "plan": [["s", "H_API", {}]], "subtask": made}

    page = words(post(client, "/sacp/plan", {"text": json.dumps(made)}))

    assert "Not feasible ERR" in page
    assert "3 more subtasks are checked but not shown." in page


@pytest.mark.requirement("SACP-31")
@pytest.mark.requirement("SACP-32")
@pytest.mark.requirement("SACP-33")
def test_a_missing_agent_is_asked_for_registered_and_the_plan_tried_again(person: Client) -> None:
    assert "Create agents and retry" in post(person, "/sacp/plan", {"text": VISIT})

    page = words(post(person, "/sacp/plan/spawn", {"text_json": json.dumps(VISIT)}))
    again = words(post(person, "/sacp/plan/spawn", {"text_json": json.dumps(VISIT)}))

    steps = (
        "Request {",
        "Registered tool VISA_QUERY verb check agent VISA_QUERY_AGENT",
        "Confirmed {",
        "Plan after retry: feasible",
        'Feasible VALID {"status":"VALID"}',
    )
    places = [page.index(step) for step in steps]
    assert places == sorted(places)
    assert store.revisions("agent", "VISA_QUERY_AGENT")[0].by == "user:ada"
    assert "No agents to create" in again
    assert Definition.objects.filter(name__contains="VISA").count() == 2


@pytest.mark.requirement("SACP-32")
def test_a_spawn_message_itself_is_sent_to_the_listener(person: Client) -> None:
    plan = [
        [
            "define",
            "VISA_QUERY",
            {"description": "Checks visas", "inputs": ["nationality"], "outputs": ["required"]},
        ],
        ["instantiate", "VISA_AGENT", {"tool": "VISA_QUERY", "verb": "check"}],
    ]
    text = json.dumps({"g": "SPAWN_AGENT", "plan": plan})
    assert "SPAWN_AGENT request" in post(person, "/sacp/plan", {"text": text})

    page = words(post(person, "/sacp/plan/spawn", {"text_json": json.dumps(text)}))
    again = words(post(person, "/sacp/plan/spawn", {"text_json": json.dumps(text)}))

    assert "Registered: VISA_AGENT (check with VISA_QUERY)." in page
    assert "Refused: nothing was registered" in again
    assert len(store.revisions("agent", "VISA_AGENT")) == 1


@pytest.mark.requirement("SACP-32")
def test_what_the_listener_refuses_is_told(person: Client) -> None:
    text = '{"g":"A","plan":[["two words","KITE",{}]]}'

    page = words(post(person, "/sacp/plan/spawn", {"text_json": json.dumps(text)}))

    assert "Refused: nothing was registered" in page
    assert "still not feasible" in page
    assert not Definition.objects.filter(name="KITE").exists()


@pytest.mark.parametrize(
    ("text", "status", "said"),
    [
        ("{", 422, "the message is invalid"),
        ('{"status":"VALID"}', 422, "the message is invalid"),
        ("", 422, "This field is required."),
    ],
)
def test_what_cannot_be_sent_is_told(person: Client, text: str, status: int, said: str) -> None:
    assert said in words(post(person, "/sacp/plan/spawn", {"text": text}, status))


@pytest.mark.requirement("SACP-32")
def test_nobody_sends_to_the_listener_without_signing_in_and_nothing_is_lost(
    client: Client,
) -> None:
    assert "to create agents. Programs can post to" in words(
        post(client, "/sacp/plan", {"text": VISIT})
    )

    page = unescape(post(client, "/sacp/plan/spawn", {"text": VISIT}, 403))

    assert "you have been signed out" in page
    assert f"{VISIT}</textarea>" in page
    assert not Definition.objects.filter(name__contains="VISA").exists()
    assert client.get("/sacp/plan/spawn").status_code == 405


def test_the_listener_takes_nothing_from_other_sites() -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(User.objects.create_superuser("ada"))

    assert strict.post("/sacp/plan/spawn", {"text": VISIT}).status_code == 403
    assert strict.post("/sacp/tool/H_API/withdraw").status_code == 403
    assert not Definition.objects.filter(name__contains="VISA").exists()
