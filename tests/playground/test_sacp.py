"""The pages of SACP: the registry, definitions in revisions, messages assembled and plans checked."""

import json
from html import unescape

import msgspec
import pytest
from django.contrib.auth.models import User
from django.test import Client

from playground import capabilities
from playground.models import Definition
from protocols.sacp.samples import AGENTS
from tests.playground.drawn import words

pytestmark = pytest.mark.django_db

VERB = {"name": "translate", "description": "Says it <b>elsewhere</b>.", "inputs": ["text"], "outputs": "string"}


@pytest.fixture
def person(client: Client) -> Client:
    client.force_login(User.objects.create_user("ada"))
    return client


def get(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode()


def post(client: Client, path: str, sent: dict[str, object], status: int = 200) -> str:
    response = client.post(path, sent)
    assert response.status_code == status
    return response.content.decode()


@pytest.mark.requirement("SACP-20")
@pytest.mark.requirement("SACP-22")
@pytest.mark.requirement("SACP-23")
@pytest.mark.requirement("SACP-25")
def test_the_registry_is_shown(client: Client) -> None:
    page = words(get(client, "/sacp/"))

    assert "PRICE_PREDICTOR revision 1, Executor" in page
    assert "when it fails, HOTEL_ARCHIVE" in page
    assert "H_API revision 1" in page
    assert "generate revision 1" in page
    assert all(role in page for role in ("Interface", "Planner", "Executor", "Formatter"))


@pytest.mark.requirement("SACP-28")
def test_a_wish_ranks_agents_by_meaning_with_their_scores(client: Client, minilm: object) -> None:
    page = words(get(client, "/sacp/?wish=how+much+will+a+room+cost"))

    assert "Ranked by meaning, as all-MiniLM-L6-v2 reads it" in page
    assert "PRICE_PREDICTOR 0." in page
    assert page.index("PRICE_PREDICTOR 0.") < page.index("REPORT_WRITER 0.")
    assert "There is nothing to compare." in words(get(client, "/sacp/?wish=%E2%80%8B"))


@pytest.mark.requirement("SACP-28")
def test_without_the_model_a_wish_ranks_agents_by_words(client: Client, without_minilm: None) -> None:
    page = words(get(client, "/sacp/?wish=predict+prices"))

    assert "Ranked by words: ranking by meaning needs the extra “embeddings”" in page
    assert "PRICE_PREDICTOR 0." in page
    assert "REPORT_WRITER 0." not in page
    assert "No description shares a word" in words(get(client, "/sacp/?wish=zebra"))


def test_a_long_list_of_agents_is_cut_and_it_is_said(client: Client, without_minilm: None) -> None:
    sample = AGENTS[0]
    capabilities.add([msgspec.structs.replace(sample, agent_name=f"PREDICTOR_{n}") for n in range(25)], None)

    page = words(get(client, "/sacp/?wish=predict"))

    assert "The first 20 of 26." in page
    assert page.count("predict The first") == 1


def test_a_wish_that_is_too_long_is_told_and_kept(client: Client) -> None:
    page = get(client, "/sacp/?wish=" + "x" * 2001)

    assert "at most 2000 characters (it has 2001)" in page
    assert "x" * 2001 in page
    assert 'class="ranked"' not in page


@pytest.mark.parametrize("wish", ["%00", "%ED%A0%80", "a%00b", "<script>alert(1)</script>", "%F0%9F%99%82"])
def test_any_wish_is_answered(client: Client, minilm: object, wish: str) -> None:
    assert "<script>alert" not in get(client, f"/sacp/?wish={wish}")


@pytest.mark.requirement("SACP-27")
def test_a_person_registers_and_revises(person: Client) -> None:
    assert '"name": "generate"' in unescape(get(person, "/sacp/verb/"))

    response = person.post("/sacp/verb/", {"body": json.dumps(VERB)}, follow=True)
    page = response.content.decode()
    assert response.redirect_chain == [("/sacp/verb/translate", 302)]
    assert "translate is registered, revision 1." in words(page)
    assert "<b>" not in page

    person.post("/sacp/verb/translate", {"body": json.dumps(VERB | {"outputs": "array"})})
    assert [one.definition.outputs for one in capabilities.revisions("verb", "translate")] == ["array", "string"]
    assert "Revision 2" in get(person, "/sacp/verb/translate")


@pytest.mark.requirement("SACP-27")
def test_nobody_registers_without_signing_in(client: Client) -> None:
    response = client.post("/sacp/verb/", {"body": json.dumps(VERB)})

    assert response.status_code == 302
    assert response.headers["Location"].startswith("/signin")
    assert not Definition.objects.filter(name="translate").exists()
    assert '<button class="primary">Register' not in get(client, "/sacp/verb/")


@pytest.mark.parametrize(
    ("path", "body", "said"),
    [
        ("/sacp/verb/", "{", "This must be a JSON object"),
        ("/sacp/verb/", "[" * 5000, "This must be a JSON object"),
        ("/sacp/verb/", "", "This field is required."),
        ("/sacp/verb/", json.dumps(VERB | {"name": "join"}), "name: join is built in."),
        ("/sacp/verb/", json.dumps({"name": "a"}), 'description: "description" is missing.'),
        ("/sacp/verb/generate", json.dumps(VERB), "A revision keeps its name, generate."),
        ("/sacp/tool/", json.dumps(VERB), 'There is no such key as "name".'),
    ],
)
def test_a_wrong_definition_is_told_and_kept_in_the_form(person: Client, path: str, body: str, said: str) -> None:
    page = unescape(post(person, path, {"body": body}, 422))

    assert said in page
    assert body in page
    assert 'aria-invalid="true"' in page


def test_there_are_three_kinds_and_no_other_names(client: Client) -> None:
    assert client.get("/sacp/robot/").status_code == 404
    assert client.get("/sacp/agent/NOBODY").status_code == 404


@pytest.mark.requirement("SACP-29")
def test_the_prompt_of_an_agent_is_there_to_copy(client: Client) -> None:
    short = get(client, "/sacp/agent/PRICE_PREDICTOR")
    long = get(client, "/sacp/agent/PRICE_PREDICTOR?specification=1")

    assert "### Agent Role: PRICE_PREDICTOR" in short
    assert 'data-copy="agent-prompt"' in short
    assert "### Specification:" not in short
    assert "### Specification:" in long
    assert "agent-prompt" not in get(client, "/sacp/verb/generate")


@pytest.mark.requirement("SACP-30")
def test_the_interface_form_assembles_a_message_and_shows_it_decoded(client: Client) -> None:
    assert "search with H_API" in get(client, "/sacp/assemble")
    sent: dict[str, object] = {
        "goal": "FIND_HOTEL", "context": '{"loc": "Paris"}', "out_fmt": "human", "test_mode": "on", "msg_id": "a1",
        "pair1": "search H_API", "params1": '{"c": "Paris"}', "pair2": "present PRES", "params2": '{"n": 5}',
    }  # fmt: skip

    page = words(post(client, "/sacp/assemble", sent))

    assert '"plan":[["search","H_API",{"c":"Paris"}],["present","PRES",{"n":5}]]' in page.replace(" ", "")
    assert "Feasible VALID" in page
    assert "Asks to find hotel in 2 steps" in page


@pytest.mark.requirement("SACP-30")
@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"goal": ""}, "This field is required."),
        ({"context": "Paris"}, "This must be a JSON object"),
        ({"params1": "[5]"}, "This must be a JSON object"),
        ({"params1": '{"c": 5}'}, 'Step 1: "c" takes text when the verb is search.'),
        ({"pair1": "fly KITE"}, "Select a valid choice"),
        ({"pair1": ""}, "This field is required."),
        ({"out_fmt": "prose"}, "Select a valid choice"),
    ],
)
def test_what_cannot_be_assembled_is_told(client: Client, change: dict[str, object], said: str) -> None:
    sent = {"goal": "FIND_HOTEL", "out_fmt": "raw", "pair1": "search H_API", "params1": "{}"} | change

    assert said in unescape(post(client, "/sacp/assemble", sent, 422))


@pytest.mark.requirement("SACP-24")
@pytest.mark.requirement("SACP-31")
def test_a_pasted_plan_is_checked_and_missing_agents_are_asked_for(client: Client) -> None:
    assert "Feasible" in words(get(client, "/sacp/plan"))

    page = words(post(client, "/sacp/plan", {"text": '{"g":"VISIT","plan":[["check","VISA_QUERY",{"c":"Paris"}]]}'}))

    assert "Not feasible ERR" in page
    assert "UNKNOWN_VERB" in page
    assert '"g":"SPAWN_AGENT"' in page
    assert "nobody" in page


@pytest.mark.requirement("SACP-15")
@pytest.mark.requirement("SACP-18")
@pytest.mark.requirement("SACP-21")
def test_the_dry_run_shows_states_and_fallbacks(client: Client) -> None:
    sent: dict[str, object] = {
        "text": '{"g":"A","plan":[["s","H_API",{}],["r","RANK",{}]]}',
        "failing": ["HOTEL_FINDER"],
    }

    page = words(post(client, "/sacp/plan", sent))

    assert "Takes over from HOTEL_FINDER." in page
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
