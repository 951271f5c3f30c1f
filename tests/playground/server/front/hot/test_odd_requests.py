"""Odd requests that store packets, sent to a running server."""

from collections.abc import Iterator

import pytest

from tests.installation import running
from tests.playground.server.front.hot.odd import all_cases
from tests.playground.server.front.hot.odd.steps import Case
from tests.playground.server.front.hot.sending import Answer, Sender

CASES = list(all_cases())
INTERIM = 100
Answers = dict[str, list[list[Answer]]]


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Answers]:
    with running(tmp_path_factory.mktemp("odd")) as installation:
        yield dict(Sender(installation).run(CASES))


def test_there_are_many_odd_requests_with_names_of_their_own() -> None:
    names = {case.name for case in CASES}

    assert len(names) == len(CASES) > 200


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_an_odd_request_gets_its_status(answers: Answers, case: Case) -> None:
    statuses = tuple(sent[-1].status for sent in answers[case.name])

    assert statuses == case.statuses, answers[case.name]
