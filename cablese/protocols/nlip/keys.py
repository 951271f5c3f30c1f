"""Define the keys of a message and of a submessage as in the source, and their labels."""

import re

MESSAGE = {
    "messagetype": "MessageType",
    "format": "Format",
    "subformat": "Subformat",
    "content": "Content",
    "submessages": "Submessages",
    "label": "Label",
}
"""5.1, and the label that a library adds."""
SUBMESSAGE = {
    "label": "Label",
    "format": "Format",
    "subformat": "Subformat",
    "content": "Content",
    "submessages": "Submessages",
}
"""5.2, and nested submessages, which are read but not allowed."""
REQUIRED = ("format", "subformat", "content")
OPTIONAL = ("messagetype", "label", "submessages")
CONTROL = "control"
DERIVED = "is_control"
"""A key of ``values`` that is never on the wire."""

ROLES = (
    "user",
    "assistant",
    "system",
    "tool",
    "developer",
    "agent",
    "client",
    "server",
    "human",
    "bot",
    "model",
)
"""Labels that name a sender, as chats with language models use them (5.2.1)."""

LABELS = {
    "messagetype": "message type",
    "control": "control flag",
    "format": "format",
    "subformat": "subformat",
    "content": "content",
    "submessages": "submessages",
    "label": "label",
}
OUTER = re.compile(r"(?:submessages\.[0-9]+(?:\.|(?!.)))+", re.DOTALL)
INDEX = re.compile(r"submessages\.([0-9]+)")


def label(name: str) -> str:
    """Return the label of a field: ``submessages.0.content`` is "content of submessage 1"."""
    outer = OUTER.match(name)
    key = name[outer.end() :] if outer else name
    word = LABELS.get(key.partition(".")[0], "unknown key") if key else "submessage"
    if outer is None:
        return word
    number = ".".join(str(int(index) + 1) for index in INDEX.findall(outer[0]))
    return f"submessage {number}" if not key else f"{word} of submessage {number}"
