"""Check what two end-points owe each other (section 6): requests, and the answers to them, in turn.

    0  Where may I send a large file?  control     the client
    1  https://…                       control     the server answers
    2  …                                           the client again

Each message is checked against the one before it, and against earlier requests: NLIP-20 to NLIP-28,
and the HTTP status of an answer where it is known (NLIP-34). Whether an address works, and what a
token means, is not in the messages and not checked.

An answer that is not a valid message breaks NLIP-20. An invalid request must be answered with an
error. What is not JSON cannot be read, so nothing in it must be returned.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from urllib.parse import urlsplit

from msgspec import Struct

from cablese.message import Message, Rule, Span
from cablese.protocols.nlip import formats
from cablese.protocols.nlip.exchange.breaches import RULES, Breach
from cablese.protocols.nlip.parts import Part, authentication, owed, tells_error, tokens, walk
from cablese.text import quote, shorten

from . import asks
from .statuses import contradiction, fits, is_unread

CLIENT, SERVER = 0, 1


class Report(Struct, frozen=True):
    """The findings in the order of the messages, and the requirements that applied to them."""

    findings: tuple[Breach, ...]
    applied: tuple[str, ...]

    @property
    def held(self) -> tuple[str, ...]:
        """Return the requirements that applied and are met."""
        broken = {finding.requirement for finding in self.findings}
        return tuple(name for name in self.applied if name not in broken)


def check(
    request: Message,
    response: Message,
    *,
    own_tokens: Iterable[str] = (),
    status: int | None = None,
) -> tuple[Breach, ...]:
    """Check an answer against its request. ``own_tokens`` are contents or identities of earlier
    tokens of the server, ``status`` is the HTTP status of the answer.

    Never raises. A message of another protocol is not an answer.
    """
    return examine((request, response), own_tokens=own_tokens, statuses=(None, status)).findings


def examine(
    messages: Sequence[Message],
    *,
    own_tokens: Iterable[str] = (),
    statuses: Sequence[int | None] = (),
) -> Report:
    """Check a transcript against section 6: a request, its answer, the next request, and so on.
    Never raises.

    ``statuses`` are the HTTP statuses of the messages as far as they are known; those of requests
    are ignored.
    """
    course = _Course(messages, frozenset(own_tokens), tuple(statuses))
    for at in range(len(messages)):
        course.take(at)
    if len(messages) % 2:
        course.report(RULES["request-unanswered"], "This request has no answer.", len(messages) - 1)
    return Report(tuple(course.findings), tuple(sorted(course.applied)))


class _Course:
    """What is known up to a message: the side that made each token, and the message that asked a
    side for authentication.
    """

    def __init__(
        self,
        messages: Sequence[Message],
        own_tokens: frozenset[str],
        statuses: tuple[int | None, ...],
    ) -> None:
        self.messages = messages
        self.own = own_tokens
        self.statuses = (*statuses, *[None] * len(messages))
        self.makers: dict[tuple[str, str], int] = {}
        self.identities: dict[str, int] = {}
        self.unnamed: set[int] = set()
        self.asked: dict[int, int] = {}
        self.findings: list[Breach] = []
        self.applied: set[str] = {"NLIP-20"} if messages else set()
        self.spans: dict[int, dict[str, Span]] = {}

    def take(self, at: int) -> None:
        side = at % 2
        if side == SERVER:
            self._validity(at)
        if not _is_readable(self.messages[at]):
            return
        unread = side == SERVER and is_unread(self.statuses[at], self.messages[at])
        changed: set[str] = set()
        if at and not unread and _is_readable(self.messages[at - 1]):
            changed = self._returned(at, self.messages[at - 1])
            if side == SERVER:
                self._answered(at, self.messages[at - 1])
        self._authenticated(at, excused=unread)
        self._record_makers(at, changed)

    # The answer as such

    def _validity(self, at: int) -> None:
        request, answer = self.messages[at - 1], self.messages[at]
        status = self.statuses[at]
        if status is not None:
            self.applied.add("NLIP-34")
        if answer.protocol != "nlip" or not answer.valid:
            reason, span = _flaw(answer)
            came = f" Its HTTP status was {status}." if status is not None else ""
            self.report(
                RULES["unreadable-answer"],
                f"This answer is not a valid NLIP message. {reason}{came}",
                at,
                span=span,
            )
            return
        refused = tells_error(answer.values, answer.dialect) or asks.asks_for_authentication(
            answer.values
        )
        if status is not None and not fits(status, answer):
            self.report(RULES["status-mismatch"], contradiction(status), at)
        elif not refused and (request.protocol != "nlip" or not request.valid):
            self.report(
                RULES["broken-request-accepted"],
                f"The request is not a valid NLIP message. {_flaw(request)[0]} This answer is not "
                "an error.",
                at,
                at - 1,
            )

    # Tokens

    def _returned(self, at: int, before: Message) -> set[str]:
        """Check that a message returns its tokens; return the names of those that changed."""
        changed: set[str] = set()
        have = tuple(walk(self.messages[at].values))
        same = {(part.subformat, part.text) for part in have if part.format == "token"}
        for token in owed(before.values, before.dialect):
            if self._is_own(token, at % 2):
                self.applied.add("NLIP-22")
                continue
            self.applied.add("NLIP-21")
            if (token.subformat, token.text) in same:
                continue
            other, change = self._resembling(token, have)
            if other is not None:
                changed.add(other.name)
                self.report(
                    RULES["token-altered"],
                    f"The token {_named(token)} was returned with the {change}.",
                    at,
                    at - 1,
                    part=other,
                )
            elif at % 2 == SERVER:
                self.report(
                    RULES["token-lost"],
                    f"The request has the token {_named(token)}, but the answer does not return "
                    "it.",
                    at,
                    at - 1,
                )
            else:
                self.report(
                    RULES["token-dropped"],
                    f"The previous answer has the token {_named(token)}, but this request does "
                    "not return it.",
                    at,
                    at - 1,
                )
        return changed

    def _is_own(self, token: Part, side: int) -> bool:
        """Return whether the side made a token: it sent it first, or uses its identity."""
        return (
            (side == SERVER and bool({token.text, token.identity} & self.own - {""}))
            or self.makers.get((token.subformat, token.text)) == side
            or (bool(token.identity) and self.identities.get(token.identity) == side)
        )

    def _resembling(self, token: Part, have: Sequence[Part]) -> tuple[Part | None, str]:
        """Return what the token may have become, and what has changed. A second token without
        identity may be a new one.
        """
        names = Counter(part.subformat for part in have if part.format == "token")
        for part in have:
            same = (part.subformat, part.text) == (token.subformat, token.text)
            if same and part.format != "token":
                return part, f"format {quote(part.format)}"
        for part in have:
            if part.format != "token" or (part.subformat, part.text) in self.makers:
                continue
            if part.subformat == token.subformat and (part.identity or names[part.subformat] == 1):
                return part, f"content {quote(part.text)}"
            if part.text == token.text:
                return part, f"subformat {quote(part.subformat)}"
        return None, ""

    def _record_makers(self, at: int, changed: set[str]) -> None:
        for token in tokens(self.messages[at].values, (formats.CONVERSATION,)):
            if (token.subformat, token.text) in self.makers or token.name in changed:
                continue
            side = SERVER if {token.text, token.identity} & self.own - {""} else at % 2
            self.makers[token.subformat, token.text] = side
            self.applied.add("NLIP-23")
            if not token.identity:
                self.unnamed.add(side)
                if self.unnamed == {CLIENT, SERVER}:
                    self.report(
                        RULES["tokens-without-identity"],
                        "Both sides have created a conversation token. An identity after a _ "
                        "would show which is whose.",
                        at,
                        part=token,
                    )
                    self.unnamed = {CLIENT, SERVER, -1}
            elif self.identities.setdefault(token.identity, side) != side:
                self.report(
                    RULES["token-identity-taken"],
                    f"This new token names {quote(token.identity)}, the identity of the other "
                    "side.",
                    at,
                    part=token,
                )

    # Control, redirection, authentication

    def _answered(self, at: int, before: Message) -> None:
        request, answer = before.values, self.messages[at].values
        if request.get("is_control") is True:
            self.applied.add("NLIP-24")
            if answer.get("is_control") is not True:
                self.report(
                    RULES["control-unanswered"],
                    "The request is a control message, but this answer is not.",
                    at,
                    at - 1,
                )
        if asks.asks_for_upload_as_data(request):
            self.applied.add("NLIP-25")
            self.report(
                RULES["redirection-not-control"],
                "This message asks for an upload address, but its MessageType is not control.",
                at - 1,
            )
        if asks.asks_for_upload(request):
            self.applied |= {"NLIP-25", "NLIP-26"}
            self._redirected(at, answer)

    def _redirected(self, at: int, answer: dict[str, object]) -> None:
        addresses = [
            part
            for part in walk(answer)
            if (part.format, part.subformat.lower()) == ("structured", "uri")
        ]
        excused = asks.asks_for_authentication(answer) or tells_error(
            answer, self.messages[at].dialect
        )
        if not addresses and not excused:
            self.report(
                RULES["redirection-without-address"],
                "The request asks for an upload address, but the answer contains no URI.",
                at,
                at - 1,
            )
        for part in addresses:
            if not _is_place(part.text):
                self.report(
                    RULES["redirection-nowhere"],
                    f"{quote(part.text)} is not an address that content can be sent to. Expected "
                    "one such as https://example.org/up.",
                    at,
                    at - 1,
                    part=part,
                )

    def _authenticated(self, at: int, *, excused: bool) -> None:
        side, values = at % 2, self.messages[at].values
        if side in self.asked and not excused:
            self.applied.add("NLIP-28")
            if not authentication(values):
                self.report(
                    RULES["authentication-missing"],
                    "An earlier message asks for authentication, but this one has no "
                    "authentication token.",
                    at,
                    self.asked[side],
                )
        if asks.asks_for_authentication(values):
            self.applied.add("NLIP-27")
            self.asked.setdefault(1 - side, at)
        elif asks.asks_for_authentication_as_data(values):
            self.applied.add("NLIP-27")
            self.report(
                RULES["authentication-not-control"],
                "This asks for authentication, but its MessageType is not control.",
                at,
            )

    def report(
        self,
        rule: Rule,
        text: str,
        at: int,
        *others: int,
        part: Part | None = None,
        span: Span | None = None,
    ) -> None:
        name = f"{part.name}content" if part is not None else ""
        span = span or self._places(at).get(name, Span(0, len(self.messages[at].wire)))
        self.findings.append(
            Breach(
                rule.code,
                rule.severity,
                text,
                rule.section,
                rule.requirement,
                tuple(sorted({at, *others})),
                at,
                name,
                span,
            )
        )

    def _places(self, at: int) -> dict[str, Span]:
        """Return the span of each field of a message. They are kept, since decoding takes long and
        a message may break many rules.
        """
        if at not in self.spans:
            self.spans[at] = {
                field.name: field.span for field in self.messages[at].fields if field.name
            }
        return self.spans[at]


def _is_readable(message: Message) -> bool:
    """Return whether the parts of a message, valid or not, can be checked: a JSON object with a
    format.
    """
    return (
        message.protocol == "nlip"
        and "format" in message.values
        and all(diagnostic.code != "nlip.not-json" for diagnostic in message.diagnostics)
    )


def _flaw(message: Message) -> tuple[str, Span | None]:
    """Return why a message is not valid NLIP, and where."""
    if message.protocol != "nlip":
        return f"It is a message of another protocol, {message.protocol}.", None
    first = next(diagnostic for diagnostic in message.diagnostics if diagnostic.severity == "error")
    return first.message, first.span


def _is_place(uri: str) -> bool:
    try:
        seen = urlsplit(uri)
    except ValueError:
        return False
    return bool(seen.netloc) or (
        bool(seen.path) and seen.scheme not in ("", "mailto", "urn", "tel", "data", "http", "https")
    )


def _named(token: Part) -> str:
    return f"{shorten(token.subformat)} {quote(token.text)}"
