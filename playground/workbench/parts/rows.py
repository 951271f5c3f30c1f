"""One message as a row of the workbench."""

from dataclasses import dataclass

from cablese import tokens
from cablese.message import Message
from cablese.transcript import Cut


@dataclass(frozen=True, slots=True)
class Row:
    """One message of the list."""

    number: int
    cut: Cut
    message: Message
    tokenizer: str
    chosen: bool

    @property
    def id(self) -> str:
        return f"message-{self.number}"

    @property
    def key(self) -> str:
        """Return everything that the row depends on."""
        carrier = self.cut.carrier
        place = (carrier.title, carrier.place) if carrier else ()
        return repr((self.message.wire, self.cut.protocol, place, self.tokenizer, self.chosen))

    @property
    def count(self) -> int:
        return tokens.count(self.message.wire, self.tokenizer).count
