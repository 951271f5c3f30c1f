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
from cablese.conversation.gather import gather, group, recorded
from cablese.conversation.model import Supplied
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
    answers: int
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
    with_conversations: bool = False
    """Whether the page also shows the conversations of the text, which report the same findings."""

    @cached_property
    def agents(self) -> Agents:
        return self.load()

    @cached_property
    def all(self) -> tuple[history.Course, ...]:
        if not any(_has_state(message) for message in self.reading.messages):
            return ()
        messages = self.reading.messages
        return history.follow(messages, self.agents, group(messages, self._supplied))

    @cached_property
    def _supplied(self) -> list[Supplied]:
        return recorded(self.reading.cuts)

    @property
    def worth_a_panel(self) -> bool:
        """Return whether the tasks add to what the messages show one by one."""
        return bool(self.violations) or any(
            len(course.events) > 1 or any(event.takeovers for event in course.events)
            for course in self.all
        )

    @property
    def illegal(self) -> int:
        """Return the number of invalid transitions."""
        return sum(course.illegal for course in self.all)

    @cached_property
    def reported_elsewhere(self) -> frozenset[int]:
        """Return the messages whose invalid transitions are already reported in the conversations
        of the page.
        """
        if not self.with_conversations or not self.illegal:
            return frozenset()
        findings = (
            finding
            for conversation in gather(self.reading.messages, self._supplied)
            for finding in conversation.findings
        )
        return frozenset(
            finding.messages[-1]
            for finding in findings
            if finding.code == RULES["contradictory-status"].code
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
        for fragment in self.reading.ignored if plans else ():
            at = bisect_left(plans, (fragment.span.start, 0)) - 1
            if fragment.reason != UNCLAIMED or at < 0:
                continue
            plan = plans[at][1]
            speaker, role = self._identify(fragment.text)
            if role is None or (last == plan and not speaker):
                continue
            last = plan
            line = self.reading.places.line(fragment.span.start)
            violation = output_rules.judge(
                detection.decode(fragment.text), role=role, asked=self.reading.messages[plan]
            )
            yield Remark(line, fragment.text, speaker, role, plan + 1, violation)

    def _identify(self, text: str) -> tuple[str, Role | None]:
        """Return the sender and role of a text. The name is empty if the sender is unknown."""
        named = SPEAKER.match(text)
        if named is None:
            return "", self.role
        agent = get(self.agents, named[1])
        if agent is not None:
            return agent.agent_name, agent.role
        role = next((role for role in ROLES if role.lower() == named[1].lower()), None)
        return (named[1], role) if role else ("", self.role)


def _has_state(message: Message) -> bool:
    return message.protocol == "sacp" and ("state" in message.values or "status" in message.values)
