"""One decision for many packets: a preview with an address of its own, then the decision."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from auditlog import review
from auditlog.database.unavailable import Unavailable
from cablese import amount
from playground.review import addresses, desk, ranges
from playground.review.addresses import Given
from playground.review.forms import RowsForm, StepForm
from playground.review.queue import Queue

PREVIEWED = 50
"""Packets that a preview lists."""
_WORDS = {"reviewed": "Mark {} reviewed", "flagged": "Flag {}", "commented": "Comment on {}"}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def bulk(request: HttpRequest) -> HttpResponse:
    """Preview one decision for the selected packets, or store it."""
    assert request.user.is_authenticated
    sent = request.POST if request.method == "POST" else request.GET
    queue, given = addresses.read_part(sent)
    form, positions = StepForm(sent), _positions(sent, given)
    chosen = queue.choose(positions)
    status, problem = 200, ""
    try:
        _require(form, chosen)
        if request.method == "POST":
            return _store(request, queue, given, form, chosen)
    except (review.BadReview, Unavailable) as error:
        status, problem = desk.status_of(error), str(error)
    context = desk.show_queue(queue, positions) | _preview(queue, chosen, form)
    back = addresses.write(queue, leaf=given["leaf"], selected=ranges.write(positions))
    context |= {"problem": problem, "leaf": given["leaf"], "back": back}
    return render(request, "review/bulk.html", context, status=status)


def _positions(sent: QueryDict, given: Given) -> list[int]:
    """Return the selected positions: those of the address, and the rows that are checked."""
    checked = RowsForm(sent)
    rows = checked.cleaned_data["row"] if checked.is_valid() else []
    return sorted({*given["selected"], *rows})


def _require(form: StepForm, chosen: list[int]) -> None:
    """Raises BadReview for a decision that cannot be previewed."""
    if not form.is_valid():
        raise review.BadReview(addresses.list_errors(form))
    if not chosen:
        raise review.BadReview("Select packets first.")
    if len(chosen) > review.LIMIT:
        raise review.TooMany(len(chosen))


def _store(
    request: HttpRequest, queue: Queue, given: Given, form: StepForm, chosen: list[int]
) -> HttpResponse:
    assert request.user.is_authenticated
    packets = desk.find_packets(queue, chosen)
    marked = review.mark_all(packets=packets, who=request.user, **form.cleaned_data)
    if marked.steps:
        leaves = [step.packet_leaf for step in marked.steps]
        addresses.say(request, f"{{}} {form.cleaned_data['state']}.", leaves)
    if marked.overtaken:
        others = sorted({error.step.who.get_username() for error in marked.overtaken})
        names = " and ".join(others[:3])
        left = f"{len(marked.overtaken):,} left out: {names} decided after the preview."
        messages.warning(request, left)
    if marked.repeated:
        did = review.did(form.cleaned_data["state"])
        messages.info(request, f"{len(marked.repeated):,} left out: you already {did} them.")
    queue = addresses.again(queue)
    leaf = given["leaf"] if given["leaf"] in queue.positions else None
    return addresses.go(queue, next(iter(queue.list_open(leaf, 1)), leaf), ())


def _preview(queue: Queue, chosen: list[int], form: StepForm) -> dict[str, Any]:
    states = [queue.states.get(leaf, "") for leaf in chosen]
    state = form.data.get("state", "")
    most = sorted(queue.positions[leaf] for leaf in chosen[: review.LIMIT])
    return {
        "rows": desk.draw_rows(queue, chosen[:PREVIEWED]),
        "number": len(chosen),
        "more": max(0, len(chosen) - PREVIEWED),
        "state": state,
        "what": _WORDS.get(state, "Review {}").format(amount.count(len(chosen), "packet")),
        "note": form.data.get("note", ""),
        "seen": addresses.find_size(queue.log),
        "reviewed": states.count("reviewed"),
        "flagged": states.count("flagged"),
        "most": ranges.write(most) if len(chosen) > review.LIMIT else "",
    }
