"""Messages that are cut off, between neighbors that are not: each costs its own record and
no more.
"""

from collections.abc import Iterator

from msgspec import Struct

from cablese import detection
from cablese.transcript import split

from .lines.printer import is_same
from .messages import MESSAGES, indent

PREFIX = "2026-11-20T10:00:01Z INFO planner: "
LATER = "2026-11-20T10:00:02Z INFO planner: "
NSLIP, SLIP, AACP, SACP, NLIP, TLINE = (
    MESSAGES[name][0] for name in ("nslip", "slip", "aacp", "sacp", "nlip", "tline")
)
QUOTING = '{"Format":"text","Subformat":"English","Content":"C:\\\\tmp\\\\a and \\"so\\" on"}'


class Neighbor(Struct, frozen=True):
    """What stands before or after: its text, and the messages in it."""

    name: str
    text: str
    wires: tuple[str, ...]


NEIGHBORS: tuple[Neighbor, ...] = (
    Neighbor("nSLIP", NSLIP, (NSLIP,)),
    Neighbor("SLIP", SLIP, (SLIP,)),
    Neighbor("AACP", AACP, (AACP,)),
    Neighbor("T-line", TLINE, (TLINE,)),
    Neighbor("SACP", SACP, (SACP,)),
    Neighbor("NLIP", NLIP, (NLIP,)),
    Neighbor("SACP indented", indent(SACP), (indent(SACP),)),
    Neighbor("a log line with a message", LATER + NSLIP, (NSLIP,)),
    Neighbor("a log line with an object", LATER + SACP, (SACP,)),
    Neighbor("a line of basicConfig", f"INFO:planner:{AACP}", (AACP,)),
    Neighbor("a speaker", f"planner: {TLINE}", (TLINE,)),
    Neighbor("a log line without a message", LATER + "waiting for an answer", ()),
    Neighbor("prose", "Then the planner waited for an answer.", ()),
    Neighbor("a record", '{"level":"info","msg":"REQ/TSK|g=42,t=1"}', ("REQ/TSK|g=42,t=1",)),
    Neighbor("an empty line", "\n" + NSLIP, (NSLIP,)),
    Neighbor("the end", "", ()),
)


class Damage(Struct, frozen=True):
    """A cut-off message, and whether it must be a record of its own and invalid.

    ``carries``: it is a wrapper, of which a part may be a record.
    """

    wire: str
    prefix: str = ""
    counted: bool = True
    invalid: bool = True
    carries: bool = False


class Spoilt(Struct, frozen=True):
    """Every damage of one kind before one neighbor."""

    name: str
    damages: tuple[Damage, ...]
    after: Neighbor


def _cuts(wire: str, *, prefix: str = "", start: int = 24, step: int = 3) -> Iterator[Damage]:
    """Cut a JSON message in keys, in values, between them, and after each backslash."""
    places = {
        *range(start, len(wire), step),
        *(at + 1 for at, char in enumerate(wire) if char == "\\"),
    }
    for at in sorted(place for place in places if start <= place):
        yield Damage(wire[:at].rstrip(), prefix, counted=at > 0.6 * len(wire))


def _lines(wire: str) -> Iterator[Damage]:
    """Cut an indented JSON message after each of its lines."""
    lines = indent(wire).split("\n")
    for n in range(2, len(lines)):
        yield Damage("\n".join(lines[:n]), counted=n > 0.6 * len(lines))


def _records(wire: str) -> Iterator[Damage]:
    """Cut a wrapper anywhere: what it carries may be found or not."""
    for at in range(2, len(wire), 4):
        yield Damage(wire[:at].rstrip(), counted=False, invalid=False, carries=True)


