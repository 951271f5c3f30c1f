"""Groups messages into conversations and checks each one.

    0  REQ/TSK|g=42,t=1           goal 42, task 1
    1  SLIP v3 a b Ask Status     a and b
    2  PRO/PLN|g=42,t=1           goal 42, task 1
    3  SLIP v3 b a Inform Done    a and b

Each codec says what ties its messages (``Codec.ties``): a thread, ids and replies, two names. Ties
join, so a chain of replies is one conversation however long. A message that has none goes to the
latest conversation of its protocol about the same goal, or, when it names no goal, to the latest
one about the same task, or of its sender and recipient, or else to the latest one. Then the codec
says what its protocol expects (``Codec.converse``), and ``checks`` adds what holds for all. Linear
in the messages; nothing here knows a protocol.

Metadata of a message ties it too, unless its wire names a thread: a thread, else a goal and a task.
All messages of a protocol may be tied; then sender and recipient part them if there are more than
two agents. A supplied sender replaces an inferred one, and is marked so.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from cablese import registry
from cablese.codec import Codec
from cablese.meaning import Meaning
from cablese.message import Message
from cablese.text import quote
from cablese.transcript import Cut, Facts
from cablese.transcript.records.wrapper import Carrier

from .checks import RULES, Report, check
from .finding import Finding, make_finding
from .lanes import ROLES, name_tools
from .model import ALL, NOTHING, Conversation, Course, Leg, Party, Step, Supplied, Turn
from .replicas import name_agents

TASK_FAILED = "the task failed"
UNANSWERED = (RULES["unmatched-request"].code, RULES["undecided-proposal"].code)


def gather(
    messages: Sequence[Message], supplied: Sequence[Supplied] = ()
) -> tuple[Conversation, ...]:
    """Return the conversations of messages given in the order they were sent, the first one first.

    ``supplied`` is the metadata of each message, or empty. A message of no protocol is in none.
    Indexes are places in ``messages``. Never raises.
    """
    return tuple(
        _conversation(registry.get(turns[0].message.protocol), key, turns)
        for key, turns in _group(messages, supplied)
    )


def group(messages: Sequence[Message], supplied: Sequence[Supplied] = ()) -> list[list[int]]:
    """Return the indexes of the messages of each conversation, before the conversations are checked
    as `gather` does it.
    """
    return [[turn.index for turn in turns] for _, turns in _group(messages, supplied)]


def _group(
    messages: Sequence[Message], supplied: Sequence[Supplied]
) -> list[tuple[str, list[Turn]]]:
    """Return the key and the turns of each conversation."""
    assert len(supplied) in (0, len(messages)), "metadata of every message, or of none"
    known = set(registry.get_names())
    supplied = name_agents(supplied)
    turns: list[tuple[Codec, Turn]] = []
    names: dict[str, set[str]] = {}
    for index, message in enumerate(messages):
        if message.protocol in known:
            codec = registry.get(message.protocol)
            metadata = supplied[index] if supplied else NOTHING
            turn = Turn(index, message, codec.meaning(message), metadata, codec.outcome(message))
            turns.append((codec, turn))
            names.setdefault(codec.name, set()).update(_names(turn.known))
    groups = _Groups({name: sorted(agents) for name, agents in names.items()})
    for codec, turn in turns:
        groups.add(codec, turn)
    return groups.read()


def recorded(cuts: Iterable[Cut]) -> list[Supplied]:
    """Return sender, recipient, and thread of each message, from log lines and wrappers."""
    placed = (
        (
            _recorded(cut.facts, cut.carrier) if cut.facts else NOTHING,
            None if cut.carrier is None else (cut.carrier.span, cut.carrier.path),
        )
        for cut in cuts
    )
    return list(name_tools(placed))


def _recorded(facts: Facts, carrier: Carrier | None) -> Supplied:
    names = facts.sender, facts.recipient
    # A chat, a task of A2A or a call of MCP names roles; a log line names agents. The arguments of
    # a call may name the recipient: the assistant that calls stays a role.
    said = (None, None) if carrier is None else carrier.sides
    roles = names != (None, None) and (names == said or (names[0] in ROLES and names[0] == said[0]))
    call = (
        None
        if carrier is None
        else next((level.call for level in carrier.levels if level.call), None)
    )
    return Supplied(None, None, facts.thread, *names, roles=roles, line=not roles, call=call)


class _Groups:
    """Turns joined by their ties: a forest in which each turn points to an earlier one.

    ``names`` are the known agents of each protocol.
    """

    def __init__(self, names: Mapping[str, Sequence[str]]) -> None:
        self.names = names
        self.turns: list[Turn] = []
        self.keys: list[str] = []
        self.parents: list[int] = []
        self.tied: dict[tuple[str, str], int] = {}
        self.about: dict[tuple[str, str], int] = {}
        self.between: dict[tuple[str, str], int] = {}
        self.latest: dict[str, int] = {}

    def add(self, codec: Codec, turn: Turn) -> None:
        at, name = len(self.turns), codec.name
        given = codec.ties(turn.message, turn.meaning)
        ties = self._find_ties(turn, given)
        known, names = turn.known, _names(turn.known)
        about, pair = _about(known.goal, known.task), _pair(names)
        near = None if ties else self._find_near(name, known, loose=ALL in given)
        self.turns.append(turn)
        self.keys.append(ties[0] if ties else about or pair or "")
        self.parents.append(at)
        for tie in ties:
            self._join(self.tied.setdefault((name, tie), at), at)
        self._join(at if near is None else near, at)
        for part in (_about(known.goal, None), _about(None, known.task)):
            self.about[name, part] = at
        for agents in (*names, pair) if pair else names:
            self.between[name, agents] = at
        self.latest[name] = at

    def _find_ties(self, turn: Turn, ties: tuple[str, ...]) -> tuple[str, ...]:
        """Return ``ties`` of the wire, completed with those of its metadata."""
        meaning = turn.meaning
        if meaning.thread is not None:
            return ties
        more = tuple(_supplied_ties(turn))
        if ALL in ties:
            return more or self._find_loose_ties(turn)
        # Two names may talk of many things: a thread that a record names comes before them.
        guessed = (
            turn.supplied.thread is not None and meaning.id is None and meaning.reply_to is None
        )
        return more if more and guessed else (*ties, *more)

    def _find_loose_ties(self, turn: Turn) -> tuple[str, ...]:
        """Return the tie of all messages of a protocol, if no more than two agents are known, or of
        those of the same two agents.
        """
        agents = self.names[turn.message.protocol]
        if len(agents) > 2:
            pair = _pair(_names(turn.known))
            return () if pair is None else (pair,)
        return (_pair(agents) or ALL,)

    def _find_near(self, name: str, known: Meaning, *, loose: bool) -> int | None:
        """Return the latest turn about the same goal or task, or of the same two agents, or of the
        one that is known; or else the latest one.
        """
        latest = self.latest.get(name)
        if known.goal is not None and not loose:
            return self.about.get((name, _about(known.goal, None)))
        if known.task is not None:
            other = None if latest is None else self.turns[latest].known.task
            return self.about.get((name, _about(None, known.task)), None if other else latest)
        names = _names(known)
        pair = _pair(names)
        if pair is not None:
            return self.between.get((name, pair))
        return self.between.get((name, names[0]), latest) if names else latest

    def read(self) -> list[tuple[str, list[Turn]]]:
        """Return the key and the turns of each group."""
        groups: dict[int, list[Turn]] = {}
        for at, turn in enumerate(self.turns):
            groups.setdefault(self._root(at), []).append(turn)
        return [(self.keys[root], turns) for root, turns in groups.items()]

    def _root(self, at: int) -> int:
        while self.parents[at] != at:
            self.parents[at] = at = self.parents[self.parents[at]]
        return at

    def _join(self, left: int, right: int) -> None:
        """Join two groups. The earlier root stays, so that a group is named after its first
        message.
        """
        first, second = sorted((self._root(left), self._root(right)))
        self.parents[second] = first


def _supplied_ties(turn: Turn) -> Iterator[str]:
    """Yield ties of a message's metadata, in the same words as ties of its wire."""
    supplied = turn.supplied
    if supplied.thread:
        yield f"thread {supplied.thread}"
    elif supplied.goal or supplied.task:
        yield _about(supplied.goal or turn.known.goal, turn.known.task)


