"""Room for the frames of a thread in one piece of memory.

CPython (3.11 and later) keeps the frames of a thread in chunks of 16 KiB, and returns a chunk to
the system as soon as the call that needed it is over. A loop whose calls begin at the end of a
chunk maps and unmaps memory at each of them. Whether one does depends on how many calls are above
it: the same template can take half as long again after a change of an unrelated module.
"""

from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")
ROOM = 256 * 1024
"""Bytes. About a thousand frames, which is as deep as Python lets calls go."""
_SLOT = 8
"""Bytes of a slot of a frame."""


def call_with_room(work: Callable[[], Result]) -> Result:
    """Call ``work`` on a stack whose next ROOM bytes are mapped until it returns.

    A frame that does not fit gets a chunk of its own, of twice its size at most, and the frames
    that follow share what is left of it. So this function's frame is made to be that large. Its
    unused part is never touched, and takes no memory.
    """
    return work()


call_with_room.__code__ = call_with_room.__code__.replace(co_stacksize=ROOM // _SLOT)
