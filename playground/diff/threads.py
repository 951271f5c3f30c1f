"""Two texts, conversation by conversation: parties, acts, findings, and how it ends.

Conversations with the same ID belong together. Those that are left are paired in order, if they are
of the same protocol.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest

from cablese import registry
from cablese.conversation.gather import gather, recorded
from cablese.conversation.model import Conversation
from playground.workbench.document import Reading

CONVERSATIONS = 50
LISTED = 12
NOTHING = "–"


@dataclass(frozen=True, slots=True)
class Aspect:
    """What differs between two conversations, and how it is in each."""

    name: str
    left: tuple[str, ...]
    right: tuple[str, ...]


@dataclass(frozen=True)
class Meeting:
    """A conversation of one text, or of both."""

    left: Conversation | None
    right: Conversation | None

    @property
    def title(self) -> str:
        one = self.left or self.right
        assert one is not None
        title = registry.get(one.protocol).title
        return f"{title}, {one.key or 'messages with no conversation ID'}"

    @property
    def only(self) -> str:
        """Return in which text it is alone."""
        return "second" if self.left is None else "first" if self.right is None else ""

    @cached_property
    def aspects(self) -> list[Aspect]:
        if self.left is None or self.right is None:
            return []
        return list(_compare(self.left, self.right))

    @property
    def differs(self) -> bool:
        return bool(self.only or self.aspects)


class Meetings:
    """The comparison of the conversations of two texts."""

    def __init__(self, left: Reading, right: Reading) -> None:
        self.all = list(_pair(_gather(left), _gather(right)))
        differing = [meeting for meeting in self.all if meeting.differs]
        self.differing = len(differing)
        self.shown = differing[:CONVERSATIONS]

    @property
    def left(self) -> int:
        return self.differing - len(self.shown)

    @property
    def summary(self) -> str:
        total = len(self.all)
        if not total:
            return "Neither text has a conversation."
        noun = "conversation" if total == 1 else "conversations"
        if not self.differing:
            every = "The conversation has" if total == 1 else f"All {total:,} conversations have"
            return f"{every} the same parties, acts, findings, and final state."
        verb = "differs" if self.differing == 1 else "differ"
        return f"{self.differing:,} of {total:,} {noun} {verb}."


def _gather(reading: Reading) -> tuple[Conversation, ...]:
    return gather(reading.messages, recorded(reading.cuts))


def _pair(left: Sequence[Conversation], right: Sequence[Conversation]) -> Iterator[Meeting]:
    waiting: dict[tuple[str, str], list[Conversation]] = {}
    for one in right:
        waiting.setdefault((one.protocol, one.key), []).append(one)
    alone = []
    for one in left:
        same = waiting.get((one.protocol, one.key))
        if same:
            yield Meeting(one, same.pop(0))
        else:
            alone.append(one)
    rest = [one for others in waiting.values() for one in others]
    for protocol in dict.fromkeys(one.protocol for one in (*alone, *rest)):
        for pair in zip_longest(
            (one for one in alone if one.protocol == protocol),
            (one for one in rest if one.protocol == protocol),
        ):
            yield Meeting(*pair)


def _compare(left: Conversation, right: Conversation) -> Iterator[Aspect]:
    for name, one, other in (
        ("ID", [left.key], [right.key]),
        ("Parties", _parties(left), _parties(right)),
        ("Acts", _acts(left), _acts(right)),
        ("Findings", _findings(left), _findings(right)),
    ):
        more, others = Counter(one) - Counter(other), Counter(other) - Counter(one)
        if more or others:
            yield Aspect(name, _list(more), _list(others))
    ends = _end(left), _end(right)
    if ends[0] != ends[1]:
        yield Aspect("Final state", ends[0], ends[1])


def _list(counts: Counter[str]) -> tuple[str, ...]:
    listed = [f"{text} (× {count:,})" if count > 1 else text for text, count in counts.items()]
    more = len(listed) - LISTED
    return (*listed[:LISTED], *((f"{more:,} more",) if more > 0 else ()))


def _parties(of: Conversation) -> list[str]:
    return [f"{party.name} (inferred)" if party.inferred else party.name for party in of.parties]


def _acts(of: Conversation) -> list[str]:
    return [turn.meaning.act for turn in of.turns]


def _findings(of: Conversation) -> Iterable[str]:
    return [f"{finding.severity}: {finding.message}" for finding in of.findings]


def _end(of: Conversation) -> tuple[str, ...]:
    state = (
        "Failed" if of.failed else {True: "Complete", False: "Incomplete", None: ""}[of.complete]
    )
    missing = f"Missing: {', '.join(of.missing)}" if of.missing else ""
    return tuple(part for part in (state, of.stage, missing) if part)
