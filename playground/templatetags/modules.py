"""Modules of JavaScript."""

from typing import Any

from django import template
from django.contrib.staticfiles.storage import staticfiles_storage

register = template.Library()


@register.inclusion_tag("_module.html")
def module(name: str) -> dict[str, Any]:
    """Load a module together with those that it imports: a browser would ask for one layer of them
    after another. They are known only once static files are collected.
    """
    find = getattr(staticfiles_storage, "loaded_with", None)
    return {"name": name, "loaded_with": find(name) if find else ()}
