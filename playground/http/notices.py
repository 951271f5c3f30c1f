"""Messages for the next page, in a cookie whose name binds it to this host over TLS."""

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage


class _Cookie(CookieStorage):
    cookie_name = f"{settings.COOKIE_PREFIX}messages"


class Notices(FallbackStorage):
    storage_classes = (_Cookie, SessionStorage)
