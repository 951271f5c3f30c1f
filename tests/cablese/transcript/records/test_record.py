"""What a record states about the message in it."""

from typing import Any

import pytest

from cablese.transcript import Facts
from cablese.transcript.records import record


def _collect(*objects: dict[str, Any], **options: Any) -> Facts:
    return record.collect([record.flatten(one) for one in objects], **options)


def test_the_object_nearest_to_the_message_counts_first() -> None:
    facts = _collect({"from": "inner"}, {"from": "outer", "to": "executor", "session_id": "s1"})
    assert (facts.sender, facts.recipient, facts.thread) == ("inner", "executor", "s1")


def test_keys_are_read_in_any_case() -> None:
    assert _collect({"Sender": "planner"}).sender == "planner"


def test_a_program_is_the_sender_when_neither_a_party_nor_a_logger_is_stated() -> None:
    log = {"level": "info"}
    for key in ("SYSLOG_IDENTIFIER", "service", "Service", "app"):
        assert _collect(log | {key: "planner"}).sender == "planner"
        assert _collect(log | {key: "planner", "logger": "coder"}).sender == "coder"
        assert _collect(log | {key: "planner", "from": "coder"}).sender == "coder"
        assert _collect(log | {key: "planner", "to": "planner"}).sender is None
        assert _collect(log | {key: "planner", "direction": "in"}).sender is None
        assert _collect(log | {key: "planner"}, has_roles=False).sender is None
        assert _collect(log | {key: "planner", "username": "ada"}).sender is None
        assert _collect(log | {key: "backend-2"}).sender is None
        assert _collect(log | {key: "systemd"}).sender is None
    assert _collect(log | {"service": {"name": "planner"}}).sender == "planner"


@pytest.mark.parametrize("key", ["ts", "time", "timestamp", "@timestamp", "__REALTIME_TIMESTAMP"])
def test_it_reads_the_time(key: str) -> None:
    time = _collect({key: 1795168801000000}).time
    assert time is not None
    assert time.moment.isoformat() == "2026-11-20T10:00:01+00:00"


def test_a_logger_is_the_sender_when_no_better_one_is_stated() -> None:
    assert _collect({"logger": "planner"}).sender == "planner"
    assert _collect({"logger": "planner", "from": "executor"}).sender == "executor"
    assert _collect({"level": 30, "name": "planner"}).sender == "planner"
    assert _collect({"logger": "root"}).sender is None
    assert _collect({"logger": "planner"}, has_roles=False).sender is None


@pytest.mark.parametrize(
    "context",
    [
        {"contextMap": {"from": "planner"}},
        {"mdc": {"Sender": "planner"}},
        {"labels": {"agent": "planner"}},
    ],
)
def test_a_logger_is_no_sender_beside_a_context_that_names_one(context: dict[str, Any]) -> None:
    assert _collect({"level": "INFO", "loggerName": "acme.Bus"} | context).sender is None
    assert _collect({"level": 30, "name": "bus"} | context).sender is None
    assert _collect({"from": "coder", "loggerName": "acme.Bus"} | context).sender == "coder"


def test_a_context_without_a_party_leaves_the_logger() -> None:
    context = {"contextMap": {"traceId": "4bf9", "to": "executor"}, "from.x": "y"}
    assert _collect({"loggerName": "planner"} | context).sender == "planner"


@pytest.mark.parametrize("nothing", ["NULL", "\\N", "(null)", "<none>", "[NULL]", "None"])
def test_what_a_database_prints_for_nothing_is_no_party(nothing: str) -> None:
    assert _collect({"sender": nothing, "to": "executor"}).sender is None
    assert _collect({"sender": nothing, "from_agent": "planner"}).sender == "planner"
    assert _collect({"sender": f"{nothing}x"}).sender == f"{nothing}x"


def test_the_member_that_holds_the_message_states_nothing() -> None:
    assert _collect({"from": "REQ/TSK|g=1"}, skip=("from",)) == Facts()


def test_known_attributes_have_one_name() -> None:
    facts = _collect({"traceId": "4bf9", "severity": "INFO"}, {"dd.span_id": "00f0"})
    assert facts.attributes == {"trace_id": "4bf9", "level": "INFO", "span_id": "00f0"}


def test_it_reads_trace_contexts() -> None:
    trace, span = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
    assert _collect({"traceparent": f"00-{trace}-{span}-01"}).attributes == {
        "trace_id": trace,
        "span_id": span,
    }
    assert _collect({"trace": "projects/p/traces/4bf9"}).attributes == {"trace_id": "4bf9"}


