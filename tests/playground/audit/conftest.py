"""A person who is signed in."""

import pytest
from django.contrib.auth.models import User
from django.test import Client


@pytest.fixture
def ada(client: Client) -> User:
    person = User.objects.create_user("ada")
    client.force_login(person)
    return person
