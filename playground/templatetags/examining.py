from django import template
from django.template.context import Context

from playground.examine.panel import Examination

register = template.Library()


@register.simple_tag(takes_context=True)
def examination(context: Context) -> Examination | None:
    """The Examine panel of the message that the page shows."""
    shown, form, request = context.get("shown"), context.get("form"), context.get("request")
    if shown is None:
        return None
    base = request.build_absolute_uri("/") if request is not None else "http://127.0.0.1:8000/"
    return Examination(shown, getattr(form, "data", None), base)
