"""What the workbench says about the parts of a text that are no message."""

from dataclasses import dataclass

LEFT_OUT = 100
FRAGMENTS = 5


@dataclass(frozen=True, slots=True)
class Claim:
    """A protocol that may be chosen by hand: how sure its own detection is, in percent, and why.

    ``percent`` is None for one that the text only ``resembles``, and for one that nothing speaks
    for.
    """

    name: str
    title: str
    percent: int | None
    reasons: tuple[str, ...]
    resembles: bool = False


@dataclass(frozen=True, slots=True)
class Fragment:
    """An ignored fragment that resembles a protocol. Its place is in UTF-16 units of the whole
    text.
    """

    line: int
    start: int
    end: int
    text: str
    title: str


@dataclass(frozen=True, slots=True)
class Stripped:
    """Text next to a message that was ignored."""

    reason: str
    text: str

    @property
    def words(self) -> str:
        characters = "character" if len(self.text) == 1 else "characters"
        return f"Ignored {len(self.text):,} {characters} ({self.reason})"


@dataclass(frozen=True, slots=True)
class Left:
    """An ignored fragment in the list of all of them."""

    text: str
    reason: str
    title: str
    """The protocol that it resembles, or nothing."""
