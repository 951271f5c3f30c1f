"""The accounts of an installation, and the commands that change them.

There are no passwords. Django's password column holds a random value that sessions and sign-in
links are signed with, so a new value ends all of them at once.
"""

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction

from auditlog import securitylog
from playground.accounts import sessions

LONGEST = 90


class BadName(ValueError):
    """An account name that is unknown or invalid. The message gives the reason."""


def listed() -> list[tuple[User, int]]:
    """Return every account by name, each with the number of its sessions."""
    accounts = get_user_model().objects.order_by("username")
    return [(person, sum(1 for _ in sessions.of(person))) for person in accounts]


def find(name: str) -> User | None:
    return get_user_model().objects.filter(username=name).first()


def make(name: str) -> User:
    """Create an account that is not an administrator. Raises BadName."""
    # Names that look alike are one name. The limit is that of a source's name.
    name = User.normalize_username(name)
    if len(name) > LONGEST:
        raise BadName(f"The account name has {len(name)} characters. The limit is {LONGEST}.")
    person = User(username=name)
    person.set_unusable_password()
    try:
        person.full_clean()
    except ValidationError as error:
        raise BadName(f"Invalid account name {name!r}. {' '.join(error.messages)}") from None
    person.save()
    securitylog.record("person.made", person=name)
    return person


def disable(name: str) -> None:
    """Disable an account, and end its sessions and links. Raises BadName."""
    person = _known(name)
    person.is_active = False
    _end(person)
    securitylog.record("person.disabled", person=name)


def enable(name: str) -> None:
    """Enable an account. The person needs a new link to sign in. Raises BadName."""
    person = _known(name)
    person.is_active = True
    person.save(update_fields=["is_active"])
    securitylog.record("person.enabled", person=name)


def sign_out(name: str) -> int:
    """End all sessions and unused links of a person. Return how many sessions. Raises BadName."""
    ended = _end(_known(name))
    securitylog.record("session.ended", reason="command", person=name, sessions=ended)
    return ended


def set_administrator(name: str, *, granted: bool) -> None:
    """Grant or remove the right to change settings of the whole installation. Raises BadName."""
    person = _known(name)
    person.is_superuser = person.is_staff = granted
    person.save(update_fields=["is_superuser", "is_staff"])
    securitylog.record("person.admin_granted" if granted else "person.admin_removed", person=name)


@transaction.atomic
def _end(person: User) -> int:
    ended = [session.pk for session in sessions.of(person)]
    person.set_unusable_password()
    person.save(update_fields=["password", "is_active"])
    sessions.delete(ended)
    return len(ended)


def _known(name: str) -> User:
    person = find(name)
    if person is None:
        raise BadName(f"Unknown account {name!r}. List the accounts with: manage.py people list")
    return person
