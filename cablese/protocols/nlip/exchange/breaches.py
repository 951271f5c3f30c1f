"""Define the rules of an exchange, and how a message breaks one."""

from cablese.conversation.finding import Finding
from cablese.message import Rule, Span

RULES = {
    rule.code.removeprefix("nlip."): rule
    for rule in (
        Rule(
            "nlip.request-unanswered",
            "error",
            "6.1 Initial Request",
            "NLIP-20",
            "Unanswered request.",
        ),
        Rule(
            "nlip.unreadable-answer",
            "error",
            "6.1 Initial Request",
            "NLIP-20",
            "An answer must be a valid NLIP message.",
        ),
        Rule(
            "nlip.broken-request-accepted",
            "warning",
            "6.1 Initial Request",
            "NLIP-20",
            "An invalid request must be answered with an error.",
        ),
        Rule(
            "nlip.status-mismatch",
            "warning",
            "7 Base Transfer Protocol",
            "NLIP-34",
            "The HTTP status must match the answer: 2xx for an answer, 4xx or 5xx for an error.",
        ),
        Rule(
            "nlip.token-lost",
            "error",
            "6.2 Requests containing Token field",
            "NLIP-21",
            "The answer must return the request’s conversation token.",
        ),
        Rule(
            "nlip.token-dropped",
            "warning",
            "6.2 Requests containing Token field",
            "NLIP-21",
            "The next request must return the answer’s conversation token.",
        ),
        Rule(
            "nlip.token-altered",
            "error",
            "6.2 Requests containing Token field",
            "NLIP-21",
            "A conversation token must be returned unchanged: format, subformat, and content.",
        ),
        Rule(
            "nlip.token-identity-taken",
            "warning",
            "6.2 Requests containing Token field",
            "NLIP-23",
            "The identity after the _ of a new token must be that of its creator.",
        ),
        Rule(
            "nlip.tokens-without-identity",
            "info",
            "6.2 Requests containing Token field",
            "NLIP-23",
            "Tokens of both sides without an identity after a _ cannot be distinguished.",
        ),
        Rule(
            "nlip.control-unanswered",
            "error",
            "6.3 Requests containing Control field",
            "NLIP-24",
            "A control message must be answered with a control message.",
        ),
        Rule(
            "nlip.redirection-not-control",
            "warning",
            "6.4 Requests for redirection",
            "NLIP-25",
            "A request for an upload address must be a control message.",
        ),
        Rule(
            "nlip.redirection-without-address",
            "error",
            "6.4 Requests for redirection",
            "NLIP-26",
            "The answer to a request for an upload address must contain structured content with "
            "the subformat uri.",
        ),
        Rule(
            "nlip.redirection-nowhere",
            "error",
            "6.4 Requests for redirection",
            "NLIP-26",
            "An upload address must be a URI that content can be sent to.",
        ),
        Rule(
            "nlip.authentication-not-control",
            "warning",
            "6.5 Requests for Authentication",
            "NLIP-27",
            "A request for authentication must be a control message.",
        ),
        Rule(
            "nlip.authentication-missing",
            "error",
            "6.5 Requests for Authentication",
            "NLIP-28",
            "Once asked, a side must send an authentication token in its reply and every later "
            "message.",
        ),
    )
}
"""Every rule by its code, without the protocol's name."""


class Breach(Finding, frozen=True, gc=False):
    """A requirement that a message violates.

    ``messages`` are the indexes of the messages that it concerns, and ``at`` is the one that shows
    it, in the field ``field`` (empty for the whole message) at ``span`` of its wire.
    """

    field: str
    span: Span
