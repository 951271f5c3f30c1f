"""Training examples for models that learn nSLIP: a prompt for one of four roles, and its answer.

    You are a planner agent. You receive a REQUEST/TASK message.
    Reply with a single PROPOSE/PLAN nSLIP message.

    Current message:
    REQ/TSK|g=42,t=1,p=2,@=goal_42

    Goal[42]: Write a health check for the billing service.

The form of the prompt is the source's ("Training Models to Speak nSLIP"). Goals, tags, and reasons
are ours (`work`). What else the role knows is a line before the goal, ``Task[1]: priority 2.`` or
``Result[5]: done, tests pass.``, so that each slot of an answer can be read from its prompt, except
the role's own decisions (`CHOSEN`). Each example is drawn from a hash of the seed and its number,
not from a sequence of random numbers: the same seed gives the same bytes in every version of
Python, and any example can be made without those before it.
"""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple, TypeVar

from msgspec import Struct, json

from cablese.protocols.nslip.flow import COORDINATOR, CRITIC, EXECUTOR, PLANNER
from cablese.protocols.nslip.vocabulary import ACTS, FRAMES
from cablese.text import with_article

from . import work
from .work import TRADES, Trade

GOAL = "goal"
"""Received in place of a message: the user's goal, in English."""
ROLES = (COORDINATOR, PLANNER, EXECUTOR, CRITIC)
"""The roles that models are trained for; the fifth one, the user, is a person."""
SEED_LIMIT = 2**53 - 1
SCORES = {"done": range(7, 11), "partial": range(4, 7), "failed": range(4)}
"""The scores that a critic gives to a result of each status."""
HALTED = ("blocked", "waiting")
CHOSEN = {
    "PRO/PLN": ("@",),
    "REJ/PLN": ("!", "@"),
    "EVL/EVL": ("sc", "@"),
    "QRY/CST": ("@",),
}
"""The slots that a role decides for itself, by its answer. The prompt tells all others, since a
score tells the status.
"""

_T = TypeVar("_T")


class Example(Struct, frozen=True):
    """``received`` and ``expected`` are an act and a frame, such as ``REQ/TSK``; ``target`` is the
    whole answer.

    ``received`` is ``goal`` if the user’s goal starts the work.
    """

    role: str
    received: str
    expected: str
    prompt: str
    target: str


class _Draw:
    """Choices from one large number: each is its remainder, and leaves its quotient."""

    def __init__(self, seed: int, number: int) -> None:
        self.left = int.from_bytes(blake2b(f"nslip {seed} {number}".encode()).digest())

    def pick(self, choices: Sequence[_T]) -> _T:
        self.left, at = divmod(self.left, len(choices))
        return choices[at]


class Lesson(NamedTuple):
    """What one role learns to answer to one kind of message.

    ``drawn`` are names of choices, in the order of their draws; ``status=`` names a status. The
    others are templates: the slots of the message and of its answer, after goal and task, and what
    else the role knows.
    """

    received: str
    expected: str
    drawn: str
    slots: str
    answer: str
    known: str = ""


CHOICES: dict[str, Sequence[Any]] = {
    "priority": (1, 2, 3),
    "result": range(1, 10),
    "objection": work.OBJECTIONS,
    "remedy": work.REMEDIES,
    "question": work.QUESTIONS,
    "hindrance": work.HINDRANCES,
}
"""What a name is drawn from. The kind of work has more choices (`Trade.tags`)."""
BY_STATUS: dict[str, Mapping[str, Sequence[Any]]] = {
    "score": SCORES,
    "verdict": work.VERDICTS,
    "step": {"in_progress": work.STEPS} | dict.fromkeys(HALTED, work.HINDRANCES),
}
"""What a name is drawn from, by the status drawn before."""
STATUSES = {
    "any": tuple(SCORES),
    "done": ("done",),
    "failed": ("failed",),
    "unfinished": ("partial", "failed"),
    "halted": HALTED,
    "open": ("in_progress", *HALTED),
}
PLAN, TASK = ",p={priority},@={plan}", ",p={priority},@=goal_{goal}"
REJECTED, RESULT = ",!={objection},@={remedy}", ",r={result},s={status},@={end}"
STEP, JUDGED = ",s={status},@={step}", ",sc={score},@={verdict}"
PROGRESS = "Progress: {status}, {step}."

