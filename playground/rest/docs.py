"""The page that shows the API, with the scripts of ninja from this server."""

import json
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from ninja import NinjaAPI, Swagger


class Docs(Swagger):
    """Ninja itself would load the scripts from elsewhere, because it is no installed app."""

    def render_page(self, request: HttpRequest, api: NinjaAPI, **kwargs: Any) -> HttpResponse:
        shown = self.settings | {"url": self.get_openapi_url(api, kwargs)}
        context = {"api": api, "swagger_settings": json.dumps(shown, indent=1)}
        return render(request, self.template, context)
