"""How an nSLIP conversation goes: the source's "Communication Flow", for one task of one goal.

    REQ/TSK  coordinator -> planner       planning
    PRO/PLN  planner -> coordinator       proposed
    ACC/PLN  coordinator -> planner       accepted      REJ/PLN instead: planning again
    REQ/PLN  coordinator -> executor      handed over   (optional; INF/PLN does it too)
    INF/OBS  executor -> coordinator      reported      (INF/ERR when it fails)
    EVL/EVL  critic -> coordinator        complete

QRY and CFM may come at any point, and so may messages about other things, such as INF/RSC; an INF
that would be out of order answers the QRY before it. What begins anew after an evaluation opens a
new round: the source's own example rejects its plan there. nSLIP carries no sender, so roles are
inferred from act and frame.
"""

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

from cablese.conversation import checks
from cablese.conversation.finding import Finding, found
from cablese.conversation.model import Course, Leg, Party, Step, Turn
from cablese.message import Message, Rule

Stage = Literal["start", "planning", "proposed", "accepted", "handed", "reported", "complete"]

SECTION = "Communication Flow"
OUT_OF_ORDER = Rule(
    "nslip.out-of-order",
    "warning",
    SECTION,
    "NSLIP-16",
    "A step comes before the one it builds on.",
)
CHANGED_DECISION = Rule(
    "nslip.changed-decision",
    "warning",
    SECTION,
    "NSLIP-17",
    "One plan is both accepted and rejected.",
)
NO_REQUEST = Rule(
    "nslip.no-request", "info", SECTION, "NSLIP-16", "A conversation does not begin with REQ/TSK."
)
NEW_ROUND = Rule(
    "nslip.new-round",
    "info",
    SECTION,
    "NSLIP-17",
    "A completed cycle is followed by another round.",
)
RULES = (OUT_OF_ORDER, CHANGED_DECISION, NO_REQUEST, NEW_ROUND)
EXEMPT = frozenset((checks.NOTHING.code, checks.UNDECIDED.code))
"""The flow knows better which plan was proposed, and what must be decided."""

USER, COORDINATOR, PLANNER, EXECUTOR, CRITIC = ROLES = (
    "user",
    "coordinator",
    "planner",
    "executor",
    "critic",
)
NO_SENDER = "nSLIP carries no sender"
NOT_ON_THE_WIRE = "goals come from a user, who sends no nSLIP message"


class Move(Struct, frozen=True):
    """One step of the flow: its codes, who sends it to whom, and the stage it leads to."""

    code: str
    words: str
    sender: str
    recipient: str
    leads_to: Stage


REQUEST = Move("REQ/TSK", "ask for a plan", COORDINATOR, PLANNER, "planning")
PROPOSE = Move("PRO/PLN", "propose a plan", PLANNER, COORDINATOR, "proposed")
ACCEPT = Move("ACC/PLN", "accept the plan", COORDINATOR, PLANNER, "accepted")
REJECT = Move("REJ/PLN", "reject the plan", COORDINATOR, PLANNER, "planning")
HAND_OVER = Move("REQ/PLN", "hand the plan to the executor", COORDINATOR, EXECUTOR, "handed")
REPORT = Move("INF/OBS", "report what came of it", EXECUTOR, COORDINATOR, "reported")
EVALUATE = Move("EVL/EVL", "evaluate the result", CRITIC, COORDINATOR, "complete")

MOVES = {move.code: move for move in (REQUEST, PROPOSE, ACCEPT, REJECT, HAND_OVER, REPORT, EVALUATE)} | {
    "INF/PLN": HAND_OVER, "INF/ERR": REPORT
}  # fmt: skip
ANY_TIME = (Step("QRY", "ask a question"), Step("CFM", "confirm that something was understood"))
FORWARD = (REQUEST, PROPOSE, ACCEPT, REPORT, EVALUATE)
"""The steps of one round that goes well, without the optional one."""


class Standing(Struct, frozen=True):
    """Where a conversation stands: in words, what may come next, and from which step of ``FORWARD``
    on it is short.
    """

    words: str
    next: tuple[Move, ...]
    lacks: int


STANDINGS: dict[Stage, Standing] = {
    "start": Standing("no task was asked for yet", (REQUEST,), 5),
    "planning": Standing("a plan is to be proposed", (PROPOSE,), 1),
    "proposed": Standing("the plan is to be accepted or rejected", (ACCEPT, REJECT, PROPOSE), 2),
    "accepted": Standing("the accepted plan is to be carried out", (HAND_OVER, REPORT), 3),
    "handed": Standing("the executor has the plan and is to report", (REPORT,), 3),
    "reported": Standing("the result is to be evaluated", (EVALUATE, REPORT), 4),
    "complete": Standing("the cycle is complete", (REQUEST, PROPOSE, REJECT, REPORT, EVALUATE), 5),
}
AGAIN: dict[Stage, tuple[Move, ...]] = {
    "planning": (REQUEST,),
    "accepted": (ACCEPT,),
    "handed": (HAND_OVER,),
}
"""What may be said once more: a request that got no answer, an accepted plan to the executor as
another ACC/PLN.
"""
REOPENS = (REQUEST, PROPOSE, REJECT, REPORT)


