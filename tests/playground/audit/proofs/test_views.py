"""The proof on the page of a packet: what it shows, whom it is shown, and the files."""

import json
from base64 import b64decode
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.urls import reverse

from auditlog.log import logs, triggers
from auditlog.models import Checkpoint, Leaf, Log, Packet
from auditlog.tree import checkpoints, keys
from cablese.tlog import merkle
from cablese.tlog.checkpoint import open_checkpoint
from cablese.tlog.proof import parse_proof, verify_proof
from cablese.tlog.receipt import verify_receipt
from tests.auditlog.erasure.orders import erase_leaves
from tests.auditlog.tree.leaves import add

pytestmark = pytest.mark.django_db
FILES = ("tlog-proof", "cose", "leaf")


def address(packet: Packet) -> str:
    return f"/audit/{packet.log.slug}/{packet.uid}/proof"


def read(client: Client, path: str, *, part: bool = False, status: int = 200) -> str:
    answer = client.get(path, headers={"HX-Request": "true"} if part else {})
    assert answer.status_code == status
    return answer.content.decode()


def test_the_page_of_a_packet_loads_the_proof_when_it_is_unfolded(
    client: Client, ada: User, packet: Packet
) -> None:
    page = read(client, f"/audit/default/{packet.uid}")
    assert f'hx-get="{address(packet)}"' in page
    assert f'href="{address(packet)}"' in page
    assert f'hx-get="{address(packet)}?at=2"' in read(client, f"/audit/default/{packet.uid}?at=2")


def test_it_shows_path_claims_and_files(
    client: Client, ada: User, log: Log, packet: Packet
) -> None:
    add(4)
    signed = checkpoints.sign_now(log)

    part, whole = (read(client, address(packet), part=part) for part in (True, False))
    assert "<html" not in part
    assert "<html" in whole
    for page in (part, whole):
        assert page.count('<g class="leaf">') == page.count('<g class="root">') == 1
        assert page.count('<g class="sibling">') == 3
        assert bytes(signed.root).hex() in page
        assert "does not prove that the sender" in " ".join(page.split())
        assert "style=" not in page
        for form in FILES:
            assert f"{address(packet)}.{form}" in page


def test_the_files_verify_alone(client: Client, ada: User, log: Log, packet: Packet) -> None:
    add(300)
    checkpoints.sign_now(log)
    text, cose, leaf = (client.get(f"{address(packet)}.{form}") for form in FILES)
    known = keys.verifiers(log)

    digest = merkle.hash_leaf(leaf.content)
    signed = verify_proof(parse_proof(text.content.decode()), digest, known, log.origin)
    assert verify_receipt(cose.content, digest, known).root == signed.root
    assert text["Content-Disposition"] == 'attachment; filename="default-1.tlog-proof"'
    assert (cose["Content-Type"], leaf["Content-Type"]) == (
        "application/cose", "application/octet-stream",
    )  # fmt: skip
    assert client.get(f"{address(packet)}.exe").status_code == 404


def test_a_packet_that_is_not_signed_is_provable_soon(
    client: Client, ada: User, packet: Packet, caplog: pytest.LogCaptureFixture
) -> None:
    page = read(client, address(packet))
    assert "within 10 s" in page
    assert "Sign a checkpoint now" not in page
    answer = client.get(f"{address(packet)}.tlog-proof")
    assert (answer.status_code, answer["Retry-After"]) == (503, "10")
    assert "503 GET" not in caplog.text
    assert client.post(f"{address(packet)}/sign").status_code == 403
    assert not Checkpoint.objects.exists()


def test_an_administrator_can_sign_at_once(client: Client, packet: Packet) -> None:
    client.force_login(User.objects.create_superuser("ops"))
    assert "Sign a checkpoint now" in read(client, address(packet))

    answer = client.post(f"{address(packet)}/sign", follow=True)
    assert '<g class="root">' in answer.content.decode()
    assert client.get(f"{address(packet)}/sign").status_code == 405


def test_nothing_is_shown_without_a_sign_in_or_of_another_log(
    client: Client, log: Log, packet: Packet
) -> None:
    checkpoints.sign_now(log)
    paths = [address(packet), *(f"{address(packet)}.{form}" for form in FILES)]
    paths.append("/audit/default/growth/2.json")
    for path in paths:
        assert client.get(path).status_code == 302
    logs.create(slug="other")
    client.force_login(User.objects.create_user("ada"))
    for path in paths[:-1]:
        assert client.get(path.replace("/default/", "/other/")).status_code == 404
        assert client.get(path.replace(packet.uid, str(uuid4()))).status_code == 404
    for slug in ("nowhere", "other"):
        assert client.get(f"/audit/{slug}/growth/2.json").status_code == 404


def test_an_erased_packet_keeps_its_proof(
    client: Client, ada: User, log: Log, packet: Packet
) -> None:
    checkpoints.sign_now(log)
    before = client.get(f"{address(packet)}.tlog-proof").content
    erase_leaves(packet.leaf)

    assert f'hx-get="{address(packet)}"' in read(client, f"/audit/default/{packet.uid}")
    assert client.get(f"{address(packet)}.tlog-proof").content == before
    assert "Its content was erased" in " ".join(read(client, address(packet)).split())


def test_a_changed_log_is_reported_and_nothing_is_downloaded(
    client: Client, ada: User, log: Log, packet: Packet
) -> None:
    checkpoints.sign_now(log)
    triggers.take(connection)
    Leaf.objects.filter(log=log, index=0).update(hash=bytes(32))

    page = read(client, f"{address(packet)}?at=2")
    assert page.count('role="alert"') == 1
    assert "changed since" in page
    for form in FILES:
        assert client.get(f"{address(packet)}.{form}").status_code == 409


def test_a_pinned_link_offers_the_growth_since_then(
    client: Client, ada: User, log: Log, packet: Packet
) -> None:
    old = checkpoints.sign_now(log)
    add(300)
    new = checkpoints.sign_now(log)

    assert reverse("growth", args=["default", 2]) in read(client, f"{address(packet)}?at=2")
    answer = client.get(reverse("growth", args=["default", 2]))
    found = json.loads(answer.content)
    known, origin = keys.verifiers(log), found["origin"]
    first, second = (open_checkpoint(found[name], known, origin) for name in ("old", "new"))
    assert (first.size, second.size) == (old.size, new.size)
    path = [b64decode(one) for one in found["path"]]
    merkle.verify_consistency(first.size, second.size, path, first.root, second.root)


@pytest.mark.parametrize("at", ["3", "999999", "-1", "x", "9" * 30, "<script>"])
def test_a_size_that_was_not_signed_offers_nothing(
    client: Client, ada: User, log: Log, packet: Packet, at: str
) -> None:
    checkpoints.sign_now(log)
    page = read(client, f"{address(packet)}?at={at}")
    assert "/growth/" not in page
    assert "<script>" not in page.split("</head>")[1].split("<main")[1].split("</main>")[0]
