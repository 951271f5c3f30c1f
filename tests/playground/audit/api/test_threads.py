"""POST /api/v1/conversations: who speaks, what may come next, and what does not fit."""

import json
from typing import Any

import pytest
from django.test import Client

from auditlog import access
from auditlog.ingest.item import Item
from auditlog.log import logs
from cablese.conversation.model import FROM_LINE
from playground.workbench.examples import CONVERSATION
from tests.auditlog.sending import append, keep, make_sender
from tests.playground.stating import state

pytestmark = pytest.mark.django_db


def ask(client: Client, **body: Any) -> tuple[int, dict[str, Any]]:
    response = client.post(
        "/api/v1/conversations", json.dumps(body), content_type="application/json"
    )
    return response.status_code, response.json()


def test_a_conversation_comes_with_its_messages_its_parties_and_its_findings(
    client: Client,
) -> None:
    status, answer = ask(client, text=CONVERSATION)

    (only,) = answer["conversations"]
    assert status == 200
    assert [message["wire"][:7] for message in answer["messages"]] == [
        "REQ/TSK", "PRO/PLN", "ACC/PLN", "INF/OBS", "EVL/EVL", "REJ/PLN"
    ]  # fmt: skip
    assert (only["protocol"], only["key"], only["messages"]) == (
        "nslip",
        "goal 42, task 1",
        [0, 1, 2, 3, 4, 5],
    )
    assert only["parties"][1] == {
        "name": "coordinator",
        "reason": "nSLIP messages have no sender",
        "messages": [0, 2, 5],
        "supplied": False,
    }
    assert only["legs"][1] == {
        "message": 1,
        "sender": "planner",
        "recipient": "coordinator",
        "reason": "nSLIP messages have no sender",
        "supplied": False,
    }
    assert [
        (finding["code"], finding["severity"], finding["messages"]) for finding in only["findings"]
    ] == [
        ("nslip.new-round", "info", [5]),
        ("thread.unfinished", "info", [5]),
    ]
    assert len(answer["ignored"]) == 6


def test_a_conversation_comes_with_its_states_at_each_message_and_what_went_wrong(
    client: Client,
) -> None:
    _, answer = ask(client, text="REQ/TSK|g=42,t=1\nACC/PLN|g=42,t=1")

    (only,) = answer["conversations"]
    timeline = only["timeline"]
    assert only["answered"] == [None, 0]
    assert [(subject["kind"], subject["name"]) for subject in timeline["subjects"]] == [
        ("goal", "42"), ("task", "1"), ("agent", "coordinator"), ("agent", "planner")
    ]  # fmt: skip
    assert timeline["moments"][1] == {
        "message": 1,
        "changes": [
            {"subject": 0, "before": "requested", "state": "accepted", "assumed": False},
            {"subject": 1, "before": "requested", "state": "accepted", "assumed": False},
            {"subject": 2, "before": "waiting", "state": "accepted", "assumed": False},
            {"subject": 3, "before": "asked", "state": "ready", "assumed": False},
        ],
        "note": "",
    }
    assert (
        timeline["wrong"]
        == timeline["problems"][0]
        == {
            "message": 1,
            "severity": "warning",
            "code": "thread.accept-of-nothing",
            "text": "Unexpected ACC/PLN: nothing was proposed before it.",
            "late": False,
            "flow": True,
        }
    )


@pytest.mark.requirement("TLINE-15")
@pytest.mark.requirement("TLINE-16")
def test_the_fallback_and_the_request_for_detail_are_offered_with_the_next_id(
    client: Client,
) -> None:
    _, asked = ask(client, text="T|17|Q|obj=test_scope")
    _, answered = ask(client, text="T|17|Q|obj=test_scope\nT|18|A|res=2_fail")

    assert "T|18|E|err=ambiguous;next=clarify" in [
        step["form"] for step in asked["conversations"][0]["next"]
    ]
    assert "T|19|Q|obj=detail" in [step["form"] for step in answered["conversations"][0]["next"]]


def test_definitions_are_given(client: Client) -> None:
    _, answer = ask(client, text="T|1|S|keydef=ctx:context")

    assert answer["conversations"][0]["terms"] == [
        {"name": "ctx", "meaning": "context", "message": 0}
    ]


def test_a_protocol_and_a_dialect_may_be_named(client: Client) -> None:
    token = {"format": "token", "subformat": "session", "content": "s"}
    first = json.dumps(
        {"format": "text", "subformat": "English", "content": "a", "submessages": [token]}
    )
    second = json.dumps({"format": "text", "subformat": "English", "content": "b"})

    def codes(dialect: str) -> list[str]:
        _, answer = ask(client, text=f"{first}\n{second}", protocol="nlip", dialect=dialect)
        return [finding["code"] for finding in answer["conversations"][0]["findings"]]

    assert codes("nlip/draft") == []
    assert codes("nlip/ecma-430") == ["nlip.token-lost"]


def test_an_ignored_fragment_names_the_protocol_that_it_resembles(client: Client) -> None:
    _, answer = ask(client, text="LOG|user=bob|action=login\nprose")

    assert [fragment["resembles"] for fragment in answer["ignored"]] == ["aacp", None]


