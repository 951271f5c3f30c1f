"""Drafts made without a database: nothing here may use one."""

from datetime import UTC, datetime

from auditlog.ingest.item import Item, Refusal
from auditlog.log import draft
from auditlog.log.draft import Draft, Submission
from auditlog.sender import Sender

NOW = datetime(2026, 11, 20, 10, 0, 1, tzinfo=UTC)
LOGS = {"default": 1, "lab": 7}
HR = Sender(3, "hr-bot", key_id="hr")
LAB = Sender(4, "lab-bot", key_id="lab", log="lab")
VALID, INVALID = Item(wire="REQ/TSK|g=42,t=1,p=2"), Item(wire="REQ/TSK|g=")


def test_a_group_answers_each_request_for_its_sender() -> None:
    group = [Submission([VALID, INVALID], HR), Submission([], HR), Submission([VALID], LAB)]

    first, second, third = draft.make_group(group, received=NOW, logs=LOGS)

    assert [(one.log_id, one.source_id, one.key_id, one.valid) for one in drafts(first)] == [
        (1, 3, "hr", True),
        (1, 3, "hr", False),
    ]
    assert second == []
    assert [(one.log_id, one.source_id, one.key_id, one.valid) for one in drafts(third)] == [
        (7, 4, "lab", True)
    ]
    assert "!src=hr-bot" in drafts(first)[0].terms.tokens
    assert "!src=lab-bot" in drafts(third)[0].terms.tokens


def test_only_a_strict_request_of_a_group_refuses_what_is_invalid() -> None:
    group = [Submission([INVALID], HR), Submission([INVALID], HR, strict=True)]

    lenient, strict = draft.make_group(group, received=NOW, logs=LOGS)

    assert isinstance(lenient[0], Draft)
    assert isinstance(strict[0], Refusal)


def test_a_refusal_keeps_its_place_among_drafts() -> None:
    refused = Refusal(422, "No.", "/wire")
    elsewhere = Item(wire="x", log="nowhere", event_id="e-1")

    made = draft.make(Submission([refused, VALID, elsewhere], HR), received=NOW, logs=LOGS)

    assert made[0] is refused
    assert isinstance(made[1], Draft)
    assert made[2] == Refusal(422, 'Unknown log "nowhere".', "/log", "e-1")


def test_a_submission_names_the_logs_of_its_items_and_its_key() -> None:
    items: list[Item | Refusal] = [VALID, Item(wire="x", log="lab"), Refusal(422, "No.", "")]

    assert Submission(items, HR).logs == {"default", "lab"}
    assert Submission([VALID], LAB).logs == {"lab"}


def drafts(made: list[Draft | Refusal]) -> list[Draft]:
    return [one for one in made if isinstance(one, Draft)]
