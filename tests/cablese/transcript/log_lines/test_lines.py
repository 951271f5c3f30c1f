"""Every way to print a line gives the message back, and what the line says of it."""

import pytest

from tests.transcript.lines.lines import PRINTERS, unheard, unread
from tests.transcript.lines.printer import Printer, cases

BY_NAME = pytest.mark.parametrize("printer", PRINTERS, ids=lambda printer: printer.name)


def test_there_are_at_least_72_ways() -> None:
    assert len({printer.name for printer in PRINTERS}) == len(PRINTERS) >= 72


def test_each_prints_every_message_whole() -> None:
    for printer in PRINTERS:
        texts = [case.text for case in cases(printer)]
        assert len(texts) >= 12
        assert all(texts)


@BY_NAME
def test_it_ends_messages_where_they_end(printer: Printer) -> None:
    assert not unread(printer), unread(printer)


@BY_NAME
def test_it_reads_what_the_line_says(printer: Printer) -> None:
    assert not unheard(printer), unheard(printer)
