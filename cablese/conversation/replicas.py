"""Which agent a container runs, where log lines name the container that wrote them.

    planner-1   | sent to executor: T|1|Q|obj=door       planner-1 is planner
    executor-1  | sent to planner: T|2|A|res=open        executor-1 is executor

Docker Compose and Kubernetes name a container after its service, with a number or a hash. It is the
agent that other lines name if only one container has that name, one of both only sends, and the
other one only receives: two agents, such as worker and worker-1, would do both.
"""

import re
from collections.abc import Sequence

from msgspec.structs import replace

from .model import Supplied

REPLICA = re.compile(r"(.+?)(?:[-_][0-9]{1,4}|-[a-f0-9]{8,10}-[a-z0-9]{5})")


def name_agents(supplied: Sequence[Supplied]) -> Sequence[Supplied]:
    """Return metadata in which each container has the name of its agent. Linear in the messages."""
    senders = {each.sender for each in supplied if each.line and each.sender}
    recipients = {each.recipient for each in supplied if each.line and each.recipient}
    known: dict[str, list[str]] = {}
    for name in senders ^ recipients:  # that only send, or only receive
        replica = REPLICA.fullmatch(name)
        if replica is not None:
            known.setdefault(replica[1], []).append(name)
    agents = {
        replicas[0]: agent
        for agent, replicas in known.items()
        if len(replicas) == 1
        and agent in (recipients - senders if replicas[0] in senders else senders - recipients)
    }
    if not agents:
        return supplied
    return [
        replace(
            each,
            sender=agents.get(each.sender or "", each.sender),
            recipient=agents.get(each.recipient or "", each.recipient),
        )
        if each.line
        else each
        for each in supplied
    ]
