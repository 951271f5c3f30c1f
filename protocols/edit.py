"""One value of a message written anew, and every other character of it left as it is.

    REQ/TSK|g=42,t=1     field 2 (g) to 7       REQ/TSK|g=7,t=1
    T|17|Q|obj=x         field 2 (obj) to a;b   T|17|Q|obj=a%3Bb

The codec spells the value, and the new wire is read: unless it says the new value there and the same as before
everywhere else, the edit is refused. What the protocol thinks of the value is another matter: its diagnostics say so.
"""

from msgspec import Struct

from . import registry
from .codec import Unencodable
from .message import Field, Message, Span
from .words import quote


class Edit(Struct, frozen=True, gc=False):
    """A replacement in the wire, and the message that comes of it."""

    span: Span
    text: str
    message: Message


def edit(message: Message, index: int, value: str) -> Edit:
    """Write ``value`` into the field ``index`` (from 0) of ``message``.

    Raises Unencodable, with words for people, where that cannot be done and everything else stay.
    """
    fields = message.fields
    if not 0 <= index < len(fields) or not fields[index].name:
        raise Unencodable("", "There is no field here that could be edited.")
    field, codec = fields[index], registry.get(message.protocol)
    text = codec.spell(message.wire, field, value)
    wire = message.wire[: field.span.start] + text + message.wire[field.span.end :]
    after = codec.decode(wire)
    _check(fields, after.fields, index, value)
    return Edit(field.span, text, after)


def is_editable(message: Message, field: Field) -> bool:
    """True when a field holds one value, which could be another; what it may be only ``edit`` can say."""
    if not field.name:
        return False
    try:
        registry.get(message.protocol).spell(message.wire, field, field.value)
    except Unencodable:
        return False
    return True


def _check(before: tuple[Field, ...], after: tuple[Field, ...], index: int, value: str) -> None:
    there = after[index] if index < len(after) else None
    name = before[index].name
    if there is None or there.name != name:
        raise Unencodable("", f"{quote(value)} would not be read as {quote(name)} there.")
    if there.value != value:
        raise Unencodable("", f"{quote(value)} cannot be written there: it would be read as {quote(there.value)}.")
    if len(after) != len(before):
        raise Unencodable("", f"With {quote(value)} the message would be read as {len(after):,} fields.")
    for at, (one, other) in enumerate(zip(before, after, strict=True)):
        if at != index and (one.name, one.value) != (other.name, other.value):
            raise Unencodable("", f"With {quote(value)} another field would change: {quote(one.name or one.value)}.")
