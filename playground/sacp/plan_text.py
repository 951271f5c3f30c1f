"""A message of SACP in a request, decoded, or refused with the reason."""

from cablese import detection
from cablese.message import Message
from cablese.protocols.sacp.agents.answer import answer
from cablese.protocols.sacp.codec import codec
from playground.rest.problems import Problem
from playground.rest.text import check_text


def _message(text: str, pointer: str = "/message") -> Message:
    check_text(text, pointer)
    return codec.decode(text) if text.lstrip()[:1] == "{" else detection.decode(text)


def _plan(text: str) -> Message:
    """Return a valid message with a plan. Raises Problem 422 with the reply of an agent."""
    message = _message(text)
    replied = answer(message)
    if replied["status"] != "VALID" or "steps" not in message.values:
        words = replied.get("details", "A reply does not have a plan.")
        raise Problem(422, words, "/message", answer=replied)
    return message
