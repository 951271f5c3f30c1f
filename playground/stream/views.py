"""Live views of a live session ("pad" in the code) or of the end of a log."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial, wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
    require_safe,
)

from auditlog.database import damage
from auditlog.log import packet as packets
from auditlog.log.draft import TOKENIZER, decode
from auditlog.models import Log
from auditlog.search.query import QueryError
from playground.accounts import sessions
from playground.audit import saving
from playground.display.message import FullMessage
from playground.health import failures
from playground.http import streaming
from playground.rest import problems
from playground.rest.body import write_json
from playground.rest.problems import Problem
from playground.stream import events, opening
from playground.stream.feeds import SHOWN, Batch, PadFeed
from playground.stream.forms import CloseForm, PadForm, ViewForm
from playground.stream.pad import Pad
from playground.stream.summary import total_by_act
from playground.stream.tail import Tail
from playground.workbench.panels import show

PLAIN_ROWS = 200
"""The limit of lines on the page without JavaScript."""

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]


def answering(view: View[P]) -> View[P]:
    """Answer errors of script requests as problems."""

    @wraps(view)
    def answer(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except Problem as refused:
            return problems.answer(refused)
        except QueryError as error:
            return problems.answer(Problem(422, error.message, "/q"))
        except streaming.Busy as busy:
            failures.note(request, busy)
            return problems.answer(
                Problem(
                    503, "The server is at its limit of event streams. Poll for batches instead."
                ).with_headers(Retry_After="2")
            )

    return answer


def on_page(view: View[P]) -> View[P]:
    """Answer errors of page requests as a page."""

    @wraps(view)
    def show(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except Problem as refused:
            context = {
                "status": refused.status,
                "title": "This live session has ended"
                if refused.status == 410
                else "Live session not found",
                "detail": refused.detail,
                "section": "stream",
            }
            return render(request, "stream/ended.html", context, status=refused.status)

    return show


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """Show how to start a live session or watch a log, or start one."""
    form = PadForm(request.POST if request.method == "POST" else None)
    status = 422 if form.errors else 200
    if form.is_valid():
        sent = form.cleaned_data
        try:
            sender = opening.identify_sender(request, sent["key"]) if sent["key"] else None
            key, _ = opening.open_for(request, protocol=sent["protocol"], sender=sender)
        except Problem as refused:
            form.add_error(None, refused.detail)
            status = refused.status
        else:
            return redirect("pad", key=key)
    context = {
        "section": "stream",
        "form": form,
        "logs": Log.objects.select_related("end").order_by("slug"),
    }
    return render(request, "stream/stream.html", context, status=status)


@never_cache
@require_safe
@on_page
def pad(request: HttpRequest, key: str) -> HttpResponse:
    """Show a live session with its address and messages."""
    opened, form = opening.find(key), ViewForm(request.GET)
    feed = PadFeed(opened, form.sieve) if form.is_valid() else PadFeed(opened)
    number = form.cleaned_data.get("message")
    context = {
        "kind": "pad",
        "pad": opened,
        "key": key,
        "expires": datetime.fromtimestamp(opened.expires, UTC),
        "address": opening.post_address(request, key),
        "totals": opened.totals,
        **show(request, None if number is None else _in_pad(opened, number)),
    }
    return _live(request, form, feed.read(None), context, reverse("pad", args=[key]))


@never_cache
@require_GET
@answering
def pad_events(request: HttpRequest, key: str) -> HttpResponseBase:
    """Stream a live session as events."""
    return events.respond(_pad_feed(request, key), _after(request), may_read=partial(_is_open, key))


@never_cache
@require_safe
@answering
def pad_lines(request: HttpRequest, key: str) -> HttpResponse:
    """Return one batch, for browsers over the limit of streams."""
    return write_json(_pad_feed(request, key).read(_after(request)))


@never_cache
@require_safe
@answering
def pad_message(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Return the fragment of one message."""
    shown = _in_pad(opening.find(key), number)
    if shown is None:
        raise Problem(404, "This message is no longer available.")
    return render(request, "stream/_message.html", show(request, shown))


@never_cache
@require_POST
@on_page
def pad_save(request: HttpRequest, key: str) -> HttpResponse:
    """Preview the messages of a live session before saving them."""
    entries = opening.find(key).entries()
    items, back = [entry.item for entry in entries], reverse("pad", args=[key])
    context = saving.preview_items(items, back, saving.read_forms())
    return render(request, "audit/save.html", context)


