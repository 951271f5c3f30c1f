from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from auditlog import packet as packets
from auditlog import repeats, review, tokens
from auditlog.export import as_csv, as_ndjson
from auditlog.models import Log, Packet
from auditlog.search.explain import explain
from auditlog.search.find import CursorError, Page, find
from auditlog.search.query import QueryError
from playground.forms import ReviewForm, SearchForm
from playground.reading import Run, Shown, brief_runs

ROWS = 50
SYNTAX = (
    ("@auth_refactor", "a tag"),
    ("@auth*", "tags that begin so"),
    ("goal:42 task:1", "goal and task, said or supplied"),
    ("act:request -act:reject", "speech acts; a minus leaves out"),
    ("proto:nslip OR proto:aacp", "either"),
    ("is:invalid", "broken packets; also is:flagged, is:reviewed"),
    ("from:planner to:coder", "who and whom"),
    ("thread:42/1", "a conversation"),
    ("res:emp_salary", "any field of the wire"),
    ("aacp.risk:high", "a field of one protocol"),
    ("since:7d", "received in the last week; h and m too"),
    ("ts:2026-11-01..2026-11-20", "received between two days"),
    ("prio:<=2 score:>=7", "numbers by size"),
    ('"scope too large"', "these words together"),
)
RELATED = 8
FORMS = {"csv": (as_csv, "text/csv"), "ndjson": (as_ndjson, "application/x-ndjson")}


@dataclass(frozen=True, slots=True)
class Row:
    """A packet in the list: its record, and its wire in colour."""

    record: dict[str, Any]
    received: datetime
    runs: list[Run]


@dataclass(frozen=True, slots=True)
class Relation:
    """Other packets that share a goal, a task or a tag with an entry."""

    words: str
    query: str
    packets: list[Row]
    total: str


@never_cache
@require_safe
@login_required
def trail(request: HttpRequest) -> HttpResponse:
    """The packets of a log, newest first, and the search over them."""
    form = SearchForm(request.GET)
    context: dict[str, Any] = {
        "section": "audit",
        "form": form,
        "logs": Log.objects.order_by("slug"),
        "query": "",
        "syntax": SYNTAX,
    }
    if not form.is_valid():
        wrong = " ".join(str(error) for errors in form.errors.values() for error in errors)
        return render(request, "audit.html", context | {"problem": {"message": wrong}}, status=400)
    log, query = form.cleaned_data["log"], form.cleaned_data["q"].strip()
    context |= {"log": log, "query": query}
    try:
        page = find([log.slug], query, limit=ROWS, cursor=form.cleaned_data["cursor"] or None, now=datetime.now(UTC))
    except QueryError as error:
        return render(request, "audit.html", context | {"problem": _pointed(query, error)}, status=422)
    except CursorError as error:
        return render(request, "audit.html", context | {"problem": {"message": str(error)}}, status=422)
    explained = "".join(piece.text for piece in explain(query)) if query else ""
    return render(request, "audit.html", context | {"page": page, "rows": _rows(page.rows), "explained": explained})


@never_cache
@require_safe
@login_required
def entry(request: HttpRequest, uid: str) -> HttpResponse:
    """One packet: what it says, what is known about it, its review, and its neighbours."""
    return render(request, "entry.html", _entry(uid, ReviewForm()))


@require_POST
@login_required
def mark(request: HttpRequest, uid: str) -> HttpResponse:
    """Append a step to a packet's review."""
    assert request.user.is_authenticated
    form = ReviewForm(request.POST)
    if not form.is_valid():
        return render(request, "entry.html", _entry(uid, form), status=422)
    try:
        review.mark(packet=_packet(uid), who=request.user, **form.cleaned_data)
    except review.BadReview as bad:
        form.add_error("note", str(bad))
        return render(request, "entry.html", _entry(uid, form), status=422)
    messages.success(request, f"Marked {form.cleaned_data['state']}.")
    return redirect("entry", uid=uid)


