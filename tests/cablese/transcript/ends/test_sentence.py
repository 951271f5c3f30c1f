"""A line that is about a message goes on with who sent it, what came of it, or where."""

import pytest

from cablese.transcript import Cut, split
from tests.growth import assert_linear

TAG = "REQ/TSK|g=42,t=1,p=2,@=auth_refactor"
PLAIN = "REQ/TSK|g=42,t=1"
AACP = "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|res:emp_salary"
OPEN = "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|content:note"
TURN = "T|17|Q|obj=test_scope"
WIRES = (TAG, PLAIN, AACP, TURN)
REASON = "REJ/PLN|g=42,t=1,!=late"


def _one(text: str) -> Cut:
    (cut,) = split(text).messages
    return cut


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(
    "line",
    [
        "Sent «» from planner to executor",
        "«» from planner to executor",
        "2026-11-20T10:00:01Z INFO Sent «» from planner to executor",
        "INFO sent «» to executor from planner",
        "forwarded «» from planner to executor.",
        "Routing «» from planner to executor (12ms)",
        "Sent '«»' from planner to executor",
        "failed to deliver «» from planner to executor: timeout",
    ],
)
def test_it_names_both_parties(wire: str, line: str) -> None:
    cut = _one(line.replace("«»", wire))

    assert cut.wire == wire
    assert (cut.facts.sender, cut.facts.recipient) == ("planner", "executor")


@pytest.mark.parametrize("wire", [REASON, OPEN, f"{REASON} and too big"])
def test_it_names_them_after_a_reason_where_a_verb_announces_them(wire: str) -> None:
    cut = _one(f"bus: sent {wire} from planner to executor")

    assert cut.wire == wire
    assert (cut.facts.sender, cut.facts.recipient) == ("planner", "executor")


@pytest.mark.parametrize(
    "wire",
    [
        f"{REASON} from planner to executor",
        f"{OPEN} from planner to executor",
        "REJ/PLN|g=42,t=1,!=moved from staging to prod",
        "REQ/TSK|g=42,t=1,@=migrate from staging to prod",
        "REQ/TSK|g=42,t=1,@=auth from pending to running",
    ],
)
def test_a_value_may_say_from_where_something_goes(wire: str) -> None:
    for text in (wire, f"INFO bus: {wire}", f'{{"msg":"{wire}"}}'):
        cut = _one(text)

        assert cut.wire == wire
        assert cut.facts.recipient is None


def test_other_things_that_go_are_no_message() -> None:
    cut = _one(f"moved '{PLAIN}' from inbox to archive")

    assert (cut.facts.sender, cut.facts.recipient) == (None, None)


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(
    "line",
    [
        "failed to deliver «»: connection refused (attempt 3)",
        "WARN dropped «»: timeout",
        "2026-11-20T10:00:01Z ERROR bus: cannot send «»: dial tcp 10.0.0.1:80: refused",
        "«»: timeout",
        "«» : timeout",
        "failed to send «»: [Errno 111] Connection refused",
        "failed to send «»: <class 'TimeoutError'>",
        "failed to send «»: 'timeout'",
        "INFO «» - ok",
        "INFO «» – ok",
        "message «» has been sent",
        "The message «» was lost on its way",
        "INFO «» at 10:00:01",
        "INFO «» @ 2026-11-20T10:00:01.125Z",
        "INFO «» took 12 ms",
        "INFO «» 12ms ok",
        "INFO «» OK",
        "INFO «» ✓",
        "INFO «» ✅ done",
        "INFO «» by planner",
        "INFO «» via bus",
        "Received message: «» from topic bus",
    ],
)
def test_what_came_of_it_is_no_part_of_it(wire: str, line: str) -> None:
    assert _one(line.replace("«»", wire)).wire == wire


@pytest.mark.parametrize("wire", [REASON, OPEN])
@pytest.mark.parametrize(
    "before", ["failed to deliver", "WARN dropped", "cannot send the message", "error sending"]
)
def test_a_line_about_a_failure_tells_why(wire: str, before: str) -> None:
    assert _one(f"{before} {wire}: timeout").wire == wire


