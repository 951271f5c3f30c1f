"""The conversation that a record names, which is not a thread of the program that wrote it.

    {"wire": "REQ/TSK|g=960,t=1", "from": "a", "thread": "zz-9"}           a conversation
    {"level": "INFO", "thread": "http-nio-8080-exec-1", "message": "…"}    a thread of Java

A thread that may be a program's stays an attribute.
"""

import re
from collections.abc import Mapping
from typing import Any

THREADS = (
    "conversation_id", "conversationid", "contextid", "context_id", "session_id", "sessionid",
    "thread_id", "threadid", "conversation", "thread",
)  # fmt: skip
"""The keys of a conversation, the surest first."""
_THREAD = frozenset(("thread",))
_DOUBTFUL = _THREAD | {"thread_id", "threadid"}
_EXCHANGED = frozenset((
    "from", "to", "sender", "recipient", "receiver", "from_agent", "to_agent", "sender_id",
    "recipient_id", "wire",
))  # fmt: skip
"""What is beside a conversation: a program has no recipient."""
_RUNNING = frozenset((
    "pid", "process", "processname", "process_name", "process_id", "processid", "tid",
    "threadname", "thread_name", "threadpriority",
))  # fmt: skip
"""What is beside a thread of a program, or a level or a logger."""
_PROGRAM = re.compile(
    r"\A(?:main|\d+|0x[0-9a-f]+|asyncio_\d+)\Z|thread|pool|worker|executor|dispatcher|scheduler"
    r"|nio|epoll|reactor|event-?loop|consumer|exec-\d|qtp\d",
    re.IGNORECASE,
)


def find_programs(members: Mapping[str, Any], *, is_log: bool) -> frozenset[str]:
    """Return the keys, in lower case, whose thread may be one of a program. ``is_log`` says whether
    a level or a logger is beside them.
    """
    if _DOUBTFUL.isdisjoint(members):
        return frozenset()
    is_log = is_log or not _RUNNING.isdisjoint(members)
    is_exchange = not is_log and not _EXCHANGED.isdisjoint(members)
    doubtful = frozenset(
        key for key in _DOUBTFUL.intersection(members) if _is_program(members[key])
    )
    if is_log:
        return doubtful | _THREAD
    return doubtful & _THREAD if is_exchange else _THREAD


def _is_program(value: object) -> bool:
    return not isinstance(value, str) or _PROGRAM.search(value.strip()) is not None
