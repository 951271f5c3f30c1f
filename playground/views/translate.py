from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from playground.forms import DecodeForm
from playground.views.workbench import describe


@never_cache
@require_POST
def translate(request: HttpRequest) -> HttpResponse:
    """The message that is shown, in another protocol: the panel, or all of the workbench without JavaScript."""
    whole = request.headers.get("HX-Request") != "true"
    return render(request, "workbench.html" if whole else "_translate.html", describe(DecodeForm(request.POST)))
