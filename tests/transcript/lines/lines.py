"""All printers of lines."""

from tests.transcript.records.enclosures import ENCLOSURES

from .formats import FORMATS
from .loggers import LOGGERS
from .printer import Printer, cases, misheard, misread

PRINTERS: tuple[Printer, ...] = LOGGERS + FORMATS + ENCLOSURES


def unread(printer: Printer) -> list[str]:
    """Return what is read wrongly of the messages that the printer prints, each with its case."""
    return [f"{case.name}: {wrong}" for case in cases(printer) if (wrong := misread(case))]


def unheard(printer: Printer) -> list[str]:
    """Return what is read wrongly of the facts that the printer prints, each with its case."""
    return [
        f"{case.name}: {wrong}"
        for case in cases(printer)
        if (wrong := misheard(case, printer.said))
    ]