LESSONS: dict[str, tuple[Lesson, ...]] = {
    COORDINATOR: (
        Lesson(GOAL, "REQ/TSK", "priority", "", TASK, "Task[{task}]: priority {priority}."),
        Lesson("PRO/PLN", "ACC/PLN", "priority plan", PLAN, ""),
        Lesson("PRO/PLN", "REJ/PLN", "objection remedy priority plan", PLAN, REJECTED),
        Lesson("EVL/EVL", "CFM/EVL", "status=done score verdict", JUDGED, ",s=done"),
        Lesson(
            "EVL/EVL", "REJ/PLN", "status=unfinished verdict score remedy", JUDGED,
            ",!={verdict},@={remedy}",
        ),
        Lesson(
            "INF/OBS", "QRY/RSC", "status=halted hindrance", ",s={status},@={hindrance}",
            ",@={hindrance}",
        ),
    ),
    PLANNER: (
        Lesson("REQ/TSK", "PRO/PLN", "priority plan", TASK, PLAN),
        Lesson("REJ/PLN", "PRO/PLN", "objection remedy plan", REJECTED, ",@={plan}"),
        Lesson("REQ/TSK", "QRY/CST", "priority question", TASK, ",@={question}"),
        Lesson("ACC/PLN", "CFM/PLN", "", "", ""),
    ),
    EXECUTOR: (
        Lesson(
            "ACC/PLN", "INF/OBS", "status=any result end", "", RESULT,
            "Result[{result}]: {status}, {end}.",
        ),
        Lesson("REQ/PLN", "INF/OBS", "priority plan status=open step", PLAN, STEP, PROGRESS),
        Lesson(
            "ACC/PLN", "INF/ERR", "failure", "", ",s=failed,!={failure}",
            "Failure: failed, {failure}.",
        ),
        Lesson("REQ/PLN", "CFM/PLN", "plan priority", PLAN, ",@={plan}"),
        Lesson("QRY/OBS", "INF/OBS", "status=open step", "", STEP, PROGRESS),
    ),
    CRITIC: (
        Lesson("INF/OBS", "EVL/EVL", "status=any result end score verdict", RESULT, JUDGED),
        Lesson(
            "INF/ERR", "EVL/EVL", "status=failed failure score verdict", ",s=failed,!={failure}",
            JUDGED,
        ),
        Lesson(
            "INF/OBS", "QRY/OBS", "result gap", ",r={result},s=partial,@={gap}",
            ",r={result},@={gap}",
        ),
    ),
}  # fmt: skip


def make_example(seed: int, number: int, roles: Sequence[str] = ROLES) -> Example:
    """Return example ``number`` of ``seed``, for one of ``roles``."""
    draw = _Draw(seed, number)
    values: dict[str, Any] = {"goal": draw.pick(range(1, 1000)), "task": draw.pick(range(1, 10))}
    trade = draw.pick(TRADES)
    role = draw.pick(roles)
    lesson = draw.pick(LESSONS[role])
    for name in lesson.drawn.split():
        if name.startswith("status="):
            values["status"] = draw.pick(STATUSES[name.removeprefix("status=")])
        else:
            values[name] = draw.pick(_choices(name, trade, values.get("status", "")))
    message = "" if lesson.received == GOAL else _write(lesson.received, lesson.slots, values)
    known = lesson.known.format_map(values).replace("_", " ")
    verb, thing, place, condition = map(
        draw.pick, (trade.verbs, trade.things, work.PLACES, work.CONDITIONS)
    )
    goal = f"Goal[{values['goal']}]: {verb} {thing} for {place}{condition}."
    return Example(
        role,
        lesson.received,
        lesson.expected,
        _ask(role, lesson, message, known, goal),
        _write(lesson.expected, lesson.answer, values),
    )


def _choices(name: str, trade: Trade, status: str) -> Sequence[Any]:
    by_status = BY_STATUS | {"end": trade.ends}
    return by_status[name][status] if name in by_status else (CHOICES | trade.tags)[name]


def make_examples(seed: int, count: int, roles: Sequence[str] = ROLES) -> Iterator[Example]:
    """Return the first ``count`` examples of ``seed``."""
    return (make_example(seed, number, roles) for number in range(count))


def write_lines(examples: Iterator[Example]) -> Iterator[bytes]:
    """Return each example as one line of JSON, with its line feed."""
    return (json.encode(example) + b"\n" for example in examples)


def _ask(role: str, lesson: Lesson, message: str, known: str, goal: str) -> str:
    received = (
        f"{with_article(_in_full(lesson.received))} message" if message else "a goal from the user"
    )
    opening = (
        f"You are {with_article(role)} agent. You receive {received}.\n"
        f"Reply with a single {_in_full(lesson.expected)} nSLIP message."
    )
    current = f"Current message:\n{message}" if message else ""
    return "\n\n".join(part for part in (opening, current, known, goal) if part) + "\n"


def _write(code: str, slots: str, values: dict[str, Any]) -> str:
    return f"{code}|g={{goal}},t={{task}}{slots}".format_map(values)


def _in_full(code: str) -> str:
    act, frame = code.split("/")
    return f"{ACTS[act]}/{FRAMES[frame]}"
