"""The two scripts with a policy of their own: Python's worker, and the service worker."""

import hashlib
import json
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from playground.offline import middleware, mode

SERVICE_POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'"
PYTHON_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src {}"
"""WebAssembly needs the permission to compile it. Connections reach the files of Python alone."""
_FOREIGN = ("admin/", "ninja/", "offline/python/")
_REMOVE = "const OFFERED = null;\n"


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """Send the script that runs Python."""
    if mode.offered() is None:
        raise Http404
    place = request.build_absolute_uri(mode.folder())
    return _script(_read("offline/worker.js"), PYTHON_POLICY.format(place))


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """Send the service worker, which begins with the list of what it stores.

    Without the files of Python, it removes what it has stored, and itself.
    """
    offered = mode.offered()
    begin = _REMOVE if offered is None else f"const OFFERED = {json.dumps(_list())};\n"
    return _script(begin + _read("offline/service_worker.js"), SERVICE_POLICY)


def _list() -> dict[str, Any]:
    offered = mode.offered()
    assert offered is not None
    stored = staticfiles_storage
    names = sorted(
        name
        for name in getattr(stored, "hashed_files", {})
        if not name.startswith(_FOREIGN) and not name.endswith((".png", ".txt", ".map"))
    )
    listed = {
        "page": reverse("workbench"),
        "worker": reverse("offline-worker"),
        # A script that is imported when it is needed is asked for by its own name.
        "files": [stored.url(name) for name in names]
        + [f"{settings.STATIC_URL}{name}" for name in names if name.endswith(".js")],
        "python": [f"{settings.STATIC_URL}{name}" for name in offered.files],
        "folder": mode.folder(),
        "mark": [middleware.MARK, middleware.ANONYMOUS],
        "policy": middleware.POLICY,
    }
    # Another page for the same files is another version of the templates.
    version = json.dumps([listed, offered.sources]).encode()
    return listed | {"version": hashlib.sha256(version).hexdigest()[:16]}


def _read(name: str) -> str:
    path = finders.find(name)
    assert path is not None
    with open(path, encoding="utf-8") as file:  # noqa: PTH123 - a path as Django finds it
        return file.read()


def _script(content: str, policy: str) -> HttpResponse:
    response = HttpResponse(content, content_type="text/javascript; charset=utf-8")
    response.headers["Content-Security-Policy"] = policy
    response.headers["Cache-Control"] = "no-cache"
    return response