@never_cache
@require_POST
@on_page
def pad_close(request: HttpRequest, key: str) -> HttpResponse:
    """Close a live session, or ask first if its messages would be lost."""
    opened, form = opening.find(key), CloseForm(request.POST)
    confirmed = form.is_valid() and form.cleaned_data["confirmed"]
    if opened.totals.messages and opened.key_id is None and not confirmed:
        context = {"section": "stream", "key": key, "totals": opened.totals}
        return render(request, "stream/closing.html", context)
    opening.close(key)
    messages.success(request, "Live session closed. Its messages were deleted.")
    return redirect("stream")


@never_cache
@require_safe
@login_required
def log(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the newest packets of a log."""
    followed, form = get_object_or_404(Log, slug=slug), ViewForm(request.GET)
    query = form.cleaned_data["q"].strip() if form.is_valid() else ""
    context: dict[str, Any] = {"kind": "log", "log": followed, "shown": None}
    try:
        batch = Tail(followed, query).read(None)
    except QueryError as error:
        form.add_error("q", error.message)
        batch = Tail(followed).read(followed.end.size - 1)
    if (number := form.cleaned_data.get("message")) is not None:
        context |= _show_packet(request, followed, number)
    return _live(request, form, batch, context, reverse("live", args=[slug]))


@never_cache
@require_GET
@answering
def log_events(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Stream new packets of a log as events."""
    feed = _log_feed(request, slug)
    return events.respond(feed, _after(request), may_read=partial(sessions.is_signed_in, request))


@never_cache
@require_safe
@answering
def log_lines(request: HttpRequest, slug: str) -> HttpResponse:
    """Return one batch of new packets."""
    return write_json(_log_feed(request, slug).read(_after(request)))


@never_cache
@require_safe
@answering
def log_message(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Return the fragment of one packet."""
    context = _show_packet(request, _log(request, slug), number)
    if not context:
        raise Problem(404, "Packet not found.")
    return render(request, "stream/_message.html", context)


def _live(
    request: HttpRequest, form: ViewForm, batch: Batch, context: dict[str, Any], base: str
) -> HttpResponse:
    sent = form.cleaned_data
    query = QueryDict(mutable=True)
    query.update(
        {name: sent[name] for name in ("q", "protocol", "severity", "show") if sent.get(name)}
    )
    return render(
        request,
        "stream/live.html",
        {
            "section": "stream",
            "form": form,
            "sent": sent,
            "query": query.urlencode(),
            "base": base,
            "lines": batch.lines[-PLAIN_ROWS:],
            "acts": total_by_act(batch.lines),
            "batch": batch,
            "cap": SHOWN,
            "plain_cap": PLAIN_ROWS,
        }
        | context,
        status=200 if form.is_valid() else 422,
    )


def _pad_feed(request: HttpRequest, key: str) -> PadFeed:
    return PadFeed(opening.find(key), _filters(request).sieve)


def _log_feed(request: HttpRequest, slug: str) -> Tail:
    query = _filters(request).cleaned_data["q"].strip()
    return Tail(_log(request, slug), query)


def _filters(request: HttpRequest) -> ViewForm:
    form = ViewForm(request.GET)
    if not form.is_valid():
        raise Problem(422, "Invalid filters.")
    return form


def _log(request: HttpRequest, slug: str) -> Log:
    """Return a log for a signed-in person. Raises Problem 401 and 404."""
    if not request.user.is_authenticated:
        raise Problem(401, "You must sign in to watch a log.")
    log = Log.objects.filter(slug=slug).first()
    if log is None:
        raise Problem(404, "Log not found.")
    return log


def _after(request: HttpRequest) -> int | None:
    """Return the number to continue after, from Last-Event-ID or the URL; None for a new view."""
    number = request.headers.get("Last-Event-ID") or request.GET.get("after", "")
    digits = number.removeprefix("-")
    return int(number) if digits.isascii() and digits.isdigit() and len(digits) < 17 else None


def _is_open(key: str) -> bool:
    """Find the pad as any request does, which ends it if its key is no longer valid."""
    try:
        opening.find(key)
    except Problem:
        return False
    return True


def _in_pad(opened: Pad, number: int) -> FullMessage | None:
    entry = opened.find(number)
    return FullMessage(decode(entry.item), TOKENIZER) if entry else None


def _show_packet(request: HttpRequest, followed: Log, number: int) -> dict[str, Any]:
    """Return the context of a packet of a log; nothing without one."""
    packet = damage.first(log=followed, leaf=number)
    if packet is None:
        return {}
    return {"packet": packet} | show(request, FullMessage(packets.read(packet), packet.tokenizer))
