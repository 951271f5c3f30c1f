"""The library and the registry of SACP over HTTP."""

import pytest
from django.test import Client

from cablese.protocols.sacp.agents.samples import AGENTS
from playground.models import Definition
from playground.sacp import store
from tests.playground.sacp.api.requests import AGENT, HOTEL, VERB, VISA, key, post

pytestmark = pytest.mark.django_db


@pytest.mark.requirement("SACP-22")
@pytest.mark.requirement("SACP-23")
@pytest.mark.requirement("SACP-25")
def test_what_is_registered_can_be_read_by_everyone(client: Client) -> None:
    for kind, name in (("verb", "generate"), ("tool", "H_API"), ("agent", "PRICE_PREDICTOR")):
        listed = client.get(f"/api/v1/sacp/{kind}s").json()[f"{kind}s"]
        one = next(row for row in listed if row["name"] == name)
        assert (one["revision"], one["by"]) == (1, None)
        assert client.get(f"/api/v1/sacp/{kind}s/{name}").json()[f"{kind}s"] == [one]
        assert client.get(f"/api/v1/sacp/{kind}s/NOBODY").status_code == 404


@pytest.mark.requirement("SACP-27")
def test_registering_appends_a_revision_and_keeps_the_old_one(client: Client) -> None:
    token = key()

    first = post(client, "agents", AGENT, 201, token)
    second = post(client, "agents", AGENT | {"description": "Knows fifty languages"}, 200, token)

    assert (first["revision"], second["revision"], second["by"]) == (1, 2, "registrar")
    kept = client.get("/api/v1/sacp/agents/TRANSLATOR").json()["agents"]
    assert [one["definition"]["description"] for one in kept] == [
        "Knows fifty languages",
        "Knows forty languages",
    ]
    assert kept[0]["definition"]["tool.interface"] == "https://example.org"
    assert Definition.objects.filter(name="TRANSLATOR").count() == 2


@pytest.mark.requirement("SACP-27")
def test_only_a_key_that_may_registers(client: Client) -> None:
    post(client, "verbs", VERB, 401)
    post(client, "verbs", VERB, 401, "cbl_live_wrong")
    post(client, "verbs", VERB, 403, key("ingest", "read", "export"))
    post(client, "spawn", {"message": VISA}, 401)
    assert not Definition.objects.filter(name="translate").exists()


@pytest.mark.requirement("SACP-22")
@pytest.mark.parametrize(
    ("path", "body", "pointer"),
    [
        ("verbs", VERB | {"name": "two words"}, "/name"),
        ("verbs", VERB | {"name": "join"}, "/name"),
        ("verbs", VERB | {"name": "s"}, "/name"),
        ("verbs", {"name": "a"}, "/description"),
        ("tools", {"id": "A", "description": "b", "supported_verbs": "search"}, "/supported_verbs"),
        ("agents", AGENT | {"tags": ["a b"]}, "/tags/0"),
        ("agents", AGENT | {"fallback": "TRANSLATOR"}, "/fallback"),
    ],
)
def test_a_wrong_definition_is_refused_with_its_place(
    client: Client, path: str, body: dict[str, object], pointer: str
) -> None:
    problem = post(client, path, body, 422, key())

    assert problem["pointer"] == pointer


@pytest.mark.requirement("SACP-26")
def test_the_registry_is_queried_as_the_source_does(client: Client) -> None:
    asked = {"query": {"verb": "predict", "inputs": ["history"], "output_type": "predictions"}}

    assert [agent["agent_name"] for agent in post(client, "query", asked)["agents"]] == [
        "PRICE_PREDICTOR"
    ]
    assert post(client, "query", {"query": {"verb": 5}}, 422)["pointer"] == "/query/verb"


@pytest.mark.requirement("SACP-28")
def test_agents_are_ranked_by_the_embeddings_they_publish(client: Client) -> None:
    post(client, "agents", AGENT | {"embedding": [0.6, 0.8]}, 201, key())

    assert post(client, "rank", {"embedding": [3, 4]}) == {
        "method": "embedding",
        "agents": [{"agent": "TRANSLATOR", "score": 1.0, "words": []}],
        "model": None,
        "note": None,
    }


@pytest.mark.requirement("SACP-28")
def test_agents_are_ranked_by_what_is_meant(client: Client, minilm: object) -> None:
    post(client, "agents", AGENT, 201, key())

    answer = post(client, "rank", {"text": "how do you say hello in Chinese"})

    assert (answer["method"], answer["model"], answer["note"]) == (
        "embedding",
        "all-MiniLM-L6-v2",
        None,
    )
    assert (answer["agents"][0]["agent"], len(answer["agents"])) == ("TRANSLATOR", len(AGENTS) + 1)


