import logging

import pytest

from playground.server.log_format import LogLine


def test_a_long_address_is_quoted_by_its_beginning() -> None:
    record = logging.LogRecord(
        "x", logging.ERROR, __file__, 1, "Invalid HTTP_HOST header: %r.", ("a" * 5000,), None
    )

    line = LogLine().format(record)

    assert len(line) < 400
    assert line.endswith("a…")


def test_a_short_message_is_written_whole() -> None:
    record = logging.LogRecord("x", logging.ERROR, __file__, 1, "It failed: %s", ("/save",), None)

    assert LogLine().format(record).endswith("ERROR x: It failed: /save")


@pytest.mark.parametrize("name", ["DisallowedHost", "TooManyFieldsSent", "csrf"])
def test_what_anybody_can_cause_is_written_by_none_and_not_left_to_python_which_writes_all_of_it(
    name: str,
) -> None:
    logger: logging.Logger | None = logging.getLogger(f"django.security.{name}")
    handlers: list[logging.Handler] = []
    while logger is not None:
        handlers += logger.handlers
        logger = logger.parent if logger.propagate else None

    ours = [
        type(handler) for handler in handlers if not type(handler).__module__.startswith("_pytest")
    ]
    assert ours == [logging.NullHandler]
