"""Find the SACP tasks in a text: their states, their replies, and prose instead of data.

    {"g":"FIND_HOTEL","plan":[…],"out_fmt":"raw"}
    HOTEL_FINDER: I am sorry, there is nothing.        an Executor answers raw with prose

Text between messages counts as an answer to the latest plan before it. A line that starts with the
name of a registered agent is from that agent and has its role.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from cablese import detection
from cablese.conversation.checks import RULES
from cablese.conversation.gather import gather
from cablese.message import Message
from cablese.protocols.sacp.agents.registry import ROLES, Agents, Role, get
from cablese.protocols.sacp.tasks import history, output_rules
from cablese.transcript.splitter import UNCLAIMED
from playground.workbench.document import Reading

SPEAKER = re.compile(r"[\[(]?([A-Za-z][A-Za-z0-9_.\-]{0,63})[\])]?:\s")


@dataclass(frozen=True)
class Remark:
    """Prose after a plan, its sender if known, and what is wrong with it."""

    line: int
    text: str
    speaker: str
    role: Role
    asked: int
    """Number of the message that it answers."""
    violation: output_rules.Violation | None


@dataclass
class Courses:
    """The tasks of a text, found when a page asks for them.

    With a ``role``, all text between messages counts as an answer, from a sender of that role
    unless it starts with a name. Without a role, only text from registered agents, or with the name
    of a role, counts.
    """

    reading: Reading
    load: Callable[[], Agents]
    role: Role | None = None
    beside_conversations: bool = False
    """Whether the page also shows the conversations of the text, which report the same findings."""

    @cached_property
    def agents(self) -> Agents:
        return self.load()

    @cached_property
    def all(self) -> tuple[history.Course, ...]:
        if not any(_tells(message) for message in self.reading.messages):
            return ()
        return history.follow(self.reading.messages, self.agents)

    @property
    def worth_a_panel(self) -> bool:
        """Return whether the tasks add to what the messages show one by one."""
        return bool(self.violations) or any(
            len(one.events) > 1 or any(event.takeovers for event in one.events) for one in self.all
        )

    @property
    def illegal(self) -> int:
        """Return the number of invalid transitions."""
        return sum(one.illegal for one in self.all)

    @cached_property
    def said_elsewhere(self) -> frozenset[int]:
        """Return the messages whose invalid transitions are already reported in the conversations
        of the page.
        """
        if not self.beside_conversations or not self.illegal:
            return frozenset()
        findings = (found for one in gather(self.reading.messages) for found in one.findings)
        return frozenset(
            found.messages[-1]
            for found in findings
            if found.code == RULES["contradictory-status"].code
        )

    @cached_property
    def remarks(self) -> list[Remark]:
        return list(self._find_remarks())

    @property
    def violations(self) -> list[Remark]:
        return [remark for remark in self.remarks if remark.violation is not None]

    def _find_remarks(self) -> Iterator[Remark]:
        plans = [
            (cut.span.start, at)
            for at, (cut, message) in enumerate(
                zip(self.reading.cuts, self.reading.messages, strict=True)
            )
            if message.protocol == "sacp" and "steps" in message.values
        ]
        last: int | None = None
        for piece in self.reading.ignored if plans else ():
            at = bisect_left(plans, (piece.span.start, 0)) - 1
            if piece.reason != UNCLAIMED or at < 0:
                continue
            asked = plans[at][1]
            speaker, role = self._who(piece.text)
            if role is None or (last == asked and not speaker):
                continue
            last = asked
            line = self.reading.places.line(piece.span.start)
            found = output_rules.judge(
                detection.decode(piece.text), role=role, asked=self.reading.messages[asked]
            )
            yield Remark(line, piece.text, speaker, role, asked + 1, found)

    def _who(self, text: str) -> tuple[str, Role | None]:
        """Return the sender and role of a text. The name is empty if the sender is unknown."""
        named = SPEAKER.match(text)
        if named is None:
            return "", self.role
        agent = get(self.agents, named[1])
        if agent is not None:
            return agent.agent_name, agent.role
        role = next((role for role in ROLES if role.lower() == named[1].lower()), None)
        return (named[1], role) if role else ("", self.role)


def _tells(message: Message) -> bool:
    return message.protocol == "sacp" and ("state" in message.values or "status" in message.values)
