import json

from django import template

from playground.reading import visible

register = template.Library()
register.filter("visible", visible)
register.filter("as_json", json.dumps)
