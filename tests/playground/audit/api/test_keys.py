"""Keys: none, revoked, without the scope, and of one log."""

import pytest
from django.test import Client

from auditlog import access
from auditlog.log import logs
from auditlog.models import Packet
from tests.playground.audit.api.requests import BROKEN, WIRE, get, make_key, post, refused

pytestmark = pytest.mark.django_db

OPERATIONS = (("packets", {"wire": WIRE}), ("packets/batch", [{"wire": WIRE}]), ("search", None))


@pytest.mark.parametrize(
    ("path", "body"), [*OPERATIONS, ("packets/00000000-0000-7000-8000-000000000000", None)]
)
@pytest.mark.parametrize(
    "key", [None, "", "cbl_live_x", "cbl_live_" + "0" * 12 + "_" + "0" * 43 + "_000000"]
)
def test_without_a_valid_key_is_401(
    client: Client, path: str, body: object, key: str | None
) -> None:
    response = get(client, path, key) if body is None else post(client, path, body, key)

    assert refused(response) == (401, "")
    assert response.headers["WWW-Authenticate"] == "Bearer"
    assert not Packet.objects.exists()


def test_a_revoked_key_is_401(client: Client) -> None:
    made, token = access.create_key(source="hr-bot", scopes=("ingest",))
    access.revoke_key(made.id)

    assert refused(post(client, "packets", {"wire": WIRE}, token)) == (401, "")


@pytest.mark.parametrize(("path", "body"), OPERATIONS)
def test_a_key_without_the_scope_is_403(client: Client, path: str, body: object) -> None:
    wrong = make_key("read" if body else "ingest")

    response = get(client, path, wrong) if body is None else post(client, path, body, wrong)

    assert refused(response) == (403, "")
    assert not Packet.objects.exists()


def test_a_key_of_one_log_writes_and_reads_there_only(client: Client) -> None:
    night = logs.create(slug="night")
    bound = make_key(log=night)
    elsewhere = post(client, "packets", {"wire": WIRE}, make_key(source="other")).json()["results"][
        0
    ]["packet"]

    here = post(client, "packets", {"wire": BROKEN}, bound).json()["results"][0]

    assert here["log"] == "night"
    assert refused(post(client, "packets", {"wire": WIRE, "log": "default"}, bound)) == (
        422,
        "/log",
    )
    assert get(client, f"packets/{here['packet']}", bound).status_code == 200
    assert refused(get(client, f"packets/{elsewhere}", bound)) == (404, "/id")
    assert [result["wire"] for result in get(client, "search", bound).json()["results"]] == [BROKEN]
    assert refused(get(client, "search", bound, log="default")) == (403, "/log")
