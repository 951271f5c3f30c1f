"""How an nSLIP conversation goes: the source's "Communication Flow", for one task of one goal.

    REQ/TSK  coordinator -> planner       planning
    PRO/PLN  planner -> coordinator       proposed
    ACC/PLN  coordinator -> planner       accepted      REJ/PLN instead: planning again
    REQ/PLN  coordinator -> executor      handed over   (optional; INF/PLN does it too)
    INF/OBS  executor -> coordinator      reported      (INF/ERR when it fails)
    EVL/EVL  critic -> coordinator        complete

A status that ends nothing, as blocked, leaves the task open: the source's "Complete or iterate"
is then to iterate. QRY and CFM may come at any point, and so may messages about other things, such
as INF/RSC; an INF that would be out of order answers the QRY before it. What begins anew after an
evaluation opens a new round: the source's own example rejects its plan there. nSLIP messages have
no sender, so roles are inferred from act and frame.
"""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from cablese.conversation import checks
from cablese.conversation.finding import Finding, make_finding
from cablese.conversation.model import Course, Leg, Party, Step, Turn
from cablese.message import Message, Rule, by_code
from cablese.outcome import ENDS
from cablese.text import either

from .vocabulary import STATUSES

Stage = Literal[
    "start", "planning", "proposed", "accepted", "handed", "open", "reported", "iterating",
    "complete",
]  # fmt: skip

SECTION = "Communication Flow"
RULES = by_code(
    Rule(
        "nslip.out-of-order",
        "warning",
        SECTION,
        "NSLIP-16",
        "A message comes before the step that it depends on.",
    ),
    Rule(
        "nslip.changed-decision",
        "warning",
        SECTION,
        "NSLIP-17",
        "The same plan is accepted and rejected.",
    ),
    Rule(
        "nslip.no-request",
        "info",
        SECTION,
        "NSLIP-16",
        "The conversation does not start with REQ/TSK.",
    ),
    Rule(
        "nslip.new-round",
        "info",
        SECTION,
        "NSLIP-17",
        "A new round starts after a completed cycle.",
    ),
)
EXEMPT = frozenset(
    (checks.RULES["accept-of-nothing"].code, checks.RULES["undecided-proposal"].code)
)
"""The flow knows more precisely which plan was proposed, and what must be decided."""

USER, COORDINATOR, PLANNER, EXECUTOR, CRITIC = ROLES = (
    "user",
    "coordinator",
    "planner",
    "executor",
    "critic",
)
NO_SENDER = "nSLIP messages have no sender"
NOT_ON_THE_WIRE = "goals come from a user, who sends no nSLIP messages"


OPEN = frozenset(STATUSES) - ENDS.keys()
"""The statuses of a task that has not ended."""


class Move(Struct, frozen=True):
    """One step of the flow: its codes, sender, recipient, and the stage it leads to."""

    code: str
    description: str
    sender: str
    recipient: str
    leads_to: Stage


REQUEST = Move("REQ/TSK", "ask for a plan", COORDINATOR, PLANNER, "planning")
PROPOSE = Move("PRO/PLN", "propose a plan", PLANNER, COORDINATOR, "proposed")
ACCEPT = Move("ACC/PLN", "accept the plan", COORDINATOR, PLANNER, "accepted")
REJECT = Move("REJ/PLN", "reject the plan", COORDINATOR, PLANNER, "planning")
HAND_OVER = Move("REQ/PLN", "send the plan to the executor", COORDINATOR, EXECUTOR, "handed")
REPORT = Move("INF/OBS", "report the result", EXECUTOR, COORDINATOR, "reported")
EVALUATE = Move("EVL/EVL", "evaluate the result", CRITIC, COORDINATOR, "complete")

MOVES = {
    move.code: move for move in (REQUEST, PROPOSE, ACCEPT, REJECT, HAND_OVER, REPORT, EVALUATE)
} | {"INF/PLN": HAND_OVER, "INF/ERR": REPORT}
ANY_TIME = (Step("QRY", "ask a question"), Step("CFM", "confirm that something was understood"))
FORWARD = (REQUEST, PROPOSE, ACCEPT, REPORT, EVALUATE)
"""The steps of one successful round, without the optional one."""


class Standing(Struct, frozen=True):
    """A stage of a conversation: its name for people, the steps that may come next, and the first
    missing step of ``FORWARD``.
    """

    description: str
    next: tuple[Move, ...]
    lacks: int


