"""Signing in without passwords: a link that works once and for a day.

The token is Django's password-reset token with another salt. It covers the time of the person's
last sign-in, so using a link spends it and every older one, and no table is needed.
"""

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_decode, urlsafe_base64_encode

from auditlog import securitylog

FIRST_ADMINISTRATOR = "admin"


class _LinkTokens(PasswordResetTokenGenerator):
    key_salt = "cablese.signin"

    def _make_hash_value(self, user: User, timestamp: int) -> str:
        # Django leaves out the fraction of the second, so a link made and used within one would
        # stay good.
        used = user.last_login and user.last_login.timestamp()
        return f"{super()._make_hash_value(user, timestamp)}{used}"


_tokens = _LinkTokens()


def link(person: User) -> str:
    """The path of a new link for the person, good until their next sign-in or for
    PASSWORD_RESET_TIMEOUT seconds.
    """
    securitylog.record("signin.link_made", person=person.get_username())
    uid = urlsafe_base64_encode(force_bytes(person.pk))
    return reverse("signin-link", kwargs={"uid": uid, "token": _tokens.make_token(person)})


def holder(uid: str, token: str, *, hold: bool = False) -> User | None:
    """Whose link this is, or None when it is spent, too old, or never was one.

    With ``hold``, inside a transaction, nobody else can use a link of this person before that ends.
    """
    people = get_user_model().objects
    try:
        person = (people.select_for_update() if hold else people).get(
            pk=int(urlsafe_base64_decode(uid)), is_active=True
        )
    except (ValueError, OverflowError, User.DoesNotExist):
        return None
    return person if _tokens.check_token(person, token) else None


def first_administrator() -> User:
    """The account every installation starts with, made when it is not there yet."""
    person, made = get_user_model().objects.get_or_create(
        username=FIRST_ADMINISTRATOR, defaults={"is_staff": True, "is_superuser": True}
    )
    if made:
        securitylog.record("person.made", person=person.get_username())
        person.set_unusable_password()
        person.save(update_fields=["password"])
    return person


def nobody_yet() -> bool:
    """Whether nobody has ever signed in."""
    return not get_user_model().objects.filter(last_login__isnull=False).exists()
