"""Checks of a conversation that hold for every protocol, on the common terms alone.

    REQ/TSK|g=42,t=1              a request that nobody answers
    ACC/PLN|g=42,t=1              accepts, though nothing was proposed
    {"msg_id":"b","reply_to":"x"} replies to a message that is not there

A protocol to which a rule does not apply, or which knows better, names it in ``Codec.exempt``. All
is linear in the turns.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from cablese.codec import Codec
from cablese.meaning import Act
from cablese.message import Rule, by_code
from cablese.text import quote

from .finding import Finding, make_finding
from .model import Turn

SECTION = "Cablese: conversations"


def _rule(code: str, summary: str) -> Rule:
    return Rule(f"thread.{code}", "warning", SECTION, "", summary)


RULES = by_code(
    _rule("unmatched-request", "A request, a query, or a command without a reply."),
    _rule("undecided-proposal", "A proposal that was neither accepted nor rejected."),
    _rule("accept-of-nothing", "An accept, a reject, or an answer without a message to reply to."),
    _rule("reply-to-nothing", "A reply to an unknown message."),
    _rule("repeated-id", "Duplicate message ID in a conversation."),
    _rule("version-drift", "Messages of one conversation use different versions."),
    _rule("contradictory-status", "A different status after the task ended."),
    Rule(
        "thread.unfinished", "info", SECTION, "", "A conversation that ends before it is complete."
    ),
    Rule(
        "thread.failed",
        "info",
        SECTION,
        "",
        "A task that failed and was not resumed.",
    ),
)


ANSWERS: frozenset[Act] = frozenset(
    (
        "propose", "accept", "reject", "inform", "evaluate", "confirm", "answer", "state", "error",
        "control",
    )
)  # fmt: skip
DECISIONS: frozenset[Act] = frozenset(("accept", "reject", "error"))
ANSWERED_BY: dict[Act, frozenset[Act]] = {
    "request": ANSWERS, "query": ANSWERS, "command": ANSWERS, "propose": DECISIONS
}  # fmt: skip
ASKING_BACK: dict[Act, frozenset[Act]] = ANSWERED_BY | {
    "request": ANSWERS | {"query"}, "query": ANSWERS | {"request"}
}  # fmt: skip
"""For a protocol whose queries reply to requests, which are then sent again."""
REPLYING: dict[Act, str] = {"accept": "accepts", "reject": "rejects", "answer": "answers"}
UNNAMED = (None, None)
RETRIES: frozenset[Act] = frozenset(("request", "command", "propose"))
REOPENS: frozenset[Act] = frozenset(("request", "propose", "reject"))


class Report(Struct, frozen=True):
    """Results of the common rules. ``open`` are unanswered turns; None if nothing asked."""

    findings: tuple[Finding, ...]
    open: tuple[Turn, ...] | None
    halted: str | None
    """The last status, if it does not end the task."""
    failed: Turn | None
    """The last turn that reports a failure, if no later turn resumes the task."""
    answered: dict[int, int]
    """The index of the message that each answer answers, by the index of the answer."""


def check(codec: Codec, turns: Sequence[Turn]) -> Report:
    """Check ``turns`` in the order they came. Never raises."""
    exchange = _Exchange(ASKING_BACK if codec.asks_back else ANSWERED_BY)
    for turn in turns:
        exchange.take(turn)
    outcomes = _Outcomes(codec)
    failures = _Failures(codec, exchange.answered)
    for turn in turns:
        outcomes.take(turn)
        failures.take(turn)
    findings = (
        *exchange.findings,
        *_waiting(exchange.open),
        *_repeated(turns),
        *_drift(codec, turns),
        *outcomes.findings,
    )
    kept = tuple(finding for finding in findings if finding.code not in codec.exempt)
    return Report(
        kept,
        tuple(exchange.open) if exchange.asked else None,
        outcomes.halted,
        failures.last,
        {answer: asked.index for answer, asked in exchange.answered.items()},
    )


class _Exchange:
    """Which turn answers which. A turn that names its message answers that one, and any other turn
    answers the latest turn that expects such an answer.
    """

    def __init__(self, answered_by: dict[Act, frozenset[Act]]) -> None:
        self.answered_by = answered_by
        self.known: dict[str, Turn] = {}
        self.waiting: dict[Act, list[Turn]] = {act: [] for act in answered_by}
        self.closed: set[int] = set()
        self.asked_back: dict[int, int] = {}
        """The query about each message, by indexes: a reply to that message answers it too."""
        self.answered: dict[int, Turn] = {}
        """What each answer answers, by the index of the answer."""
        self.asked = False
        self.findings: list[Finding] = []

    def take(self, turn: Turn) -> None:
        meaning = turn.meaning
        if meaning.reply_to is not None:
            self._reply(turn, meaning.reply_to)
        elif meaning.act in REPLYING and not self.asked:
            self.findings.append(
                make_finding(
                    RULES["accept-of-nothing"],
                    f"This message {REPLYING[meaning.act]}, but no earlier message asks for or "
                    "proposes anything.",
                    (turn.index,),
                )
            )
        else:
            self._answer(turn)
        if meaning.id is not None:
            self.known.setdefault(meaning.id, turn)
        if meaning.act in self.waiting:
            self.waiting[meaning.act].append(turn)
            self.asked = True

    @property
    def open(self) -> list[Turn]:
        """Return the unanswered turns, in order."""
        left = [
            turn
            for turns in self.waiting.values()
            for turn in turns
            if turn.index not in self.closed
        ]
        return sorted(left, key=lambda turn: turn.index)

    def _reply(self, turn: Turn, reply_to: str) -> None:
        asked = self.known.get(reply_to)
        if asked is None:
            self.findings.append(
                make_finding(
                    RULES["reply-to-nothing"],
                    f"Reply to unknown message {quote(reply_to)}.",
                    (turn.index,),
                )
            )
        else:
            self.closed.update((asked.index, self.asked_back.get(asked.index, asked.index)))
            self.answered[turn.index] = asked
            if turn.meaning.act == "query":
                self.asked_back[asked.index] = turn.index

    def _answer(self, turn: Turn) -> None:
        stacks = [
            self.waiting[ask]
            for ask, answers in self.answered_by.items()
            if turn.meaning.act in answers
        ]
        for stack in stacks:
            while stack and stack[-1].index in self.closed:
                stack.pop()
        latest = max(
            (stack for stack in stacks if stack), key=lambda stack: stack[-1].index, default=None
        )
        sender = turn.meaning.sender
        if latest is not None and (sender is None or sender != latest[-1].meaning.sender):
            self.answered[turn.index] = latest.pop()


class _Outcomes:
    """The statuses of each task and result. Another status after success contradicts."""

    def __init__(self, codec: Codec) -> None:
        self.statuses = codec.statuses
        self.done: dict[tuple[str | None, ...], Turn] = {}
        self.halted: str | None = None
        self.findings: list[Finding] = []

    def take(self, turn: Turn) -> None:
        meaning = turn.meaning
        if not self.statuses or meaning.status is None:
            if meaning.act in REOPENS:
                self.done.clear()
                self.halted = None
            return
        about = (meaning.goal, meaning.task, meaning.result)
        before = self.done.get(about)
        if before is not None and before.meaning.status != meaning.status:
            earlier = quote(before.meaning.status or "")
            self.findings.append(
                make_finding(
                    RULES["contradictory-status"],
                    f"The status changes to {quote(meaning.status)} after {earlier}.",
                    (before.index, turn.index),
                )
            )
        if turn.outcome == "done":
            self.done[about] = turn
        else:
            self.done.pop(about, None)
        self.halted = None if turn.outcome else meaning.status


class _Failures:
    """The tasks that failed. One is taken up again by asking once more, and undone by a word that
    it is done.

    An evaluation judges what was done, and undoes nothing. What asks, such as a question about an
    error, reports none; but where every message is an instruction, an instruction to report a
    failure does.
    """

    def __init__(self, codec: Codec, answered: dict[int, Turn]) -> None:
        self.asks = RULES["unmatched-request"].code not in codec.exempt
        self.answered = answered
        self.failed: dict[tuple[str | None, ...], Turn] = {}

    def take(self, turn: Turn) -> None:
        about, act = self._about(turn), turn.meaning.act
        if self.asks and act in RETRIES and about == UNNAMED and self.last is not None:
            about = self._about(self.last)  # "run it again" is about what has just failed
        if turn.outcome == "failed" and not (self.asks and act in ANSWERED_BY):
            self.failed.pop(about, None)
            self.failed[about] = turn  # the latest is the last one
        elif about in self.failed and (
            self._asks_again(turn, self.failed[about])
            or (turn.outcome == "done" and act != "evaluate")
        ):
            del self.failed[about]

    @property
    def last(self) -> Turn | None:
        return next(reversed(self.failed.values()), None)

    def _asks_again(self, turn: Turn, failed: Turn) -> bool:
        act, asked = turn.meaning.act, self.answered.get(failed.index)
        if act == "data" and not turn.message.valid:
            return False  # of an unknown act too
        return self.asks and (
            act in RETRIES or act == ("data" if asked is None else asked.meaning.act)
        )

    def _about(self, turn: Turn) -> tuple[str | None, ...]:
        """Return the task of the turn that this one answers, or its own."""
        asked = self.answered.get(turn.index, turn)
        meaning, supplied = asked.meaning, asked.supplied
        goal = (
            None if meaning.goal == supplied.goal else meaning.goal
        )  # one for all, as it ties the conversation
        task = None if meaning.task == supplied.task else meaning.task
        if goal is not None or task is not None:
            return (goal, task)
        return (meaning.topic, meaning.object) if meaning.act in ANSWERED_BY else UNNAMED


def _waiting(turns: Sequence[Turn]) -> Iterator[Finding]:
    for turn in turns:
        code, message = (
            ("undecided-proposal", "This proposal was neither accepted nor rejected.")
            if turn.meaning.act == "propose"
            else ("unmatched-request", f"No reply to this {turn.meaning.act}.")
        )
        yield make_finding(RULES[code], message, (turn.index,))


def _repeated(turns: Sequence[Turn]) -> Iterator[Finding]:
    by_id: dict[str, list[int]] = {}
    for turn in turns:
        if turn.meaning.id is not None:
            by_id.setdefault(turn.meaning.id, []).append(turn.index)
    for name, indexes in by_id.items():
        if len(indexes) > 1:
            yield make_finding(
                RULES["repeated-id"],
                f"{len(indexes):,} messages have the ID {quote(name)}.",
                indexes,
            )


def _drift(codec: Codec, turns: Sequence[Turn]) -> Iterator[Finding]:
    """Yield one finding for each version after the first, with its messages."""
    versions: dict[str, list[int]] = {}
    for turn in turns:
        version = codec.version_of(turn.message) if turn.message.valid else None
        if version is not None:
            versions.setdefault(version, []).append(turn.index)
    first = next(iter(versions), "")
    for version, indexes in versions.items():
        if version != first:
            yield make_finding(
                RULES["version-drift"],
                f"The version changes from {quote(first)} to {quote(version)}.",
                (versions[first][0], *indexes),
            )
