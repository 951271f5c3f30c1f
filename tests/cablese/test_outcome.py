"""A failure stays one: in each translation, there and back, and in what each protocol calls it."""

from collections.abc import Iterator

import pytest

from cablese import registry
from cablese.message import Message
from cablese.outcome import STATUSES, judge
from cablese.translation.ledger import differences, same
from cablese.translation.translate import Translation, get_targets, translate, translate_text
from tests import fuzz
from tests.cablese.hostile import mutate, wires
from tests.cablese.translation.saying import speak

NAMES = registry.get_names()
TARGETS = [to for to in get_targets() if to.partition("/")[0] in NAMES]
PAIRS = pytest.mark.parametrize(
    ("name", "to"), [(name, to) for name in NAMES for to in TARGETS if to != name]
)
LATER = (
    '{"proto_ver":"1.0.0","msg_id":"m","ts":"2026-05-09T00:00:00Z","sender":"A","g":"A",'
    '"plan":[{"id":"s1","verb":"run","tool":"T","params":{}}],'
)
NOT_FOUND = '[{"Format":"error","Subformat":"code","Content":404}]'
FAILURES = (
    ("nslip", "INF/OBS|g=1,t=1,s=failed"),
    ("nslip", "INF/ERR|g=1,t=1"),
    ("nslip", "INF/ERR|g=1,s=done"),
    ("nslip", "EVL/EVL|g=1,sc=2,s=failed"),
    ("nslip", "QRY/ERR|g=1"),
    ("nslip", "REQ/TSK|g=1,s=FAILED"),
    ("aacp", "REPORT|HR|return:A|p:1|aacp:1.1|status:failed"),
    ("aacp", "REPORT|HR|return:A|p:1|aacp:1.1|status:Timed out"),
    ("tline", "T|17|E|obj=tests"),
    ("tline", "T|18|A|res=2_fail;err=timeout;next=retry_1"),
    ("slip", "SLIP v3 exec planner Error Timeout"),
    ("slip", "SLIP v3 critic exec Eval Error tests"),
    ("sacp", '{"g":"A","plan":[["run","T",{}]],"state":"FAILED"}'),
    ("sacp", '{"status":"ERR","code":"UNKNOWN_VERB","details":"Step 1: sing","reply_to":"m1"}'),
    ("sacp", LATER + '"state":"CANCELLED"}'),
    ("sacp", LATER + '"state":"FAILED","error":{"code":"TIMEOUT","message":"Too late"}}'),
    ("nlip", '{"Format":"error","Subformat":"text","Content":"No such page"}'),
    (
        "nlip",
        '{"Format":"text","Subformat":"English","Content":"Sorry.","Submessages":'
        + NOT_FOUND
        + "}",
    ),
)
"""One meaning in the words of each protocol."""
SUCCESSES = (
    ("nslip", "INF/OBS|g=1,t=1,s=done,!=slow_but_right"),
    ("aacp", "REPORT|ERR|return:A|p:1|aacp:1.1|status:done|issue:none"),
    ("slip", "SLIP v3 exec planner Inform Complete auth"),
    ("sacp", '{"g":"A","plan":[["run","T",{}]],"state":"DONE"}'),
)
NEITHER = (
    ("nslip", "INF/OBS|g=1"),
    ("nslip", "REJ/PLN|g=1,!=too_big"),
    ("nslip", "ACC/PLN|g=1"),
    ("aacp", "FLAG|LEGAL|return:A|p:1|aacp:1.1|issue:ip_rights"),
    ("slip", "SLIP v3 critic exec Eval NeedsWork tests"),
    ("tline", "T|2|A|res=pass"),
    ("nlip", '{"Format":"text","Subformat":"English","Content":"It failed to rain."}'),
    ("sacp", '{"status":"VALID","reply_to":"m1"}'),
)


def _spoilt(name: str) -> Iterator[Message]:
    random, whole = fuzz.dice(), wires(name)
    for _ in range(fuzz.many(60)):
        yield registry.get(name).decode(mutate(random.choice(whole), random))


def _all(name: str) -> Iterator[Message]:
    yield from (registry.get(name).decode(wire) for wire in wires(name))
    yield from _spoilt(name)
    yield from speak(name, fuzz.seed(), fuzz.many(90))


