from django import template

from playground.workbench.command_palette import list_tools

register = template.Library()
register.simple_tag(list_tools)
