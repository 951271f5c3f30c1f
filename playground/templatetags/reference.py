from django import template

from playground.reference.pages import explained_at

register = template.Library()
register.filter("explained_at", explained_at)
