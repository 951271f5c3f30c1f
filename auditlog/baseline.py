"""The JSON baseline of token comparisons: what a team would send without it.

    {"act":"REQUEST","frame":"TASK","goal":42,"task":1,"priority":2,"tag":"auth_refactor"}

No spaces, nothing escaped without need, keys in the order given. Stored counts, pages and the API
all count this text.
"""

from auditlog import text
from cablese import detection, registry
from cablese.message import Message

VERSION = 1
"""Stored beside stored counts; another spelling is another version."""


def write(message: Message) -> str | None:
    """The baseline of a message; None when nothing was read. U+FFFD stands for what is not
    UTF-8.
    """
    if not message.values or message.protocol == detection.UNKNOWN:
        return None
    return text.to_json(registry.get(message.protocol).plain(message))