def _about(goal: str | None, task: str | None) -> str:
    """Return a goal and a task in words."""
    return ", ".join(f"{word} {name}" for word, name in (("goal", goal), ("task", task)) if name)


def _names(known: Meaning) -> tuple[str, ...]:
    return tuple(filter(None, (known.sender, known.recipient)))


def _pair(names: Sequence[str]) -> str | None:
    """Return two names in words, whichever of them sent a message."""
    return " and ".join(sorted(names)) if len(names) == 2 else None


def _conversation(codec: Codec, key: str, turns: Sequence[Turn]) -> Conversation:
    course = codec.converse(turns)
    report = check(codec, [replace(turn, meaning=turn.known) for turn in turns])
    complete = _complete(codec, course, report)
    inferred = {leg.message: leg for leg in course.legs}
    legs = tuple(
        inferred.get(turn.index) or Leg(turn.index, turn.meaning.sender, turn.meaning.recipient)
        for turn in turns
    )
    completed = tuple(_supply(leg, turn.supplied) for leg, turn in zip(legs, turns, strict=True))
    # Who takes part is not guessed where a record says it of every message.
    others = () if all(leg.supplied for leg in completed) else course.parties
    findings = (
        *course.findings,
        *report.findings,
        *_unfinished(course, report, turns, complete=complete),
    )
    return Conversation(
        protocol=codec.name,
        key=key,
        turns=tuple(turns),
        answered=tuple(report.answered.get(turn.index) for turn in turns),
        legs=completed,
        # Who expects an answer takes part, even without sending a message.
        parties=_parties(
            turns,
            legs,
            (*others, *map(Party, filter(None, (turn.meaning.answer_to for turn in turns)))),
        ),
        stage=_stage(course, report),
        complete=complete,
        failed=report.failed is not None,
        missing=course.missing,
        next=_named(course.next, legs, completed) or _awaited(codec, report),
        terms=course.terms,
        findings=tuple(sorted(findings, key=lambda finding: finding.messages[-1:])),
    )


