"""Splitting a log of 100,000 lines from five loggers, of which 1,000 are messages (see `logfile`).

Exactly those are found, each with the time and the parties that its line states, or the benchmark
fails. Its time is shown beside that of a `grep -c` with an alternation that a person would use, and
the time of a line in a tenth of the log: both are to be the same, whatever the length.
"""

import re
import subprocess
import tempfile
from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path

from cablese.transcript import Cut, split
from tests.benchmarks.line import Line, faster, interleaved, timed
from tests.benchmarks.logfile import Logfile, Sent, write

LINES = 100_000
TENTH = LINES // 10
ROUNDS = 5
APART = 1.2
"""How much more a line may cost in the long log than in the short one."""
GREP = (
    r"(REQ|PRO|INF|EVL|ACC|REJ|QRY|CFM)/[A-Z]{3}\||SLIP v3 |aacp:1|\\?\"plan\\?\":|"
    r"\\?\"[Ff]ormat\\?\":|T\|[0-9]+\|[QACSE]\|"
)
SHOWN = 5
YEARLESS = 1900


def measure() -> Iterator[Line]:
    log, short = write(LINES), write(TENTH)
    with tempfile.TemporaryDirectory(prefix="cablese-bench-") as folder:
        path = Path(folder) / "log.txt"
        path.write_text(log.text)
        yield from speed(log, short, path)
    yield from exactness(log)


def speed(log: Logfile, short: Logfile, path: Path) -> Iterator[Line]:
    def tenths() -> None:
        split(short.text)

    def grep() -> None:
        # Its output is read: what grep writes to nowhere it does not count.
        answer = subprocess.run(
            ["grep", "-c", "-E", GREP, str(path)], capture_output=True, check=True
        )
        assert int(answer.stdout) >= len(log.sent)

    sides = timed(lambda: split(log.text)), timed(tenths), timed(grep)
    whole, tenth, grepped = interleaved(*sides, rounds=ROUNDS)
    yield faster(f"split a log of {LINES:,} lines, against grep -c", ours=whole, baseline=grepped)
    yield faster(
        f"split a log, a line of {LINES:,}, against one of {TENTH:,}",
        ours=whole / LINES,
        baseline=tenth / TENTH,
        target=round(1 / APART, 2),
    )


def exactness(log: Logfile) -> Iterator[Line]:
    """What was found of the log, as figures. Raises AssertionError with the first differences."""
    found, extra, missing = matched(log, split(log.text).messages)
    timely = [(one, cut) for one, cut in found if states_time(one, cut)]
    told = [(one, cut) for one, cut in found if states_parties(one, cut)]
    for what, count in (
        ("found", found),
        ("found with their time", timely),
        ("found with their parties", told),
    ):
        yield counted(f"log, messages {what}", len(count), len(log.sent))
    yield Line(what="log, messages missing", ours=f"{len(missing):,}", baseline="0")
    yield Line(what="log, found that are no messages", ours=f"{len(extra):,}", baseline="0")
    wrong = [
        *(f"missing: {one.wire!r} in {log.text[one.start : one.end]!r}" for one in missing[:SHOWN]),
        *(f"extra: {cut.protocol} {cut.wire!r}" for cut in extra[:SHOWN]),
        *(f"time: {differing(log, *pair)}" for pair in found if pair not in timely),
        *(f"parties: {differing(log, *pair)}" for pair in found if pair not in told),
    ]
    assert not wrong, "\n".join(("The log was not read exactly:", *wrong[: 4 * SHOWN]))


def counted(what: str, count: int, due: int) -> Line:
    return Line(what=what, ours=f"{count:,}", baseline=f"{due:,}", ratio=count / due, target=1)


def matched(
    log: Logfile, cuts: tuple[Cut, ...]
) -> tuple[list[tuple[Sent, Cut]], list[Cut], list[Sent]]:
    """Messages that were found as they were sent, cuts that were not sent, and messages not
    found.
    """
    starts = [one.start for one in log.sent]
    found: list[tuple[Sent, Cut]] = []
    extra: list[Cut] = []
    missing = dict.fromkeys(log.sent)
    for cut in cuts:
        at = bisect_right(starts, cut.span.start) - 1
        one = log.sent[max(at, 0)]
        same = (cut.protocol, cut.wire) == (one.protocol, one.wire)
        if same and one in missing and one.start <= cut.span.start <= cut.span.end <= one.end:
            del missing[one]
            found.append((one, cut))
        else:
            extra.append(cut)
    return found, extra, list(missing)


def states_time(one: Sent, cut: Cut) -> bool:
    """True when the cut has the time of its line: naive where that has no zone, and no year if
    none.
    """
    time = cut.facts.time
    if one.time is None or time is None:
        return one.time is None and time is None
    has_year = one.time.year != YEARLESS
    moment = time.moment if has_year else time.moment.replace(year=YEARLESS)
    return (time.has_year, moment.tzinfo is None) == (
        has_year,
        one.time.tzinfo is None,
    ) and moment == one.time


def states_parties(one: Sent, cut: Cut) -> bool:
    return parties(cut) == (one.sender, one.recipient)


def parties(cut: Cut) -> tuple[str | None, str | None]:
    return cut.facts.sender, cut.facts.recipient


def differing(log: Logfile, one: Sent, cut: Cut) -> str:
    line = re.sub(r"\s+", " ", log.text[one.start : one.end])
    time = cut.facts.time and cut.facts.time.moment.isoformat()
    expected = (one.time and one.time.isoformat(), one.sender, one.recipient)
    return f"{line!r}\n  expected {expected}, found {(time, *parties(cut))}"
