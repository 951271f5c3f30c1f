"""Training examples for models that shall speak nSLIP: a prompt for one of four roles, and the
answer it should get.

    You are a planner agent. You receive a REQUEST/TASK message.
    Reply with a single PROPOSE/PLAN nSLIP message.

    Current message:
    REQ/TSK|g=42,t=1,p=2,@=goal_42

    Goal[42]: Write a health check for the billing service.

The form of the prompt is the source's ("Training Models to Speak nSLIP"); goals, tags and reasons
are ours (`work`). What the role knows besides is a line before the goal, ``Task[1]: priority 2.``
or ``Result[5]: done, tests pass.``, so that each slot of an answer can be read from its prompt. The
exceptions are the role's own decisions, see `CHOSEN`. Each example is drawn from a hash of the seed
and its own number, not from a sequence of random numbers: the same seed gives the same bytes on
every version of Python, and any example can be made without those before it.
"""

from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple, TypeVar

from msgspec import Struct, json

from cablese.protocols.nslip.codec import codec
from cablese.protocols.nslip.flow import COORDINATOR, CRITIC, EXECUTOR, PLANNER
from cablese.protocols.nslip.vocabulary import ACTS, FRAMES

from . import work
from .work import TRADES

GOAL = "goal"
"""What is received where no message is: the user's goal, in English."""
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
"""The slots that a role decides for itself, by its answer: which plan, what is wrong and what would
help, how good a result of that status is, what to ask. All others are in the prompt, or follow from
it: a score tells the status.
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


class _Scene:
    """Some work in the middle of it, and choices: each is what is left of one large number,
    divided.
    """

    def __init__(self, seed: int, number: int) -> None:
        self.left = int.from_bytes(blake2b(f"nslip {seed} {number}".encode()).digest())
        self.goal = self.pick(range(1, 1000))
        self.task = self.pick(range(1, 10))
        self.trade = self.pick(TRADES)

    def pick(self, choices: Sequence[_T]) -> _T:
        self.left, at = divmod(self.left, len(choices))
        return choices[at]

    def tell_goal(self) -> str:
        verb, thing, place = (
            self.pick(self.trade.verbs),
            self.pick(self.trade.things),
            self.pick(work.PLACES),
        )
        return f"Goal[{self.goal}]: {verb} {thing} for {place}{self.pick(work.CONDITIONS)}."


Slots = dict[str, Any]


class _Exchange(NamedTuple):
    """The slots of a message that came, and of its answer, beside goal and task; and what else the
    role knows.
    """

    received: Slots
    target: Slots
    known: str = ""


class Lesson(NamedTuple):
    """What one role learns to answer to one kind of message."""

    received: str
    expected: str
    make: Callable[[_Scene], _Exchange]


def _open(scene: _Scene) -> _Exchange:
    priority = scene.pick((1, 2, 3))
    known = f"Task[{scene.task}]: priority {priority}."
    return _Exchange({}, {"p": priority, "@": f"goal_{scene.goal}"}, known)


def _propose(scene: _Scene) -> _Exchange:
    priority = scene.pick((1, 2, 3))
    return _Exchange(
        {"p": priority, "@": f"goal_{scene.goal}"},
        {"p": priority, "@": scene.pick(scene.trade.plans)},
    )


def _propose_again(scene: _Scene) -> _Exchange:
    came = {"!": scene.pick(work.OBJECTIONS), "@": scene.pick(work.REMEDIES)}
    return _Exchange(came, {"@": scene.pick(scene.trade.plans)})


def _ask_limits(scene: _Scene) -> _Exchange:
    came = {"p": scene.pick((1, 2, 3)), "@": f"goal_{scene.goal}"}
    return _Exchange(came, {"@": scene.pick(work.QUESTIONS)})


def _ask_again(scene: _Scene) -> _Exchange:
    """A question about the very thing that was reported."""
    status = scene.pick(HALTED)
    hindrance = scene.pick(work.HINDRANCES)
    return _Exchange({"s": status, "@": hindrance}, {"@": hindrance})


def _ask_about_gaps(scene: _Scene) -> _Exchange:
    outcome = {
        "r": scene.pick(range(1, 10)),
        "s": "partial",
        "@": scene.pick(scene.trade.shortfalls),
    }
    return _Exchange(outcome, {"r": outcome["r"], "@": outcome["@"]})


def _confirm_plan(scene: _Scene) -> _Exchange:
    plan = scene.pick(scene.trade.plans)
    return _Exchange({"p": scene.pick((1, 2, 3)), "@": plan}, {"@": plan})


def _confirm_acceptance(_: _Scene) -> _Exchange:
    return _Exchange({}, {})


def _answer_progress(scene: _Scene) -> _Exchange:
    return _Exchange({}, *_progress(scene))


def _accept(scene: _Scene) -> _Exchange:
    return _Exchange({"p": scene.pick((1, 2, 3)), "@": scene.pick(scene.trade.plans)}, {})


def _reject(scene: _Scene) -> _Exchange:
    answer = {"!": scene.pick(work.OBJECTIONS), "@": scene.pick(work.REMEDIES)}
    return _Exchange({"p": scene.pick((1, 2, 3)), "@": scene.pick(scene.trade.plans)}, answer)


def _close(scene: _Scene) -> _Exchange:
    return _Exchange(
        {"sc": scene.pick(SCORES["done"]), "@": scene.pick(work.PRAISE)}, {"s": "done"}
    )


def _iterate(scene: _Scene) -> _Exchange:
    status = scene.pick(("partial", "failed"))
    verdict = scene.pick(_verdicts(status))
    return _Exchange(
        {"sc": scene.pick(SCORES[status]), "@": verdict},
        {"!": verdict, "@": scene.pick(work.REMEDIES)},
    )


def _report(scene: _Scene) -> _Exchange:
    outcome = _outcome(scene)
    return _Exchange({}, outcome, _tell(f"Result[{outcome['r']}]", outcome["s"], outcome["@"]))


def _report_progress(scene: _Scene) -> _Exchange:
    came = {"p": scene.pick((1, 2, 3)), "@": scene.pick(scene.trade.plans)}
    return _Exchange(came, *_progress(scene))


def _report_failure(scene: _Scene) -> _Exchange:
    reason = scene.pick(scene.trade.failures)
    return _Exchange({}, {"s": "failed", "!": reason}, _tell("Failure", "failed", reason))


def _evaluate(scene: _Scene) -> _Exchange:
    outcome = _outcome(scene)
    return _Exchange(outcome, _judgement(scene, outcome["s"]))


def _evaluate_failure(scene: _Scene) -> _Exchange:
    return _Exchange(
        {"s": "failed", "!": scene.pick(scene.trade.failures)}, _judgement(scene, "failed")
    )


def _progress(scene: _Scene) -> tuple[Slots, str]:
    status = scene.pick(("in_progress", *HALTED))
    tag = scene.pick(work.HINDRANCES if status in HALTED else work.STEPS)
    return {"s": status, "@": tag}, _tell("Progress", status, tag)


def _tell(what: str, status: str, tag: str) -> str:
    return f"{what}: {status.replace('_', ' ')}, {tag.replace('_', ' ')}."


def _outcome(scene: _Scene) -> Slots:
    ends = {
        "done": scene.trade.successes,
        "partial": scene.trade.shortfalls,
        "failed": scene.trade.failures,
    }
    status = scene.pick(tuple(ends))
    return {"r": scene.pick(range(1, 10)), "s": status, "@": scene.pick(ends[status])}


def _judgement(scene: _Scene, status: str) -> Slots:
    return {"sc": scene.pick(SCORES[status]), "@": scene.pick(_verdicts(status))}


def _verdicts(status: str) -> tuple[str, ...]:
    return {"done": work.PRAISE, "partial": work.CRITIQUE, "failed": work.BLAME}[status]


LESSONS: dict[str, tuple[Lesson, ...]] = {
    COORDINATOR: (
        Lesson(GOAL, "REQ/TSK", _open),
        Lesson("PRO/PLN", "ACC/PLN", _accept),
        Lesson("PRO/PLN", "REJ/PLN", _reject),
        Lesson("EVL/EVL", "CFM/EVL", _close),
        Lesson("EVL/EVL", "REJ/PLN", _iterate),
        Lesson("INF/OBS", "QRY/RSC", _ask_again),
    ),
    PLANNER: (
        Lesson("REQ/TSK", "PRO/PLN", _propose),
        Lesson("REJ/PLN", "PRO/PLN", _propose_again),
        Lesson("REQ/TSK", "QRY/CST", _ask_limits),
        Lesson("ACC/PLN", "CFM/PLN", _confirm_acceptance),
    ),
    EXECUTOR: (
        Lesson("ACC/PLN", "INF/OBS", _report),
        Lesson("REQ/PLN", "INF/OBS", _report_progress),
        Lesson("ACC/PLN", "INF/ERR", _report_failure),
        Lesson("REQ/PLN", "CFM/PLN", _confirm_plan),
        Lesson("QRY/OBS", "INF/OBS", _answer_progress),
    ),
    CRITIC: (
        Lesson("INF/OBS", "EVL/EVL", _evaluate),
        Lesson("INF/ERR", "EVL/EVL", _evaluate_failure),
        Lesson("INF/OBS", "QRY/OBS", _ask_about_gaps),
    ),
}


def make_example(seed: int, number: int, roles: Sequence[str] = ROLES) -> Example:
    """Example ``number`` of ``seed``, for one of ``roles``."""
    scene = _Scene(seed, number)
    role = scene.pick(roles)
    lesson = scene.pick(LESSONS[role])
    said = lesson.make(scene)
    beside = {"g": scene.goal, "t": scene.task}
    message = "" if lesson.received == GOAL else _write(lesson.received, beside | said.received)
    return Example(
        role,
        lesson.received,
        lesson.expected,
        _ask(role, lesson, message, said.known, scene.tell_goal()),
        _write(lesson.expected, beside | said.target),
    )


def make_examples(seed: int, count: int, roles: Sequence[str] = ROLES) -> Iterator[Example]:
    """The first ``count`` examples of ``seed``."""
    return (make_example(seed, number, roles) for number in range(count))


def write_lines(examples: Iterator[Example]) -> Iterator[bytes]:
    """Each example as one line of JSON, with its line feed."""
    return (json.encode(one) + b"\n" for one in examples)


def _ask(role: str, lesson: Lesson, message: str, known: str, goal: str) -> str:
    came = (
        f"{_with_article(_in_full(lesson.received))} message" if message else "a goal from the user"
    )
    opening = (
        f"You are {_with_article(role)} agent. You receive {came}.\n"
        f"Reply with a single {_in_full(lesson.expected)} nSLIP message."
    )
    current = f"Current message:\n{message}" if message else ""
    return "\n\n".join(part for part in (opening, current, known, goal) if part) + "\n"


def _write(code: str, slots: Slots) -> str:
    act, frame = code.split("/")
    return codec.encode({"act": act, "frame": frame, "slots": slots})


def _in_full(code: str) -> str:
    act, frame = code.split("/")
    return f"{ACTS[act]}/{FRAMES[frame]}"


def _with_article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiouAEIOU' else 'a'} {noun}"
