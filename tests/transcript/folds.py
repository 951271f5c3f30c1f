"""Packets of AACP that are folded over lines, each line with the prefix of its carrier."""

from collections.abc import Callable, Iterator
from itertools import pairwise

from msgspec import Struct

from cablese import detection
from cablese.transcript import split

from .messages import MESSAGES

FIELDS = MESSAGES["aacp"][0].split("|")
WHOLE = "|".join(FIELDS)
NEXT = MESSAGES["nslip"][0]
PLACES = ((5,), (6,), (3, 5), (2, 4, 6))
"""After how many fields the packet is folded."""


class Fold(Struct, frozen=True):
    """A way to print a line of a folded packet; ``print`` takes the line and its number."""

    name: str
    print: Callable[[str, int], str]
    leading: bool = False
    """The bar begins the next line, and does not end the line before."""


def behind(prefix: str) -> Callable[[str, int], str]:
    return lambda line, _: prefix + line


def after_the_first(prefix: str, other: str) -> Callable[[str, int], str]:
    return lambda line, n: (other if n else prefix) + line


FOLDS: tuple[Fold, ...] = (
    Fold("bare", behind("")),
    Fold("bar first", behind(""), leading=True),
    Fold("indented", after_the_first("", "    ")),
    Fold("quoted", behind("> ")),
    Fold("quoted twice", behind(">> ")),
    Fold("diff", behind("+")),
    Fold("diff, spaced", behind("+ ")),
    Fold("comment", behind("# ")),
    Fold("log line", behind("2026-11-20T10:00:01Z INFO planner: ")),
    Fold("log line, bar first", behind("2026-11-20T10:00:01Z INFO planner: "), leading=True),
    Fold(
        "log line, later times",
        lambda line, n: f"2026-11-20 10:00:0{n},125 - planner - INFO - {line}",
    ),
    Fold(
        "log line with parties",
        lambda line, n: f"2026-11-20T10:00:0{n}Z INFO bus planner -> executor {line}",
    ),
    Fold("basicConfig", behind("INFO:planner:")),
    Fold("speaker", behind("planner: ")),
    Fold("speaker once", after_the_first("planner: ", "")),
    Fold("speaker once, aligned", after_the_first("planner: ", "         ")),
    Fold("docker compose", behind("planner-1  | ")),
    Fold("docker logs -t", lambda line, n: f"2026-11-20T10:00:01.12500{n}000Z {line}"),
    Fold("syslog", behind("<34>Nov 20 10:00:01 bus01 planner[7]: ")),
    Fold("klog", behind("I1120 10:00:01.125000       1 bus.go:12] ")),
)


def texts(fold: Fold) -> Iterator[str]:
    """Yield the packet folded in each place, a packet after it."""
    for places in PLACES:
        lines = _folded(places, leading=fold.leading)
        yield "\n".join(
            [*(fold.print(line, n) for n, line in enumerate(lines)), fold.print(NEXT, len(lines))]
        )


def _folded(places: tuple[int, ...], *, leading: bool) -> list[str]:
    """Return the lines of the packet, broken before those fields."""
    edges = (0, *places, len(FIELDS))
    lines = ["|".join(FIELDS[a:b]) for a, b in pairwise(edges)]
    last = len(lines) - 1
    return [
        ("|" if leading and n else "") + line + ("|" if not leading and n < last else "")
        for n, line in enumerate(lines)
    ]


def unfolded(fold: Fold) -> list[str]:
    """Return the texts in which the packet is not whole, with what is read."""
    expected = detection.decode(WHOLE).values
    wrong = []
    for text in texts(fold):
        cuts = split(text).messages
        if [detection.decode(cut.wire, cut.protocol).values for cut in cuts[:1]] != [
            expected
        ] or len(cuts) != 2:
            wrong.append(f"{[cut.wire for cut in cuts]!r} in {text!r}")
        elif cuts[1].wire != NEXT:
            wrong.append(f"the next one is {cuts[1].wire!r}")
    return wrong