@pytest.mark.parametrize("wire", [REASON, f"{REASON} and too big", f"{OPEN} of the week"])
@pytest.mark.parametrize(
    "before",
    ["could not deliver", "ERROR timeout sending", "giving up on", "send error:", "retrying"],
)
@pytest.mark.parametrize(
    "error",
    [
        "timeout",
        "connection timeout",
        "request timed out after 5 s",
        "connection refused (attempt 3)",
        "[Errno 111] Connection refused",
        "ECONNREFUSED",
        "ConnectionResetError: [Errno 104] Connection reset by peer",
        "read tcp 10.0.0.2:5124->10.0.0.1:80: i/o timeout",
        "dial tcp 10.0.0.1:80: connect: connection refused",
        "dial tcp: lookup bus on 10.0.0.3:53: no such host",
        'Post "http://bus/send": context deadline exceeded',
        "broken pipe",
        "unexpected EOF",
    ],
)
def test_an_error_of_a_system_ends_a_reason_of_words(error: str, before: str, wire: str) -> None:
    assert _one(f"2026-11-20 10:00:01 {before} {wire}: {error}").wire == wire


@pytest.mark.parametrize(
    "text",
    [
        "INFO bus: REJ/PLN|g=42,t=1,!=the db is down: connection refused",
        "could not deliver REJ/PLN|g=42,t=1,!=plan is late: timeout is too short",
        "could not deliver REJ/PLN|g=42,t=1,!=plan is late: else it is fine",
        "REQ/TSK|g=42,t=1,@=db migration: timeout",
    ],
)
def test_a_reason_of_words_may_have_such_an_error(text: str) -> None:
    assert text.endswith(_one(text).wire)


@pytest.mark.parametrize(
    "wire",
    [
        f"{REASON}: see the plan",
        f"{OPEN}: see below",
        f"{OPEN} - see below",
        f"{REASON} and big: see the plan",
        f"{OPEN} has been sent",
        f"{OPEN} at 10:00",
        f"{OPEN} by bob",
        "REJ/PLN|g=42,t=1,!=build ✅ done",
        "REJ/PLN|g=42,t=1,!=late by bob",
        "REJ/PLN|g=42,t=1,!=the plan was rejected",
        "REQ/TSK|g=42,t=1,@=a: b,p=2",
        f"{OPEN}: see below|fmt:json",
        "REQ/TSK|g=42, t=1",
        "T|17|Q|obj=a; ctx=b",
    ],
)
def test_a_value_may_have_such_words(wire: str) -> None:
    for text in (wire, f"INFO bus: {wire}", f"ERROR {wire}", f"10:00:01 ERROR {wire}"):
        assert _one(text).wire == wire


def test_a_failure_does_not_end_a_reason_of_words() -> None:
    wire = "REJ/PLN|g=42,t=1,!=plan is too big: split it"

    assert _one(f"failed to deliver {wire}").wire == wire


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(
    "place",
    [
        " bus.py:18",
        " at bus.py:18",
        " @ src/bus.go:18",
        "   bus.py:send:18",
        "   planner:18",
        "  <bus.py:18>",
    ],
)
def test_the_place_in_the_program_is_no_part_of_it(wire: str, place: str) -> None:
    assert _one(f"INFO {wire}{place}").wire == wire


def test_a_value_may_be_a_place() -> None:
    for wire in ("INF/OBS|g=1,!=fails in bus.py:42", "INF/OBS|g=1,!=bus.py:42", f"{OPEN} bus.py:4"):
        assert _one(f"INFO {wire}").wire == wire


@pytest.mark.parametrize(
    "unit",
    [": a", " from a to", " bus.py:1", " - b", ": ", " to a from b", ": get a.b", ": dial tcp"],
)
def test_many_such_words_take_time_in_proportion(unit: str) -> None:
    assert_linear(lambda size: split(f"INFO {TAG}{unit * (size // len(unit))}"), 20_000)


def test_many_messages_on_a_line_take_time_in_proportion() -> None:
    assert_linear(lambda size: split("-> REQ/TSK| " * (size // 12)), 20_000)


@pytest.mark.parametrize("mark", ["//", "/*", "#", "--"])
def test_a_comment_begins_before_its_words(mark: str) -> None:
    for wire in (TAG, PLAIN, TURN):
        assert _one(f"{wire} {mark} sent").wire == wire


def test_the_words_of_a_value_may_have_a_slash() -> None:
    wire = "INF/OBS|g=42,t=1,@=read a/b sent"

    assert _one(wire).wire == wire
