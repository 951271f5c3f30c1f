"""The library and the registry of SACP over HTTP."""

import json
from typing import Any

import pytest
from django.test import Client

from auditlog import access
from cablese.protocols.sacp.agents.definition import BadDefinition
from cablese.protocols.sacp.agents.samples import AGENTS
from cablese.protocols.sacp.codec import codec
from playground.models import Definition
from playground.sacp import spawning, store

pytestmark = pytest.mark.django_db

HOTEL = '{"g":"FIND_HOTEL","msg_id":"a1","plan":[["s","H_API",{"c":"Paris"}],["p","PRES",{"n":5}]]}'
VISA = '{"g":"VISIT","plan":[["s","H_API",{}],["check","VISA_QUERY",{"nationality":"FR"}]]}'
VERB = {
    "name": "translate",
    "description": "Says it in another language.",
    "inputs": ["text"],
    "outputs": "string",
}
AGENT = {
    "agent_name": "TRANSLATOR",
    "supported_verbs": ["translate"],
    "supported_tools": ["DICT"],
    "inputs": ["text"],
    "outputs": ["text"],
    "description": "Knows forty languages",
    "tool.interface": "https://example.org",
}


def key(*scopes: str) -> str:
    return access.create_key(source="registrar", scopes=scopes or ("admin",))[1]


