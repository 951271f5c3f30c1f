"""The ASGI application that granian serves: the front of the server, and Django behind it."""

from django.conf import settings

# First, because importing it sets Django up, which the models below need.
from playground import wsgi
from playground.server.front.application import Front
from playground.server.launch.parent import follow_process

application = Front(
    wsgi.application,
    folder=settings.DATA,
    limits=settings.ENVIRONMENT,
    trusted=settings.TRUSTED_PROXY,
    shortcut=settings.SHORTCUT,
)
follow_process()
