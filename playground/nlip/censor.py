"""Remove secrets from NLIP messages before they are stored: authentication tokens, and keys of this
installation wherever they are.

A token in the wrong place is a secret, too, so every object with such a subformat loses its
content, wherever it is:

    [{"format":"token","subformat":"authentication","content":"hunter2"}]
    [{"format":"token","subformat":"authentication","content":"removed"}]
"""

from collections.abc import Iterator

import msgspec
from msgspec import structs

from auditlog import access
from auditlog.ingest.item import Item
from cablese.json import jsontext
from cablese.json.tree import Node
from cablese.protocols.nlip.formats import AUTHENTICATION
from cablese.protocols.nlip.parts import SECRET

REMOVED = "removed"
"""Replaces a secret in stored messages."""
TAG = f"{AUTHENTICATION}-{REMOVED}"
"""Finds the stored messages that had secrets."""


def remove_secrets(text: str) -> str:
    """Return a text without authentication tokens and keys of this installation."""
    return access.conceal(censor(text), REMOVED)


def clean_item(item: Item) -> Item:
    """Return an item without secrets. A message that had some is tagged."""
    wire = remove_secrets(item.wire)
    if wire != item.wire:
        item = structs.replace(item, wire=wire, tags=[*(item.tags or ()), TAG])
    # The wire may have bytes that are not UTF-8, which JSON cannot hold.
    metadata = msgspec.json.encode(structs.replace(item, wire="")).decode()
    if (safe := remove_secrets(metadata)) == metadata:
        return item
    return structs.replace(msgspec.json.decode(safe, type=Item), wire=wire)


def censor(wire: str) -> str:
    """Return a text without the contents of authentication tokens."""
    # This look takes less time than reading. A word may be written with escapes.
    if not (_names_secret(wire) or "\\u" in wire):
        return wire
    document = jsontext.read(wire)
    secrets = [*_find(document.root)] if document.root else []
    secrets += (stray for stray in document.strays if _may_have_secret(wire[slice(*stray.span)]))
    parts, last = list[str](), 0
    for secret in sorted(secrets, key=lambda node: node.span):
        is_text = secret.kind == "string"
        start, end = secret.inner if is_text else secret.span
        if start < last:
            continue  # a comment inside a content that is removed
        parts += [wire[last:start], REMOVED if is_text else f'"{REMOVED}"']
        last = end
    return "".join([*parts, wire[last:]])


def _names_secret(text: str) -> bool:
    low = text.lower()
    return any(word in low for word in SECRET)


def _may_have_secret(stray: str) -> bool:
    """Return whether text that was not read, such as that after the value, may have a token."""
    return "content" in stray.lower() and _names_secret(stray)


def _find(root: Node) -> Iterator[Node]:
    """Yield the contents of authentication tokens, which are not in each other."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        waiting += node.items
        is_token = any(
            _fold(member.key) == "subformat" and _fold(member.node.value).startswith(SECRET)
            for member in node.members
        )
        for member in node.members:
            if not is_token or _fold(member.key) != "content":
                waiting.append(member.node)
            elif member.node.value not in (None, ""):
                yield member.node


def _fold(value: object) -> str:
    return value.strip().casefold() if isinstance(value, str) else ""
