"""Serve the NLIP server agent over HTTP: `POST /nlip` takes a message and returns one (ECMA-431).

Every answer is an NLIP message, even if HTTP has a status for the error.
"""

from collections.abc import Callable
from functools import partial, wraps
from typing import Concatenate, ParamSpec

from django import forms
from django.db import Error
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from auditlog import access
from auditlog.database.unavailable import Unavailable
from auditlog.ingest.body import BadBody, TooLarge
from auditlog.sender import Sender
from cablese.codec import JSON_LIMIT
from cablese.protocols.nlip.exchange import agent
from cablese.protocols.nlip.formats import DEFAULT, DIALECTS
from cablese.protocols.nlip.parts import authentication
from playground.health import failures, outage
from playground.http import security_events
from playground.http.proxy import caller
from playground.http.throttle import Throttle
from playground.nlip import peers, relay, server_agent
from playground.rest import keys
from playground.rest.body import blocks, write_json
from playground.server.environment import is_loopback

MEDIA = ("application/json", "")
CHALLENGE = {"WWW-Authenticate": "Bearer"}
TEXT_HTML, JSON = "text/html", "application/json"

throttle = Throttle()
P = ParamSpec("P")
Answering = Callable[Concatenate[HttpRequest, "Incoming", P], HttpResponse]
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


class Dialect(forms.Form):
    """The dialect in the address, because messages do not state it."""

    dialect = forms.ChoiceField(choices=[(name, name) for name in DIALECTS], required=False)


class Refused(Exception):
    """Report a request that is answered only with an error."""

    def __init__(self, status: int, reason: str, **headers: str) -> None:
        super().__init__(reason)
        self.status = status
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


class Incoming:
    """The body of a request as a message, read once and only when it is needed."""

    def __init__(self, request: HttpRequest, dialect: str) -> None:
        self._request = request
        self._dialect = dialect
        self._read: server_agent.Request | None = None
        self.refuse: Callable[[str, server_agent.Request], agent.Answer] = partial(
            server_agent.refuse, host=request.get_host()
        )
        """Builds an error from a text and the request; the middle agent has its own."""

    def message(self) -> server_agent.Request:
        """Raises TooLarge and BadBody."""
        if self._read is None:
            self._read = server_agent.read(
                b"".join(blocks(self._request, JSON_LIMIT)), self._dialect
            )
        return self._read

    def message_or_none(self) -> server_agent.Request | None:
        """Return the message, or None if it cannot be read."""
        try:
            return self.message()
        except (TooLarge, BadBody, OSError):
            return None