STANDINGS: dict[Stage, Standing] = {
    "start": Standing("waiting for a request", (REQUEST,), 5),
    "planning": Standing("waiting for a proposal", (PROPOSE,), 1),
    "proposed": Standing(
        "waiting for the plan to be accepted or rejected", (ACCEPT, REJECT, PROPOSE), 2
    ),
    "accepted": Standing("waiting for execution", (HAND_OVER, REPORT), 3),
    "handed": Standing("waiting for the executor’s report", (REPORT,), 3),
    "open": Standing("waiting for the task to be done", (REPORT, EVALUATE), 3),
    "reported": Standing("waiting for evaluation", (EVALUATE, REPORT), 4),
    "iterating": Standing(
        "waiting for the task to be done", (REPORT, REQUEST, PROPOSE, REJECT, EVALUATE), 3
    ),
    "complete": Standing("the cycle is complete", (REQUEST, PROPOSE, REJECT, REPORT, EVALUATE), 5),
}
AGAIN: dict[Stage, tuple[Move, ...]] = {
    "planning": (REQUEST,),
    "accepted": (ACCEPT,),
    "handed": (HAND_OVER,),
}
"""Steps that may be repeated: an unanswered request, or an accepted plan sent to the executor as
another ACC/PLN.
"""
REOPENS = (REQUEST, PROPOSE, REJECT, REPORT)
OPENED: dict[Move, Stage] = {REPORT: "open", EVALUATE: "iterating"}
"""Where a step leads to if the task has not ended."""


def converse(turns: Sequence[Turn]) -> Course:
    """Return the course of one goal and task: stage, next steps, inferred roles, and findings."""
    flow = _Flow()
    for turn in turns:
        flow.take(turn)
    standing = STANDINGS[flow.stage]
    return Course(
        stage=standing.description,
        complete=None if flow.stage == "start" else flow.stage == "complete",
        missing=tuple(move.code for move in FORWARD[standing.lacks :]),
        next=(
            *(
                Step(move.code, move.description, move.sender, move.recipient)
                for move in standing.next
            ),
            *ANY_TIME,
        ),
        legs=tuple(flow.legs),
        parties=(Party(USER, NOT_ON_THE_WIRE),) if flow.requested and turns[0].meaning.goal else (),
        findings=tuple(flow.findings),
    )


class _Flow:
    """Track the stage, and the turn that last led to each stage."""

    def __init__(self) -> None:
        self.stage: Stage = "start"
        self.requested = self.asked = self.open = False
        self.queries = self.last = 0
        self.plan: int | None = None
        self.decision: tuple[Move, int] | None = None
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
        if turn.outcome is not None or turn.meaning.status is not None:
            self.open = turn.outcome is None and turn.meaning.status in OPEN
        elif move not in OPENED:
            self.open = False
        self.stage = OPENED.get(move, move.leads_to) if self.open else move.leads_to
        self.last = turn.index

    def _answers(self, turn: Turn, move: Move) -> bool:
        """Return True for an INF that answers a query: it is not a step here, or only one into a
        new round. A status reports on a task that has not ended.
        """
        begins = self.stage == "complete" or (
            self.stage == "iterating" and turn.meaning.status is None
        )
        is_step = not begins and move in STANDINGS[self.stage].next
        return turn.meaning.act == "inform" and self.queries > 0 and not is_step

    def _remark(self, turn: Turn) -> None:
        """Take a message that is not a step of the flow. Only a decision needs a proposal before
        it.
        """
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
            self._report(
                RULES["new-round"], f"{code} starts a new round after a complete cycle.", turn.index
            )
        elif self.stage == "iterating" and move in REOPENS:
            return
        elif move in (ACCEPT, REJECT) and self.plan is None:
            self._nothing(turn)
        elif (
            self.decision is not None and self.decision[0] is not move and move in (ACCEPT, REJECT)
        ):
            before, index = self.decision
            self._report(
                RULES["changed-decision"],
                f"Unexpected {code} after {before.code}: no new plan was proposed in between.",
                index,
                turn.index,
            )
        elif move in STANDINGS[self.stage].next or move in AGAIN.get(self.stage, ()):
            return
        elif self.stage == "start":
            self._report(
                RULES["no-request"],
                f"The conversation starts with {code}. Expected REQ/TSK; earlier messages may be "
                "missing.",
                turn.index,
            )
        else:
            expected = either(move.code for move in STANDINGS[self.stage].next)
            self._report(
                RULES["out-of-order"],
                f"Unexpected {code}: {STANDINGS[self.stage].description}. Expected {expected}.",
                self.last,
                turn.index,
            )

    def _nothing(self, turn: Turn) -> None:
        self._report(
            checks.RULES["accept-of-nothing"],
            f"Unexpected {code_of(turn.message)}: nothing was proposed before it.",
            turn.index,
        )

    def _report(self, rule: Rule, message: str, *messages: int) -> None:
        self.findings.append(make_finding(rule, message, messages))


def code_of(message: Message) -> str:
    """Return the act and frame as written: ``REQ/TSK``."""
    return f"{message.values.get('act', '')}/{message.values.get('frame', '')}"
