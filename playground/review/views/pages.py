"""The desk: a queue and one of its packets, and both as fragments."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from playground.review import addresses, desk, ranges
from playground.review.addresses import BadAddress


@never_cache
@require_safe
@login_required
def page(request: HttpRequest) -> HttpResponse:
    """Show a queue and one of its packets. The address of a search leads to that of its queue."""
    try:
        queue, given = addresses.read(request.GET)
    except BadAddress as bad:
        context = {"section": "audit", "problem": bad}
        return render(request, "review/desk.html", context, status=bad.status)
    if given["at"] is None or given["now"] is None:
        fixed = addresses.write(queue, leaf=given["leaf"], selected=ranges.write(given["selected"]))
        return redirect(f"{request.path}?{fixed}")
    leaf = given["leaf"]
    if leaf not in queue.positions and desk.is_erased(queue, leaf):
        messages.warning(request, f"Packet {leaf:,} was erased.")
        leaf = None
    if leaf is None:
        leaf = next(iter(queue.list_open(None, 1) or queue.leaves), None)
    return desk.answer(request, queue, leaf, given["selected"])


@never_cache
@require_safe
@login_required
def packet(request: HttpRequest) -> HttpResponse:
    """Show one packet of a queue, as a part of its page."""
    assert request.user.is_authenticated
    queue, given = addresses.read_part(request.GET)
    try:
        shown = desk.show_packet(queue, given["leaf"], request.user)
    except desk.NoPacket:
        raise Http404 from None
    context = desk.show_queue(queue, given["selected"]) | shown
    return render(request, "review/_packet.html", context)


@never_cache
@require_safe
@login_required
def rows(request: HttpRequest) -> HttpResponse:
    """Show a page of the list of a queue, as a part of its page."""
    assert request.user.is_authenticated
    queue, given = addresses.read_part(request.GET)
    context = desk.show_queue(queue, given["selected"])
    context |= desk.show_list(queue, min(given["page"] or 1, queue.pages), given["selected"])
    return render(request, "review/_list.html", context | {"leaf": given["leaf"]})