@fuzz.mark
@PAIRS
def test_a_translation_tells_what_became_of_it_as_its_message_does(name: str, to: str) -> None:
    """In an outcome, a status, and a result that its target knows."""
    checked = 0
    for message in _all(name):
        made = translate(message, to) if message.valid else None
        if made is None or made.wire is None:
            continue
        checked += 1
        target = registry.get(to.partition("/")[0]).decode(made.wire)
        _check_outcome(message, made, target)
        _check_status(message, target)
        _check_result(message, made, target)
    assert checked >= 30 or (name, to) == ("nlip", "slip")  # SLIP has no place for a text


def _check_outcome(message: Message, made: Translation, there: Message) -> None:
    """No failure becomes a success and no success a failure, nor does one come that was not there:
    there, and back.
    """
    codec, into = registry.get(message.protocol), registry.get(there.protocol)
    before, after = codec.outcome(message), into.outcome(there)
    assert (after == "failed") is (before == "failed"), (message.wire, made.wire)
    assert after is None or after == before, (message.wire, made.wire)
    assert made.back is not None
    if made.back.wire is not None:
        back = codec.outcome(codec.decode(made.back.wire, dialect=message.dialect))
        assert (back == "failed") is (before == "failed"), (
            message.wire,
            made.wire,
            made.back.wire,
        )
        assert back is None or back == before, (message.wire, made.wire, made.back.wire)


def _check_status(message: Message, there: Message) -> None:
    """Each status that is written is one that the target knows."""
    assert not [diagnostic.code for diagnostic in there.diagnostics if "stat" in diagnostic.code], (
        message.wire,
        there.wire,
    )
    into = registry.get(there.protocol)
    status = into.meaning(there).status
    assert status is None or status in into.statuses or status in STATUSES, (
        message.wire,
        there.wire,
    )


def _check_result(message: Message, made: Translation, there: Message) -> None:
    """No result is written that nobody gave."""
    codec, into = registry.get(message.protocol), registry.get(there.protocol)
    assert into.meaning(there).result in (None, codec.meaning(message).result), (
        message.wire,
        there.wire,
    )
    told = there.values.get("result")
    if told is not None and "result" not in message.values:
        assert told["outputs"] == {}
        assert "result" in [place.key.partition(".")[0] for place in made.added]


@fuzz.mark
@pytest.mark.parametrize("name", NAMES)
def test_a_failure_stays_one_through_many_protocols(name: str) -> None:
    random = fuzz.dice()
    for message in speak(name, fuzz.seed(), fuzz.many(50)):
        ended, now = registry.get(name).outcome(message), message
        for _ in range(4):
            to = random.choice(TARGETS)
            translation = translate(now, to)
            if translation.wire is not None:
                now = registry.get(to.partition("/")[0]).decode(translation.wire)
            outcome = registry.get(now.protocol).outcome(now)
            assert outcome == ended or (ended == "done" and outcome is None), (
                message.wire,
                now.wire,
            )


@pytest.mark.parametrize(("name", "wire"), FAILURES)
def test_one_meaning_is_a_failure_in_each_target(name: str, wire: str) -> None:
    assert registry.get(name).outcome(registry.get(name).decode(wire)) == "failed"
    for to in TARGETS:
        translation = translate_text(wire, to, protocol=name)
        if translation.wire is not None:
            into = registry.get(to.partition("/")[0])
            assert into.outcome(into.decode(translation.wire)) == "failed", (to, translation.wire)


@pytest.mark.parametrize(("name", "wire"), SUCCESSES)
def test_what_is_done_is_done_or_left_open_in_each_target(name: str, wire: str) -> None:
    assert registry.get(name).outcome(registry.get(name).decode(wire)) == "done"
    for to, done in (
        ("nslip", "done"),
        ("aacp", "done"),
        ("sacp", "done"),
        ("tline", None),
        ("nlip", None),
    ):
        if to != name:
            translation = translate_text(wire, to, protocol=name)
            assert translation.wire is not None
            assert registry.get(to).outcome(registry.get(to).decode(translation.wire)) == done, (
                translation.wire
            )


