"""Compare the HTTP status of an answer with what the answer says (NLIP-34)."""

from cablese.message import Message
from cablese.protocols.nlip.parts import tells_error

UNREAD = frozenset({404, 405, 408, 411, 413, 414, 415, 421, 429, 431, 502, 503, 504})
"""HTTP statuses of errors that may come before the request is read, so nothing in it can be
returned.
"""
CHALLENGES = (401, 407)


def is_unread(status: int | None, answer: Message) -> bool:
    """Return whether an answer is an error that was sent before the request was read."""
    return status in UNREAD and answer.valid and tells_error(answer.values, answer.dialect)


def fits(status: int, answer: Message) -> bool:
    """Return whether the status fits the answer. An error may come with 200: the message says that
    it is one.
    """
    return (
        200 <= status < 300
        or (status in CHALLENGES and answer.values.get("is_control") is True)
        or (status >= 400 and tells_error(answer.values, answer.dialect))
    )


def contradiction(status: int) -> str:
    """Return how a status contradicts an answer that it does not fit."""
    if status < 200:
        return f"The HTTP status {status} only announces an answer; it cannot come with one."
    if status < 400:
        return (
            f"The HTTP status {status} redirects the client, but NLIP redirects with a message "
            "that contains a URI."
        )
    return f"The HTTP status {status} reports an error, but this answer does not."
