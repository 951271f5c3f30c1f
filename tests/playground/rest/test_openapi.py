"""The OpenAPI document: it is valid, its page works under our policy, and requests made from it
find no failure.
"""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import hypothesis
import pytest
import schemathesis
from django.conf import settings
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.test import Client, override_settings
from schemathesis import CheckContext, Response
from schemathesis.generation.case import Case as AnyCase
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from auditlog import access
from auditlog.ingest.body import ARRAY_LIMIT, ITEM_LIMIT, LINE_LIMIT, RATIO, STREAM_LIMIT
from playground.audit.api.log import ITEM_BODY
from playground.rest.body import JSON_BODY
from playground.server.environment import Peer
from playground.wsgi import application
from tests import fuzz

pytestmark = pytest.mark.django_db

Case = AnyCase[Any]
Check = Callable[[CheckContext, Response, Case], bool | None]

BOUNDED = hypothesis.settings(
    max_examples=fuzz.many(4),
    suppress_health_check=list(hypothesis.HealthCheck),
)
# A name of no protocol and values that no wire can carry fit their types, and are refused all the
# same.
BEYOND_TYPES: list[Check] = [positive_data_acceptance]
# A wrong item of a batch is answered in its place, while its neighbours are kept; and in a query an
# object is any text.
LENIENT: list[Check] = [positive_data_acceptance, negative_data_rejection]
FORMS = (
    {"application/json"},
    {"application/x-ndjson"},
    {"application/x-ndjson", "text/csv"},
    {"application/zip"},
    {"application/json", "text/plain", "application/cose"},
)
"""The forms of an answer."""
schemathesis.serializer.alias("application/x-ndjson", "text/plain")
schema = schemathesis.openapi.from_wsgi("/api/openapi.json", application)


@pytest.fixture(autouse=True)
def transaction_outlives_requests() -> Iterator[None]:
    """As Django's own test client does: the end of a request leaves the test's connection alone."""
    request_started.disconnect(close_old_connections)
    request_finished.disconnect(close_old_connections)
    yield
    request_started.connect(close_old_connections)
    request_finished.connect(close_old_connections)


@pytest.fixture
def key() -> str:
    return access.create_key(source="explorer", scopes=("ingest", "read"))[1]


@schema.include(
    path_regex=(
        "protocols|claims|decode|encode|tokens|exchange|conversations|aacp/|nslip/|sacp/[qrvfd]|"
        "sacp/states|sacp/.*{name}"
    )
).parametrize()
@BOUNDED
@fuzz.mark
def test_open_operations_answer_as_they_say(case: Case) -> None:
    case.call_and_validate(excluded_checks=BEYOND_TYPES)


@schema.include(path_regex="packets|search|export").parametrize()
@BOUNDED
@fuzz.mark
def test_operations_of_the_log_answer_as_they_say(case: Case, key: str) -> None:
    case.call_and_validate(headers={"Authorization": f"Bearer {key}"}, excluded_checks=LENIENT)


@schema.include(path_regex="nlip/send").parametrize()
@BOUNDED
@fuzz.mark
def test_the_operation_that_sends_answers_as_it_says(case: Case, key: str) -> None:
    with override_settings(NLIP_SERVERS=(Peer("rooms", "https://rooms.example.invalid/nlip"),)):
        case.call_and_validate(headers={"Authorization": f"Bearer {key}"}, excluded_checks=LENIENT)


@schema.include(path_regex="/pads|/post/").parametrize()
@BOUNDED
@fuzz.mark
def test_operations_of_pads_answer_as_they_say(case: Case) -> None:
    case.call_and_validate(excluded_checks=LENIENT)


def test_the_head_of_its_page_has_no_markdown(client: Client) -> None:
    page = client.get("/api/docs").content.decode()
    head = page.partition('<header class="page-head">')[2].partition("</header>")[0]

    assert "<p>Every body can be compressed with Content-Encoding: gzip; limits" in head
    assert "`" not in head


def test_the_document_is_valid_openapi(client: Client) -> None:
    document = client.get("/api/openapi.json").json()

    assert document["openapi"] == "3.1.0"
    schemathesis.openapi.from_dict(document).validate()


def test_every_reference_leads_somewhere(client: Client) -> None:
    document = client.get("/api/openapi.json").json()

    for reference in re.findall(r'"\$ref": "([^"]+)"', json.dumps(document)):
        place = document
        for step in reference.removeprefix("#/").split("/"):
            place = place[step]
        assert place


def find_patterns(value: Any) -> Iterator[str]:
    """Yield all patterns of a part of the document."""
    if isinstance(value, dict):
        if isinstance(value.get("pattern"), str):
            yield value["pattern"]
        value = list(value.values())
    for one in value if isinstance(value, list) else ():
        yield from find_patterns(one)


def test_every_pattern_is_a_regular_expression_of_javascript_too(client: Client) -> None:
    patterns = set(find_patterns(client.get("/api/openapi.json").json()))

    assert "^[a-z0-9-]{1,40}$" in patterns
    of_python_only = re.compile(r"\\[AZaG]|\(\?(?:P|#|>|[aiLmsux-])|[*+?}]\+")
    for pattern in patterns:
        assert not of_python_only.search(pattern), pattern
        re.compile(pattern)


