"""One message as a row of the workbench."""

from cablese import tokens
from cablese.message import Message, worst_of
from cablese.transcript import Cut
from cablese.transcript.records.wrapper import Carrier
from playground.display.highlight import Run, brief_runs


class Row:
    """One message of the list. Each part is made when a template asks for it."""

    def __init__(
        self, number: int, cut: Cut, message: Message, tokenizer: str, *, chosen: bool
    ) -> None:
        self.number = number
        self.chosen = chosen
        self.message = message
        self.protocol = message.protocol
        self.carrier: Carrier | None = cut.carrier
        self._tokenizer = tokenizer
        self._protocol = cut.protocol

    @property
    def id(self) -> str:
        return f"message-{self.number}"

    @property
    def key(self) -> str:
        """Everything that the row depends on."""
        place = (self.carrier.title, self.carrier.place) if self.carrier else ()
        return repr((self.message.wire, self._protocol, place, self._tokenizer, self.chosen))

    @property
    def runs(self) -> list[Run]:
        return brief_runs(self.message)

    @property
    def count(self) -> int:
        return tokens.count(self.message.wire, self._tokenizer).count

    @property
    def severity(self) -> str:
        return worst_of({diagnostic.severity for diagnostic in self.message.diagnostics})
