"""Settings of an installation whose Django answers nothing but 418."""

from django.http import HttpRequest, HttpResponse

from playground.settings import *  # noqa: F403

MIDDLEWARE = [f"{__name__}.Teapot"]


class Teapot:
    def __init__(self, _get_response: object) -> None:
        pass

    def __call__(self, _request: HttpRequest) -> HttpResponse:
        return HttpResponse(status=418)