def post(
    client: Client, path: str, body: object, status: int = 200, token: str | None = None
) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    response = client.post(
        f"/api/v1/sacp/{path}", json.dumps(body), content_type="application/json", headers=headers
    )
    assert response.status_code == status, response.content
    return dict(json.loads(response.content))


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

    assert [one["agent_name"] for one in post(client, "query", asked)["agents"]] == [
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


@pytest.mark.requirement("SACP-08")
@pytest.mark.requirement("SACP-19")
@pytest.mark.parametrize(
    ("message", "status", "code"),
    [
        (HOTEL, "VALID", None),
        ('{"g":"A","plan":[]}', "REQ_CLARIFY", None),
        ('{"g":"A","plan":[["s","T"]]}', "ERR", "MALFORMED_PLAN"),
        ('{"g":"A"}', "ERR", "MISSING_FIELD"),
        ("REQ/TSK|g=1,t=1", "ERR", "MALFORMED_MESSAGE"),
        ("Good morning", "ERR", "MALFORMED_MESSAGE"),
        ("", "ERR", "MALFORMED_MESSAGE"),
    ],
)
def test_the_validator_answers(client: Client, message: str, status: str, code: str | None) -> None:
    answer = post(client, "validate", {"message": message})["answer"]

    assert (answer["status"], answer.get("code")) == (status, code)


@pytest.mark.requirement("SACP-24")
@pytest.mark.requirement("SACP-30")
def test_a_plan_is_checked_against_what_is_registered(client: Client) -> None:
    assert post(client, "feasible", {"message": HOTEL})["feasible"] is True

    found = post(client, "feasible", {"message": VISA})

    assert found["feasible"] is False
    assert found["answer"]["code"] == "UNKNOWN_VERB"
    assert found["answer"]["details"].startswith("Step 2: ")


@pytest.mark.requirement("SACP-30")
def test_parameters_that_do_not_fit_are_reported(client: Client) -> None:
    found = post(
        client,
        "feasible",
        {"message": '{"g":"A","plan":[["s","H_API",{"c":"Paris","color":"red"}]]}'},
    )

    assert found["feasible"] is True
    assert [(one["step"], one["problem"], one["name"]) for one in found["parameters"]] == [
        ("1", "unknown", "color"), ("1", "missing", "p_max"),
    ]  # fmt: skip


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


@pytest.mark.requirement("SACP-15")
@pytest.mark.requirement("SACP-18")
def test_a_dry_run_shows_what_takes_over(client: Client) -> None:
    run = post(client, "dry-run", {"message": HOTEL, "failing": ["HOTEL_FINDER"]})

    assert run["state"] == "DONE"
    assert "HOTEL_ARCHIVE" in [event["agent"] for event in run["events"]]
    refused = post(client, "dry-run", {"message": '{"g":"A","plan":[]}'}, 422)
    assert refused["answer"]["status"] == "REQ_CLARIFY"
    assert post(client, "dry-run", {"message": '{"status":"VALID"}'}, 422)["pointer"] == "/message"


@pytest.mark.requirement("SACP-16")
def test_discipline_is_judged(client: Client) -> None:
    prose = {"reply": "Five hotels are free."}

    assert post(client, "discipline", prose)["violation"]["answer"]["status"] == "ERR"
    assert post(client, "discipline", prose | {"role": "Formatter"})["violation"] is None
    asked = HOTEL[:-1] + ',"out_fmt":"human"}'
    assert post(client, "discipline", prose | {"request": asked})["violation"] is None


@pytest.mark.requirement("SACP-21")
def test_states_are_tracked_over_a_transcript(client: Client) -> None:
    step = '"plan":[["s","H_API",{}]]'
    text = "\n".join(
        (
            f'{{"g":"A",{step},"state":"PENDING","msg_id":"a"}}',
            f'{{"g":"A",{step},"state":"DONE","reply_to":"a"}}',
            f'{{"g":"A",{step},"state":"IN_PROGRESS","reply_to":"a"}}',
        )
    )

    (history,) = post(client, "states", {"text": text})["histories"]

    assert history["name"] == "a"
    assert [(move["state"], move["message"]) for move in history["moves"]] == [
        ("PENDING", 0), ("DONE", 1), ("IN_PROGRESS", 2),
    ]  # fmt: skip
    assert history["moves"][2]["reason"] == "IN_PROGRESS cannot follow DONE: the message has ended."


@pytest.mark.requirement("SACP-29")
def test_the_prompt_of_an_agent_is_given(client: Client) -> None:
    short = client.get("/api/v1/sacp/agents/HOTEL_FINDER/prompt").json()["prompt"]
    long = client.get("/api/v1/sacp/agents/HOTEL_FINDER/prompt?specification=true").json()["prompt"]

    assert "### Agent Role: HOTEL_FINDER" in short
    assert "### Specification:" not in short
    assert "### Specification:" in long
    assert client.get("/api/v1/sacp/agents/NOBODY/prompt").status_code == 404


@pytest.mark.requirement("SACP-31")
@pytest.mark.requirement("SACP-32")
@pytest.mark.requirement("SACP-33")
def test_a_missing_agent_is_asked_for_made_and_the_plan_retried(client: Client) -> None:
    answer = post(client, "spawn", {"message": VISA}, token=key())

    assert json.loads(answer["asked"][0])["g"] == "SPAWN_AGENT"
    assert answer["replies"][0]["status"] == "VALID"
    assert answer["agents"] == ["VISA_QUERY_AGENT"]
    assert answer["retried"]["feasible"] is True
    assert post(client, "feasible", {"message": VISA})["feasible"] is True


@pytest.mark.requirement("SACP-32")
def test_a_spawn_message_itself_is_carried_out_once(client: Client) -> None:
    plan = [
        [
            "define",
            "VISA_QUERY",
            {"description": "Checks visas", "inputs": ["nationality"], "outputs": ["required"]},
        ],
        ["instantiate", "VISA_AGENT", {"tool": "VISA_QUERY", "verb": "check"}],
    ]
    message = json.dumps({"g": "SPAWN_AGENT", "msg_id": "m-1", "plan": plan})
    token = key()

    first, again = (post(client, "spawn", {"message": message}, token=token) for _ in range(2))

    assert first["replies"][0] == {
        "status": "VALID", "details": "Registered: VISA_AGENT (check with VISA_QUERY).",
        "reply_to": "m-1",
    }  # fmt: skip
    assert first["retried"] is None
    assert again["replies"][0]["code"] == "BAD_PARAM"
    assert [one.name for one in store.revisions("agent", "VISA_AGENT")] == ["VISA_AGENT"]


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
            one
            for one in client.get("/api/v1/sacp/tools").json()["tools"]
            if one["name"] == "H_API"
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


@pytest.mark.requirement("SACP-14")
def test_subtasks_are_judged_with_their_message(client: Client) -> None:
    message = json.dumps(json.loads(HOTEL) | {"subtask": json.loads(VISA)})

    answer = post(client, "feasible", {"message": message})

    assert answer["feasible"] is False
    assert answer["answer"]["details"].startswith("Subtask, step 2: ")
    assert answer["subtask"]["obstacles"][0]["step"] == "2"


@pytest.mark.requirement("SACP-33")
def test_asking_twice_makes_nothing_twice(client: Client) -> None:
    token = key()
    post(client, "spawn", {"message": VISA}, token=token)

    again = post(client, "spawn", {"message": VISA}, token=token)

    assert (again["asked"], again["agents"], again["retried"]["feasible"]) == ([], [], True)
    assert len(store.revisions("agent", "VISA_QUERY_AGENT")) == 1


@pytest.mark.requirement("SACP-33")
def test_two_who_ask_at_once_make_nothing_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    message, load = codec.decode(VISA), store.load
    stale = load()
    spawning.send(message, None)
    first = iter([stale])
    monkeypatch.setattr(store, "load", lambda: next(first, None) or load())

    sent = spawning.send(message, None)

    assert sent.spawned == ()
    assert len(store.revisions("agent", "VISA_QUERY_AGENT")) == 1
    monkeypatch.setattr(store, "load", lambda: stale)
    with pytest.raises(BadDefinition, match="The verb check is already registered"):
        spawning.send(message, None)


@pytest.mark.requirement("SACP-18")
@pytest.mark.requirement("SACP-21")
def test_states_come_with_their_goals_and_who_takes_over(client: Client) -> None:
    text = '{"g":"A","plan":[["s","H_API",{}]],"state":"FAILED","msg_id":"a"}'

    (course,) = post(client, "states", {"text": text})["courses"]

    assert (course["name"], course["goal"]) == ("a", "A")
    assert course["events"][0]["takeovers"][0]["fallback"] == "HOTEL_ARCHIVE"


@pytest.mark.requirement("SACP-11")
@pytest.mark.requirement("SACP-30")
def test_a_message_is_assembled(client: Client) -> None:
    steps = [
        {"verb": "search", "tool": "H_API", "params": {"city": "Paris"}, "group": "a"},
        {"verb": "present", "tool": "PRES"},
        {"verb": "predict", "tool": "PRC_EST", "group": "a"},
    ]
    sent = {
        "goal": "FIND",
        "context": {"loc": "Paris"},
        "steps": steps,
        "msg_id": "m",
        "test_mode": True,
    }

    message = json.loads(post(client, "assemble", sent)["message"])

    assert message["plan"] == [
        {"parallel": [["search", "H_API", {"city": "Paris"}], ["predict", "PRC_EST", {}]]},
        ["join", "MERGE", {}],
        ["present", "PRES", {}],
    ]
    assert (message["msg_id"], message["test_mode"], message["ctx"]) == (
        "m",
        True,
        {"loc": "Paris"},
    )


@pytest.mark.requirement("SACP-30")
@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"steps": []}, "/steps"),
        ({"steps": [{"verb": "fly", "tool": "KITE"}]}, "/steps/0"),
        ({"steps": [{"verb": "search", "tool": "H_API", "group": "a"}]}, "/steps"),
        ({"goal": ""}, "/goal"),
        ({"out_fmt": "prose"}, "/out_fmt"),
        ({"context": {"a": "\ud800"}}, "/context/a"),
    ],
)
def test_what_cannot_be_assembled_is_refused(
    client: Client, change: dict[str, Any], pointer: str
) -> None:
    sent = {"goal": "FIND", "steps": [{"verb": "search", "tool": "H_API"}]} | change

    answer = post(client, "assemble", sent, 422)

    assert answer["pointer"] == pointer
