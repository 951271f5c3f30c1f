from django import template

from playground.reading import visible

register = template.Library()
register.filter("visible", visible)
