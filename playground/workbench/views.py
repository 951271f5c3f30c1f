"""Pages of the workbench and the fragments that they load."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from cablese import tokens
from cablese.codec import Unencodable
from playground.display.glyphs import visible
from playground.http.fragments import pieces
from playground.http.fragments.patches import Patches, read_stamps
from playground.nlip import exchange as exchanges
from playground.sacp import store
from playground.sacp.tasks import Courses
from playground.workbench import command_palette, edits, fixes, translate
from playground.workbench.compare import compare
from playground.workbench.document import ROWS, VIEW, Reading, apply_fix
from playground.workbench.examples import BY_SLUG, EXAMPLES, grouped
from playground.workbench.forms import (
    VIEWS,
    DecodeForm,
    EditForm,
    FilterForm,
    LinkForm,
    RedactionForm,
)
from playground.workbench.panels import show
from playground.workbench.parts import finding
from playground.workbench.parts.threads import Threads
from playground.workbench.redaction import Redaction, Refused

SHORT = 8_000
"""The limit of characters of a text that is answered in one piece. Its rest would come 3 to 4 ms
after the first piece, which is sooner than a frame.
"""
SPENDING = {
    "strip": "tokens/_strip.html",
    "costs": "tokens/_costs.html",
    "baselines": "tokens/_baselines.html",
    "break-even": "tokens/_break_even.html",
    "prices": "tokens/_prices.html",
    "claims": "tokens/_claims.html",
}
FOUND = {"messages": "workbench/finding/_found.html"}
CHECKS = {
    "corruption": "examine/_corruption.html",
    "routability": "examine/_routability.html",
    "lens": "examine/_lens.html",
    "copy": "examine/_copy.html",
}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """Show the workbench with an example, with the text of a link, or after a button without
    JavaScript.
    """
    if request.method == "POST":
        return _show_page(request, **_act(request))
    if "text" in request.GET:
        return _show_page(request, LinkForm(request.GET))
    example = BY_SLUG.get(request.GET.get("example", "conversation"))
    form = DecodeForm({"text": example.text if example else ""})
    return _show_page(request, form, example=example)


@never_cache
@require_POST
def reading(request: HttpRequest) -> HttpResponseBase:
    """Return the parts of the page that have changed while typing. Nothing is stored."""
    have = request.POST.get("have", "")
    changed = Patches(read_stamps(have), answering=True)
    form = DecodeForm(request.POST)
    context = _decode(request, form) | {"patches": changed}
    answer = "workbench/_answer.html"
    is_long = len(request.POST.get("text", "")) > SHORT
    # The first piece needs a place in a page, and a page sends its stamps.
    if not (is_long and context["shown"] and have and pieces.are_asked_for(request)):
        return render(request, answer, context)
    first = render_to_string("workbench/told/_told.html", context, request)
    return pieces.InPieces(first, lambda: render_to_string(answer, context, request))


@never_cache
@require_POST
def rows(request: HttpRequest) -> HttpResponse:
    """Return more rows of a long list."""
    form = DecodeForm(request.POST)
    context = {"reading": _read(form) if form.is_valid() else None, "patches": Patches()}
    return render(request, "workbench/_rows.html", context)


@never_cache
@require_POST
def marks(request: HttpRequest) -> HttpResponse:
    """Return the highlights and line ends of another part of the text."""
    form = DecodeForm(request.POST)
    if not form.is_valid():
        return JsonResponse({"marks": [], "ends": []})
    painting = _read(form).painting
    return JsonResponse({"marks": painting.marks, "ends": painting.ends})


@never_cache
@require_POST
def whole(request: HttpRequest) -> HttpResponse:
    """Return how the messages relate, after a pause in typing."""
    form = DecodeForm(request.POST)
    context = _relate(_read(form)) if form.is_valid() else {}
    return render(request, "workbench/_relations.html", context)


@never_cache
@require_POST
def part(request: HttpRequest, name: str, parts: dict[str, str]) -> HttpResponse:
    """Return one section of a panel, or without JavaScript the whole page."""
    if name not in parts:
        raise Http404
    form = DecodeForm(request.POST)
    if request.headers.get("HX-Request") != "true":
        return _show_page(request, form)
    return render(request, parts[name], _decode(request, form))


@never_cache
@require_POST
def fix_all(request: HttpRequest) -> HttpResponse:
    """Preview all safe fixes in a dialog, or without JavaScript on a page."""
    form = DecodeForm(request.POST)
    context: dict[str, Any] = {"section": "workbench", "form": form, "fixed": None}
    if form.is_valid():
        sent = form.cleaned_data
        context["fixed"] = fixes.fix_text(
            sent["text"], protocol=sent["protocol"], tokenizer=sent["tokenizer"]
        )
    dialog = request.headers.get("HX-Request")
    return render(
        request, "workbench/fixes/_changes.html" if dialog else "workbench/fixes/page.html", context
    )


@never_cache
@require_POST
def edit(request: HttpRequest) -> HttpResponse:
    """Return the replacement for a new value. The page makes it, so that it can be undone."""
    form, edit_form = DecodeForm(request.POST), EditForm(request.POST)
    if not (form.is_valid() and edit_form.is_valid()):
        return JsonResponse({"refused": "There is no such field."})
    try:
        done = edits.edit_field(
            _read(form), edit_form.cleaned_data["field"], edit_form.cleaned_data["value"]
        )
    except Unencodable as refused:
        return JsonResponse({"refused": visible(refused.reason)})
    return JsonResponse({"start": done.start, "end": done.end, "text": done.put})


@require_safe
def examples(request: HttpRequest) -> HttpResponse:
    """Show the examples that contain all words of ``q``, by group."""
    form = FilterForm(request.GET)
    words = form.cleaned_data["q"] if form.is_valid() else ""
    context = {"section": "tools", "groups": list(grouped(words)), "words": words}
    return render(request, "workbench/examples.html", context | {"total": len(EXAMPLES)})


@require_safe
def places(request: HttpRequest) -> JsonResponse:
    """Return the destinations of the command palette: ``[title, address]`` by kind."""
    return JsonResponse(command_palette.list_places())


@never_cache
@require_POST
def redacted(request: HttpRequest) -> JsonResponse:
    """Return the fields of a text, and the text without the named ones. Stores nothing."""
    form = RedactionForm(request.POST)
    if not form.is_valid():
        return JsonResponse({"refused": "The text is not valid, so it can’t be redacted."})
    sent = form.cleaned_data
    try:
        copy = Redaction(sent["text"], protocol=sent["protocol"], keys=sent["keys"])
        return JsonResponse({"fields": copy.fields, "text": copy.copy, "left": copy.left})
    except Refused as refused:
        return JsonResponse({"refused": str(refused)})


def _show_page(request: HttpRequest, form: DecodeForm, **more: object) -> HttpResponse:
    context = _decode(request, form) | {
        "section": "workbench",
        "text": form.fields["text"].to_python(form["text"].data),
        "typed": form.data.get("filter", ""),
        "tokenizers": [tokens.info(name) for name in tokens.names()],
        "targets": translate.choices(),
    }
    related = _relate(context["reading"]) if context["reading"] else {}
    return render(request, "workbench/workbench.html", context | related | more)


def _decode(request: HttpRequest, form: DecodeForm) -> dict[str, Any]:
    """Return the context of the text in a form, but for how its messages relate."""
    view = form.data.get("view")
    context = {
        "form": form,
        "patches": Patches(),
        "examples": EXAMPLES,
        "view": view if view in VIEWS else VIEWS[0],
    }
    if not form.is_valid():
        return context | {"reading": None, "shown": None}
    text, to, other = _read(form), form.cleaned_data["to"], form.cleaned_data["other"] or 0
    shown = text.shown
    return (
        context
        | show(request, shown, text, form.data)
        | {
            "reading": text,
            "finding": _filter(text, form),
            "comparison": _compare(text, other) if 1 <= other <= text.total else None,
            "translated": translate.show(shown.message, to, text.tokenizer, text.around)
            if to and shown
            else None,
        }
    )


def _filter(text: Reading, form: DecodeForm) -> finding.Finding | None:
    query = form.cleaned_data["filter"].strip()
    return finding.find(query, text.cuts, text.messages, text.tokenizer) if query else None


def _relate(text: Reading) -> dict[str, Any]:
    """Return how the messages of a text relate."""
    exchange = exchanges.find(text)
    return {
        "reading": text,
        "exchange": exchange,
        "conversations": Threads(text, exchange["shown"] if exchange else frozenset()),
        "courses": Courses(text, lambda: store.load()[1], with_conversations=True),
    }


def _compare(text: Reading, number: int) -> dict[str, Any]:
    """Compare the shown message with another one of the text."""
    left, right = (text.messages[at - 1] for at in (text.chosen, number))
    return compare(left, right, number, text.tokenizer)


def _read(form: DecodeForm) -> Reading:
    sent = form.cleaned_data
    return Reading(
        sent["text"],
        protocol=sent["protocol"],
        tokenizer=sent["tokenizer"],
        chosen=sent["message"] or 1,
        offset=sent["offset"] or 0,
        rows=ROWS if sent["rows"] is None else sent["rows"],
        caret=sent["caret"],
        view=(sent["top"] or 0, sent["bottom"] or VIEW),
    )


def _act(request: HttpRequest) -> dict[str, Any]:
    """Return the form after a button of a browser without JavaScript, and what to show with it."""
    form, edit_form = DecodeForm(request.POST), EditForm(request.POST)
    if "fix" in request.POST:
        return {"form": _fix(request, form)}
    if "edit" in request.POST or not edit_form.is_valid() or not form.is_valid():
        return {"form": form, "editing": request.POST.get("edit")}
    number, value = edit_form.cleaned_data["field"], edit_form.cleaned_data["value"]
    try:
        done = edits.edit_field(_read(form), number, value)
    except Unencodable as refused:
        return {"form": form, "editing": str(number), "refused": refused.reason, "value": value}
    return {"form": _with_text(request, done.text)}


def _fix(request: HttpRequest, form: DecodeForm) -> DecodeForm:
    """Return the form with the fix ``message:number`` applied, if there is such a fix."""
    message, _, number = request.POST["fix"].partition(":")
    if not form.is_valid() or not all(at.isascii() and at.isdigit() for at in (message, number)):
        return form
    text = _read(form)
    note = text.note(int(message[:9]), int(number[:9]))
    if note is None or note.diagnostic.fix is None:
        return form
    return _with_text(request, apply_fix(text.text, text, note))


def _with_text(request: HttpRequest, text: str) -> DecodeForm:
    sent = request.POST.copy()
    sent["text"] = text
    return DecodeForm(sent)
