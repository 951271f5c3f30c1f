"""A conversation as a sequence diagram: a lane for each party, an arrow for each message, from the
top down.

If only one side of a message is known, its arrow starts or ends at an open circle; if neither is,
it is a note across the lanes. The table next to the diagram has a row for every arrow.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from cablese.conversation.model import Conversation, Leg, Turn
from playground.display.glyphs import visible

LANES, ARROWS = 8, 60
"""The limits of a diagram; the text next to it has the number of the others."""
LANE, HEAD, ROW, LOOP, OPEN = 148, 46, 36, 34, 62
LETTER = 6.4
"""The approximate width of a letter in a label."""
NAME, SUMMARY, WIRE = 18, 60, 120
OTHERS = "others"


@dataclass(frozen=True, slots=True)
class Pointed:
    """A message by its number. Without an ``address`` it is on the same page."""

    number: int
    address: str = ""


@dataclass(frozen=True)
class Lane:
    """A party. ``sure`` is false if no wire states its name."""

    x: int
    name: str
    sure: bool


@dataclass(frozen=True)
class Arrow:
    """One message. ``x2`` equals ``x1`` if the sender is the recipient, and a note has no head."""

    at: Pointed
    kind: str
    y: int
    x1: int
    x2: int
    label: str
    valid: bool
    sure: bool
    sender: str
    recipient: str
    summary: str
    wire: str
    supplied: bool

    @property
    def middle(self) -> int:
        return (self.x1 + self.x2) // 2 if self.kind != "loop" else self.x1 + LOOP + 6

    @property
    def above(self) -> int:
        return self.y - 6 if self.kind != "loop" else self.y + 4

    @property
    def under(self) -> int:
        return self.y + 12

    @property
    def head(self) -> str:
        """Return the points of the arrow's head."""
        back = 8 if self.kind == "loop" or self.x2 < self.x1 else -8
        y = self.under if self.kind == "loop" else self.y
        return f"{self.x2},{y} {self.x2 + back},{y - 4} {self.x2 + back},{y + 4}"

    @property
    def path(self) -> str:
        if self.kind == "loop":
            return f"M{self.x1},{self.y} h{LOOP} v12 h{-LOOP}"
        return f"M{self.x1},{self.y} H{self.x2}"

    @property
    def circle(self) -> int | None:
        """Return where the open circle is, if one side is not known."""
        return {"from": self.x1, "to": self.x2}.get(self.kind)


@dataclass(frozen=True)
class Diagram:
    width: int
    height: int
    lanes: tuple[Lane, ...]
    arrows: tuple[Arrow, ...]
    more: int
    """Messages beyond those that are drawn."""

    head = HEAD

    @property
    def unsure(self) -> str:
        """Return where the names come from that no wire states."""
        kinds = (
            "supplied" if arrow.supplied else "inferred" for arrow in self.arrows if not arrow.sure
        )
        return " or ".join(sorted(set(kinds)))

    @property
    def foot(self) -> int:
        return self.height - 8


def draw(
    conversation: Conversation, places: Sequence[Pointed], *, least: int = 2
) -> Diagram | None:
    """Return the diagram of a conversation with at least ``least`` messages. ``places`` are those
    of all gathered messages.
    """
    if len(conversation.turns) < least:
        return None
    legs = conversation.legs[:ARROWS]
    names = list(
        dict.fromkeys(name for leg in legs for name in (leg.sender, leg.recipient) if name)
    )
    unsure = {party.name for party in conversation.parties if party.reason}
    lane_names = names if len(names) <= LANES else [*names[: LANES - 1], OTHERS]
    lanes = {name: _middle(min(at, LANES - 1)) for at, name in enumerate(names)}
    width = LANE * max(len(lane_names), 2)
    drawn = tuple(
        _arrow(turn, leg, lanes, width, HEAD + ROW * at + ROW // 2 + 8, places[turn.index])
        for at, (turn, leg) in enumerate(zip(conversation.turns, legs, strict=False))
    )
    return Diagram(
        width=width,
        height=HEAD + ROW * len(drawn) + 24,
        lanes=tuple(
            Lane(_middle(at), _short(name, NAME), name not in unsure)
            for at, name in enumerate(lane_names)
        ),
        arrows=drawn,
        more=len(conversation.turns) - len(drawn),
    )


def _middle(lane: int) -> int:
    return LANE // 2 + LANE * lane


def _arrow(
    turn: Turn, leg: Leg, lanes: dict[str, int], width: int, y: int, place: Pointed
) -> Arrow:
    kind, x1, x2 = _course(leg, lanes, width)
    summary = summarize(turn)
    room = abs(x2 - x1) - 16 if kind != "loop" else LANE - LOOP - 16
    return Arrow(
        at=place,
        kind=kind,
        y=y,
        x1=x1,
        x2=x2,
        label=_short(f"{place.number} {summary}", max(int(room / LETTER), 4)),
        valid=turn.message.valid,
        sure=not leg.reason,
        sender=_short(leg.sender or "", SUMMARY),
        recipient=_short(leg.recipient or "", SUMMARY),
        summary=summary,
        wire=_short(turn.message.wire, WIRE),
        supplied=leg.supplied,
    )


def _course(leg: Leg, lanes: dict[str, int], width: int) -> tuple[str, int, int]:
    begin = lanes.get(leg.sender) if leg.sender else None
    end = lanes.get(leg.recipient) if leg.recipient else None
    if begin is not None and end is not None:
        return ("loop" if begin == end else "arrow"), begin, end
    if begin is not None:
        return "to", begin, begin + (OPEN if begin + OPEN < width else -OPEN)
    if end is not None:
        return "from", end - (OPEN if end > OPEN else -OPEN), end
    return "note", LANE // 4, width - LANE // 4


def summarize(turn: Turn) -> str:
    """Return a message in a few common terms: ``request TSK``, ``query test_scope``."""
    meaning = turn.meaning
    about = meaning.topic or meaning.object or meaning.goal or meaning.status or meaning.result
    failed = ", failed" if turn.outcome == "failed" and meaning.act != "error" else ""
    return _short(f"{meaning.act}{f' {about}' if about else ''}{failed}", SUMMARY)


def _short(text: str, letters: int) -> str:
    return visible(text if len(text) <= letters else f"{text[: letters - 1]}…")
