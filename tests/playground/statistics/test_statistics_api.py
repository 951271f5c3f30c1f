from typing import Any

import pytest
from django.test import Client

from auditlog.ingest.item import Item
from auditlog.log import logs
from auditlog.rollup import counting
from playground.statistics import api
from tests.auditlog.findings.following.steps import follow
from tests.auditlog.sending import append, make_sender
from tests.playground.audit.api.requests import get, make_key, refused

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _forgotten() -> None:
    counting.forget()


@pytest.fixture
def key() -> str:
    return make_key()


def fill() -> None:
    append(
        Item("REQ/TSK|g=1,t=1", from_="HR-Agent"), Item("RJE/TSK|g", from_="coder"),
        Item("REQ/TSK|g=2,t=1", from_="hr-agent"), sender=make_sender("bot"),
    )  # fmt: skip
    follow()


def test_it_counts_by_day(client: Client, key: str) -> None:
    fill()

    found = get(client, "statistics", key).json()

    (row,) = found["rows"]
    assert (row["packets"], row["invalid"], row["query"]) == (3, 1, f"ts:{row['value']}")
    assert (found["log"], found["by"], found["tokenizer"]) == ("default", "day", "o200k_base")
    assert found["uncounted"] == 0
    assert found["total"] == row | {"value": None, "query": None}
    assert row["english"]["counted"] == 3
    assert row["json"]["change_percent"] < 0
    assert row["dollars"] is None


def test_it_counts_by_value_and_source(client: Client, key: str) -> None:
    fill()
    append(Item("REQ/TSK|g=1"), sender=make_sender("other"))

    found = get(client, "statistics", key, by="from", source="bot").json()

    rows = [(row["value"], row["packets"]) for row in found["rows"]]
    assert rows == [("hr-agent", 2), ("coder", 1)]
    assert found["rows"][0]["query"].endswith(" source:bot from:hr-agent")
    assert found["total"]["packets"] == 3
    sources = get(client, "statistics", key, by="source").json()["rows"]
    assert [(row["value"], row["packets"]) for row in sources] == [("bot", 3), ("other", 1)]


def test_dollars_need_a_price(client: Client, key: str) -> None:
    fill()

    total = get(client, "statistics", key, price="2.5").json()["total"]

    assert total["dollars"] == pytest.approx(total["tokens"] * 2.5 / 1e6)
    saved = total["json"]["tokens"] - total["json"]["sent"]
    assert total["json"]["saved"] == pytest.approx(saved * 2.5 / 1e6)


@pytest.mark.parametrize(
    ("query", "status", "pointer"),
    [
        ({"from": "yesterday"}, 422, "/from"),
        ({"from": "2026-11-20", "to": "2026-11-19"}, 422, "/to"),
        ({"from": "1990-01-01"}, 422, "/from"),
        ({"by": "tag"}, 422, "/by"),
        ({"source": "nobody"}, 422, "/source"),
        ({"source": "a\0b"}, 422, "/source"),
        ({"source": "x" * 101}, 422, "/source"),
        ({"from": "0001-01-01"}, 422, "/from"),
        ({"price": "-1"}, 422, "/price"),
        ({"price": "NaN"}, 422, "/price"),
        ({"log": "nowhere"}, 404, "/log"),
        ({"days": "7"}, 422, "/days"),
    ],
)
def test_what_it_cannot_answer_has_its_place(
    client: Client, key: str, query: dict[str, Any], status: int, pointer: str
) -> None:
    assert refused(get(client, "statistics", key, **query)) == (status, pointer)


def test_an_unknown_log_is_named(client: Client, key: str) -> None:
    found = get(client, "statistics", key, log="nowhere").json()

    assert found["detail"] == "Unknown log nowhere."


def test_a_key_reads_its_own_log_with_the_read_scope(client: Client) -> None:
    second = logs.create(slug="second")

    assert get(client, "statistics", make_key("ingest")).status_code == 403
    own = make_key(log=second)
    assert get(client, "statistics", own).json()["log"] == "second"
    assert get(client, "statistics", own, log="default").status_code == 403
    assert client.get("/api/v1/statistics").status_code == 401


def test_values_beyond_the_limit_are_one_row(
    client: Client, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "MOST_ROWS", 2)
    names = ("a", "a", "a", "b", "b", "c", "d")
    append(*[Item("REQ/TSK|g=1", from_=name) for name in names], sender=make_sender("bot"))
    follow()

    rows = get(client, "statistics?by=from", key).json()["rows"]

    assert [(row["value"], row["packets"]) for row in rows] == [("a", 3), ("b", 2), (None, 2)]
