"""The page that shows the API: the scripts of ninja, from this server, in a page of ours."""

import json
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from ninja import NinjaAPI, Swagger


class Docs(Swagger):
    """Ninja's own page has neither our colors nor the way to the other pages."""

    template = "reference/api.html"

    def render_page(self, request: HttpRequest, api: NinjaAPI, **kwargs: Any) -> HttpResponse:
        shown = self.settings | {"url": self.get_openapi_url(api, kwargs)}
        context = {"api": api, "swagger_settings": json.dumps(shown), "section": "api"}
        return render(request, self.template, context)
