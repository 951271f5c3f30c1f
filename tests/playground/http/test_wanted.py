from collections.abc import Callable

import pytest

from playground.autopilot import traffic
from playground.http import wanted
from playground.http.wanted import Unwanted
from playground.nlip.server_agent import Upload, take_upload
from playground.rest.text import decode_text
from playground.workbench.document import Reading
from playground.workbench.redaction import Redaction


def test_outside_of_a_request_everything_is_wanted() -> None:
    assert list(wanted.while_wanted("abc")) == ["a", "b", "c"]


def test_work_stops_when_nobody_waits_for_it() -> None:
    done: list[str] = []

    def take(name: str) -> None:
        done.append(name)

    with wanted.asking(lambda: len(done) < 2), pytest.raises(Unwanted):
        list(map(take, wanted.while_wanted("abc")))

    assert done == ["a", "b"]
    wanted.check()


@pytest.mark.parametrize(
    "read",
    [
        pytest.param(
            lambda text: Reading(text, protocol=None, tokenizer="o200k_base"), id="the workbench"
        ),
        pytest.param(lambda text: decode_text(text, "auto", None), id="the API"),
        pytest.param(lambda text: traffic.of_text(text, None), id="the autopilot"),
        pytest.param(lambda text: Redaction(text, protocol=None), id="a redaction"),
        pytest.param(
            lambda text: take_upload(Upload("a", "c", None), text.encode()), id="an upload"
        ),
    ],
)
def test_a_text_is_split_no_further_when_its_client_is_gone(read: Callable[[str], object]) -> None:
    asked = 0

    def is_wanted() -> bool:
        nonlocal asked
        asked += 1
        return asked < 10

    with wanted.asking(is_wanted), pytest.raises(Unwanted):
        read("no message\n" * 1_000)

    assert asked == 10
