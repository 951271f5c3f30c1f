"""Addresses of the review desk. They have its whole state, and each form carries it.

/audit/review/?log=default&q=is:invalid&at=812&now=20261120T100001Z&leaf=790&selected=1-12
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.text import capfirst

from auditlog.models import Log, LogEnd
from auditlog.search.query import QueryError
from auditlog.search.saved import pin
from auditlog.search.saved.pin import BadPin
from cablese import amount
from playground.review import ranges
from playground.review.forms import DeskForm, write_moment
from playground.review.queue import Queue

Given = dict[str, Any]
"""The cleaned fields of an address."""


class BadAddress(Exception):
    """The address is not one of a queue."""

    def __init__(self, message: str, status: int, *, log: str = "", query: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.log = log
        self.query = query


def write(queue: Queue, **more: object) -> str:
    """Return the query string of a queue, with more fields unless they are empty."""
    fields: dict[str, object] = {"log": queue.log.slug, "q": queue.query, "at": queue.size}
    fields |= {"now": write_moment(queue.now)}
    fields |= {name: value for name, value in more.items() if value not in (None, "")}
    return urlencode(fields)


def read(sent: QueryDict) -> tuple[Queue, Given]:
    """Return the queue of an address and its other fields. Raises BadAddress."""
    form = DeskForm(sent)
    if not form.is_valid():
        raise BadAddress(list_errors(form), 400)
    given = form.cleaned_data
    log, query = given["log"], given["q"].strip()
    try:
        queue = Queue(log, query, *_place(log, given["at"], given["now"]))
        queue.require_query()
    except BadPin as error:
        raise BadAddress(str(error), 422, log=log.slug, query=query) from None
    except QueryError as error:
        words = f"{error.message} {error.suggestion or ''}".strip()
        raise BadAddress(words, 422, log=log.slug, query=query) from None
    return queue, given


def _place(log: Log, at: int | None, now: datetime | None) -> tuple[int, datetime]:
    """Return the size and the time of a queue. That of a pinned search has the time of its pin.
    Raises BadPin.
    """
    size = find_size(log)
    if at is None:
        return size, now or datetime.now(UTC).replace(microsecond=0)
    if now is None or at > size:
        now = pin.read(log, at).received
    return at, now


def read_part(sent: QueryDict) -> tuple[Queue, Given]:
    """Return the queue of a request that a page of ours makes. Raises Http404."""
    try:
        return read(sent)
    except BadAddress as bad:
        raise Http404(str(bad)) from None


def again(queue: Queue) -> Queue:
    """Return the same queue with the states of now."""
    return Queue(queue.log, queue.query, queue.size, queue.now)


def reopen(queue: Queue) -> Queue:
    """Return the queue that the same search is now."""
    return Queue(queue.log, queue.query, *_place(queue.log, None, None))


def find_size(log: Log) -> int:
    """Return the number of leaves of a log."""
    return LogEnd.objects.values_list("size", flat=True).get(log=log)


def list_errors(form: forms.Form) -> str:
    return " ".join(str(error) for errors in form.errors.values() for error in errors)


def is_script(request: HttpRequest) -> bool:
    """Return whether a script of ours asks, which needs only what has changed."""
    return request.headers.get("HX-Request") == "true"


def go(queue: Queue, leaf: int | None, selected: Iterable[int]) -> HttpResponse:
    """Redirect to a packet of the queue."""
    return redirect(write_page(queue, leaf, selected))


def write_page(queue: Queue, leaf: int | None, selected: Iterable[int] = ()) -> str:
    """Return the address of the page of a queue that shows a packet."""
    fields = write(queue, leaf=leaf, selected=ranges.write(selected))
    return f"{reverse('review-desk')}?{fields}"


def say(request: HttpRequest, words: str, leaves: Sequence[int]) -> None:
    """Put a message on the next page; ``{}`` is ``packet 812`` or ``12 packets``."""
    messages.success(request, capfirst(words.format(_name(leaves))))


def write_undone(leaves: Sequence[int], number: int) -> str:
    """Return what a person is told of the packets whose steps were undone, of so many steps."""
    left = number - len(leaves)
    more = f" {left:,} left out: erased, undone, or decided by others meanwhile." if left else ""
    return f"Undone for {_name(leaves)}.{more}"


def _name(leaves: Sequence[int]) -> str:
    return f"packet {leaves[0]:,}" if len(leaves) == 1 else amount.count(len(leaves), "packet")
