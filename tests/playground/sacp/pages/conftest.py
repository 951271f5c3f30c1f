"""A person who is signed in."""

import pytest
from django.contrib.auth.models import User
from django.test import Client


@pytest.fixture
def person(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("ada"))
    return client
