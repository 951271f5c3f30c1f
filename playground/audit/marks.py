"""What is wrong with a stored packet, or may be, as signs in every list of packets.

    ✖ invalid   ▲ warning   § sensitive data   ↯ injection   ↻ repeated   ⇄ flow

The first mark is the state of the packet, which every packet has. Those after it are of the stored
findings, one for each detector. Each has a title with the kinds that were found.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from auditlog.findings.finding import FAILED


class Mark(NamedTuple):
    """A sign in a list. ``name`` is its class, and ``title`` what it means here."""

    name: str
    sign: str
    title: str


VALID = Mark("valid", "●", "Valid")
WARNING = Mark("warning", "▲", "Valid, with warnings")
INVALID = Mark("invalid", "✖", "Invalid")
WAITING = Mark("waiting", "…", "Not checked yet")
DETECTED = {
    "sensitive": Mark("sensitive", "§", "Sensitive data"),
    "injection": Mark("injection", "↯", "Possible injection"),
    "repeated": Mark("repeated", "↻", "Repeated"),
    "flow": Mark("flow", "⇄", "Conversation flow"),
}
"""The mark of each detector, in the order of lists."""


def list_marks(
    *, valid: bool, diagnostics: str, findings: Iterable[Mapping[str, Any]] | None
) -> list[Mark]:
    """Return the marks of a packet. ``diagnostics`` are the stored ones, as JSON; ``findings`` is
    None until they are made.
    """
    state = find_state(valid=valid, diagnostics=diagnostics)
    return [state, WAITING] if findings is None else [state, *list_findings(findings)]


def find_state(*, valid: bool, diagnostics: str) -> Mark:
    """Return the mark that every packet has."""
    if not valid:
        return INVALID
    return WARNING if '"severity":"warning"' in diagnostics else VALID


def list_findings(findings: Iterable[Mapping[str, Any]]) -> list[Mark]:
    """Return one mark for each detector that found something."""
    return list(_detected(findings))


def _detected(findings: Iterable[Mapping[str, Any]]) -> Iterator[Mark]:
    codes: dict[str, dict[str, None]] = {}
    for finding in findings:
        codes.setdefault(finding["detector"], {})[finding["code"]] = None
    for detector in sorted(codes, key=_place):
        mark = DETECTED.get(detector, Mark("other", "◆", detector))
        kinds = [code for code in codes[detector] if code != FAILED]
        if kinds:
            yield mark._replace(title=f"{mark.title}: {', '.join(map(_words, kinds))}")
        else:
            yield mark._replace(sign="?", title=f"{mark.title}: the check failed")


def _place(detector: str) -> int:
    return [*DETECTED, detector].index(detector)


def _words(code: str) -> str:
    """Return the code of a finding in words: `accept of nothing` for `thread.accept-of-nothing`."""
    return code.rpartition(".")[2].replace("-", " ")
