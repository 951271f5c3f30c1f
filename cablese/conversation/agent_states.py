"""The states of agents: who waits for an answer, who is asked for one, and what the others did."""

from collections import Counter

from .model import Leg
from .subjects import Ledger, Subject
from .transitions import Effect, State


class Agents:
    """Fold messages into the agents of a ledger. ``open`` has the sides of each unanswered
    message.
    """

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.open: dict[int, tuple[int | None, int | None]] = {}
        self.waiting: Counter[int] = Counter()
        self.asked: Counter[int] = Counter()

    def take(self, leg: Leg, effect: Effect, answered: int | None) -> None:
        """Change the sender, the recipient, and the sides of what the message answers."""
        sender, recipient = self._enter(leg.sender, leg), self._enter(leg.recipient, leg)
        asker, asked = (
            self.open.pop(answered, (None, None)) if answered is not None else (None,) * 2
        )
        for count, place in ((self.waiting, asker), (self.asked, asked)):
            if place is not None:
                count[place] -= 1
        if effect.asks:
            self.open[leg.message] = sender, recipient
            for count, place in ((self.waiting, sender), (self.asked, recipient)):
                if place is not None:
                    count[place] += 1
        self._set(recipient, None if recipient == asker else "notified")
        for place in (asker, asked):
            self._set(place, "ready")
        self._set(sender, effect.to)

    def _enter(self, name: str | None, leg: Leg) -> int | None:
        if name is None:
            return None
        return self.ledger.enter(
            ("agent", name), Subject("agent", name, inferred=bool(leg.reason) and not leg.supplied)
        )

    def _set(self, place: int | None, otherwise: State | None) -> None:
        if place is None:
            return
        if self.waiting[place] > 0:
            self.ledger.set(place, "waiting")
        elif self.asked[place] > 0:
            self.ledger.set(place, "asked")
        else:
            self.ledger.set(place, otherwise)
