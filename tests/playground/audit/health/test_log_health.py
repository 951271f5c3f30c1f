"""The page of a log's health says what proves it, and starts a self-check."""

from datetime import UTC, datetime

import pytest
from django.test import Client

from auditlog.check import nightly
from auditlog.check.table import SelfCheck
from auditlog.ingest.item import Item
from auditlog.models import Leaf, Log, Packet, TreeSettings, Witness
from tests.auditlog.sending import WIRE, append, make_sender

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("beside")]


@pytest.fixture
def person(admin_client: Client) -> Client:
    return admin_client


def read(person: Client, **parameters: str) -> str:
    page = person.get("/audit/health", parameters)
    assert page.status_code == 200
    return " ".join(page.content.decode().split())


def test_only_people_who_are_signed_in_see_it(client: Client) -> None:
    for path in ("/audit/health", "/audit/health/progress"):
        assert client.get(path).status_code == 302
    assert client.post("/audit/health/check", {"log": "default"}).status_code == 302
    assert not SelfCheck.objects.exists()


def test_a_new_log_has_no_checkpoint_and_no_check(person: Client) -> None:
    page = read(person)
    assert "0 leaves" in page
    assert "This log has not been checked yet." in page


def test_witnesses_are_counted_and_their_problems_are_shown(person: Client) -> None:
    log = Log.objects.get(slug="default")
    TreeSettings.objects.update_or_create(log=log, defaults={"required": 1})
    Witness.objects.create(log=log, url="https://w.example", key="k", problem="It is away.")
    page = read(person)
    assert "1 of 1 required" in page
    assert "It is away." in page


def test_one_leaf_is_one_leaf(person: Client) -> None:
    append(Item(WIRE), sender=make_sender())
    person.post("/audit/health/check", {"log": "default"})
    SelfCheck.objects.update(asked=None, began=datetime.now(UTC), size=1, full=True)
    page = read(person)
    assert "1 leaf</b>" in page
    assert "The self-check of 1 leaf has been running" in page
    assert "1 leaves" not in page


def test_an_unknown_log_is_refused(person: Client) -> None:
    page = person.get("/audit/health", {"log": "none"})
    assert page.status_code == 400
    assert "Unknown log" in page.content.decode()
    assert person.post("/audit/health/check", {"log": "none"}).status_code == 400


def test_a_self_check_is_started_and_its_progress_is_shown(person: Client) -> None:
    append(*[Item(WIRE)] * 3, sender=make_sender())
    answer = person.post("/audit/health/check", {"log": "default"})
    assert answer["Location"] == "/audit/health?log=default#check"
    assert "starts within a few seconds" in read(person)

    SelfCheck.objects.update(asked=None, began=datetime.now(UTC), size=3, leaves=2, full=True)
    part = person.get("/audit/health/progress", {"log": "default"}).content.decode()
    assert 'hx-trigger="load delay:2s"' in part
    assert "2 of 3 leaves" in " ".join(part.split())
    assert part.count("<progress") == 2


def test_the_result_is_shown(person: Client) -> None:
    append(*[Item(WIRE)] * 3, sender=make_sender())
    person.post("/audit/health/check", {"log": "default"}, headers={"HX-Request": "true"})
    address, htmx = "/audit/health/progress?log=default", {"HX-Request": "true"}
    assert "HX-Refresh" not in person.get(address, headers=htmx)
    nightly.work(1.0, 0.0)
    assert person.get(address, headers=htmx)["HX-Refresh"] == "true"
    page = read(person)
    assert "found no faults in 3 leaves" in page
    assert "Its result is leaf 3" in page
    assert Leaf.objects.get(log__slug="default", index=3).kind == "check"


def test_faults_are_listed_with_their_places(person: Client) -> None:
    append(*[Item(WIRE)] * 3, sender=make_sender())
    Packet.objects.filter(leaf=1).update(wire=b"<script>")
    person.post("/audit/health/check", {"log": "default"})
    nightly.work(1.0, 0.0)
    page = read(person)
    assert "<td>packet</td><td>1</td>" in page
    assert "raw text" in page
    assert "<script>alert" not in page
    assert "A self-check of 3 leaves" in page  # the incident
