"""Sign-in without passwords: a link that works once and expires after a day.

The token is Django's password-reset token with another salt. It includes the time of the person's
last sign-in, so using a link invalidates it and every older one, and no table is needed.
"""

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_decode, urlsafe_base64_encode

from auditlog import securitylog

FIRST_ADMINISTRATOR = "admin"


class _LinkTokens(PasswordResetTokenGenerator):
    key_salt = "cablese.signin"

    def _make_hash_value(self, user: User, timestamp: int) -> str:
        # Django omits the fraction of the second, so a link that is made and used within a second
        # would stay valid.
        used = user.last_login and user.last_login.timestamp()
        return f"{super()._make_hash_value(user, timestamp)}{used}"


_tokens = _LinkTokens()


def link(person: User) -> str:
    """Return the path of a new link, which is valid until the person's next sign-in, and for
    PASSWORD_RESET_TIMEOUT seconds at most.
    """
    securitylog.record("signin.link_made", person=person.get_username())
    uid = urlsafe_base64_encode(force_bytes(person.pk))
    # `reverse` would load every view into the process of `up`, for half a second.
    return f"/signin/{uid}/{_tokens.make_token(person)}"


def holder(uid: str, token: str, *, hold: bool = False) -> User | None:
    """Return the person of a link; None if it is used, expired, or invalid.

    With ``hold``, no other request can use a link of this person before the transaction ends.
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
    """Return the account that every installation starts with. Create it if it does not exist."""
    person, created = get_user_model().objects.get_or_create(
        username=FIRST_ADMINISTRATOR, defaults={"is_staff": True, "is_superuser": True}
    )
    if created:
        securitylog.record("person.made", person=person.get_username())
        person.set_unusable_password()
        person.save(update_fields=["password"])
    return person


def has_no_sign_ins() -> bool:
    """Return whether no person has ever signed in."""
    return not get_user_model().objects.filter(last_login__isnull=False).exists()
