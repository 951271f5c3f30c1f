"""The health routes, for servers without the front.

The front answers these addresses before Django gets the request (`health.answers`).
"""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from playground.health import answers as watched
from playground.health import failures


@never_cache
@require_safe
def health(request: HttpRequest) -> HttpResponse:
    return HttpResponse(watched.lives(), content_type=watched.MEDIA)


@never_cache
@require_safe
def ready(request: HttpRequest) -> HttpResponse:
    status, body = watched.ready()
    failures.leave_out(request)
    return HttpResponse(body, status=status, content_type=watched.MEDIA)
