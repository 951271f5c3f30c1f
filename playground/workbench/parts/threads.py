"""The conversations of a text."""

from functools import cached_property

from cablese.conversation.gather import gather, recorded
from cablese.conversation.model import Conversation
from playground.display.sequence_diagram import Pointed
from playground.display.threads import Gathered, Key, Thread
from playground.workbench.document import Reading


class Threads(Gathered):
    """The conversations of a text."""

    def __init__(self, reading: Reading, shown_elsewhere: frozenset[Key] = frozenset()) -> None:
        self._reading = reading
        self.shown_elsewhere = shown_elsewhere

    @cached_property
    def all(self) -> tuple[Conversation, ...]:
        if self._reading.total < 2:
            return ()
        return gather(self._reading.messages, recorded(self._reading.cuts))

    @property
    def shown(self) -> list[Thread]:
        pointed = [Pointed(at + 1) for at in range(self._reading.total)]
        return [Thread(conversation, pointed, self.shown_elsewhere) for conversation in self.chosen]