def test_a_text_without_messages_has_no_conversation(client: Client) -> None:
    assert ask(client, text="Hello.")[1]["conversations"] == []
    assert ask(client, text="")[1] == {"messages": [], "conversations": [], "ignored": []}


@pytest.mark.parametrize(
    ("body", "status", "pointer"),
    [
        ({"text": "x", "protocol": "morse"}, 422, "/protocol"),
        ({"text": "x", "protocol": "nslip", "dialect": "nlip/draft"}, 422, "/dialect"),
        ({"text": "T|1|Q|obj=a", "dialect": "nlip/draft"}, 422, "/dialect"),
        ({"text": "x" * (1024 * 1024 + 1)}, 413, "/text"),
        ({"text": "T|1|Q|obj=a\n" * 10_001}, 413, "/text"),
        ({}, 422, "/text"),
        ({"text": "x", "more": 1}, 422, "/more"),
    ],
)
def test_a_request_that_does_not_fit_is_refused(
    client: Client, body: dict[str, Any], status: int, pointer: str
) -> None:
    refused, problem = ask(client, **body)

    assert (refused, problem["pointer"]) == (status, pointer)


def test_roles_of_a_chat_are_lanes(client: Client) -> None:
    chat = {
        "messages": [
            {"role": "user", "content": "T|1|Q|obj=a"},
            {"role": "assistant", "content": "T|2|A|res=ok"},
        ]
    }

    _, answer = ask(client, text=json.dumps(chat))

    assert [
        (leg["sender"], leg["recipient"], leg["supplied"])
        for leg in answer["conversations"][0]["legs"]
    ] == [
        ("user", "assistant", True),
        ("assistant", "user", True),
    ]


def search(client: Client, key: str | None, **query: Any) -> Any:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return client.get("/api/v1/search/conversations", query, headers=headers)


def test_a_search_gives_the_conversations_of_its_packets(client: Client) -> None:
    sender, key = make_sender(), access.create_key(source="reader", scopes=("read",))[1]
    append(
        Item("REQ/TSK|g=42,t=1"),
        Item("T|1|Q|obj=a", from_="ada", thread="x"),
        Item("ACC/PLN|g=43,t=1"),
        Item("PRO/PLN|g=42,t=1"),
        sender=sender,
    )

    answer = search(client, key, q="proto:nslip OR proto:tline").json()

    assert [packet["leaf"] for packet in answer["packets"]] == [0, 1, 2, 3]
    assert [
        (conversation["protocol"], conversation["key"], conversation["messages"])
        for conversation in answer["conversations"]
    ] == [
        ("nslip", "goal 42, task 1", [0, 3]),
        ("tline", "thread x", [1]),
        ("nslip", "goal 43, task 1", [2]),
    ]
    assert answer["conversations"][1]["legs"][0]["sender"] == "ada"
    assert (answer["count"], answer["next"]) == ({"value": 4, "exact": True}, None)


def test_a_search_over_its_limit_goes_on_at_its_cursor(client: Client) -> None:
    key = access.create_key(source="reader", scopes=("read",))[1]
    append(*(Item(f"REQ/TSK|g=42,t={n}") for n in range(3)), sender=make_sender())

    first = search(client, key, limit=2).json()
    second = search(client, key, limit=2, cursor=first["next"]).json()

    assert [packet["leaf"] for packet in first["packets"]] == [1, 2]
    assert [packet["leaf"] for packet in second["packets"]] == [0]
    assert second["next"] is None


def test_who_may_not_search_gets_no_conversation(client: Client) -> None:
    night = logs.create(slug="night")
    keep(Item("REQ/TSK|g=42,t=1"))
    bound = access.create_key(source="night-bot", scopes=("read",), log=night)[1]

    assert search(client, None).status_code == 401
    assert (
        search(client, access.create_key(source="writer", scopes=("ingest",))[1]).status_code == 403
    )
    assert search(client, bound, log="default").status_code == 403
    assert search(client, bound).json()["packets"] == []


@pytest.mark.parametrize(
    "wrong", [{"q": "(goal:42"}, {"cursor": "x"}, {"limit": 0}, {"limit": 1001}]
)
def test_a_search_that_cannot_be_answered_is_refused(client: Client, wrong: dict[str, Any]) -> None:
    assert (
        search(client, access.create_key(source="reader", scopes=("read",))[1], **wrong).status_code
        == 422
    )


def test_log_lines_say_who_speaks_and_in_which_thread(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    state(monkeypatch)
    text = (
        "2026-11-20T10:00:01Z [n/1] bob -> ann T|1|Q|obj=a\n2026-11-20T10:00:01Z [n/2] bob -> eve "
        "T|1|Q|obj=b\n2026-11-20T10:00:01Z [n/1] ann -> bob T|2|A|res=c\n"
    )

    _, answer = ask(client, text=text)

    threads = answer["conversations"]
    assert [(thread["key"], thread["messages"]) for thread in threads] == [
        ("thread n/1", [0, 2]), ("thread n/2", [1]),
    ]  # fmt: skip
    legs = [leg for thread in threads for leg in thread["legs"]]
    assert [(leg["sender"], leg["recipient"], leg["reason"]) for leg in legs] == [
        ("bob", "ann", FROM_LINE), ("ann", "bob", FROM_LINE), ("bob", "eve", FROM_LINE),
    ]  # fmt: skip
