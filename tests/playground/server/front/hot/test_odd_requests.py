"""Odd requests that store packets are answered alike by the shortcut and by Django."""

import time
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tests.installation import running
from tests.playground.server.front.hot.odd import all_cases
from tests.playground.server.front.hot.odd.steps import Case
from tests.playground.server.front.hot.sending import Answer, Sender

CASES = list(all_cases())
LIMIT = 20.0
"""Seconds to wait for what is written after the answers."""
HERE = "tests.playground.server.front.hot"


class Outcome(NamedTuple):
    """What an installation answered to each case, stored, and wrote to the security log."""

    answers: dict[str, list[list[Answer]]]
    stored: list[tuple[object, ...]]
    security: list[dict[str, object]]


@pytest.fixture(scope="module")
def shortcut(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outcome]:
    with running(tmp_path_factory.mktemp("shortcut")) as installation:
        yield run(Sender(installation))


@pytest.fixture(scope="module")
def django(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outcome]:
    with running(
        tmp_path_factory.mktemp("django"), DJANGO_SETTINGS_MODULE=f"{HERE}.without_shortcut"
    ) as installation:
        yield run(Sender(installation))


def run(sender: Sender) -> Outcome:
    answers = dict(sender.run(CASES))
    until = time.monotonic() + LIMIT
    while sender.is_waiting() and time.monotonic() < until:
        time.sleep(0.2)
    return Outcome(answers, sender.stored(), sender.security())


def test_there_are_many_odd_requests_with_names_of_their_own() -> None:
    names = {case.name for case in CASES}

    assert len(names) == len(CASES) > 200


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_an_odd_request_gets_its_status(shortcut: Outcome, case: Case) -> None:
    statuses = tuple(sent[-1].status for sent in shortcut.answers[case.name])

    assert statuses == case.statuses, shortcut.answers[case.name]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_an_odd_request_gets_the_answer_of_django(
    shortcut: Outcome, django: Outcome, case: Case
) -> None:
    assert shortcut.answers[case.name] == django.answers[case.name]


def test_the_same_packets_are_stored(shortcut: Outcome, django: Outcome) -> None:
    assert len(shortcut.stored) > 200
    assert shortcut.stored == django.stored


def test_the_security_log_has_the_same_events(shortcut: Outcome, django: Outcome) -> None:
    assert shortcut.security == django.security