def answering(*methods: str) -> Callable[[Answering[P]], View[P]]:
    """Answer every request with a message, including errors and overload (6.1). If the request
    could be read, errors return its tokens.
    """

    def wrap(view: Answering[P]) -> View[P]:
        @wraps(view)
        def answer(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            form = Dialect(request.GET)
            dialect = (form.cleaned_data["dialect"] or DEFAULT) if form.is_valid() else DEFAULT
            incoming = Incoming(request, dialect)
            try:
                _require_method(request, methods)
                if not form.is_valid():
                    reason = f"Unknown dialect. Expected {', '.join(DIALECTS)}."
                    raise Refused(400, reason)
                return view(request, incoming, *args, **kwargs)
            except Refused as refused:
                return _refusal(request, incoming, dialect, refused)
            except TooLarge as error:
                reason = f"{error} To send more, request an upload address in a control message."
                return _refusal(request, incoming, dialect, Refused(413, reason))
            except BadBody as error:
                return _refusal(request, incoming, dialect, Refused(error.status, str(error)))
            except (Unavailable, Error) as error:
                if (problem := outage.find(error, request.method)) is None:
                    raise
                failures.note(request, error)
                reason, retry = str(problem), str(problem.retry_after)
                return _refusal(request, incoming, dialect, Refused(503, reason, Retry_After=retry))

        return answer

    return wrap


def _require_method(request: HttpRequest, methods: tuple[str, ...]) -> None:
    if request.method not in methods:
        allowed = ", ".join(methods)
        raise Refused(405, f"Method not allowed. Expected {allowed}.", Allow=allowed)
    if request.method == "POST":
        _require_tls(request)


def _refusal(
    request: HttpRequest, incoming: Incoming, dialect: str, refused: Refused
) -> HttpResponse:
    read = None if request.method in ("GET", "HEAD") else incoming.message_or_none()
    if read is None:
        return _message(
            agent.refuse(str(refused), dialect=dialect), refused.status, refused.headers
        )
    answer = incoming.refuse(str(refused), read)
    return _message(answer.wire, refused.status, refused.headers)


@csrf_exempt
@never_cache
@answering("GET", "HEAD", "POST")
def endpoint(request: HttpRequest, incoming: Incoming) -> HttpResponse:
    """Answer one message. GET explains the address."""
    if request.method != "POST":
        return _explain(request)
    _require_json(request)
    read = incoming.message()
    sender, bearer = _identify_sender(request, read)
    if sender is None:
        _pace(request)
    answer, thread = server_agent.answer(
        read,
        sender=sender,
        refused=sender is None and (bool(authentication(read.message.values)) or bearer),
        upload=request.build_absolute_uri(f"{reverse('nlip')}/upload/"),
        host=request.get_host(),
    )
    server_agent.store_exchange(read, answer.wire, sender=sender, thread=thread)
    if answer.malformed or answer.full:
        return _message(answer.wire, 400 if answer.malformed else 413)
    # A key in a header gets HTTP's own challenge; a key in a token gets only the control message.
    return (
        _message(answer.wire, 401, CHALLENGE) if answer.asks and bearer else _message(answer.wire)
    )


@csrf_exempt
@never_cache
@answering("POST")
def upload(request: HttpRequest, incoming: Incoming, token: str) -> HttpResponse:
    """Receive large content at an upload address of ours."""
    try:
        opened = server_agent.open_upload(token)
    except server_agent.Expired:
        _pace(request)
        minutes = server_agent.UPLOAD_LIFE // 60
        raise Refused(
            404, f"This upload address is invalid or older than {minutes} minutes."
        ) from None
    if opened.key_id is None:
        _pace(request)
    body = b"".join(blocks(request, server_agent.UPLOAD_LIMIT))
    if not body:
        raise Refused(400, "The request has no body. Send the content as the body.")
    return _message(server_agent.take_upload(opened, body))


@csrf_exempt
@never_cache
@answering("POST")
def via(request: HttpRequest, incoming: Incoming, name: str) -> HttpResponse:
    """Forward a message to a configured server, for callers with a key."""
    peer = next((server for server in peers.listed() if server.name == name), None)
    if peer is None:
        _pace(request)
        raise Refused(404, "Unknown server.")
    incoming.refuse = partial(relay.refuse, peer=peer)
    _require_json(request)
    read = incoming.message()
    sender, bearer = _identify_sender(request, read)
    if sender is None:
        _pace(request)
        answer = relay.ask(read, peer, refused=bool(authentication(read.message.values) or bearer))
        return (
            _message(answer.wire, 400)
            if answer.malformed
            else _message(answer.wire, 401, CHALLENGE)
        )
    if "ingest" not in sender.scopes:
        security_events.refuse_right(request, "scope ingest", key=sender.key_id)
        raise Refused(403, "Forwarding messages requires a key with the scope ingest.")
    seconds = peers.pace(f"key:{sender.key_id}")
    if seconds:
        raise Refused(429, f"Too many messages. Wait {seconds} s.", Retry_After=str(seconds))
    answer, status, thread = relay.relay(read, peer, via=request.headers.get("Via", ""))
    server_agent.store_exchange(read, answer.wire, sender=sender, thread=thread)
    return _message(
        answer.wire, status, {"Retry-After": str(peers.RETRY)} if status == 503 else None
    )


def _explain(request: HttpRequest) -> HttpResponse:
    address = request.build_absolute_uri(reverse("nlip"))
    if request.get_preferred_type([JSON, TEXT_HTML]) == TEXT_HTML:
        return render(
            request,
            "nlip/nlip.html",
            {"address": address, "policy": server_agent.POLICY, "section": "tools"},
        )
    via = {
        server.name: request.build_absolute_uri(reverse("nlip-via", args=[server.name]))
        for server in peers.listed()
    }
    dialects = {name: f"{address}{server_agent.asking(name)}" for name in DIALECTS}
    about = {
        "protocol": "nlip",
        "dialect": DEFAULT,
        "post": address,
        "dialects": dialects,
        "policy": server_agent.POLICY,
    }
    return write_json(about | {"via": via})


def _require_tls(request: HttpRequest) -> None:
    """Require TLS for remote callers (7.1). Raises Refused.

    A caller is local only if both its address and the host name it uses are: behind a proxy on this
    machine, every caller has a local address.
    """
    if request.is_secure() or (
        is_loopback(request.META.get("REMOTE_ADDR", "")) and is_loopback(_name(request))
    ):
        return
    raise Refused(
        403,
        "NLIP requires TLS. Use https. A proxy that terminates TLS must send X-Forwarded-Proto"
        " and be listed in CABLESE_TRUSTED_PROXY.",
    )


def _name(request: HttpRequest) -> str:
    return split_domain_port(request.get_host())[0]


def _require_json(request: HttpRequest) -> None:
    """Raises Refused."""
    if (request.content_type or "").lower() not in MEDIA:
        raise Refused(
            415, f"Unknown content type {request.content_type}. Expected application/json."
        )


def _identify_sender(
    request: HttpRequest, read: server_agent.Request
) -> tuple[Sender | None, bool]:
    """Return the sender of a message, and whether a key was in a header."""
    bearer = keys.read_token(request)
    tokens = (*read.secrets, *([bearer] if bearer else ()))[:4]
    holder = next((sender for token in tokens if (sender := access.authenticate(token))), None)
    if holder is None and tokens:
        security_events.refuse_key(request, tokens[-1])
    return holder, bearer is not None


def _pace(request: HttpRequest) -> None:
    """Limit requests without a key. Raises Refused."""
    seconds = throttle.wait(caller(request))
    if seconds:
        raise Refused(
            429,
            f"Too many requests without authentication. Wait {seconds} s.",
            Retry_After=str(seconds),
        )


def _message(wire: str, status: int = 200, headers: dict[str, str] | None = None) -> HttpResponse:
    return HttpResponse(wire, status=status, content_type=JSON, headers=headers)
