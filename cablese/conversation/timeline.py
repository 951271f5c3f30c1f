"""The state of every goal, task, step, and agent at each message of a conversation.

    0  REQ/TSK|g=42,t=1           task 1 requested   coordinator waiting   planner asked
    1  PRO/PLN|g=42,t=1           task 1 proposed    coordinator asked     planner waiting
    2  ACC/PLN|g=42,t=1           task 1 accepted    coordinator accepted  planner ready

A fold: each message changes the states before it, by ``transitions``. What went wrong is what the
checks of the conversation found, and invalid messages. A message is about the task that it names,
else that of the message it answers, else that of its thread, else, if it asks, one of its own. Any
other is assumed to be about the latest task. Linear in the messages; nothing here knows a protocol.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from cablese import registry
from cablese.message import SEVERITIES, Severity

from .agent_states import Agents
from .checks import RULES
from .gather import UNANSWERED
from .model import Conversation, Turn
from .subjects import Change, Ledger, StateSince, Subject
from .task_states import Tasks
from .transitions import read


class Moment(Struct, frozen=True, gc=False):
    """What one message changed. A ``note`` says why it changed no goal and no task."""

    message: int
    changes: tuple[Change, ...]
    note: str = ""


class Problem(Struct, frozen=True, gc=False):
    """What is wrong, and the message where it went wrong. Only the end of the conversation shows
    what is ``late``: that nothing answers the message. ``flow`` is false for an invalid message.
    """

    message: int
    severity: Severity
    code: str
    text: str
    late: bool = False
    flow: bool = True


class Timeline(Struct, frozen=True):
    """The subjects in order of appearance, one moment a message, and the problems in order.

    ``wrong`` is the first problem, a late one only if there is no other.
    """

    subjects: tuple[Subject, ...]
    moments: tuple[Moment, ...]
    problems: tuple[Problem, ...]
    wrong: Problem | None

    def at(self, place: int) -> dict[int, StateSince]:
        """Return the state of each subject after the moment at ``place``, by its place in
        ``subjects``. Subjects that no message has mentioned by then are absent.
        """
        states: dict[int, StateSince] = {}
        for moment in self.moments[: place + 1]:
            for change in moment.changes:
                states[change.subject] = StateSince(change.state, moment.message, change.assumed)
        return states


def trace(conversation: Conversation, length: int | None = None) -> Timeline:
    """Return the timeline of a conversation, or its first ``length`` moments, which later messages
    never change. The problems are always those of all messages. Never raises.
    """
    codec = registry.get(conversation.protocol)
    ledger = Ledger()
    tasks, agents = Tasks(ledger), Agents(ledger)
    moments = []
    for turn, leg, answered in zip(
        conversation.turns[:length],
        conversation.legs[:length],
        conversation.answered[:length],
        strict=True,
    ):
        effect = read(turn, codec)
        note = effect.reason
        if effect.to is not None:
            note = tasks.take(turn, effect, answered, codec.plan(turn.message))
            agents.take(leg, effect, answered)
        moments.append(Moment(turn.index, ledger.close(), note))
    problems = find_problems(conversation)
    return Timeline(tuple(ledger.subjects), tuple(moments), problems, find_wrong(problems))


def find_problems(conversation: Conversation) -> tuple[Problem, ...]:
    """Return the problems of a conversation in the order of their messages, the worst first."""
    return tuple(sorted(_problems(conversation), key=_place))


def find_wrong(problems: Sequence[Problem]) -> Problem | None:
    """Return the first problem, a late one only if there is no other."""
    return min(problems, key=lambda problem: (problem.late, *_place(problem)), default=None)


def _problems(conversation: Conversation) -> Iterator[Problem]:
    for turn in conversation.turns:
        if not turn.message.valid:
            yield _invalid(turn)
    for finding in conversation.findings:
        if finding.severity != "info" or finding.code == RULES["failed"].code:
            yield Problem(
                finding.at,
                finding.severity,
                finding.code,
                finding.message,
                finding.code in UNANSWERED,
            )


def _invalid(turn: Turn) -> Problem:
    error = next(each for each in turn.message.diagnostics if each.severity == "error")
    text = f"Invalid message: {error.message}"
    return Problem(turn.index, "error", error.code, text, flow=False)


def _place(problem: Problem) -> tuple[int, int]:
    return problem.message, SEVERITIES.index(problem.severity)
