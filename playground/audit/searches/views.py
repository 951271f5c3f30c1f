"""Pages and forms of saved searches and columns. Each form leads back to the trail."""

from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AbstractUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from auditlog.models import Log, SavedSearch
from auditlog.search.query import QueryError
from auditlog.search.saved import searches
from auditlog.search.saved.pin import BadPin
from auditlog.search.saved.searches import BadSearch, NoSuchSearch
from playground.audit.searches import kept_columns, listing, problem
from playground.audit.searches.forms import ColumnsForm, ContentForm, ListedForm
from playground.audit.table import columns
from playground.http import security_events
from playground.http.refusals import NotOwner


@never_cache
@require_safe
@login_required
def page(request: HttpRequest) -> HttpResponse:
    """Show the saved searches of a log, with forms to change them."""
    return _render(request, ListedForm(request.GET).read())


@require_POST
@login_required
def save(request: HttpRequest) -> HttpResponse:
    """Save a search, and open it."""
    form = ContentForm(request.POST)
    if not form.is_valid():
        return _render(request, _log_of(form), status=422, problem=_list_errors(form))
    log, name = form.cleaned_data["log"], form.cleaned_data["name"]
    try:
        search = searches.save(log=log, name=name, content=form.content(), owner=_person(request))
    except (BadSearch, QueryError, BadPin) as error:
        return _render(request, log, status=422, form=form, **_explain(form, error))
    _record(request, "search.saved", search)
    messages.success(request, "Search saved.")
    return _open(search)


@require_POST
@login_required
def rename(request: HttpRequest, log: str, uid: UUID) -> HttpResponse:
    """Rename a saved search."""
    search = _changeable(request, log, uid)
    try:
        searches.rename(search, request.POST.get("name", ""))
    except NoSuchSearch:
        raise Http404(uid) from None
    except BadSearch as error:
        return _render(
            request, search.log, status=422, problem={"message": str(error)}, at_fault=str(uid)
        )
    _record(request, "search.changed", search)
    messages.success(request, "Search renamed.")
    return redirect(f"{reverse('searches')}?{urlencode({'log': log})}")


@require_POST
@login_required
def update(request: HttpRequest, log: str, uid: UUID) -> HttpResponse:
    """Replace what a saved search finds by the search of the page."""
    search = _changeable(request, log, uid)
    form = ContentForm(request.POST)
    if not form.is_valid():
        return _render(request, search.log, status=422, problem=_list_errors(form))
    try:
        searches.update(search, form.content())
    except NoSuchSearch:
        raise Http404(uid) from None
    except (BadSearch, QueryError, BadPin) as error:
        return _render(request, search.log, status=422, **_explain(form, error))
    _record(request, "search.changed", search)
    messages.success(request, "Search updated.")
    return _open(search)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def delete(request: HttpRequest, log: str, uid: UUID) -> HttpResponse:
    """Ask whether to delete a saved search, or delete it."""
    search = _changeable(request, log, uid)
    if request.method != "POST":
        row = listing.draw(search, _person(request))
        return render(request, "audit/searches/delete.html", {"section": "audit", "row": row})
    searches.delete(search)
    security_events.change_search(request, "search.deleted", log=log, search=str(uid))
    messages.success(request, "Search deleted.")
    return redirect(f"{reverse('searches')}?{urlencode({'log': log})}")


@require_POST
@login_required
def choose_columns(request: HttpRequest) -> HttpResponse:
    """Store the columns that a person chose, or moved, and go back to the list."""
    form = ColumnsForm(request.POST)
    if not form.is_valid():
        raise Http404
    given, person = form.cleaned_data, _person(request)
    moved = given["up"] or given["down"]
    if given["reset"]:
        kept_columns.reset(person)
    else:
        chosen = columns.choose(given["columns"])
        by = -1 if given["up"] else 1
        kept_columns.store(person, columns.move(chosen, moved, by) if moved else chosen)
    fields = {"log": given["log"].slug, "q": given["q"], "at": given["at"]}
    fields |= {"moved": moved, "by": ("up" if given["up"] else "down") if moved else ""}
    kept = urlencode({name: value for name, value in fields.items() if value})
    return redirect(f"{reverse('audit')}?{kept}")


def _render(request: HttpRequest, log: Log, *, status: int = 200, **more: Any) -> HttpResponse:
    person = _person(request)
    rows = [listing.draw(search, person) for search in searches.list_searches(log)]
    context: dict[str, Any] = {
        "section": "audit",
        "log": log,
        "logs": list(Log.objects.order_by("slug")),
        "saved_rows": rows,
        "saved_limit": searches.LIMIT,
    }
    return render(request, "audit/searches/searches.html", context | more, status=status)


def _explain(form: ContentForm, error: Exception) -> dict[str, Any]:
    """Return what is wrong with a search, with the place in its query if it has one."""
    if not isinstance(error, QueryError):
        return {"problem": {"message": str(error)}}
    return {"problem": problem.point(form.cleaned_data["q"], error)}


def _list_errors(form: ContentForm) -> dict[str, Any]:
    wrong = [f"{name}: {error}" for name, errors in form.errors.items() for error in errors]
    return {"message": " ".join(wrong)}


def _log_of(form: ContentForm) -> Log:
    """Return the log of a form that is otherwise invalid. Raises Http404 for an unknown one."""
    log: Log | None = form.cleaned_data.get("log")
    if log is None:
        raise Http404
    return log


def _changeable(request: HttpRequest, slug: str, uid: UUID) -> SavedSearch:
    """Return a saved search that the person may change. Raises Http404 and NotOwner."""
    log = Log.objects.filter(slug=slug).first()
    if log is None:
        raise Http404(slug)
    try:
        search = searches.get(log, str(uid))
    except NoSuchSearch:
        raise Http404(uid) from None
    person = _person(request)
    if not searches.may_change(search, person):
        security_events.refuse_right(request, "owner", person=person.get_username())
        raise NotOwner
    return search


def _person(request: HttpRequest) -> AbstractUser:
    assert request.user.is_authenticated
    return request.user


def _open(search: SavedSearch) -> HttpResponse:
    return redirect(f"{reverse('audit')}?{listing.write(search)}")


def _record(request: HttpRequest, event: str, search: SavedSearch) -> None:
    security_events.change_search(request, event, log=search.log.slug, search=search.uid)
