"""The addresses of the server, in the browser.

Templates link to all of them, so all of them have their names here. Those in `HERE` are answered by
the same views as on the server, and the others say that they need it. The build writes the list.
"""

import json
from pathlib import Path
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path

from playground.workbench import views as workbench

ROUTES = Path(__file__).with_name("routes.json")
NEEDS_SERVER = "This needs the server, but you decode in this browser."


def refuse(_request: HttpRequest, **_: object) -> JsonResponse:
    return JsonResponse({"detail": NEEDS_SERVER}, status=503)


def spend(request: HttpRequest, name: str) -> HttpResponse:
    # The library of prices needs pydantic, which is as large as all the rest of our Python.
    if name == "prices":
        return refuse(request)
    return workbench.part(request, name, workbench.SPENDING)


HERE: dict[str, tuple[Any, dict[str, Any]]] = {
    "reading": (workbench.reading, {}),
    "rows": (workbench.rows, {}),
    "marks": (workbench.marks, {}),
    "spending": (spend, {}),
    "examine": (workbench.part, {"parts": workbench.CHECKS}),
    "found": (workbench.part, {"parts": workbench.FOUND}),
    "whole": (workbench.whole, {}),
    "edit": (workbench.edit, {}),
    "fixes": (workbench.fix_all, {}),
    "places": (workbench.places, {}),
    "redacted": (workbench.redacted, {}),
}


urlpatterns = [
    path(route, *HERE.get(name, (refuse, {})), name=name)
    for route, name in json.loads(ROUTES.read_bytes())
]
