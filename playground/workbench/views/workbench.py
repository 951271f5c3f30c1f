from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from cablese import tokens
from cablese.codec import Unencodable
from playground.audit.conversations import Threads
from playground.display.glyphs import visible
from playground.http import fragments
from playground.http.fragments import Patches
from playground.nlip import exchange as exchanges
from playground.sacp import store
from playground.sacp.tasks import Courses
from playground.workbench import edits, fixes, translate
from playground.workbench.compare import Comparison
from playground.workbench.document import ROWS, VIEW, Reading, apply_fix
from playground.workbench.examples import BY_SLUG, EXAMPLES
from playground.workbench.forms import VIEWS, DecodeForm, EditForm, LinkForm


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """The whole workbench: with an example, a short text of a link, or what a browser without
    JavaScript sends.
    """
    if request.method == "POST":
        form = DecodeForm(request.POST)
        return render(request, "workbench/workbench.html", _acted(request, form))
    if "text" in request.GET:
        return render(request, "workbench/workbench.html", describe(LinkForm(request.GET)))
    example = BY_SLUG.get(request.GET.get("example", "conversation"))
    form = DecodeForm({"text": example.text if example else ""})
    return render(request, "workbench/workbench.html", describe(form) | {"example": example})


@never_cache
@require_POST
def reading(request: HttpRequest) -> HttpResponse:
    """What of the page has changed, as the typing goes on. Nothing is kept."""
    changed = Patches(fragments.read(request.POST.get("have", "")), answering=True)
    return render(
        request, "workbench/_answer.html", describe(DecodeForm(request.POST)) | {"patches": changed}
    )


@never_cache
@require_POST
def rows(request: HttpRequest) -> HttpResponse:
    """More rows of a long list, as it is scrolled."""
    return render(request, "workbench/_rows.html", describe(DecodeForm(request.POST)))


@never_cache
@require_POST
def marks(request: HttpRequest) -> HttpResponse:
    """What is coloured in another stretch of the text, as it is scrolled."""
    form = DecodeForm(request.POST)
    return JsonResponse({"marks": _read(form).marks if form.is_valid() else []})


@never_cache
@require_POST
def whole(request: HttpRequest) -> HttpResponse:
    """What the messages are to each other, which follows when the typing rests."""
    return render(request, "workbench/_relations.html", describe(DecodeForm(request.POST)))


@never_cache
@require_POST
def mend(request: HttpRequest) -> HttpResponse:
    """What all safe fixes together would change: a dialog, or without JavaScript a page."""
    form = DecodeForm(request.POST)
    context: dict[str, Any] = {"section": "workbench", "form": form, "mended": None}
    if form.is_valid():
        sent = form.cleaned_data
        context["mended"] = fixes.mend(
            sent["text"], protocol=sent["protocol"], tokenizer=sent["tokenizer"]
        )
    return render(
        request,
        "workbench/_fixes.html" if request.headers.get("HX-Request") else "workbench/fixes.html",
        context,
    )


@never_cache
@require_POST
def edit(request: HttpRequest) -> HttpResponse:
    """The replacement that writes a field anew, for the page to make in its own text: so that it
    can be undone.
    """
    form, asked = DecodeForm(request.POST), EditForm(request.POST)
    if not (form.is_valid() and asked.is_valid()):
        return JsonResponse({"refused": "There is no such field."})
    try:
        done = edits.edit_field(
            _read(form), asked.cleaned_data["field"], asked.cleaned_data["value"]
        )
    except Unencodable as refused:
        return JsonResponse({"refused": visible(refused.reason)})
    return JsonResponse({"start": done.start, "end": done.end, "text": done.put})


def describe(form: DecodeForm) -> dict[str, Any]:
    """What the templates of the workbench say of the text in ``form``."""
    context = {
        "section": "workbench",
        "form": form,
        "patches": Patches(),
        "text": form.fields["text"].to_python(form["text"].data),
        "examples": EXAMPLES,
        "targets": translate.choices(),
        "view": form.data.get("view") if form.data.get("view") in VIEWS else VIEWS[0],
        "tokenizers": [tokens.info(name) for name in tokens.names()],
    }
    if not form.is_valid():
        return context | {"reading": None, "shown": None}
    sent = form.cleaned_data
    found = _read(form)
    exchange = exchanges.of(found)
    to, chosen = sent["to"], found.shown
    translated = (
        translate.Translated(chosen.message, to, sent["tokenizer"]) if to and chosen else None
    )
    there = sent["other"] if 1 <= (sent["other"] or 0) <= found.total else None
    return context | {
        "comparison": compare_messages(found, there) if there else None,
        "reading": found, "shown": chosen, "exchange": exchange, "translated": translated,
        "conversations": Threads(found, exchange),
        "courses": Courses(found, lambda: store.load()[1], beside_conversations=True),
    }  # fmt: skip


def compare_messages(found: Reading, number: int) -> Comparison:
    """The message that is shown beside another one of the text."""
    here, there = (found.messages[at - 1] for at in (found.chosen, number))
    return Comparison(here, there, number, found.tokenizer)


def _read(form: DecodeForm) -> Reading:
    sent = form.cleaned_data
    return Reading(
        sent["text"],
        protocol=sent["protocol"],
        tokenizer=sent["tokenizer"],
        chosen=sent["message"] or 1,
        offset=sent["offset"] or 0,
        rows=sent["rows"] or ROWS,
        caret=sent["caret"],
        view=(sent["top"] or 0, sent["bottom"] or VIEW),
    )


def _acted(request: HttpRequest, form: DecodeForm) -> dict[str, Any]:
    """What a button of a browser without JavaScript does to the text, and what is then to be said
    of it.
    """
    if "fix" in request.POST:
        return _fixed(request, form)
    asked = EditForm(request.POST)
    if "edit" in request.POST or not asked.is_valid() or not form.is_valid():
        return describe(form) | {"editing": request.POST.get("edit")}
    return _edited(request, form, asked.cleaned_data["field"], asked.cleaned_data["value"])


def _edited(request: HttpRequest, form: DecodeForm, number: int, value: str) -> dict[str, Any]:
    try:
        done = edits.edit_field(_read(form), number, value)
    except Unencodable as refused:
        return describe(form) | {"editing": str(number), "refused": refused.reason, "value": value}
    return describe(DecodeForm(request.POST.dict() | {"text": done.text}))


def _fixed(request: HttpRequest, form: DecodeForm) -> dict[str, Any]:
    """What `describe` says once the fix ``message:number`` is applied; one that is gone changes
    nothing.
    """
    context = describe(form)
    message, _, number = request.POST.get("fix", "").partition(":")
    found = context["reading"]
    if found is None or not (
        message.isascii() and message.isdigit() and number.isascii() and number.isdigit()
    ):
        return context
    note = found.note(int(message[:9]), int(number[:9]))
    if note is None or note.found.fix is None:
        return context
    return describe(DecodeForm(request.POST.dict() | {"text": apply_fix(found.text, found, note)}))
