"""Half of the threads go on answering, however many bodies are awaited that anybody may send."""

from collections.abc import Callable, Iterable
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import pytest

from playground.waiting import with_limit

FORM = {"PATH_INFO": "/reading", "CONTENT_LENGTH": "9"}
CHUNKED = {"PATH_INFO": "/api/v1/packets/batch", "HTTP_TRANSFER_ENCODING": "chunked"}
KEYED = {"PATH_INFO": "/api/v1/packets", "CONTENT_LENGTH": "9"}
PAGE = {"PATH_INFO": "/"}


def statuses(*requests: WSGIEnvironment) -> list[str]:
    """What each request is answered when it comes while all before it are still being answered."""
    found: list[str] = []
    waiting = iter(requests)

    def application(_environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        following = next(waiting, None)
        if following is not None:
            limited(following, start)
        start_response("200 OK", [])
        return []

    def start(status: str, *_: object) -> Callable[[bytes], object]:
        found.append(status[:3])
        return len

    limited: WSGIApplication = with_limit(application, threads=4)
    limited(next(waiting), start)
    return found


@pytest.mark.parametrize("slow", [FORM, CHUNKED])
def test_a_body_too_many_is_refused(slow: WSGIEnvironment) -> None:
    assert statuses(slow, slow, slow) == ["503", "200", "200"]


@pytest.mark.parametrize("other", [PAGE, KEYED])
def test_everything_else_is_still_answered(other: WSGIEnvironment) -> None:
    assert statuses(FORM, CHUNKED, other, other, other) == ["200"] * 5


def test_a_place_is_given_back() -> None:
    assert statuses(FORM, FORM) + statuses(FORM, FORM) == ["200"] * 4
