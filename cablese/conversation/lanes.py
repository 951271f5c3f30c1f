"""Which tool a result in a chat comes from.

    assistant → get_weather    the call names its tool
    tool      → assistant      the result has the ID of the call, or only one call is pending

Both are one exchange of two parties, so the result gets the name of its tool.
"""

from collections.abc import Hashable, Iterable, Iterator

from msgspec.structs import replace

from .model import Supplied

TOOLS = ("tool", "function")
CHAT = (*TOOLS, "user", "assistant", "system", "developer")
ROLES = (*CHAT, "client", "server", "agent")


def name_tools(records: Iterable[tuple[Supplied, Hashable]]) -> Iterator[Supplied]:
    """What records say of messages in their order, each with its place: several messages may come
    in one call.

    A result without an id that several calls may wait for keeps its role. Linear in the messages.
    """
    calls = _Calls()
    answered: dict[Hashable, Supplied] = {}
    for supplied, place in records:
        if not supplied.roles:
            yield supplied
            continue
        if supplied.recipient and supplied.recipient not in ROLES:
            calls.add(supplied, place)
            yield supplied
            continue
        if place not in answered and (call := calls.find(supplied)) is not None:
            answered[place] = calls.take(call)
        asked = answered.get(place)
        yield (
            supplied
            if asked is None
            else replace(supplied, sender=asked.recipient, recipient=asked.sender)
        )


class _Calls:
    """Calls without results so far, by ID or place, and by tool name."""

    def __init__(self) -> None:
        self.waiting: dict[Hashable, Supplied] = {}
        self.by_tool: dict[str | None, dict[Hashable, None]] = {}

    def add(self, supplied: Supplied, place: Hashable) -> None:
        call = supplied.call or place
        if call in self.waiting:
            self.take(call)
        self.waiting[call] = supplied
        self.by_tool.setdefault(supplied.recipient, {})[call] = None

    def find(self, supplied: Supplied) -> Hashable | None:
        """Return the call of a result: by ID, by the tool's name, or as the only pending one."""
        if supplied.call is not None:
            return supplied.call if supplied.call in self.waiting else None
        if supplied.sender in TOOLS:
            return next(iter(self.waiting)) if len(self.waiting) == 1 else None
        return next(iter(self.by_tool.get(supplied.sender, ())), None)

    def take(self, call: Hashable) -> Supplied:
        asked = self.waiting.pop(call)
        del self.by_tool[asked.recipient][call]
        return asked
