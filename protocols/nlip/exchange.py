"""What two end-points owe each other (section 6): requests, and the answers to them, in turn.

    0  Where may I send a large file?  control     the client
    1  https://…                       control     the server answers
    2  …                                           the client again

Each message is held to the one before it, and to what was asked for earlier: NLIP-20 to NLIP-28. Whether an address
works, and what a token means, is not to be seen in messages and not looked at.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from urllib.parse import urlsplit

from msgspec import Struct

from protocols.message import Message, Rule, Severity, Span
from protocols.words import quote, shorten

from . import asks, formats
from .parts import Part, authentication, tokens, walk

CLIENT, SERVER = 0, 1
WEB = ("http", "https")

UNANSWERED = Rule(
    "nlip.request-unanswered", "error", "6.1 Initial Request", "NLIP-20", "The server answers each request."
)
UNREADABLE = Rule(
    "nlip.unreadable-answer", "error", "6.1 Initial Request", "NLIP-20", "An answer is a message of NLIP too."
)
LOST = Rule(
    "nlip.token-lost", "error", "6.2 Requests containing Token field", "NLIP-21",
    "A conversation token of the request is in the answer.",
)  # fmt: skip
DROPPED = Rule(
    "nlip.token-dropped", "warning", "6.2 Requests containing Token field", "NLIP-21",
    "A conversation token of an answer is in the next request.",
)  # fmt: skip
CHANGED = Rule(
    "nlip.token-altered", "error", "6.2 Requests containing Token field", "NLIP-21",
    "A conversation token comes back with the same format, subformat and content.",
)  # fmt: skip
TAKEN = Rule(
    "nlip.token-identity-taken", "warning", "6.2 Requests containing Token field", "NLIP-23",
    "The identity behind the _ of a new token is that of the end-point that makes it.",
)  # fmt: skip
UNNAMED = Rule(
    "nlip.tokens-without-identity", "info", "6.2 Requests containing Token field", "NLIP-23",
    "Tokens of both sides without an identity behind a _ cannot be told apart by others.",
)  # fmt: skip
NOT_CONTROL = Rule(
    "nlip.control-unanswered", "error", "6.3 Requests containing Control field", "NLIP-24",
    "A control message is answered with a control message.",
)  # fmt: skip
UPLOAD_AS_DATA = Rule(
    "nlip.redirection-not-control", "warning", "6.4 Requests for redirection", "NLIP-25",
    "A control message asks for an upload address.",
)  # fmt: skip
NO_ADDRESS = Rule(
    "nlip.redirection-without-address", "error", "6.4 Requests for redirection", "NLIP-26",
    "The answer to a request for redirection holds structured content with the subformat uri.",
)  # fmt: skip
NO_PLACE = Rule(
    "nlip.redirection-nowhere", "error", "6.4 Requests for redirection", "NLIP-26",
    "The URI of a redirection is an address that content can be sent to.",
)  # fmt: skip
ASKED_AS_DATA = Rule(
    "nlip.authentication-not-control", "warning", "6.5 Requests for Authentication", "NLIP-27",
    "A control message asks for authentication.",
)  # fmt: skip
UNAUTHENTICATED = Rule(
    "nlip.authentication-missing", "error", "6.5 Requests for Authentication", "NLIP-28",
    "Once asked, a side carries an authentication token in this reply and in every later message.",
)  # fmt: skip

RULES = (
    UNANSWERED, UNREADABLE, LOST, DROPPED, CHANGED, TAKEN, UNNAMED, NOT_CONTROL, UPLOAD_AS_DATA, NO_ADDRESS, NO_PLACE,
    ASKED_AS_DATA, UNAUTHENTICATED,
)  # fmt: skip


class Breach(Struct, frozen=True, gc=False):
    """What one message owes another and does not give.

    ``messages`` are the indexes of those it concerns, ``at`` is the one that shows it, in the field ``field`` (empty
    for the message as a whole) at ``span`` of its wire.
    """

    code: str
    severity: Severity
    message: str
    section: str
    requirement: str
    messages: tuple[int, ...]
    at: int
    field: str
    span: Span


class Report(Struct, frozen=True):
    """What was found, in the order of the messages, and the requirements that had anything to say of them."""

    findings: tuple[Breach, ...]
    applied: tuple[str, ...]

    @property
    def held(self) -> tuple[str, ...]:
        """The requirements that applied and that nothing breaks."""
        broken = {found.requirement for found in self.findings}
        return tuple(name for name in self.applied if name not in broken)


def check(request: Message, response: Message, *, own_tokens: Iterable[str] = ()) -> tuple[Breach, ...]:
    """Hold an answer to its request. ``own_tokens`` are contents or identities of tokens that the server made before.

    Never raises. Messages of any protocol are taken; one that is no NLIP can be no answer.
    """
    return examine((request, response), own_tokens=own_tokens).findings


def examine(messages: Sequence[Message], *, own_tokens: Iterable[str] = ()) -> Report:
    """Hold a whole transcript to section 6: a request, its answer, the next request, and so on. Never raises."""
    course = _Course(messages, frozenset(own_tokens))
    for at in range(len(messages)):
        course.take(at)
    if len(messages) % 2:
        course.report(UNANSWERED, "No answer follows this request.", len(messages) - 1)
    return Report(tuple(course.findings), tuple(sorted(course.applied)))


class _Course:
    """What is known up to a message: who made which token, and who was asked for authentication, where."""

    def __init__(self, messages: Sequence[Message], own_tokens: frozenset[str]) -> None:
        self.messages = messages
        self.own = own_tokens
        self.makers: dict[tuple[str, str], int] = {}
        self.identities: dict[str, int] = {}
        self.unnamed: set[int] = set()
        self.asked: dict[int, int] = {}
        self.findings: list[Breach] = []
        self.applied: set[str] = {"NLIP-20"} if messages else set()
        self.spans: dict[int, dict[str, Span]] = {}

    def take(self, at: int) -> None:
        message, side = self.messages[at], at % 2
        if message.protocol != "nlip" or not message.values.keys() - {"is_control"}:
            words = "This is no message of NLIP" + (", so the request before it has no answer." if side else ".")
            self.report(UNREADABLE, words, at)
            return
        changed: set[str] = set()
        if at:
            changed = self._returned(at, self.messages[at - 1])
        if side == SERVER:
            self._answered(at, self.messages[at - 1])
        self._authenticated(at)
        self._made(at, changed)

    # Tokens

    def _returned(self, at: int, before: Message) -> set[str]:
        """The tokens of the message before it are in this one. Gives the names of those that came back changed."""
        changed: set[str] = set()
        returned = formats.DIALECTS[before.dialect].returned if before.protocol == "nlip" else ()
        have = tuple(walk(self.messages[at].values))
        same = {(part.subformat, part.said) for part in have if part.format == "token"}
        for token in tokens(before.values, returned) if returned else ():
            if self._is_own(token, at % 2):
                self.applied.add("NLIP-22")
                continue
            self.applied.add("NLIP-21")
            if (token.subformat, token.said) in same:
                continue
            other, words = self._resembling(token, have)
            if other is not None:
                changed.add(other.name)
                self.report(CHANGED, words, at, at - 1, part=other)
            elif at % 2 == SERVER:
                words = f"The request carries the token {_named(token)}; the answer does not return it."
                self.report(LOST, words, at, at - 1)
            else:
                words = f"The answer before it carries the token {_named(token)}; this request does not return it."
                self.report(DROPPED, words, at, at - 1)
        return changed

    def _is_own(self, token: Part, side: int) -> bool:
        """True for a token that the side made itself: it sent it first, or the identity is one it uses."""
        if side == SERVER and {token.said, token.identity} & self.own - {""}:
            return True
        if self.makers.get((token.subformat, token.said)) == side:
            return True
        return bool(token.identity) and self.identities.get(token.identity) == side

    def _resembling(self, token: Part, have: Sequence[Part]) -> tuple[Part | None, str]:
        """What the token may have become, and how it differs. A second token without identity may be a new one."""
        alone = Counter(part.subformat for part in have if part.format == "token")
        for part in have:
            if part.format != "token" and (part.subformat, part.said) == (token.subformat, token.said):
                words = f"The token {_named(token)} comes back with the format {quote(part.format)}."
                return part, words
        for part in have:
            if part.format != "token" or (part.subformat, part.said) in self.makers:
                continue
            if part.subformat == token.subformat and (part.identity or alone[part.subformat] == 1):
                words = f"The token {_named(token)} comes back with the content {quote(part.said)}."
                return part, words
            if part.said == token.said:
                words = f"The token {_named(token)} comes back with the subformat {quote(part.subformat)}."
                return part, words
        return None, ""

    def _made(self, at: int, changed: set[str]) -> None:
        for token in tokens(self.messages[at].values, (formats.CONVERSATION,)):
            if (token.subformat, token.said) in self.makers or token.name in changed:
                continue
            side = SERVER if {token.said, token.identity} & self.own - {""} else at % 2
            self.makers[token.subformat, token.said] = side
            self.applied.add("NLIP-23")
            if not token.identity:
                self.unnamed.add(side)
                if self.unnamed == {CLIENT, SERVER}:
                    words = "Both sides have made a conversation token; an identity behind a _ would tell whose it is."
                    self.report(UNNAMED, words, at, part=token)
                    self.unnamed = {CLIENT, SERVER, -1}
            elif self.identities.setdefault(token.identity, side) != side:
                words = f"This new token names {quote(token.identity)}, which is the other side's identity."
                self.report(TAKEN, words, at, part=token)

    # Control, redirection, authentication

    def _answered(self, at: int, before: Message) -> None:
        request, answer = before.values, self.messages[at].values
        if request.get("is_control") is True:
            self.applied.add("NLIP-24")
            if answer.get("is_control") is not True:
                words = "The request is a control message; this answer to it is none."
                self.report(NOT_CONTROL, words, at, at - 1)
        if asks.asks_for_upload_as_data(request):
            self.applied.add("NLIP-25")
            words = "This asks for an upload address, but its MessageType is not control."
            self.report(UPLOAD_AS_DATA, words, at - 1)
        if asks.asks_for_upload(request):
            self.applied |= {"NLIP-25", "NLIP-26"}
            self._redirected(at, answer)

    def _redirected(self, at: int, answer: dict[str, object]) -> None:
        parts = tuple(walk(answer))
        addresses = [part for part in parts if (part.format, part.subformat.lower()) == ("structured", "uri")]
        excused = asks.asks_for_authentication(answer) or any(part.format == "error" for part in parts)
        if not addresses and not excused:
            words = "The request asks where large content may go; the answer holds no URI."
            self.report(NO_ADDRESS, words, at, at - 1)
        for part in addresses:
            if not _is_place(part.said):
                words = f"{quote(part.said)} is no address that content can be sent to, such as https://example.org/up."
                self.report(NO_PLACE, words, at, at - 1, part=part)

    def _authenticated(self, at: int) -> None:
        side, values = at % 2, self.messages[at].values
        if side in self.asked:
            self.applied.add("NLIP-28")
            if not authentication(values):
                since = self.asked[side]
                words = "An earlier message asks for authentication; this one carries no authentication token."
                self.report(UNAUTHENTICATED, words, at, since)
        if asks.asks_for_authentication(values):
            self.applied.add("NLIP-27")
            self.asked.setdefault(1 - side, at)
        elif asks.asks_for_authentication_as_data(values):
            self.applied.add("NLIP-27")
            self.report(ASKED_AS_DATA, "This asks for authentication, but its MessageType is not control.", at)

    def report(self, rule: Rule, words: str, at: int, *others: int, part: Part | None = None) -> None:
        name = f"{part.name}content" if part is not None else ""
        span = self._places(at).get(name, Span(0, len(self.messages[at].wire)))
        concerned = tuple(sorted({at, *others}))
        self.findings.append(
            Breach(rule.code, rule.severity, words, rule.section, rule.requirement, concerned, at, name, span)
        )

    def _places(self, at: int) -> dict[str, Span]:
        """Where each field of a message stands. Reading it again takes long, and a message may owe much."""
        if at not in self.spans:
            self.spans[at] = {field.name: field.span for field in self.messages[at].fields if field.name}
        return self.spans[at]


def _is_place(uri: str) -> bool:
    try:
        seen = urlsplit(uri)
    except ValueError:
        return False
    return bool(seen.netloc) or (bool(seen.path) and seen.scheme not in ("", "mailto", "urn", "tel", "data", *WEB))


def _named(token: Part) -> str:
    return f"{shorten(token.subformat)} {quote(token.said)}"
