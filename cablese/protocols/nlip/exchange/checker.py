"""What two end-points owe each other (section 6): requests, and the answers to them, in turn.

    0  Where may I send a large file?  control     the client
    1  https://…                       control     the server answers
    2  …                                           the client again

Each message is held to the one before it, and to what was asked for earlier: NLIP-20 to NLIP-28,
and to the HTTP status of an answer where it is given (NLIP-34). Whether an address works, and what
a token means, cannot be seen in messages and is not looked at.

An answer that is not a valid message breaks NLIP-20, whatever it is. A broken request owes nothing
to the checker, and an error answers it; what is not JSON cannot be read, so nothing in it comes
back.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from urllib.parse import urlsplit

from msgspec import Struct

from cablese.message import Message, Rule, Span
from cablese.protocols.nlip import formats
from cablese.protocols.nlip.exchange.breaches import (
    ACCEPTED,
    ASKED_AS_DATA,
    CHANGED,
    DROPPED,
    LOST,
    MISMATCH,
    NO_ADDRESS,
    NO_PLACE,
    NOT_CONTROL,
    TAKEN,
    UNANSWERED,
    UNAUTHENTICATED,
    UNNAMED,
    UNREADABLE,
    UPLOAD_AS_DATA,
    Breach,
)
from cablese.protocols.nlip.parts import Part, authentication, owed, tells_error, tokens, walk
from cablese.protocols.nlip.rules import NOT_JSON
from cablese.text import quote, shorten

from . import asks

CLIENT, SERVER = 0, 1
WEB = ("http", "https")
UNREAD = frozenset({404, 405, 408, 411, 413, 414, 415, 421, 429, 431, 502, 503, 504})
"""HTTP statuses of errors that do not mean that the request was read, so nothing in it can come
back.
"""
CHALLENGES = (401, 407)


class Report(Struct, frozen=True):
    """What was found, in the order of the messages, and the requirements that had anything to say
    of them.
    """

    findings: tuple[Breach, ...]
    applied: tuple[str, ...]

    @property
    def held(self) -> tuple[str, ...]:
        """The requirements that applied and that nothing breaks."""
        broken = {found.requirement for found in self.findings}
        return tuple(name for name in self.applied if name not in broken)


def check(
    request: Message,
    response: Message,
    *,
    own_tokens: Iterable[str] = (),
    status: int | None = None,
) -> tuple[Breach, ...]:
    """Hold an answer to its request. ``own_tokens`` are contents or identities of tokens that the
    server made before, ``status`` is the HTTP status of the answer.

    Never raises. Messages of any protocol are taken; one of another protocol is not an answer.
    """
    return examine((request, response), own_tokens=own_tokens, statuses=(None, status)).findings


def examine(
    messages: Sequence[Message],
    *,
    own_tokens: Iterable[str] = (),
    statuses: Sequence[int | None] = (),
) -> Report:
    """Hold a whole transcript to section 6: a request, its answer, the next request, and so on.
    Never raises.

    ``statuses`` are the HTTP statuses of the messages as far as they are known; those of requests
    are not looked at.
    """
    course = _Course(messages, frozenset(own_tokens), tuple(statuses))
    for at in range(len(messages)):
        course.take(at)
    if len(messages) % 2:
        course.report(UNANSWERED, "This request has no answer.", len(messages) - 1)
    return Report(tuple(course.findings), tuple(sorted(course.applied)))


class _Course:
    """What is known up to a message: who made which token, and who was asked for authentication,
    where.
    """

    def __init__(
        self,
        messages: Sequence[Message],
        own_tokens: frozenset[str],
        statuses: tuple[int | None, ...],
    ) -> None:
        self.messages = messages
        self.own = own_tokens
        self.statuses = statuses
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
        unread = side == SERVER and self._is_unread(at)
        changed: set[str] = set()
        if at and not unread and _is_readable(self.messages[at - 1]):
            changed = self._returned(at, self.messages[at - 1])
            if side == SERVER:
                self._answered(at, self.messages[at - 1])
        self._authenticated(at, excused=unread)
        self._made(at, changed)

    # The answer as such

    def _validity(self, at: int) -> None:
        request, answer = self.messages[at - 1], self.messages[at]
        status = self._status(at)
        if status is not None:
            self.applied.add("NLIP-34")
        if answer.protocol != "nlip" or not answer.valid:
            words, span = _flaw(answer)
            came = f" Its HTTP status was {status}." if status is not None else ""
            self.report(
                UNREADABLE, f"This answer is not a valid NLIP message. {words}{came}", at, span=span
            )
            return
        refused = tells_error(answer.values, answer.dialect) or asks.asks_for_authentication(
            answer.values
        )
        if status is not None and not _agrees(status, answer):
            self.report(MISMATCH, _contradiction(status), at)
        elif not refused and (request.protocol != "nlip" or not request.valid):
            words = (
                f"The request is not a valid NLIP message. {_flaw(request)[0]} This answer is not "
                "an error."
            )
            self.report(ACCEPTED, words, at, at - 1)

    def _status(self, at: int) -> int | None:
        return self.statuses[at] if at < len(self.statuses) else None

    def _is_unread(self, at: int) -> bool:
        """True for an error that was sent before the request was read."""
        answer = self.messages[at]
        return (
            self._status(at) in UNREAD
            and answer.valid
            and tells_error(answer.values, answer.dialect)
        )

    # Tokens

    def _returned(self, at: int, before: Message) -> set[str]:
        """The tokens of the message before it are in this one. Gives the names of those that came
        back changed.
        """
        changed: set[str] = set()
        have = tuple(walk(self.messages[at].values))
        same = {(part.subformat, part.said) for part in have if part.format == "token"}
        for token in owed(before.values, before.dialect):
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
                words = (
                    f"The request has the token {_named(token)}, but the answer does not return it."
                )
                self.report(LOST, words, at, at - 1)
            else:
                words = (
                    f"The previous answer has the token {_named(token)}, but this request does "
                    "not return it."
                )
                self.report(DROPPED, words, at, at - 1)
        return changed

    def _is_own(self, token: Part, side: int) -> bool:
        """True for a token that the side made itself: it sent it first, or the identity is one it
        uses.
        """
        if side == SERVER and {token.said, token.identity} & self.own - {""}:
            return True
        if self.makers.get((token.subformat, token.said)) == side:
            return True
        return bool(token.identity) and self.identities.get(token.identity) == side

    def _resembling(self, token: Part, have: Sequence[Part]) -> tuple[Part | None, str]:
        """What the token may have become, and how it differs. A second token without identity may
        be a new one.
        """
        alone = Counter(part.subformat for part in have if part.format == "token")
        for part in have:
            if part.format != "token" and (part.subformat, part.said) == (
                token.subformat,
                token.said,
            ):
                words = (
                    f"The token {_named(token)} was returned with the format {quote(part.format)}."
                )
                return part, words
        for part in have:
            if part.format != "token" or (part.subformat, part.said) in self.makers:
                continue
            if part.subformat == token.subformat and (part.identity or alone[part.subformat] == 1):
                words = (
                    f"The token {_named(token)} was returned with the content {quote(part.said)}."
                )
                return part, words
            if part.said == token.said:
                words = (
                    f"The token {_named(token)} was returned with the subformat "
                    f"{quote(part.subformat)}."
                )
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
                    words = (
                        "Both sides have created a conversation token. An identity after a _ "
                        "would show whose it is."
                    )
                    self.report(UNNAMED, words, at, part=token)
                    self.unnamed = {CLIENT, SERVER, -1}
            elif self.identities.setdefault(token.identity, side) != side:
                words = (
                    f"This new token names {quote(token.identity)}, the identity of the other side."
                )
                self.report(TAKEN, words, at, part=token)

    # Control, redirection, authentication

    def _answered(self, at: int, before: Message) -> None:
        request, answer = before.values, self.messages[at].values
        if request.get("is_control") is True:
            self.applied.add("NLIP-24")
            if answer.get("is_control") is not True:
                words = "The request is a control message, but this answer is not."
                self.report(NOT_CONTROL, words, at, at - 1)
        if asks.asks_for_upload_as_data(request):
            self.applied.add("NLIP-25")
            words = "This message asks for an upload address, but its MessageType is not control."
            self.report(UPLOAD_AS_DATA, words, at - 1)
        if asks.asks_for_upload(request):
            self.applied |= {"NLIP-25", "NLIP-26"}
            self._redirected(at, answer)

    def _redirected(self, at: int, answer: dict[str, object]) -> None:
        parts = tuple(walk(answer))
        addresses = [
            part for part in parts if (part.format, part.subformat.lower()) == ("structured", "uri")
        ]
        excused = asks.asks_for_authentication(answer) or tells_error(
            answer, self.messages[at].dialect
        )
        if not addresses and not excused:
            words = "The request asks for an upload address, but the answer contains no URI."
            self.report(NO_ADDRESS, words, at, at - 1)
        for part in addresses:
            if not _is_place(part.said):
                words = (
                    f"{quote(part.said)} is not an address that content can be sent to. Expected "
                    "one such as https://example.org/up."
                )
                self.report(NO_PLACE, words, at, at - 1, part=part)

    def _authenticated(self, at: int, *, excused: bool) -> None:
        side, values = at % 2, self.messages[at].values
        if side in self.asked and not excused:
            self.applied.add("NLIP-28")
            if not authentication(values):
                since = self.asked[side]
                words = (
                    "An earlier message asks for authentication, but this one has no "
                    "authentication token."
                )
                self.report(UNAUTHENTICATED, words, at, since)
        if asks.asks_for_authentication(values):
            self.applied.add("NLIP-27")
            self.asked.setdefault(1 - side, at)
        elif asks.asks_for_authentication_as_data(values):
            self.applied.add("NLIP-27")
            self.report(
                ASKED_AS_DATA,
                "This asks for authentication, but its MessageType is not control.",
                at,
            )

    def report(
        self,
        rule: Rule,
        words: str,
        at: int,
        *others: int,
        part: Part | None = None,
        span: Span | None = None,
    ) -> None:
        name = f"{part.name}content" if part is not None else ""
        span = span or self._places(at).get(name, Span(0, len(self.messages[at].wire)))
        concerned = tuple(sorted({at, *others}))
        self.findings.append(
            Breach(
                rule.code,
                rule.severity,
                words,
                rule.section,
                rule.requirement,
                concerned,
                at,
                name,
                span,
            )
        )

    def _places(self, at: int) -> dict[str, Span]:
        """Where each field of a message stands. Reading it again takes long, and a message may owe
        much.
        """
        if at not in self.spans:
            self.spans[at] = {
                field.name: field.span for field in self.messages[at].fields if field.name
            }
        return self.spans[at]


def _is_readable(message: Message) -> bool:
    """True for an object of JSON with a format: its parts can be held to something, valid
    or not.
    """
    if message.protocol != "nlip" or "format" not in message.values:
        return False
    return all(found.code != NOT_JSON.code for found in message.diagnostics)


def _flaw(message: Message) -> tuple[str, Span | None]:
    """Why a message is not valid NLIP, and where that shows."""
    if message.protocol != "nlip":
        return f"It is a message of another protocol, {message.protocol}.", None
    first = next(found for found in message.diagnostics if found.severity == "error")
    return first.message, first.span


def _agrees(status: int, answer: Message) -> bool:
    """True when the status and the answer say the same. An error may come with 200: NLIP says it in
    the message.
    """
    if 200 <= status < 300:
        return True
    if status in CHALLENGES and answer.values.get("is_control") is True:
        return True
    return status >= 400 and tells_error(answer.values, answer.dialect)


def _contradiction(status: int) -> str:
    if status < 200:
        return f"The HTTP status {status} only announces an answer; it cannot come with one."
    if status < 400:
        return (
            f"The HTTP status {status} sends the client elsewhere; NLIP redirects with a message "
            "that holds a URI."
        )
    return f"The HTTP status {status} reports an error, but this answer does not."


def _is_place(uri: str) -> bool:
    try:
        seen = urlsplit(uri)
    except ValueError:
        return False
    return bool(seen.netloc) or (
        bool(seen.path) and seen.scheme not in ("", "mailto", "urn", "tel", "data", *WEB)
    )


def _named(token: Part) -> str:
    return f"{shorten(token.subformat)} {quote(token.said)}"
