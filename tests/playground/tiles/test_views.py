"""Checkpoints and tiles are served as C2SP tlog-tiles says, to those who may read the log."""

from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from auditlog import access
from auditlog.log import logs
from auditlog.models import Checkpoint, Leaf, Log
from auditlog.tree import checkpoints, keys, publication
from cablese.tlog import merkle, tile
from cablese.tlog.checkpoint import open_checkpoint
from tests.auditlog.tree.leaves import add

pytestmark = pytest.mark.django_db


@pytest.fixture
def log(db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Log:
    """A public log of 600 leaves, whose checkpoint has 550 of them."""
    monkeypatch.setattr(settings, "DATA", tmp_path)
    logs.fix_origins("example.com")
    log = Log.objects.get(slug="default")
    keys.ensure(log)
    add(549)
    checkpoints.sign_now(log)
    add(50)
    publication.change(log, public=True)
    return log


def get(path: str, client: Client | None = None, **more: Any) -> Any:
    return (client or Client()).get(f"/log/default/{path}", **more)


def test_a_reader_verifies_the_log_from_what_is_served(log: Log) -> None:
    answer = get("checkpoint")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert answer["Cache-Control"] == "public, no-cache"
    found = open_checkpoint(answer.content.decode(), keys.verifiers(log), log.origin)
    assert found.size == 550

    read = tile.read_tiles(550, lambda place: get(tile.format_path(place)).content)
    assert merkle.root(550, read) == found.root


def test_a_bundle_has_the_leaves_of_its_tile(log: Log) -> None:
    answer = get("tile/entries/002.p/38")
    assert answer["Content-Type"] == "application/octet-stream"
    assert answer["Cache-Control"] == "public, max-age=31536000, immutable"
    data, found = answer.content, []
    while data:
        length = int.from_bytes(data[:2], "big")
        found.append(data[2 : 2 + length])
        data = data[2 + length :]
    stored = Leaf.objects.filter(log=log, index__gte=512, index__lt=550).order_by("index")
    assert found == [bytes(leaf.bytes) for leaf in stored]
    hashes = b"".join(map(merkle.hash_leaf, found))
    assert get("tile/0/002.p/38").content == hashes
    assert get("tile/0/001").content == get("tile/0/001.p/255").content + bytes(
        Leaf.objects.get(log=log, index=511).hash
    )


@pytest.mark.parametrize(
    "path",
    ["tile/0/002.p/39", "tile/0/002", "tile/0/003.p/1", "tile/1/000.p/3", "tile/2/000.p/1",
     "tile/entries/002.p/39", "tile/entries/002", "tile/1/000", "tile/0/2", "tile/0/002.p/0",
     "tile/x/002", "tile/63/000.p/1", "tile/-1/000"],
)  # fmt: skip
def test_what_the_checkpoint_does_not_cover_is_not_served(log: Log, path: str) -> None:
    answer = get(path)
    assert (answer.status_code, answer["Cache-Control"]) == (404, "no-store")


def test_it_answers_with_a_tag_and_to_head(log: Log) -> None:
    for path in ("checkpoint", "tile/0/000", "tile/entries/000"):
        answer = get(path)
        assert answer["ETag"] == f'"{sha256(answer.content).hexdigest()}"'
        again = get(path, headers={"If-None-Match": answer["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
        head = Client().head(f"/log/default/{path}")
        assert (head.status_code, head.content, head["ETag"]) == (200, b"", answer["ETag"])
        assert Client().post(f"/log/default/{path}").status_code == 405


def key(*scopes: str, log: Log | None = None) -> dict[str, str]:
    _, token = access.create_key(source="reader", scopes=scopes, log=log)
    return {"Authorization": f"Bearer {token}"}


def test_a_log_is_private_until_it_is_made_public(log: Log) -> None:
    publication.change(log, public=False)
    other = logs.create(slug="other")
    person = Client()
    person.force_login(User.objects.create_user("ada"))

    for path in ("checkpoint", "tile/0/000", "tile/entries/000"):
        assert get(path).status_code == 401
        assert get(path, headers=key("ingest")).status_code == 401
        assert get(path, headers=key("read", log=other)).status_code == 401
        assert get(path, headers={"Authorization": "Bearer x"}).status_code == 401
        for answer in (
            get(path, person), get(path, headers=key("read")),
            get(path, headers=key("read", log=log)),
        ):  # fmt: skip
            assert answer.status_code == 200
            assert answer["Cache-Control"].startswith("private, ")


def test_a_stranger_does_not_learn_which_logs_there_are(log: Log) -> None:
    publication.change(log, public=False)
    private, unknown = (Client().get(f"/log/{slug}/checkpoint") for slug in ("default", "none"))
    assert (private.status_code, private.content) == (unknown.status_code, unknown.content)
    assert private["Cache-Control"] == unknown["Cache-Control"] == "no-store"


def test_a_change_of_what_a_log_requires_publishes_nothing(log: Log) -> None:
    publication.change(log, public=False)
    publication.change(log, required=2)
    assert not publication.read(log).public
    publication.change(log, public=True)
    assert (publication.read(log).public, publication.read(log).required) == (True, 2)


def test_a_log_without_a_checkpoint_has_none(log: Log) -> None:
    other = logs.create(slug="other")
    publication.change(other, public=True)
    assert Client().get("/log/other/checkpoint").status_code == 404
    assert Client().get("/log/other/tile/0/000.p/1").status_code == 404


def test_a_public_log_needs_no_session(log: Log) -> None:
    assert "Cookie" not in get("checkpoint").get("Vary", "")
    assert Checkpoint.objects.count() == 1