@pytest.mark.requirement("SACP-28")
def test_without_the_model_agents_are_ranked_by_words(client: Client, without_minilm: None) -> None:
    answer = post(client, "rank", {"text": "predict prices"})

    assert (answer["method"], answer["model"]) == ("words", None)
    assert answer["note"].startswith("Ranked by shared words")
    assert (answer["agents"][0]["agent"], answer["agents"][0]["words"]) == (
        "PRICE_PREDICTOR",
        ["predict", "pric"],
    )


@pytest.mark.parametrize("text", ["", "\0", "\u200b", "x" * 2000])
def test_any_wish_is_answered(client: Client, minilm: object, text: str) -> None:
    assert post(client, "rank", {"text": text})["method"] == "embedding"


def test_a_wish_that_is_too_long_is_refused(client: Client) -> None:
    assert post(client, "rank", {"text": "x" * 2001}, 422)["pointer"] == "/text"


@pytest.mark.requirement("SACP-28")
def test_an_agent_publishes_its_embedding_alone(client: Client) -> None:
    published = {
        "agent": "PRICE_PREDICTOR",
        "embedding": [0.6, 0.8],
        "description": "Forecasts prices",
    }

    kept = post(client, "agents", published, 200, key())

    assert kept["definition"]["embedding"] == [0.6, 0.8]
    assert kept["definition"]["supported_verbs"] == ["predict"]
    assert (
        post(client, "agents", published | {"agent": "NOBODY"}, 422, key())["pointer"] == "/agent"
    )
    assert post(client, "agents", [], 422, key())["pointer"] == ""


@pytest.mark.requirement("SACP-29")
def test_the_prompt_of_an_agent_is_given(client: Client) -> None:
    short = client.get("/api/v1/sacp/agents/HOTEL_FINDER/prompt").json()["prompt"]
    long = client.get("/api/v1/sacp/agents/HOTEL_FINDER/prompt?specification=true").json()["prompt"]

    assert "### Agent Role: HOTEL_FINDER" in short
    assert "### Specification:" not in short
    assert "### Specification:" in long
    assert client.get("/api/v1/sacp/agents/NOBODY/prompt").status_code == 404


def test_a_full_registry_takes_revisions_only(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "MOST", 5)

    assert "The limit is" in post(client, "agents", AGENT, 422, key())["detail"]
    post(client, "agents", AGENT | {"agent_name": "HOTEL_FINDER"}, 200, key())


@pytest.mark.requirement("SACP-27")
def test_a_definition_is_withdrawn_and_brought_back(client: Client) -> None:
    token = key()
    headers = {"Authorization": f"Bearer {token}"}

    gone, again = (
        client.delete("/api/v1/sacp/tools/H_API", headers=headers).json() for _ in range(2)
    )
    feasible = post(client, "feasible", {"message": HOTEL})

    assert (gone["revision"], gone["withdrawn"], gone["by"]) == (2, True, "registrar")
    assert again == gone
    assert (
        next(
            tool
            for tool in client.get("/api/v1/sacp/tools").json()["tools"]
            if tool["name"] == "H_API"
        )
        == gone
    )
    assert feasible["withdrawn"] == [{"step": "1", "kind": "tool", "name": "H_API"}]
    assert feasible["answer"]["details"].endswith("is not registered: it was withdrawn.")
    assert post(client, "tools", gone["definition"], 200, token)["revision"] == 3
    assert post(client, "feasible", {"message": HOTEL})["feasible"] is True


@pytest.mark.requirement("SACP-27")
def test_only_a_key_that_may_withdraws_what_is_there(client: Client) -> None:
    reader, admin = ({"Authorization": f"Bearer {key(scope)}"} for scope in ("read", "admin"))

    assert client.delete("/api/v1/sacp/verbs/generate").status_code == 401
    assert client.delete("/api/v1/sacp/verbs/generate", headers=reader).status_code == 403
    assert client.delete("/api/v1/sacp/agents/NOBODY", headers=admin).status_code == 404
    assert client.delete("/api/v1/sacp/verbs/generate", headers=admin).json()["withdrawn"] is True
    assert (
        client.delete("/api/v1/sacp/agents/HOTEL_FINDER", headers=admin).json()["withdrawn"] is True
    )
    assert client.get("/api/v1/sacp/agents/HOTEL_FINDER/prompt").status_code == 404
