"""Changes one value of a message and leaves every other character as it is.

    REQ/TSK|g=42,t=1     field 2 (g) to 7       REQ/TSK|g=7,t=1
    T|17|Q|obj=x         field 2 (obj) to a;b   T|17|Q|obj=a%3Bb

The codec spells the value, and the new wire is decoded: unless it has the new value there and the
same values everywhere else, the edit is refused. Whether the value is valid is for its diagnostics.
"""

from collections.abc import Mapping

from msgspec import Struct

from cablese import registry
from cablese.codec import Unencodable
from cablese.editing.fixes import apply
from cablese.message import Field, Fix, Message, Span
from cablese.text import both, quote


class Edit(Struct, frozen=True, gc=False):
    """A replacement in the wire, and the message after it."""

    span: Span
    text: str
    message: Message


def edit(message: Message, index: int, value: str) -> Edit:
    """Write ``value`` into the field ``index`` (from 0) of ``message``.

    Raises Unencodable if that is not possible without another change.
    """
    edits = Edits(message)
    text = edits.spell(index, value)
    return Edit(edits.fields[index].span, text, edits.decode({index: value}))


class Edits:
    """New values for several fields of a message, whose spans must not overlap. Each wire is
    decoded once.
    """

    def __init__(self, message: Message) -> None:
        self.message = message
        self.fields = message.fields

    def spell(self, index: int, value: str) -> str:
        """Return how ``value`` is spelled in the field ``index`` (from 0). Raises Unencodable."""
        if not 0 <= index < len(self.fields) or not self.fields[index].name:
            raise Unencodable("", "This field cannot be edited.")
        return registry.get(self.message.protocol).spell(
            self.message.wire, self.fields[index], value
        )

    def replace(self, texts: Mapping[int, str]) -> str:
        """Return the wire with other texts in these fields."""
        order = sorted(texts, key=lambda index: self.fields[index].span)
        return apply(self.message.wire, [Fix(self.fields[at].span, texts[at]) for at in order])

    def decode(self, values: Mapping[int, str]) -> Message:
        """Return the message with these values. Raises Unencodable as `edit` does."""
        wire = self.replace({index: self.spell(index, value) for index, value in values.items()})
        after = registry.get(self.message.protocol).decode(wire)
        _check(self.fields, after.fields, values)
        return after


def is_editable(message: Message, field: Field) -> bool:
    """Return whether a field has one value that can change. Only ``edit`` knows to what."""
    if not field.name:
        return False
    try:
        registry.get(message.protocol).spell(message.wire, field, field.value)
    except Unencodable:
        return False
    return True


def _check(before: tuple[Field, ...], after: tuple[Field, ...], values: Mapping[int, str]) -> None:
    for index, value in values.items():
        field = after[index] if index < len(after) else None
        name = before[index].name
        if field is None or field.name != name:
            raise Unencodable("", f"{quote(value)} would not decode as the field {quote(name)}.")
        if field.value != value:
            raise Unencodable(
                "", f"{quote(value)} cannot be used here: it would decode as {quote(field.value)}."
            )
    together = both(map(quote, values.values()))
    if len(after) != len(before):
        raise Unencodable("", f"With {together}, the message would have {len(after):,} fields.")
    for at, (old, new) in enumerate(zip(before, after, strict=True)):
        if at not in values and (old.name, old.value) != (new.name, new.value):
            raise Unencodable(
                "",
                f"With {together}, another field would change: {quote(old.name or old.value)}.",
            )
