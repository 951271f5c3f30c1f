"""The two scripts that have a policy of their own."""

import json
from typing import Any

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.test import Client

from playground.offline import built

pytestmark = pytest.mark.django_db


def _listed(client: Client) -> Any:
    script = client.get("/service-worker.js").content.decode()
    return json.loads(script.removeprefix("const OFFERED = ").partition(";\n")[0])


def test_python_runs_under_a_policy_of_its_own(client: Client, offered: built.Built) -> None:
    answer = client.get("/offline/worker.js")

    assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert answer.headers["Content-Security-Policy"] == (
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; "
        f"connect-src http://testserver/static/{offered.folder}"
    )


def test_there_is_no_worker_without_its_files(client: Client) -> None:
    assert client.get("/offline/worker.js").status_code == 404


def test_the_service_worker_is_asked_for_again_at_each_visit(
    client: Client, offered: built.Built
) -> None:
    answer = client.get("/service-worker.js")

    assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert answer.headers["Content-Security-Policy"] == (
        "default-src 'none'; script-src 'self'; connect-src 'self'"
    )


def test_it_lists_static_files_and_the_workbench(
    client: Client, offered: built.Built, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("base/page.css", "img/mark.png", "ninja/redoc.js", "share/share.js", "share/a.js.map")
    monkeypatch.setattr(staticfiles_storage, "hashed_files", dict.fromkeys(names), raising=False)
    monkeypatch.setattr(staticfiles_storage, "url", lambda name: f"/static/hash/{name}")

    listed = _listed(client)

    assert listed["page"] == "/"
    assert listed["python"] == [f"/static/{name}" for name in offered.files]
    assert listed["files"] == [
        "/static/hash/base/page.css",
        "/static/hash/share/share.js",
        "/static/share/share.js",
    ]


def test_the_page_that_it_stores_can_send_nothing(client: Client, offered: built.Built) -> None:
    client.cookies["browser_only"] = "1"

    assert _listed(client)["policy"] == client.get("/").headers["Content-Security-Policy"]
    assert "connect-src 'none'; form-action 'none'" in _listed(client)["policy"]


def test_other_files_of_python_are_another_version(
    client: Client, offered: built.Built, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = _listed(client)["version"]
    monkeypatch.setattr(built, "current", lambda: offered._replace(sources="other"))

    assert _listed(client)["version"] != before


def test_without_the_files_it_removes_itself(client: Client) -> None:
    script = client.get("/service-worker.js").content.decode()

    assert script.startswith("const OFFERED = null;\n")
