"""Plans over HTTP: checked, rehearsed, assembled, and completed by agents that are missing."""

import json
from typing import Any

import pytest
from django.test import Client

from cablese.protocols.sacp.agents.definition import BadDefinition
from cablese.protocols.sacp.codec import codec
from playground.sacp import spawning, store
from tests.playground.sacp.api.requests import HOTEL, VISA, key, post

pytestmark = pytest.mark.django_db


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
    parameters = found["parameters"]
    assert [(bad["step"], bad["problem"], bad["name"]) for bad in parameters] == [
        ("1", "unknown", "color"), ("1", "missing", "p_max"),
    ]  # fmt: skip


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
    assert [revision.name for revision in store.revisions("agent", "VISA_AGENT")] == ["VISA_AGENT"]


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


@pytest.mark.requirement("SACP-33")
def test_an_agent_that_was_withdrawn_is_made_again() -> None:
    message = codec.decode(VISA)
    spawning.send(message, None)
    store.withdraw("agent", "VISA_QUERY_AGENT", None)

    sent = spawning.send(message, None)

    assert sent.retried is not None
    assert sent.retried.feasible
    assert [
        (each.revision, each.withdrawn) for each in store.revisions("agent", "VISA_QUERY_AGENT")
    ] == [(3, False), (2, True), (1, False)]


@pytest.mark.requirement("SACP-18")
@pytest.mark.requirement("SACP-21")
def test_states_come_with_their_goals_and_who_takes_over(client: Client) -> None:
    text = '{"g":"A","plan":[["s","H_API",{}]],"state":"FAILED","msg_id":"a"}'

    (course,) = post(client, "states", {"text": text})["courses"]

    assert (course["name"], course["goal"]) == ("a", "A")
    assert course["events"][0]["takeovers"][0]["fallback"] == "HOTEL_ARCHIVE"


@pytest.mark.requirement("SACP-21")
def test_a_reply_without_an_id_is_about_the_task_of_its_agents(client: Client) -> None:
    task = '{"g":"%s","plan":[["s","H_API",{}]],"state":"PENDING","msg_id":"%s"}'
    text = "\n".join(
        (
            f"ann -> bob: {task % ('A', 'a')}",
            f"ann -> cid: {task % ('B', 'b')}",
            'bob -> ann: {"status":"ERR","code":"BAD_PARAM","details":"Step 1"}',
        )
    )

    first, second = post(client, "states", {"text": text})["courses"]

    assert [event["message"] for event in first["events"]] == [0, 2]
    assert [event["message"] for event in second["events"]] == [1]


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
