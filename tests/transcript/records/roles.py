"""Roles of a chat, and models as they go over the wire."""

from typing import Any, Final

from tests.transcript.lines.printer import Said

EPOCH = 1795168801
USER: Final = "user"
ASSISTANT: Final = "assistant"
CLIENT, SERVER, AGENT = "client", "server", "agent"
ANSWERED = Said(None, ASSISTANT, USER)


def said_by(model: str, sender: Any, recipient: Any, time: Any = None) -> Said:
    return Said(time, sender, recipient, {"model": model})


def dump(model: Any) -> Any:
    """Return a pydantic model as it goes over the wire."""
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)
