import logging

from playground.logline import LogLine


def test_a_long_address_is_quoted_by_its_beginning() -> None:
    record = logging.LogRecord("x", logging.ERROR, __file__, 1, "Invalid HTTP_HOST header: %r.", ("a" * 5000,), None)

    line = LogLine().format(record)

    assert len(line) < 400
    assert line.endswith("a…")


def test_a_short_message_is_written_whole() -> None:
    record = logging.LogRecord("x", logging.ERROR, __file__, 1, "It failed: %s", ("/save",), None)

    assert LogLine().format(record).endswith("ERROR x: It failed: /save")
