"""NLIP pages for people: send a message to a server, and check a pasted exchange."""

from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from auditlog.text import to_json
from cablese import registry, tokens
from cablese.message import Message
from cablese.protocols.nlip.exchange.checker import examine
from playground.display.message import FullMessage
from playground.nlip import peers, turns
from playground.nlip.exchange import draw
from playground.nlip.forms import ExchangeForm, MessageForm

REQUEST = (
    '{"format":"text","subformat":"English","content":"Are there rooms in Paris?","submessages":'
    '[{"format":"token","subformat":"conversation_alice","content":"a-1"}]}'
)
RESPONSE = '{"detail":[{"type":"missing","loc":["body","content"],"msg":"Field required"}]}'


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def send(request: HttpRequest) -> HttpResponse:
    """Send a message to a configured server, for signed-in users."""
    form = MessageForm(request.POST if request.method == "POST" else None)
    context: dict[str, Any] = {
        "section": "tools",
        "form": form,
        "off": peers.OFF,
        "via": _addresses(request),
    }
    if request.method != "POST":
        return render(request, "nlip/talk.html", context)
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    if not form.is_valid():
        return render(request, "nlip/talk.html", context, status=422)
    if seconds := peers.pace(f"user:{request.user.pk}"):
        context["failure"] = f"Too many messages. Wait {seconds} s."
        return _retry(render(request, "nlip/talk.html", context, status=429), seconds)
    try:
        turn = turns.take(peers.find(form.cleaned_data["server"]), form.draft())
    except turns.BadMessage as bad:
        form.add_error("text", str(bad))
        return render(request, "nlip/talk.html", context, status=422)
    except peers.NoReply as none:
        context["failure"] = str(none)
        return _retry(render(request, "nlip/talk.html", context, status=none.status), peers.RETRY)
    sides = [turn.request, turn.answer]
    context |= {"turn": turn, "tokens": to_json(turn.tokens)}
    context |= {"sides": _draw(sides), "exchange": draw(sides, turn.report)}
    return render(request, "nlip/talk.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def exchange(request: HttpRequest) -> HttpResponse:
    """Check a pasted request and its answer."""
    example = {"request": REQUEST, "response": RESPONSE, "status": "422"}
    form = ExchangeForm(request.POST if request.method == "POST" else example)
    context: dict[str, Any] = {"section": "tools", "form": form}
    if not form.is_valid():
        return render(request, "nlip/exchange.html", context, status=422)
    cleaned, codec = form.cleaned_data, registry.get("nlip")
    sides = [
        codec.decode(cleaned[name], dialect=cleaned["dialect"]) for name in ("request", "response")
    ]
    report = examine(sides, own_tokens=cleaned["own_tokens"], statuses=(None, cleaned["status"]))
    context |= {"sides": _draw(sides), "exchange": draw(sides, report)}
    return render(request, "nlip/exchange.html", context)


def _draw(sides: list[Message]) -> list[tuple[str, FullMessage]]:
    tokenizer = tokens.names()[0]
    return [
        ("Request", FullMessage(sides[0], tokenizer)),
        ("Answer", FullMessage(sides[1], tokenizer)),
    ]


def _addresses(request: HttpRequest) -> list[tuple[str, str]]:
    """Return the address of the middle agent for each server."""
    return [
        (server.name, request.build_absolute_uri(reverse("nlip-via", args=[server.name])))
        for server in peers.listed()
    ]


def _retry(response: HttpResponse, seconds: int) -> HttpResponse:
    if response.status_code in (429, 503):
        response.headers["Retry-After"] = str(seconds)
    return response
