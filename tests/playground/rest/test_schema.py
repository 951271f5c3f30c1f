"""Requests made from the OpenAPI document: no failure of ours, no undeclared answer, no refusal
without a rule.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

import hypothesis
import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.test import Client
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.generation.case import Case as AnyCase
from schemathesis.specs.openapi.checks import (
    ignored_auth,
    negative_data_rejection,
    positive_data_acceptance,
)

from auditlog import access
from playground.aacp.models import Candidate
from playground.audit import receipt_pace
from playground.http.throttle import Throttle
from playground.stream import opening
from playground.stream import pad as one_pad
from playground.stream.pads import Pads
from playground.wsgi import application
from tests import fuzz
from tests.playground.rest.refusals import RULES, TEXT, Rule

pytestmark = pytest.mark.django_db

Case = AnyCase[Any]
BOUNDED = hypothesis.settings(
    max_examples=fuzz.many(3),
    phases=[hypothesis.Phase.generate],
    suppress_health_check=list(hypothesis.HealthCheck),
)
schemathesis.serializer.alias("application/x-ndjson", "text/plain")
schema = schemathesis.openapi.from_wsgi("/api/openapi.json", application)
schema.config.generation.update(modes=[GenerationMode.POSITIVE])
# Refusals are held against our own list, 503 says what is not set up, and keys are ours and not
# made up.
JUDGED_HERE: list[Any] = [
    positive_data_acceptance,
    negative_data_rejection,
    not_a_server_error,
    ignored_auth,
]
KEYS = (*((scope,) for scope in access.SCOPES), access.SCOPES)


class Seeded(NamedTuple):
    """What is there before anything is asked, by the parameter of a path that names it."""

    keys: dict[tuple[str, ...], str]
    names: dict[str, str]


@pytest.fixture
def seeded(client: Client, monkeypatch: pytest.MonkeyPatch) -> Seeded:
    monkeypatch.setattr(opening, "pads", Pads())
    monkeypatch.setattr(one_pad, "PACE", 0.0)
    monkeypatch.setattr(opening, "throttle", Throttle(burst=10_000))
    monkeypatch.setattr(receipt_pace, "throttle", Throttle(burst=10_000))
    keys = {scopes: access.create_key(source="explorer", scopes=scopes)[1] for scopes in KEYS}
    headers = {"Authorization": f"Bearer {keys[access.SCOPES]}"}
    kept = client.post(
        "/api/v1/packets", {"wire": TEXT}, content_type="application/json", headers=headers
    ).json()
    pad = client.post("/api/v1/pads").json()
    ended = client.post("/api/v1/pads").json()["key"]
    client.delete(f"/api/v1/pads/{ended}")
    made = [_candidate(packet) for packet in ("REQ/TSK|g=1,t=1", "")]
    names = {
        "uid": kept["results"][0]["packet"], "key": pad["key"],
        "address": pad["post"].rsplit("/", 1)[1],
        "candidate": str(made[0].pk), "empty": str(made[1].pk), "number": str(made[0].pk),
        "ended": ended,
        "post": "/api/v1/post/" + pad["post"].rsplit("/", 1)[1], "verbs": "generate",
        "tools": "H_API",
        "agents": "PRICE_PREDICTOR", "workflows": "payroll",
    }  # fmt: skip
    return Seeded(keys, names)


@pytest.fixture
def transaction_outlives_requests(seeded: Seeded) -> Iterator[None]:
    """As Django's own test client does, which connects these again: a request leaves the test's
    connection alone.
    """
    request_started.disconnect(close_old_connections)
    request_finished.disconnect(close_old_connections)
    yield
    request_started.connect(close_old_connections)
    request_finished.connect(close_old_connections)


def _candidate(packet: str) -> Candidate:
    return Candidate.objects.create(
        english="Ask for it.", digest=packet[:64], packet=packet, failure="", model="m", calls=1,
        tokens_in=1,
        tokens_out=1, reported=True, asked="2026-01-01T00:00:00Z",
    )  # fmt: skip


@schema.parametrize()
@BOUNDED
@fuzz.mark
@pytest.mark.usefixtures("transaction_outlives_requests")
def test_a_request_that_fits_the_document_is_answered_as_declared(
    case: Case, seeded: Seeded
) -> None:
    _aim(case, seeded)
    for token in seeded.keys.values() if _takes_a_key(case) else [None]:
        response = case.call(headers={} if token is None else {"Authorization": f"Bearer {token}"})
        assert response.status_code < 500 or response.status_code == 503
        case.validate_response(response, excluded_checks=JUDGED_HERE)
        if response.status_code >= 400:
            problem = response.json()
            assert any(rule.explains(case.operation.label, problem) for rule in RULES), (
                f"No rule of refusals.py explains why this is refused: {problem}\n"
                f"{case.as_curl_command()}"
            )


def _aim(case: Case, seeded: Seeded) -> None:
    """Two of three requests name something that is there; the rest keep the names that were made
    up.
    """
    if not case.path_parameters or len(json.dumps(case.path_parameters)) % 3 == 0:
        return
    kind = re.search(r"/(verbs|tools|agents|workflows)/", case.operation.path)
    for name in case.path_parameters:
        known = kind[1] if name == "name" and kind else name
        case.path_parameters[name] = seeded.names.get(known, case.path_parameters[name])


def _takes_a_key(case: Case) -> bool:
    return bool(case.operation.definition.raw.get("security"))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_refuses_its_example(client: Client, seeded: Seeded, rule: Rule) -> None:
    problem, operation = _sent(client, seeded, rule)

    assert rule.explains(operation, problem), problem


def _sent(client: Client, seeded: Seeded, rule: Rule) -> tuple[dict[str, Any], str]:
    method, path, body = rule.example
    path, _, query = path.format(**seeded.names).partition("?")
    # What no address says of a request: the key's scope, that it is repeated, an Idempotency-Key,
    # its length.
    asked = dict(parse_qsl(query, keep_blank_values=True))
    scopes = (asked.pop("as"),) if "as" in asked else access.SCOPES
    times, key, lines = (
        int(asked.pop("times", "1")),
        asked.pop("key", None),
        int(asked.pop("lines", "0")),
    )
    headers = {"Authorization": f"Bearer {seeded.keys[scopes]}"} if path != "/api/v1/pads" else {}
    content, media = b"" if body is None else json.dumps(body).encode(), "application/json"
    if (fraction := asked.pop("float", None)) is not None:
        content = content.replace(f'"{fraction}": 1'.encode(), f'"{fraction}": 1.0'.encode())
    if key is not None:
        headers["Idempotency-Key"] = key
    if lines:
        content, media = b"x\n" * lines, "application/x-ndjson"
    if key == "same":
        client.post(
            path, {"wire": "REQ/TSK|g=9,t=9"}, content_type="application/json", headers=headers
        )
    if key == "one":
        path = str(
            client.post("/api/v1/pads", headers={"Authorization": headers["Authorization"]}).json()[
                "post"
            ]
        )
        path = path.removeprefix("http://testserver")
    address = f"{path}?{urlencode(asked)}" if asked else path
    for _ in range(times):
        response = client.generic(method, address, content, content_type=media, headers=headers)
    known = (("/pads/", "/pads/{key}"), ("/post/", "/post/{address}"), ("/verbs/", "/verbs/{name}"))
    shape = next(
        (path[: path.index(mark)] + pattern for mark, pattern in known if mark in path), path
    )
    return dict(json.loads(response.content)), f"{method} {shape}"
