"""The list of packets that a search finds, their conversations, and their exports."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from auditlog.erasure import find as erasures
from auditlog.export import file, pieces
from auditlog.search.explain import explain
from auditlog.search.find import DECODED, PATIENCE, CursorError, find
from auditlog.search.language import paste
from auditlog.search.query import QueryError
from auditlog.search.saved.pin import BadPin
from auditlog.search.table import LAST_LEAF
from playground.accounts.rights import is_administrator
from playground.audit import packet_rows
from playground.audit.conversations import LogThreads
from playground.audit.facets.panel import open_beside
from playground.audit.forms import ConversationForm, SearchForm, TrailForm
from playground.audit.packet_rows import PacketRow
from playground.audit.searches import kept_columns, listing, pinned, problem
from playground.audit.table import columns, lines
from playground.audit.views import drawer
from playground.export import mermaid, svg
from playground.http import streaming
from playground.templatetags.audit import querystring_for

ROWS = 50
GATHERED = 500
"""Packets that are decoded for one page of conversations."""
SYNTAX = (
    ("@auth_refactor", "a tag"),
    ("@auth*", "tags starting with auth"),
    ("goal:42 task:1", "goal and task, in the packet or its metadata"),
    ("act:request -act:reject", "an act; - excludes it"),
    ("proto:nslip OR proto:aacp", "either protocol"),
    ("is:invalid", "invalid packets; also is:valid, is:warning"),
    ("is:flagged", "reviewed as flagged; also is:reviewed, is:commented, is:unreviewed"),
    ("is:sensitive", "a finding; also is:injection, is:repeated, is:flow, has:finding"),
    ("finding:flow", "findings of one detector"),
    ("source:hr-bot", "the API key or person that sent it"),
    ("leaf:100..200", "leaf indexes of the log"),
    ("code:leading-zero", "a diagnostic, of any protocol or as nslip.leading-zero; also code:bad*"),
    ("from:planner to:coder", "sender and recipient"),
    ("thread:42/1", "a conversation"),
    ("attr.trace_id:4bf92f35", "an attribute in metadata; has:attr.trace_id for any value"),
    ("event:run-17*", "the event ID that the client gave"),
    ("res:emp_salary", "any field of a packet"),
    ("aacp.risk:high", "a field of one protocol"),
    ("since:7d", "received in the last 7 days; also h (hours), m (minutes), and until:7d"),
    ("ts:2026-11-01..2026-11-20", "received on any of these days (UTC)"),
    ("sent:2026-11-20", "the sender’s own time; also sent:>=7d, sent:>=2026-11-20T10:00Z"),
    ("tokens:>=100", "token count of the message; also tokens:10..20"),
    ("prio:<=2 score:>=7", "numeric comparison"),
    ('"scope too large"', "exact phrase"),
)
PICTURES = {
    "svg": (svg.write, "image/svg+xml; charset=utf-8"),
    "mmd": (mermaid.write, "text/vnd.mermaid; charset=utf-8"),
}


@never_cache
@require_safe
@login_required
def trail(request: HttpRequest) -> HttpResponse:
    """Show the packets of a log, newest first, and search them."""
    assert request.user.is_authenticated
    context, status = _search(request, ROWS)
    names, uid = TrailForm(request.GET).read()
    if "log" in context:
        held = context.get("pin")
        opened = request.GET.get("saved", "")
        context |= {"chosen": names} | listing.show_menu(
            context["log"], request.user, opened, context["query"], names, held
        )
    if "page" in context:
        shown = columns.choose(names or kept_columns.load(request.user))
        rows = packet_rows.draw(context["page"].rows)
        context["erased"] = _count_erased(context)
        context["may_erase"] = is_administrator(request)
        context |= {
            "columns": shown,
            "choices": columns.list_choices(
                shown, request.GET.get("moved", ""), request.GET.get("by", "")
            ),
            "is_arranging": "moved" in request.GET,
        }
        context |= open_beside(request, context["log"], context["query"])
        if uid is not None:
            context |= drawer.open_beside(rows, uid, context["log"])
        context["rows"] = _draw(rows, shown, context)
    return render(request, "audit/audit.html", context, status=status)


def _draw(
    rows: Sequence[PacketRow], shown: Sequence[columns.Column], context: Mapping[str, Any]
) -> str:
    """Return the lines of the list. Their links keep the query and its pin."""
    kept = querystring_for(q=context["query"], at=context.get("at", ""))
    opened = context["opened"].packet.uid if "opened" in context else ""
    return lines.draw(rows, shown, context["log"], kept=kept, opened=opened)


@never_cache
@require_safe
@login_required
def conversations(request: HttpRequest) -> HttpResponse:
    """Show the conversations of the matching packets, or of the newest of them."""
    context, status = _search(request, GATHERED)
    if "page" in context:
        threads = LogThreads(context["page"].rows)
        leaf, has_all = ConversationForm(request.GET).read()
        if has_all:
            threads.most = GATHERED
        context |= {
            "threads": threads,
            "selected": threads.choose(leaf),
            "all": has_all,
            "limit": GATHERED,
            "cursor": request.GET.get("cursor", ""),
            "erased": _count_erased(context),
        }
    return render(request, "audit/conversations.html", context, status=status)


@never_cache
@require_safe
@login_required
def picture(request: HttpRequest, form: str) -> HttpResponse:
    """Return the conversations of a search as a file, the worst findings first."""
    if form not in PICTURES:
        raise Http404
    context, status = _search(request, GATHERED)
    if "page" not in context:
        message = context["problem"]["message"]
        return HttpResponse(message, status=status, content_type="text/plain; charset=utf-8")
    threads = LogThreads(context["page"].rows)
    write, media = PICTURES[form]
    answer = HttpResponse(write(threads.worst_first, threads.places), content_type=media)
    name = f"{context['log'].slug}-conversations.{form}"
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


@never_cache
@require_safe
@login_required
@streaming.sends_file
def export(request: HttpRequest, form: str) -> HttpResponseBase:
    """Stream all packets that match a query, oldest first, as NDJSON or CSV."""
    search = SearchForm(request.GET)
    if form not in file.MEDIA or not search.is_valid():
        raise Http404
    log, query = search.cleaned_data["log"], search.cleaned_data["q"].strip()
    try:
        held = pinned.read(request.GET, log)
        now = datetime.now(UTC) if held is None else held.received
        extent = pieces.begin(log, query, now=now, size=held.size if held else None)
        extent.find_last()
    except (QueryError, BadPin) as error:
        return HttpResponse(str(error), status=422, content_type="text/plain; charset=utf-8")
    media = f"{file.MEDIA[form]}; charset=utf-8"
    blocks = file.write(extent, form)
    answer = streaming.respond(request, blocks, media, name=f"{log.slug}.{form}")
    answer.headers["Cablese-Erased"] = str(erasures.count(log, 0, extent.size))
    return answer


def _count_erased(context: dict[str, Any]) -> int:
    """Return how many packets of the log were erased, of a pinned one up to its size."""
    end = context["pin"].size if context.get("pin") else LAST_LEAF
    return erasures.count(context["log"], 0, end)


def _search(request: HttpRequest, limit: int) -> tuple[dict[str, Any], int]:
    """Return the context and status of a search page. For an invalid query it has no ``page``."""
    form = SearchForm(request.GET)
    context: dict[str, Any] = {
        "section": "audit",
        "form": form,
        "logs": form.logs,
        "query": "",
        "syntax": SYNTAX,
    }
    if not form.is_valid():
        wrong = " ".join(str(error) for errors in form.errors.values() for error in errors)
        return context | {"problem": {"message": wrong}}, 400
    log, query = form.cleaned_data["log"], form.cleaned_data["q"].strip()
    context |= {"log": log, "query": query, "offer": paste.recognize(query)}
    try:
        held = pinned.read(request.GET, log)
        context |= pinned.show(log, held)
        page = find(
            [log],
            query,
            limit=limit,
            size=DECODED,
            cursor=form.cleaned_data["cursor"] or None,
            now=datetime.now(UTC),
            pin=held,
            patience=PATIENCE,
        )
    except QueryError as error:
        return context | {"problem": problem.point(query, error)}, 422
    except BadPin as error:
        return context | {"problem": {"message": str(error)}, "unpin": True}, 422
    except CursorError as error:
        return context | {"problem": {"message": str(error)}}, 422
    return context | {
        "page": page,
        "explained": "".join(piece.text for piece in explain(query)) if query else "",
    }, 200