def test_a_free_record_has_64_attributes_of_up_to_1000_characters() -> None:
    one = record.flatten(
        {"long": "x" * 1001, "whole": "x" * 1000} | {f"n{n}": n for n in range(80)}
    )
    attributes = record.collect([one], free=[one]).attributes

    assert list(attributes) == ["whole", *(f"n{n}" for n in range(63))]


@pytest.mark.parametrize(("length", "is_name"), [(200, True), (201, False)])
def test_a_name_has_up_to_200_characters(*, length: int, is_name: bool) -> None:
    assert _collect({"from": "x" * length}).sender == ("x" * length if is_name else None)


@pytest.mark.parametrize(("others", "is_read"), [(63, True), (64, False)])
def test_the_first_64_members_inside_a_member_are_read(*, others: int, is_read: bool) -> None:
    nested = {"trace": {f"n{n}": n for n in range(others)} | {"id": "4bf9"}}
    pairs = [{"key": f"n{n}", "value": {"intValue": n}} for n in range(others)]
    listed = {"attributes": [*pairs, {"key": "trace_id", "value": {"stringValue": "4bf9"}}]}

    for one in (nested, listed):
        assert _collect(one).attributes == ({"trace_id": "4bf9"} if is_read else {})


def test_other_members_are_attributes_of_a_free_record_alone() -> None:
    one = record.flatten({"Host": "a", "list": [1], "to": "executor"})
    assert record.collect([one], free=[one]).attributes == {"Host": "a"}
    assert record.collect([one]).attributes == {}


def _attributes(members: dict[str, Any], **options: Any) -> dict[str, Any]:
    one = record.flatten(members)
    return record.collect([one], free=[one], **options).attributes


@pytest.mark.parametrize(
    ("members", "attributes"),
    [
        ({"attributes": {"model": "gpt-4o", "tries": 2}}, {"model": "gpt-4o", "tries": 2}),
        ({"labels": {"env": "prod"}, "a": 1}, {"a": 1, "labels.env": "prod"}),
        ({"Extra": {"userId": "7"}}, {"Extra.userId": "7"}),
        ({"tags": ["a"], "context": {"deep": {"x": 1}, "none": None, "ok": True}},
         {"context.ok": True}),
        ({"other": {"env": "prod"}}, {}),
        ({"a": 1, "attributes": {"a": 2}}, {"a": 1}),
    ],
)  # fmt: skip
def test_members_of_some_objects_are_attributes(
    members: dict[str, Any], attributes: dict[str, Any]
) -> None:
    assert _attributes(members) == attributes


def test_members_of_an_object_name_no_party_and_no_time() -> None:
    one = record.flatten({"name": "x", "attributes": {"from": "a", "to": "b", "level": "INFO",
                                                      "ts": 1795168801}})  # fmt: skip
    facts = record.collect([one], free=[one])

    assert (facts.sender, facts.recipient, facts.time) == (None, None, None)
    assert facts.attributes["from"] == "a"


def test_the_object_that_holds_the_message_is_not_read_twice() -> None:
    members = {"context": {"wire": "REQ/TSK|g=1", "from": "a"}}
    assert _attributes(members, skip=("context", "wire")) == {}


def test_members_of_an_object_come_after_those_beside_it_within_the_limit() -> None:
    members = {"labels": {f"n{n}": n for n in range(80)}} | {f"m{n}": n for n in range(60)}
    names = list(_attributes(members))
    assert names == [*(f"m{n}" for n in range(60)), *(f"labels.n{n}" for n in range(4))]


def test_an_export_of_slack_names_the_sender_in_a_profile() -> None:
    profile = {"real_name": "Ada Lovelace", "name": "ada"}

    assert _collect({"user": "U1", "user_profile": profile}).sender == "Ada Lovelace"


@pytest.mark.parametrize("kind", ["user", "application"])
def test_microsoft_graph_names_a_user_or_an_application(kind: str) -> None:
    other = "application" if kind == "user" else "user"
    sender = {other: None, kind: {"id": "8ea0e38b", "displayName": "Planner"}}

    facts = _collect({"createdDateTime": "2026-11-20T10:00:01Z", "from": sender})

    assert facts.sender == "Planner"
    assert facts.time is not None
    assert _collect({"from": {kind: {"id": "8ea0e38b"}}}).sender == "8ea0e38b"
