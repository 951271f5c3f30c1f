"""A link that is used twice at the same moment, or twice within one second, signs in once."""

import threading
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.utils import timezone

from playground.accounts import signin


@pytest.mark.django_db(transaction=True)
def test_a_link_used_twice_at_once_signs_in_once() -> None:
    link = signin.link(User.objects.create_user("ada"))
    start, statuses = threading.Barrier(4), []

    def use() -> None:
        start.wait()
        statuses.append(Client().post(link).status_code)
        connection.close()

    users = [threading.Thread(target=use) for _ in range(4)]
    for user in users:
        user.start()
    for user in users:
        user.join()

    assert sorted(statuses) == [302, 410, 410, 410]


@pytest.mark.django_db
def test_a_link_made_in_the_second_of_the_last_sign_in_works_once() -> None:
    moment = timezone.now().replace(microsecond=0)
    person = User.objects.create_user("ada", last_login=moment)
    link = signin.link(person)
    person.last_login = moment + timedelta(microseconds=1)
    person.save()

    assert Client().get(link).status_code == 410


@pytest.mark.django_db
@pytest.mark.parametrize(
    "place", ["foo", "@evil", ".evil.example", "//evil.example", "/\\evil.example", "http:evil"]
)
def test_only_a_path_of_ours_is_gone_on_to(client: Client, place: str) -> None:
    client.force_login(User.objects.create_user("ada"))

    assert client.get("/signin", {"next": place}).headers["Location"] == "/"
