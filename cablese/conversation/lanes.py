"""Which tool a result in a chat comes from.

    assistant → get_weather    the call names its tool
    tool      → assistant      the result has the ID of the call, or only one call is pending

Both are one exchange of two parties, so the result gets the name of its tool.
"""

from collections.abc import Hashable, Iterable, Iterator

from msgspec.structs import replace

from .model import Supplied

TOOLS = ("tool", "function")
ROLES = (*TOOLS, "user", "assistant", "system", "developer", "client", "server", "agent")


def name_tools(said: Iterable[tuple[Supplied, Hashable]]) -> Iterator[Supplied]:
    """What records say of messages in their order, each with its place: several messages may come
    in one call.

    A result without an id that several calls may wait for keeps its role. Linear in the messages.
    """
    calls = _Calls()
    answered: dict[Hashable, Supplied] = {}
    for one, place in said:
        if not one.roles:
            yield one
            continue
        if one.recipient and one.recipient not in ROLES:
            calls.add(one, place)
            yield one
            continue
        if place not in answered and (call := calls.find(one)) is not None:
            answered[place] = calls.take(call)
        asked = answered.get(place)
        yield one if asked is None else replace(one, sender=asked.recipient, recipient=asked.sender)


class _Calls:
    """Calls without results so far, by ID or place, and by tool name."""

    def __init__(self) -> None:
        self.waiting: dict[Hashable, Supplied] = {}
        self.by_tool: dict[str | None, dict[Hashable, None]] = {}

    def add(self, one: Supplied, place: Hashable) -> None:
        call = one.call or place
        if call in self.waiting:
            self.take(call)
        self.waiting[call] = one
        self.by_tool.setdefault(one.recipient, {})[call] = None

    def find(self, one: Supplied) -> Hashable | None:
        """Return the call of a result: by ID, by the tool's name, or as the only pending one."""
        if one.call is not None:
            return one.call if one.call in self.waiting else None
        if one.sender in TOOLS:
            return next(iter(self.waiting)) if len(self.waiting) == 1 else None
        return next(iter(self.by_tool.get(one.sender, ())), None)

    def take(self, call: Hashable) -> Supplied:
        asked = self.waiting.pop(call)
        del self.by_tool[asked.recipient][call]
        return asked