def test_every_operation_says_what_it_does_and_how_it_fails(client: Client) -> None:
    operations = [
        operation
        for path in client.get("/api/openapi.json").json()["paths"].values()
        for operation in path.values()
    ]

    assert len(operations) >= 11
    for operation in operations:
        assert operation["description"]
        for status, answer in operation["responses"].items():
            forms = FORMS if status[0] == "2" else [{"application/problem+json"}]
            assert answer["content"].keys() in forms


def test_the_document_says_which_operations_need_a_key(client: Client) -> None:
    paths = client.get("/api/openapi.json").json()["paths"]

    locked = {
        path
        for path, operations in paths.items()
        for operation in operations.values()
        if {} not in operation.get("security", [{}])
    }
    assert {path.removeprefix("/api/v1/") for path in locked} == {
        "evidence", "export", "packets", "packets/batch", "packets/{uid}",
        "packets/{uid}/erase", "packets/{uid}/proof", "search",
        "search/autopilot", "search/complete", "search/conversations", "search/facets",
        "searches", "searches/{uid}", "statistics", "nlip/send",
        "aacp/candidates", "aacp/candidates/{number}/preview", "aacp/candidates/{number}/rule",
        "aacp/candidates/{number}/decision",
        "aacp/rules", "aacp/rules/{number}",
        "sacp/verbs", "sacp/tools", "sacp/agents", "sacp/spawn",
        "sacp/verbs/{name}", "sacp/tools/{name}", "sacp/agents/{name}",
    }  # fmt: skip


def test_the_document_says_which_operations_do_more_with_a_key(client: Client) -> None:
    paths = client.get("/api/openapi.json").json()["paths"]

    optional = {
        path.removeprefix("/api/v1/")
        for path, operations in paths.items()
        for operation in operations.values()
        if operation.get("security") == [{}, {"Key": []}]
    }
    assert optional == {"pads", "aacp/english", "receipts/check"}


def test_every_query_parameter_and_field_of_an_item_is_described(client: Client) -> None:
    document = client.get("/api/openapi.json").json()

    for operations in document["paths"].values():
        for operation in operations.values():
            for parameter in operation.get("parameters", ()):
                assert parameter["in"] == "path" or parameter["description"]
    for name, field in document["components"]["schemas"]["Item"]["properties"].items():
        assert any(kind.get("description") for kind in (field, *field.get("anyOf", ()))), name


def test_the_schema_and_the_documents_name_the_limits_of_bodies(client: Client) -> None:
    described = client.get("/api/openapi.json").json()["info"]["description"]

    for text in (described, (settings.BASE_DIR / "docs/api.md").read_text()):
        for limit in (ITEM_BODY, STREAM_LIMIT, ARRAY_LIMIT, LINE_LIMIT, JSON_BODY, ITEM_LIMIT):
            assert f"{limit:,}" in text
        assert f"{RATIO} times" in text


def test_an_operation_is_named_by_what_it_does(client: Client) -> None:
    paths = client.get("/api/openapi.json").json()["paths"]
    names = [operation["operationId"] for path in paths.values() for operation in path.values()]

    assert len(set(names)) == len(names)
    assert {"decode", "keep_one", "keep_many", "search", "translate"} <= set(names)


EXEMPLARY = {
    "autopilot", "conversations", "corruption", "decode", "encode", "lens",
    "routability", "sacp/assemble", "sacp/discipline", "sacp/dry-run", "sacp/feasible",
    "sacp/query", "sacp/rank", "sacp/states", "sacp/validate", "tokens", "tokens/baselines",
    "tokens/bill", "tokens/break-even", "translate",
}  # fmt: skip
"""Operations whose body has an example of all that is needed."""


def read_examples(client: Client) -> dict[str, dict[str, Any]]:
    """Return the example of each body that needs no key, by the path of its operation."""
    document = client.get("/api/openapi.json").json()
    found = {}
    for path, operations in document["paths"].items():
        operation = operations.get("post", {})
        body = operation.get("requestBody", {}).get("content", {}).get("application/json")
        if "$ref" not in (body or {}).get("schema", ()) or operation.get("security", [{}])[0]:
            continue
        schema = document["components"]["schemas"][body["schema"]["$ref"].rpartition("/")[2]]
        given = {
            name: field["examples"][0]
            for name, field in schema["properties"].items()
            if "examples" in field
        }
        if given and given.keys() >= set(schema.get("required", ())):
            found[path] = given
    return found


def test_an_example_of_a_body_is_answered(client: Client) -> None:
    examples = read_examples(client)

    assert {path.removeprefix("/api/v1/") for path in examples} >= EXEMPLARY
    for path, body in examples.items():
        response = client.post(path, body, content_type="application/json")
        assert response.status_code == 200, (path, response.content)


def test_the_answers_to_examples_show_what_is_asked(client: Client) -> None:
    examples = read_examples(client)

    def answer(path: str) -> Any:
        path = f"/api/v1/{path}"
        return client.post(path, examples[path], content_type="application/json").json()

    assert answer("tokens/break-even")["pays_back"] == 38
    (history,) = answer("sacp/states")["histories"]
    assert [move["state"] for move in history["moves"]] == ["PENDING", "DONE"]
    assert answer("sacp/discipline") == {"violation": None}
    assert answer("sacp/query")["agents"]
    assert answer("sacp/rank")["agents"]
    assert client.post(
        "/api/v1/sacp/validate", answer("sacp/assemble"), content_type="application/json"
    ).json() == {"answer": {"status": "VALID"}}
