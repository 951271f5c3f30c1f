import logging

import pytest

from playground.logline import LogLine


def test_a_long_address_is_quoted_by_its_beginning() -> None:
    record = logging.LogRecord("x", logging.ERROR, __file__, 1, "Invalid HTTP_HOST header: %r.", ("a" * 5000,), None)

    line = LogLine().format(record)

    assert len(line) < 400
    assert line.endswith("a…")


def test_a_short_message_is_written_whole() -> None:
    record = logging.LogRecord("x", logging.ERROR, __file__, 1, "It failed: %s", ("/save",), None)

    assert LogLine().format(record).endswith("ERROR x: It failed: /save")


@pytest.mark.parametrize(
    "address",
    [
        "/stream/pad/epy5RukdwfwKHM9k2DMtTgkC/events",
        "/signin/MQ/diex7k-2028ff423923bc45c50087ef4943af8d",
        "/nlip/upload/W1:x_y-z.0123456789abcdef",
    ],
)
def test_a_step_of_an_address_that_may_be_a_key_is_not_written(address: str) -> None:
    words = ("Internal Server Error", address)
    record = logging.LogRecord("django.request", logging.ERROR, __file__, 1, "%s: %s", words, None)

    line = LogLine().format(record)

    assert max(address.split("/"), key=len) not in line
    assert f"Internal Server Error: /{address.split('/')[1]}/" in line


def test_that_there_is_no_room_now_is_no_failure() -> None:
    record = logging.LogRecord("django.request", logging.ERROR, __file__, 1, "Service Unavailable: /", (), None)

    assert logging.getLogger("django.request").filter(record)
    record.status_code = 503
    assert not logging.getLogger("django.request").filter(record)


@pytest.mark.parametrize("name", ["DisallowedHost", "TooManyFieldsSent", "csrf"])
def test_what_anybody_can_cause_is_written_by_none_and_not_left_to_python_which_writes_all_of_it(name: str) -> None:
    logger: logging.Logger | None = logging.getLogger(f"django.security.{name}")
    handlers: list[logging.Handler] = []
    while logger is not None:
        handlers += logger.handlers
        logger = logger.parent if logger.propagate else None

    ours = [type(handler) for handler in handlers if not type(handler).__module__.startswith("_pytest")]
    assert ours == [logging.NullHandler]
