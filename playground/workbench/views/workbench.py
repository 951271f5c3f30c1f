from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from cablese.codec import Unencodable
from playground.display.glyphs import visible
from playground.http import fragments
from playground.http.fragments import Patches
from playground.workbench import edits, fixes
from playground.workbench.document import apply_fix
from playground.workbench.examples import BY_SLUG
from playground.workbench.forms import DecodeForm, EditForm, LinkForm
from playground.workbench.page import describe, read


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
    return JsonResponse({"marks": read(form).marks if form.is_valid() else []})


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
            read(form), asked.cleaned_data["field"], asked.cleaned_data["value"]
        )
    except Unencodable as refused:
        return JsonResponse({"refused": visible(refused.reason)})
    return JsonResponse({"start": done.start, "end": done.end, "text": done.put})


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
        done = edits.edit_field(read(form), number, value)
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