@pytest.mark.parametrize(("name", "wire"), NEITHER)
def test_what_is_neither_is_neither_in_each_target(name: str, wire: str) -> None:
    for to in (name, *TARGETS):
        translation = translate_text(wire, to, protocol=name)
        into = registry.get(to.partition("/")[0])
        assert into.outcome(into.decode(translation.wire or wire)) is None, (to, translation.wire)


def test_a_status_is_written_in_the_spelling_of_its_target() -> None:
    done = '{"g":"42","plan":[["run","T",{}]],"state":"DONE"}'
    failed = "INF/OBS|g=1,t=1,s=failed"

    assert "s=done" in str(translate_text(done, "nslip").wire)
    assert "status:done" in str(translate_text(done, "aacp").wire)
    assert '"state":"FAILED"' in str(translate_text(failed, "sacp").wire)
    assert '"state":"FAILED"' in str(translate_text(failed, "sacp/1.0").wire)
    assert "status:failed" in str(translate_text(failed, "aacp").wire)
    assert "err=failed" in str(translate_text(failed, "tline").wire)
    assert translate_text(failed, "slip").wire == "SLIP v3 unstated unstated Error OBS"
    assert str(translate_text(failed, "nlip").wire).startswith(
        '{"Format":"error","Subformat":"text"'
    )


def test_the_ledger_says_that_a_status_was_changed() -> None:
    translation = translate_text("INF/OBS|g=1,s=partial", "sacp")

    (row,) = [row for row in translation.ledger if row.term == "status"]
    assert (row.verdict, row.source.value) == ("approximated", "partial")
    assert row.target is not None
    assert row.target.value == "IN_PROGRESS"
    assert row.words.startswith('SACP has no status "partial". The closest is "IN_PROGRESS".')


def test_the_ledger_blames_a_failure_only_for_what_it_changed() -> None:
    asked, failed = "T|18|A|res=half;err=timeout", "INF/OBS|g=1,s=failed"

    act = {to: translate_text(asked, to).ledger[0].words for to in ("nslip", "sacp")}

    assert act["nslip"].startswith('nSLIP has no act "answer". The closest is "inform".')
    assert act["sacp"].startswith('The message reports a failure, so "answer" becomes "FAILED".')
    assert (
        translate_text(failed, "tline")
        .ledger[0]
        .words.startswith('T-line has no act "inform". The closest is "state".')
    )


def test_the_ledger_says_that_a_failure_stands_over_another_status() -> None:
    translation = translate_text("INF/ERR|g=1,s=done", "sacp")

    (row,) = [row for row in translation.ledger if row.term == "status"]
    assert row.words.startswith('The message reports a failure, so "done" becomes "FAILED".')


def test_what_comes_back_through_private_fields_alone_says_so() -> None:
    through = translate_text("INF/OBS|g=1,t=2", "sacp").back
    without = translate_text("FETCH|HR|return:A|aacp:1.1", "slip").back

    assert through is not None
    assert through.private == ("ctx.x-cablese.topic", "ctx.x-cablese.task")
    assert without is not None
    assert without.private == ()


@pytest.mark.parametrize(
    "text", ["failed", "FAILED", "Timed out", "timed-out", " error ", "cancelled", "canceled"]
)
def test_other_words_for_a_failure_are_read(text: str) -> None:
    assert judge(text) == "failed"


@pytest.mark.parametrize(
    "text", [None, "", "payment_failed_over", "not_done", "approved", "undone", "in_progress"]
)
def test_nothing_is_guessed_from_a_part_of_a_word(text: str | None) -> None:
    assert judge(text) is None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (1, True),
        (0, False),
        (1, 1.0),
        ([1], [True]),
        ({"a": [0]}, {"a": [False]}),
        ([{"n": 1}], [{"n": 1.0}]),
    ],
)
def test_a_value_of_another_type_is_another_value(before: object, after: object) -> None:
    assert not same(before, after)
    assert [difference.key for difference in differences({"params": before}, {"params": after})][
        :1
    ] in (
        ["params"],
        ["params.a"],
    )


def test_a_status_in_a_private_field_that_is_none_is_a_value_like_others() -> None:
    said = registry.get("nslip").state(
        registry.get("nslip").decode("INF/OBS|x-cablese-status=perfect")
    )

    assert said.meaning.status is None
    assert said.extras == {"nslip.x-cablese-status": "perfect"}