def _stage(course: Course, report: Report) -> str:
    if report.failed is None:
        return course.stage
    return f"{TASK_FAILED}; {course.stage}" if course.stage and not course.complete else TASK_FAILED


def _complete(codec: Codec, course: Course, report: Report) -> bool | None:
    if report.failed is not None or (course.complete is None and report.halted is not None):
        return False
    if course.complete is not None:
        return course.complete
    return (
        None
        if report.open is None or RULES["unmatched-request"].code in codec.exempt
        else not report.open
    )


def _unfinished(
    course: Course, report: Report, turns: Sequence[Turn], *, complete: bool | None
) -> tuple[Finding, ...]:
    """Report a failure, or an end without completion, unless an unanswered message does so."""
    if report.failed is not None:
        return (
            make_finding(
                RULES["failed"],
                "The task failed and was not resumed.",
                (report.failed.index,),
            ),
        )
    if complete is not False or any(finding.code in UNANSWERED for finding in report.findings):
        return ()
    ending = course.stage or (f"the last status is {quote(report.halted)}" if report.halted else "")
    return (
        make_finding(
            RULES["unfinished"],
            f"The conversation ends before it is complete{': ' if ending else ''}{ending}.",
            (turns[-1].index,),
        ),
    )


def _supply(leg: Leg, supplied: Supplied) -> Leg:
    """Return ``leg`` with supplied names where the wire has none."""
    if not (supplied.sender or supplied.recipient):
        return leg
    if leg.reason:
        return Leg(leg.message, supplied.sender, supplied.recipient, supplied.reason, supplied=True)
    names = leg.sender or supplied.sender, leg.recipient or supplied.recipient
    if names == (leg.sender, leg.recipient):
        return leg
    return Leg(leg.message, *names, supplied.reason, supplied=True)


def _named(
    steps: Sequence[Step], inferred: Sequence[Leg], completed: Sequence[Leg]
) -> tuple[Step, ...]:
    """Return ``steps`` with supplied names for inferred roles; no name if a role has several."""
    names: dict[str | None, set[str | None]] = {}
    for role, leg in zip(inferred, completed, strict=True):
        if leg.supplied and role.reason:
            names.setdefault(role.sender, set()).add(leg.sender)
            names.setdefault(role.recipient, set()).add(leg.recipient)

    def name(role: str | None) -> str | None:
        known = names.get(role, {role})
        return next(iter(known)) if len(known) == 1 else None

    return tuple(
        replace(step, sender=name(step.sender), recipient=name(step.recipient)) for step in steps
    )


def _parties(
    turns: Sequence[Turn], legs: Sequence[Leg], others: Sequence[Party]
) -> tuple[Party, ...]:
    """Return each agent once, in order of appearance. A name in any wire is not marked supplied or
    inferred, and a supplied one is not marked inferred.

    A name that any message says is neither supplied nor inferred, and one that is supplied is not
    inferred.
    """
    known = {other.name: other for other in others if other.inferred}
    sent: dict[str, list[int]] = {name: [] for name in known}
    for turn, leg in zip(turns, legs, strict=True):
        supplied = _supply(leg, turn.supplied)
        for name in (supplied.sender, supplied.recipient):
            if name is None:
                continue
            sent.setdefault(name, [])
            own = not leg.reason and name in (leg.sender, leg.recipient)
            party = Party(name) if own else Party(name, supplied.reason, supplied=supplied.supplied)
            known[name] = max(
                known.get(name, party),
                party,
                key=lambda each: (not each.inferred, not each.supplied),
            )
        if supplied.sender is not None:
            sent[supplied.sender].append(leg.message)
    for other in others:
        sent.setdefault(other.name, [])
    return tuple(
        replace(known.get(name, Party(name)), messages=tuple(messages))
        for name, messages in sent.items()
    )


def _awaited(codec: Codec, report: Report) -> tuple[Step, ...]:
    """Return what the unanswered turns expect, each kind once."""
    if RULES["unmatched-request"].code in codec.exempt:
        return ()
    waiting = dict.fromkeys((turn.meaning.act, turn.meaning.sender) for turn in report.open or ())
    return tuple(
        Step(
            "",
            "a decision on the proposal" if act == "propose" else f"an answer to the {act}",
            recipient=sender,
        )
        for act, sender in waiting
    )