LINE_CUTS: tuple[Damage, ...] = (
    Damage("FETCH|HR|return:HR-Agent|p:1|aacp:1.1|"),
    Damage("FETCH|HR|return:HR-Agent|p:1|aacp:1.1|res"),
    Damage("FETCH|HR|return:HR-Agent|p:1|aac"),
    Damage("FETCH|HR|return:HR-Agent|p:1|"),
    Damage("FETCH|HR|return:"),
    Damage("FETCH|HR|return:HR-Agent|p:1|aacp:1.1|res:emp_sal", invalid=False),
    Damage("T|17|Q|obj=test_scope;ne"),
    Damage("T|17|Q|obj=test_scope;"),
    Damage("T|17|Q|"),
    Damage("T|17|Q|obj=test_sc", invalid=False),
    Damage("T|17|Q|obj=test%2"),
    Damage("REQ/TSK|g=42,t=1,p"),
    Damage("REQ/TSK|g=42,t=", invalid=True),
    Damage("REQ/TSK|g=42,t=1,@=auth_re", invalid=False),
    Damage("SLIP v3 planner exec Requ"),
    Damage("SLIP v3 planner exec"),
    Damage("SLIP v3 planner exec Request Pl", invalid=False),
)

FOLDED_CUTS: tuple[Damage, ...] = (
    Damage("FETCH|HR|return:HR-Agent|p:1|aacp:1.1|\nres:emp_salary|"),
    Damage("FETCH|HR|return:HR-Agent|p:1|aacp:1.1|\nres:emp_salary|\nperiod:2024-08|"),
    Damage("FETCH|HR|return:HR-Agent|\np:1|aac"),
)

KINDS: dict[str, tuple[Damage, ...]] = {
    "SACP": tuple(_cuts(SACP)),
    "NLIP": tuple(_cuts(NLIP)),
    "NLIP with escapes": tuple(_cuts(QUOTING)),
    "SACP in a log line": tuple(_cuts(SACP, prefix=PREFIX)),
    "NLIP behind a speaker": tuple(_cuts(NLIP, prefix="executor: ")),
    "SACP indented": tuple(_lines(SACP)),
    "NLIP indented": tuple(_lines(NLIP)),
    "a line": LINE_CUTS,
    "a line in a log": tuple(
        Damage(one.wire, PREFIX, one.counted, one.invalid) for one in LINE_CUTS
    ),
    "a folded packet": FOLDED_CUTS,
    "a record": tuple(_records('{"level":"info","msg":"REQ/TSK|g=42,t=1,p=2","agent":"planner"}')),
    "a record around an object": tuple(
        _records(f'{{"level":"info","data":{SACP},"agent":"planner"}}')
    ),
}

CASES: tuple[Spoilt, ...] = tuple(
    Spoilt(f"{kind}, then {after.name}", damages, after)
    for kind, damages in KINDS.items()
    for after in NEIGHBORS
)


def texts(spoilt: Spoilt) -> Iterator[tuple[Damage, str]]:
    """Yield each damage with its text, a good message before it, with both kinds of line ends."""
    for damage in spoilt.damages:
        text = f"{NLIP}\n{damage.prefix}{damage.wire}\n{spoilt.after.text}\n"
        yield damage, text
        if "\n" not in damage.wire:
            yield (
                damage,
                text.replace("\n", "\r\n") if spoilt.after.name != "SACP indented" else text,
            )


def wrong(spoilt: Spoilt) -> list[str]:
    """Return what each damage does beyond its own record."""
    return [
        f"{why} in {text!r}"
        for damage, text in texts(spoilt)
        if (why := _harm(damage, text, spoilt.after.wires))
    ]


def _harm(damage: Damage, text: str, after: tuple[str, ...]) -> str | None:
    cuts = list(split(text).messages)
    wires = [cut.wire for cut in cuts]
    if wires[:1] != [NLIP]:
        return "the message before it is lost"
    tail = wires[len(wires) - len(after) :] if after else []
    if len(wires) <= len(after) or not all(map(is_same, tail, after)):
        return f"the message after it is lost: {wires[1:]!r}"
    middle = cuts[1 : len(cuts) - len(after)]
    if len(middle) > 1 or (damage.counted and not middle):
        return f"{len(middle)} records of it: {wires[1:]!r}"
    for cut in middle:
        if cut.wire != damage.wire.strip() and not (damage.carries and cut.wire in damage.wire):
            return f"its record is {cut.wire!r}"
        if damage.invalid and detection.decode(cut.wire, cut.protocol).valid:
            return f"{cut.wire!r} is called valid"
    return None
