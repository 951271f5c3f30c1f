"""Decide on the packet that is shown, comment on it, and undo."""

from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST

from auditlog import review
from auditlog.database.unavailable import Unavailable
from auditlog.models import Review
from playground.review import addresses, desk
from playground.review.addresses import Given
from playground.review.forms import StepForm, UndoForm
from playground.review.queue import Queue


@require_POST
@login_required
def step(request: HttpRequest) -> HttpResponse:
    """Store a step for a packet, and go on to the next packet without a decision."""
    assert request.user.is_authenticated
    queue, given = addresses.read_part(request.POST)
    form, leaf = StepForm(request.POST), given["leaf"]
    try:
        packet = desk.find_packet(queue, leaf)
    except desk.NoPacket:
        if not desk.is_erased(queue, leaf):
            raise Http404 from None
        if not addresses.is_script(request):
            return addresses.go(queue, leaf, given["selected"])
        context = {"leaf": leaf, "problem": "It was erased. Nothing was stored."}
        return render(request, "review/_refused.html", context, status=410)
    try:
        if not form.is_valid():
            raise review.BadReview(addresses.list_errors(form))
        review.mark(packet=packet, who=request.user, **form.cleaned_data)
    except (review.BadReview, Unavailable) as error:
        return _refuse(request, queue, given, error)
    queue = addresses.again(queue)
    if addresses.is_script(request):
        return _answer(request, queue, given, leaf)
    addresses.say(request, f"{{}} {form.cleaned_data['state']}.", [packet.leaf])
    following = queue.list_open(leaf, 1) or [queue.neighbor(leaf, 1) or leaf]
    return addresses.go(queue, following[0], given["selected"])


@require_POST
@login_required
def undo(request: HttpRequest) -> HttpResponse:
    """Undo some of one's own steps, and show the packet of the newest."""
    assert request.user.is_authenticated
    queue, given = addresses.read_part(request.POST)
    form = UndoForm(request.POST)
    try:
        if not form.is_valid():
            raise review.BadReview(addresses.list_errors(form))
        steps = _find(queue, form.cleaned_data["steps"])
        undone = review.undo(steps=steps, who=request.user, seen=form.cleaned_data["seen"])
    except (review.BadReview, Unavailable) as error:
        return _refuse(request, queue, given, error)
    leaves = [each.packet_leaf for each in undone]
    here = [leaf for leaf in leaves if leaf in queue.positions]
    if not here:
        return _reopen(request, queue, given, leaves, len(steps))
    queue = addresses.again(queue)
    if addresses.is_script(request):
        packet = desk.show_packet(queue, here[-1], request.user)
        said = addresses.write_undone(leaves, len(steps))
        return _answer(request, queue, given, here[-1], said=said, **packet)
    messages.success(request, addresses.write_undone(leaves, len(steps)))
    return addresses.go(queue, here[-1], given["selected"])


def _reopen(
    request: HttpRequest, queue: Queue, given: Given, leaves: list[int], number: int
) -> HttpResponse:
    """Open the search again after a bulk decision on packets outside of the queue was undone:
    ``is:unreviewed`` finds them now.
    """
    messages.success(request, addresses.write_undone(leaves, number))
    queue = addresses.reopen(queue)
    leaf = next((each for each in (*leaves, given["leaf"]) if each in queue.positions), None)
    if not addresses.is_script(request):
        return addresses.go(queue, leaf, ())
    return render(request, "review/_changes.html", {"opens": addresses.write_page(queue, leaf)})


def _find(queue: Queue, leaves: list[int]) -> list[Review]:
    """Return steps of the log. Raises BadReview if there are none."""
    steps = list(Review.objects.filter(log=queue.log, leaf__in=leaves).order_by("leaf"))
    if not steps:
        raise review.BadReview("There is nothing to undo.")
    return steps


def _answer(
    request: HttpRequest, queue: Queue, given: Given, leaf: int, **more: Any
) -> HttpResponse:
    """Answer a script: the progress, what can be undone, and the states of a page of the list."""
    return render(request, "review/_changes.html", _changes(request, queue, given, leaf) | more)


def _changes(request: HttpRequest, queue: Queue, given: Given, leaf: int | None) -> dict[str, Any]:
    assert request.user.is_authenticated
    page = min(given["page"] or 1, queue.pages)
    shown = desk.show_queue(queue, given["selected"]) | desk.show_undo(queue, request.user)
    return shown | {
        "leaf": leaf,
        "ahead": [] if leaf is None else queue.list_open(leaf, desk.AHEAD),
        "states": [(each, queue.states.get(each, "")) for each in queue.rows(page)],
    }


def _refuse(
    request: HttpRequest, queue: Queue, given: Given, error: review.BadReview | Unavailable
) -> HttpResponse:
    status = desk.status_of(error)
    if addresses.is_script(request):
        context: dict[str, Any] = {"leaf": given["leaf"], "problem": error}
        if status == HTTPStatus.CONFLICT:  # the page does not know what somebody did meanwhile
            context |= _changes(request, addresses.again(queue), given, given["leaf"])
        return render(request, "review/_refused.html", context, status=status)
    return desk.answer(
        request,
        queue,
        given["leaf"],
        given["selected"],
        status=status,
        refused=error,
        note=request.POST.get("note", ""),
    )
