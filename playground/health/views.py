"""The health routes, for servers without the front.

The front answers these addresses before Django gets the request (`health.answers`).
"""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from playground.health import answers, failures


@never_cache
@require_safe
def answer(request: HttpRequest) -> HttpResponse:
    status, body = answers.WATCHED[request.path_info]()
    failures.leave_out(request)
    return HttpResponse(body, status=status, content_type=answers.MEDIA)
