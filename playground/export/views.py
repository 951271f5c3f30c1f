"""The text in the editor as a file."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from playground.export.files import FILES, NothingToDraw
from playground.rest.problems import Problem
from playground.workbench.forms import DecodeForm

POLICY = "default-src 'none'; sandbox; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""An SVG file is a page to a browser, so it is served as one that can do nothing."""
NOTHING = "The text contains no messages, so there is no diagram."


@never_cache
@require_POST
def reading(request: HttpRequest, ending: str) -> HttpResponse:
    """Send the decoded text as a file. Nothing is stored."""
    file = FILES.get(ending)
    if file is None:
        raise Http404
    form = DecodeForm(request.POST)
    if not form.is_valid():
        errors = [str(error) for each in form.errors.values() for error in each]
        return _refuse(request, 422, " ".join(errors))
    sent = form.cleaned_data
    try:
        content = file.write(sent["text"], sent["protocol"], sent["tokenizer"])
    except NothingToDraw:
        return _refuse(request, 422, NOTHING)
    except Problem as problem:
        return _refuse(request, problem.status, str(problem.detail))
    if isinstance(content, str):
        content = content.encode(errors="surrogatepass")
    headers = {
        "Content-Disposition": f'attachment; filename="cablese-messages.{file.ending}"',
        "Content-Security-Policy": POLICY,
    }
    return HttpResponse(content, content_type=file.media, headers=headers)


def _refuse(request: HttpRequest, status: int, words: str) -> HttpResponse:
    context = {"status": status, "title": "Can’t export", "words": words}
    return render(request, "error.html", context, status=status)
