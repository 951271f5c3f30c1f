"""What a verification found, for people, programs, and the shell."""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

VERIFIED, FAILED, UNUSABLE, WARNED = 0, 1, 2, 3
"""Exit codes. They do not change."""
SHOWN = 100
"""Failures that are listed; the others are counted."""
WORDS = {
    VERIFIED: "Verified",
    FAILED: "FAILED",
    UNUSABLE: "Unusable",
    WARNED: "Verified with warnings",
}


class Unusable(Exception):
    """What was given cannot be verified at all. The words say why."""


class Failure(NamedTuple):
    """Something that is not as it was signed, and where."""

    place: str
    text: str


@dataclass
class Report:
    """What was verified, what that shows, and what is wrong."""

    subject: str
    facts: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    more: int = 0
    """Failures that are not listed."""

    def fail(self, place: str, text: str) -> None:
        if len(self.failures) < SHOWN:
            self.failures.append(Failure(place, text))
        else:
            self.more += 1

    @property
    def code(self) -> int:
        if self.failures or self.more:
            return FAILED
        return WARNED if self.warnings else VERIFIED


def run(
    parser: argparse.ArgumentParser,
    verify: Callable[[argparse.Namespace], Report],
    words: Sequence[str] | None,
) -> int:
    """Run a command, which has `--json` too, print its report, and return the exit code."""
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    given = parser.parse_args(words)
    try:
        report = verify(given)
    except Unusable as error:
        sys.stdout.write(format_unusable(error, as_json=given.json))
        return UNUSABLE
    sys.stdout.write(format_json(report) if given.json else format_report(report))
    return report.code


def format_report(report: Report) -> str:
    """Return the lines for people. The first has the answer."""
    lines = [f"{WORDS[report.code]}: {report.subject}"]
    lines += [f"  {fact}" for fact in report.facts if report.code != FAILED]
    lines += [f"  Failed: {failure.place}: {failure.text}" for failure in report.failures]
    if report.more:
        lines.append(f"  {report.more:,} more failures are not listed.")
    lines += [f"  Warning: {warning}" for warning in report.warnings]
    return "\n".join(map(_printable, lines)) + "\n"


def format_json(report: Report) -> str:
    """Return the same as one line of JSON."""
    return _to_json(
        result=WORDS[report.code].lower(),
        code=report.code,
        subject=report.subject,
        facts=report.facts,
        warnings=report.warnings,
        failures=[failure._asdict() for failure in report.failures],
        more=report.more,
    )


def format_unusable(error: Unusable, *, as_json: bool) -> str:
    if as_json:
        return _to_json(result=WORDS[UNUSABLE].lower(), code=UNUSABLE, reason=str(error))
    return _printable(f"{WORDS[UNUSABLE]}: {error}") + "\n"


def _to_json(**members: object) -> str:
    return json.dumps(members) + "\n"


def _printable(line: str) -> str:
    """Return a line without what could steer a terminal: files of strangers are quoted in it.

    ``cablese.text.clean`` does the same, and needs more than the standard library.
    """
    return "".join(one if one.isprintable() else "\N{REPLACEMENT CHARACTER}" for one in line)
