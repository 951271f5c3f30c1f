"""Every output of a tool, a database, or a debugger gives the message back, and what it
says of it.
"""

import pytest

from tests.transcript.lines.lines import PRINTERS, unheard, unread
from tests.transcript.lines.printer import Printer
from tests.transcript.outputs import OUTPUTS

BY_NAME = pytest.mark.parametrize("printer", OUTPUTS, ids=lambda printer: printer.name)


def test_no_name_is_of_two_printers() -> None:
    names = [printer.name for printer in (*PRINTERS, *OUTPUTS)]
    assert len(set(names)) == len(names)


@BY_NAME
def test_it_ends_messages_where_they_end(printer: Printer) -> None:
    assert not unread(printer), unread(printer)


@BY_NAME
def test_it_reads_what_the_output_says(printer: Printer) -> None:
    assert not unheard(printer), unheard(printer)
