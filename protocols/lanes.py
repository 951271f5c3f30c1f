"""Which tool a result in a chat comes from.

    assistant → get_weather    the call names its tool
    tool      → assistant      the result has the id of the call, or comes after the only one that waits

Both are one exchange of two parties, so the result gets the name of its tool.
"""

from collections.abc import Hashable, Iterable, Iterator

from msgspec.structs import replace

from .conversation import Supplied

TOOLS = ("tool", "function")
ROLES = (*TOOLS, "user", "assistant", "system", "developer", "client", "server", "agent")


def name_tools(said: Iterable[tuple[Supplied, Hashable]]) -> Iterator[Supplied]:
    """What records say of messages in their order, each with its place: several messages may come in one call.

    A result without an id that several calls may wait for keeps its role.
    """
    waiting: dict[Hashable, Supplied] = {}
    answered: dict[Hashable, Supplied] = {}
    for one, place in said:
        if not one.roles:
            yield one
            continue
        if one.recipient and one.recipient not in ROLES:
            waiting[one.call or place] = one
        elif place not in answered and (call := _find_call(one, waiting)) is not None:
            answered[place] = waiting.pop(call)
        asked = answered.get(place)
        yield one if asked is None else replace(one, sender=asked.recipient, recipient=asked.sender)


def _find_call(one: Supplied, waiting: dict[Hashable, Supplied]) -> Hashable | None:
    """The call that a result answers, by its id, by the name of its tool, or because no other one waits."""
    if one.call in waiting:
        return one.call
    if one.sender in TOOLS:
        return next(iter(waiting)) if len(waiting) == 1 and one.call is None else None
    named = (call for call, asked in waiting.items() if asked.recipient == one.sender)
    return next(named, None)
