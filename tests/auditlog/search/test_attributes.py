"""Attributes of log lines are found by their names."""

import pytest

from auditlog.search import index
from auditlog.search.find import find
from auditlog.search.query import QueryError
from tests.auditlog.search.packets import CONVERSATION, START, places, put

pytestmark = pytest.mark.django_db

ATTRIBUTES = {
    "trace_id": "4BF92F35-aa",
    "llm": {"model": "gpt-4o", "latency": 0.5, "tries": 3},
    "steps": ["plan auth", {"name": "build"}, None],
    "k8s:pod (1)": "pod-1",
    "p50": 1e-7,
}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("attr.trace_id:4bf92f35-aa", [0]),
        ("attr.trace_id:4bf9*", [0]),
        ("attr.trace_id:4bf9", []),
        ('attr.steps:"plan auth"', [0]),
        ('attr.steps:"plan au"*', [0]),
        ("attr.steps:null", [0]),
        ("attr.steps.name:build", [0]),
        ("attr.llm.model:GPT-4o", [0]),
        ("attr.llm.latency:0.5", [0]),
        ("attr.llm.tries:>2", [0]),
        ("attr.llm.tries:>3", []),
        ("attr.k8s_pod__1_:pod-1", [0]),
        ("attr.p50:1e-7", [0]),
        ("has:attr.llm.model", [0]),
        ("-attr.llm.model:other", [0]),
        ("gpt", [0]),
    ],
)
def test_attributes_are_found_by_their_names(text: str, found: list[int]) -> None:
    put(CONVERSATION[:1], supplied={"attributes": ATTRIBUTES})
    assert places(text) == found


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [
        ("attr.trace:x", "attr.trace_id"),
        ("trace_id:x", "attr.trace_id"),
        ("attr.tracer.id:x", "attr.trace_id"),
    ],
)
def test_an_attribute_that_was_never_seen_is_an_error_with_the_nearest(
    text: str, suggestion: str
) -> None:
    put(CONVERSATION[:1], supplied={"attributes": ATTRIBUTES})
    with pytest.raises(QueryError) as caught:
        find(["default"], text, now=START)
    assert caught.value.suggestion == f"Did you mean {suggestion}:?"
    with pytest.raises(QueryError):
        places("attr.:x")


def test_the_start_of_a_word_is_not_the_start_of_an_attribute() -> None:
    put(CONVERSATION[:1], supplied={"attributes": {"zebra": 1}})
    assert places("zeb*") == []


def test_what_is_said_of_a_time_is_not_searched() -> None:
    put(
        CONVERSATION[:1],
        supplied={"sent_text": "yesterday", "sent_zone": "UTC", "from_line": ["sent_at"]},
    )
    assert [places(word) for word in ("yesterday", "utc", "sent")] == [[], [], []]


def test_attributes_beyond_those_that_are_remembered_can_be_searched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(index, "MAX_KEYS", 2)
    monkeypatch.setattr("auditlog.search.find.MAX_KEYS", 2)
    put(CONVERSATION[:1], supplied={"attributes": {"a": 1, "b": 1, "c": 1}})
    assert places("attr.c:1") == [0]
    with pytest.raises(QueryError):
        places("nowhere:1")
