"""Import files into a log: in chunks from a page with JavaScript, or as one form."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import asdict, replace
from functools import partial, wraps
from io import SEEK_END
from typing import Annotated, Any, BinaryIO

import msgspec
from django import forms
from django.core.files.uploadhandler import TemporaryFileUploadHandler
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST

from auditlog import access
from auditlog.database.unavailable import Unavailable
from auditlog.ingest import zones
from auditlog.ingest.body import ITEM_LIMIT, STREAM_LIMIT, BadBody
from auditlog.ingest.repeats import block_digest, imported_files
from auditlog.ingest.repeats.imported_files import Earlier
from auditlog.sender import Sender
from playground.audit.forms import ChunkForm, EarlierForm, ImportForm
from playground.audit.import_encoding import in_utf8
from playground.audit.import_preview import preview
from playground.audit.importing import (
    CHUNK_LIMIT,
    LOOK_LIMIT,
    FilePosition,
    Imported,
    store_chunk,
)
from playground.health import failures
from playground.rest.body import announced, blocks

_LIMIT = f"{STREAM_LIMIT >> 20} MiB"
_ROOM = 64 * 1024
"""Bytes that a form may have in addition to its file."""
_BLOCK = 512 * 1024
"""Bytes of a file that are read at once; those that are not taken are read again."""
_AGAIN = (
    "The packets counted are stored. Import the file again to continue; duplicates are skipped."
)
_DIGESTS_LIMIT = 64 * 1024
_NOT_DIGESTS = (
    "Expected a JSON object with the digests of at most {:,} beginnings of the file by their sizes."
)
_UNKNOWN_EARLIER = "The earlier import of this file is unknown. Import the file again."
_NOT_UTF16 = "The file has a byte order mark of UTF-16, but it is not valid UTF-16: {}."
_STOPPED = (
    "The import stopped after line {:,}. Without JavaScript, it stores at most {:,} messages. "
    "Import the later lines as another file."
)


@never_cache
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponseBase:
    """Show the form, or import the file that it sends. Without a sign-in, the file is not read."""
    if request.method != "POST":
        return _render(request, ImportForm())
    if not request.user.is_authenticated:
        return _render(request, ImportForm(), status=403)
    if (announced(request) or 0) > STREAM_LIMIT + _ROOM:
        return _render(
            request,
            ImportForm(),
            status=413,
            problem=f"The file is larger than the limit of {_LIMIT}.",
        )
    # Other forms take no files. This has to be set before the form is read, so the CSRF token is
    # checked later.
    request.upload_handlers = [TemporaryFileUploadHandler(request)]
    return _import(request)


@csrf_protect
def _import(request: HttpRequest) -> HttpResponse:
    form = ImportForm(request.POST, request.FILES)
    if not form.is_valid():
        return _render(request, form, status=422)
    with ExitStack() as stack:
        try:
            text = stack.enter_context(in_utf8(form.cleaned_data["file"]))
        except UnicodeDecodeError as error:
            return _render(request, form, status=422, problem=_NOT_UTF16.format(error.reason))
        return _store(request, text, form.cleaned_data)


def _store(request: HttpRequest, file: BinaryIO, query: dict[str, Any]) -> HttpResponse:
    assert request.user.is_authenticated
    log, sender = query["log"], access.person(request.user)
    size = file.seek(0, SEEK_END)
    file.seek(0)
    sizes = imported_files.list_sizes(log, sender.source_id, most=size)
    digests = block_digest.read(file, [*sizes, size])
    file.seek(0)
    earlier = imported_files.find(log, sender.source_id, digests)
    done = Imported(query["kind"])
    problem, status = "", 200
    name, zone = digests[size].hex(), query["zone"].key
    position = FilePosition(name, 0, 1, log.slug, query["protocol"], zone, earlier=earlier)
    try:
        for part in _parts(file, position, query["kind"], sender, digests[size]):
            done.add(part)
            done.kind = part.kind
            if done.messages >= ITEM_LIMIT and done.taken < size:
                problem, status = _STOPPED.format(done.lines, ITEM_LIMIT), 413
                break
    except Unavailable as error:
        failures.note(request, error)
        problem, status = f"{error.reason} {_AGAIN}", 503
    found = {"done": done, "log": log.slug, "earlier": earlier, "size": size}
    return _render(request, ImportForm(), status=status, problem=problem, **found)


def _parts(
    file: BinaryIO, position: FilePosition, kind: str, sender: Sender, digest: bytes
) -> Iterator[Imported]:
    """Store the file in chunks, each from where the last one ended, and yield their results."""
    rest, at, line, context = b"", position.at, position.line, ""
    size = _BLOCK
    while True:
        data = rest + file.read(max(0, size - len(rest)))
        final = len(data) < size
        place = replace(position, at=at, line=line, context=context)
        part = store_chunk(data, place, kind=kind, final=final, sender=sender, digest=digest)
        yield part
        rest, kind = data[part.taken :], part.kind
        if final and not rest:
            return
        at, line, context = at + part.taken, line + part.lines, part.context
        # A message longer than the block needs a longer block, as in the browser. Of CHUNK_LIMIT
        # bytes something is always taken, so the block does not grow further.
        size = _BLOCK if part.taken else 4 * size


_View = Callable[[HttpRequest, dict[str, Any]], HttpResponse]


def takes(form: type[forms.Form]) -> Callable[[_View], Callable[[HttpRequest], HttpResponse]]:
    """Pass the checked query of a signed-in request to a view, and answer errors as JSON."""
    return partial(_taking, form)


def _taking(form: type[forms.Form], view: _View) -> Callable[[HttpRequest], HttpResponse]:
    @never_cache
    @require_POST
    @wraps(view)
    def take(request: HttpRequest) -> HttpResponse:
        if not request.user.is_authenticated:
            return _refused("You have been signed out. Sign in in a new tab, then resume.", 403)
        query = form(request.GET)
        if not query.is_valid():
            errors = (f"{name}: {errors[0]}" for name, errors in query.errors.items())
            return _refused(" ".join(errors), 422)
        try:
            return view(request, query.cleaned_data)
        except BadBody as bad:
            return _refused(str(bad), bad.status)

    return take


_Digests = Annotated[
    dict[
        Annotated[int, msgspec.Meta(ge=1)],
        Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$", max_length=64)],
    ],
    msgspec.Meta(max_length=imported_files.LIMIT),
]


@takes(EarlierForm)
def earlier(request: HttpRequest, query: dict[str, Any]) -> HttpResponse:
    """Find what was imported before of a file. The first request has no body, and is answered with
    sizes of earlier files. The second has the digests of the file's beginnings of these sizes.
    """
    assert request.user.is_authenticated
    log, size, source = query["log"], query["size"], access.person(request.user).source_id
    data = b"".join(blocks(request, _DIGESTS_LIMIT))
    if not data:
        return JsonResponse({"sizes": imported_files.list_sizes(log, source, most=size)})
    try:
        digests = msgspec.json.decode(data, type=_Digests)
    except (ValueError, RecursionError):
        return _refused(_NOT_DIGESTS.format(imported_files.LIMIT), 422)
    beginnings = {at: bytes.fromhex(digest) for at, digest in digests.items() if at <= size}
    found = imported_files.find(log, source, beginnings)
    words = render_to_string("audit/imports/_earlier.html", {"earlier": found, "size": size})
    return JsonResponse({"earlier": found and found.id, "words": words})


@takes(ChunkForm)
def chunk(request: HttpRequest, query: dict[str, Any]) -> HttpResponse:
    """Store one chunk of a file. The response has the number of bytes that were taken."""
    assert request.user.is_authenticated
    data = b"".join(blocks(request, CHUNK_LIMIT))
    sender = access.person(request.user)
    number, before = query["earlier"], None
    if number is not None:
        before = imported_files.get(query["log"], sender.source_id, number)
        if before is None:
            return _refused(_UNKNOWN_EARLIER, 422)
    try:
        done = store_chunk(
            data,
            _position(query, before),
            kind=query["kind"],
            final=query["final"],
            sender=sender,
            digest=bytes.fromhex(query["digest"]) or None,
        )
    except Unavailable as error:
        failures.note(request, error)
        return _refused(f"{error.reason} {_AGAIN}", 503)
    return JsonResponse(asdict(done))


@takes(ChunkForm)
def preview_file(request: HttpRequest, query: dict[str, Any]) -> HttpResponse:
    """Show the first messages of a file with their metadata. Store nothing."""
    data = b"".join(blocks(request, LOOK_LIMIT))
    context = preview(data, _position(query), query["kind"], final=len(data) < LOOK_LIMIT)
    return render(request, "audit/_import_preview.html", {"preview": context})


def _position(query: dict[str, Any], earlier: Earlier | None = None) -> FilePosition:
    return FilePosition(
        query["file"],
        query["at"],
        query["line"],
        query["log"].slug,
        query["protocol"],
        query["zone"].key,
        query["context"],
        earlier,
    )


def _refused(detail: str, status: int) -> JsonResponse:
    return JsonResponse({"refused": detail}, status=status)


def _render(
    request: HttpRequest, form: ImportForm, *, status: int = 200, **more: Any
) -> HttpResponse:
    if form.is_bound and form.errors:
        more.setdefault("problem", " ".join(str(errors[0]) for errors in form.errors.values()))
    context = {
        "section": "tools",
        "form": form,
        "limit": _LIMIT,
        "message_limit": ITEM_LIMIT,
        "zones": zones.NAMES,
    } | more
    name = "audit/_import.html" if request.headers.get("HX-Request") else "audit/import.html"
    return render(request, name, context, status=status)