@never_cache
@require_safe
@login_required
def export(request: HttpRequest, form: str) -> StreamingHttpResponse | HttpResponse:
    """Every packet that a query finds, as NDJSON or CSV."""
    asked = SearchForm(request.GET)
    if form not in FORMS or not asked.is_valid():
        raise Http404
    log, query = asked.cleaned_data["log"], asked.cleaned_data["q"].strip()
    pages = _pages(log.slug, query)
    try:
        first = next(pages)
    except QueryError as error:
        return HttpResponse(error.message, status=422, content_type="text/plain; charset=utf-8")
    write, media = FORMS[form]
    records = (record for page in _chain(first, pages) for record in packets.records(page.rows))
    return StreamingHttpResponse(
        write(records),
        content_type=f"{media}; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{log.slug}.{form}"'},
    )


def _pages(slug: str, query: str) -> Iterator[Page]:
    now, cursor = datetime.now(UTC), None
    while True:
        page = find([slug], query, limit=500, cursor=cursor, now=now)
        yield page
        cursor = page.next
        if cursor is None:
            return


def _chain(first: Page, rest: Iterator[Page]) -> Iterator[Page]:
    yield first
    yield from rest


def _rows(found: list[Packet]) -> list[Row]:
    records = packets.records(found)
    return [
        Row(record, packet.received, brief_runs(packets.read(packet)))
        for record, packet in zip(records, found, strict=True)
    ]


def _packet(uid: str) -> Packet:
    try:
        return packets.find(uid)
    except packets.NoSuchPacket:
        raise Http404(uid) from None


def _entry(uid: str, form: ReviewForm) -> dict[str, Any]:
    packet = _packet(uid)
    record = packets.as_json(packet, fields=False)
    shown = Shown(packets.read(packet), packet.tokenizer)
    content = record["supplied"].pop("content", None)
    return {
        "section": "audit",
        "packet": packet,
        "record": record,
        "shown": shown,
        "content": content,
        "content_count": None if content is None else tokens.count(content, packet.tokenizer),
        "repeats": repeats.count(packet, now=datetime.now(UTC)),
        "steps": packet.reviews.select_related("who").order_by("-leaf"),
        "conflicts": packet.conflicts.aggregate(n=Count("pk"))["n"],
        "relations": list(_relations(packet, record)),
        "form": form,
    }


def _relations(packet: Packet, record: dict[str, Any]) -> Iterator[Relation]:
    meaning, supplied = record["meaning"], record["supplied"]
    goal, task = meaning.get("goal") or supplied.get("goal"), meaning.get("task") or supplied.get("task")
    wanted = []
    if goal and task:
        wanted.append((f"Task {task} of goal {goal}", f"goal:{_quoted(goal)} task:{_quoted(task)}"))
    elif goal:
        wanted.append((f"Goal {goal}", f"goal:{_quoted(goal)}"))
    tags = dict.fromkeys([*meaning.get("tags", ()), *supplied.get("tags", ())])
    wanted += [(f"@{tag}", f"@{_quoted(tag)}") for tag in list(tags)[:5]]
    for words, query in wanted:
        try:
            page = find([packet.log.slug], query, limit=RELATED, now=datetime.now(UTC))
        except QueryError:
            continue
        total = f"{page.count.value:,}{'' if page.count.exact else '+'}"
        yield Relation(words, query, _rows([one for one in page.rows if one.pk != packet.pk]), total)


def _quoted(value: str) -> str:
    if value.replace("_", "").replace("-", "").isalnum():
        return value
    return '"{}"'.format(value.replace("\\", "\\\\").replace('"', '\\"'))


def _pointed(query: str, error: QueryError) -> dict[str, Any]:
    start, end = error.span
    return {
        "message": error.message,
        "suggestion": error.suggestion,
        "before": query[:start],
        "at": query[start:end] or " ",
        "after": query[end:],
    }