def converse(turns: Sequence[Turn]) -> Course:
    """The course of one goal and task: its stage, what may follow, its inferred roles, and steps
    out of order.
    """
    flow = _Flow()
    for turn in turns:
        flow.take(turn)
    standing = STANDINGS[flow.stage]
    return Course(
        stage=standing.words,
        complete=None if flow.stage == "start" else flow.stage == "complete",
        missing=tuple(move.code for move in FORWARD[standing.lacks :]),
        next=(*_steps(standing.next), *ANY_TIME),
        legs=tuple(flow.legs),
        parties=(Party(USER, NOT_ON_THE_WIRE),) if flow.requested and turns[0].meaning.goal else (),
        findings=tuple(flow.findings),
    )


class _Flow:
    """The stage, and the turn that last led to each stage."""

    def __init__(self) -> None:
        self.stage: Stage = "start"
        self.requested = False
        self.asked = False
        self.queries = 0
        self.plan: int | None = None
        self.decision: tuple[Move, int] | None = None
        self.last = 0
        self.legs: list[Leg] = []
        self.findings: list[Finding] = []

    def take(self, turn: Turn) -> None:
        move = MOVES.get(code_of(turn.message))
        if move is None or self._answers(turn, move):
            self._remark(turn)
            return
        self.legs.append(Leg(turn.index, move.sender, move.recipient, NO_SENDER))
        self._check(move, turn)
        if move is PROPOSE:
            self.plan, self.decision = turn.index, None
        elif move is REQUEST:
            self.requested = True
            self.plan = self.decision = None
        elif move in (ACCEPT, REJECT):
            self.decision = move, turn.index
        self.asked = self.asked or move in (REQUEST, PROPOSE)
        self.stage = move.leads_to
        self.last = turn.index

    def _answers(self, turn: Turn, move: Move) -> bool:
        """True for an INF that is no step here, or only a step into another round, while a query
        waits.
        """
        is_step = self.stage != "complete" and move in STANDINGS[self.stage].next
        return turn.meaning.act == "inform" and self.queries > 0 and not is_step

    def _remark(self, turn: Turn) -> None:
        """A message that is no step of the flow; only a decision needs something to decide."""
        if turn.meaning.act == "query":
            self.queries += 1
        elif turn.meaning.act in ("inform", "confirm"):
            self.queries = max(0, self.queries - 1)
        if turn.meaning.act in ("accept", "reject") and not self.asked:
            self._nothing(turn)
        self.asked = self.asked or turn.meaning.act in ("request", "propose", "query")

    def _check(self, move: Move, turn: Turn) -> None:
        code = code_of(turn.message)
        if self.stage == "complete" and move in REOPENS:
            self._found(NEW_ROUND, f"The cycle was complete; {code} opens a new round.", turn.index)
        elif move in (ACCEPT, REJECT) and self.plan is None:
            self._nothing(turn)
        elif (
            self.decision is not None and self.decision[0] is not move and move in (ACCEPT, REJECT)
        ):
            before, index = self.decision
            words = f"{code} comes after {before.code}, and no new plan was proposed in between."
            self._found(CHANGED_DECISION, words, index, turn.index)
        elif move in STANDINGS[self.stage].next or move in AGAIN.get(self.stage, ()):
            return
        elif self.stage == "start":
            words = f"The conversation begins with {code}; REQ/TSK usually opens it, so its beginning may be missing."
            self._found(NO_REQUEST, words, turn.index)
        else:
            expected = " or ".join(one.code for one in STANDINGS[self.stage].next)
            words = f"{code} comes when {STANDINGS[self.stage].words}; {expected} was expected."
            self._found(OUT_OF_ORDER, words, self.last, turn.index)

    def _nothing(self, turn: Turn) -> None:
        words = f"{code_of(turn.message)} comes, but nothing was proposed before it."
        self._found(checks.NOTHING, words, turn.index)

    def _found(self, rule: Rule, words: str, *messages: int) -> None:
        self.findings.append(found(rule, words, messages))


def code_of(message: Message) -> str:
    """Act and frame as they are written: ``REQ/TSK``."""
    return f"{message.values.get('act', '')}/{message.values.get('frame', '')}"


def _steps(moves: Iterable[Move]) -> tuple[Step, ...]:
    return tuple(Step(move.code, move.words, move.sender, move.recipient) for move in moves)
