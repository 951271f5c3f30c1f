"""A batch over the limit of items: nothing is stored without a receipt, and the body is read to its
end.
"""

import gzip
import json
import os
from collections import Counter
from collections.abc import Callable
from http.client import HTTPConnection
from io import BytesIO
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core.handlers.wsgi import WSGIRequest
from django.test import Client

from auditlog import access
from auditlog.ingest import array, ndjson, plain
from auditlog.ingest.body import STREAM_LIMIT
from auditlog.models import Packet
from playground.rest.body import blocks as read_blocks
from tests.installation import Installation

LIMIT = 7
BATCH = "/api/v1/packets/batch"
WIRES = [f"REQ/TSK|g={number}" for number in range(2_000)]
BODIES: dict[str, bytes] = {
    "application/x-ndjson": b"".join(json.dumps({"wire": wire}).encode() + b"\n" for wire in WIRES),
    "application/json": json.dumps([{"wire": wire} for wire in WIRES]).encode(),
    "text/plain": "".join(f"{wire}\n" for wire in WIRES).encode(),
}
FRAMINGS: dict[str, Callable[[bytes], tuple[bytes, dict[str, str]]]] = {
    "length": lambda data: (data, {}),
    "chunked": lambda data: (data, {"HTTP_TRANSFER_ENCODING": "chunked"}),
    "gzip": lambda data: (gzip.compress(data), {"HTTP_CONTENT_ENCODING": "gzip"}),
}


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (array, ndjson, plain):
        monkeypatch.setattr(module, "ITEM_LIMIT", LIMIT)
        monkeypatch.setattr(module, "PIECE", 2)
    monkeypatch.setattr("playground.rest.body.BLOCK", 1_000)


@pytest.mark.django_db
@pytest.mark.parametrize("name", [None, "night-1"], ids=["no key", "Idempotency-Key"])
@pytest.mark.parametrize("framing", FRAMINGS)
@pytest.mark.parametrize("media", BODIES)
def test_what_is_stored_has_its_receipt(
    client: Client, media: str, framing: str, name: str | None
) -> None:
    _, token = access.create_key(source="bot", scopes=("ingest",))
    data, headers = FRAMINGS[framing](BODIES[media])
    more: dict[str, Any] = {"HTTP_AUTHORIZATION": f"Bearer {token}", **headers}
    more |= {"HTTP_IDEMPOTENCY_KEY": name} if name else {}

    for _ in range(2 if name else 1):
        sent = BytesIO(data)
        answer = client.generic("POST", BATCH, data, media, **more | {"wsgi.input": sent})
        stored = list(Packet.objects.order_by("log", "leaf").values_list("uid", flat=True))

        assert sent.tell() == len(data)
        if media == "application/json":
            assert (answer.status_code, stored) == (413, [])
            continue
        receipts = answer.json()["results"]
        assert answer.status_code == 207
        assert [receipt["packet"] for receipt in receipts[:-1]] == stored
        assert len(stored) == LIMIT
        assert (receipts[-1]["item"], receipts[-1]["status"]) == (LIMIT, 413)
        assert receipts[-1]["error"]["detail"].endswith("This and all later items were not stored.")


@pytest.mark.parametrize(
    ("media", "named", "chunked"),
    [("application/x-ndjson", False, False), ("text/plain", True, True)],
)
def test_a_client_that_still_sends_gets_its_receipts(
    server: Installation, media: str, *, named: bool, chunked: bool
) -> None:
    key = server.manage("apikey", "create", f"bot-{media}-{named}-{chunked}", "--scopes", "ingest")
    url = urlsplit(server.base_url)
    good = gzip.compress(BODIES[media] * 4)
    data = good + bytes(20_000_000)
    headers = {"Authorization": f"Bearer {key}", "Content-Type": media, "Content-Encoding": "gzip"}
    headers |= {"Idempotency-Key": "night-1"} if named else {}

    connection = HTTPConnection(url.hostname or "", url.port, timeout=60)
    pieces = (data[at : at + 50_000] for at in range(0, len(data), 50_000))
    connection.request("POST", BATCH, pieces if chunked else data, headers, encode_chunked=chunked)
    response = connection.getresponse()
    answer = json.loads(response.read())
    connection.close()
    assert "results" in answer, answer
    receipts = answer["results"]

    assert response.status == 207
    assert Counter(receipt["status"] for receipt in receipts[:-1]).keys() == {201}
    assert len(receipts) > 500
    assert receipts[-1]["status"] == 422


def test_others_get_their_turn_while_a_gzip_body_expands() -> None:
    class Body(BytesIO):
        turns = 0

        def read(self, size: int | None = -1) -> bytes:
            self.turns += size == 0
            return super().read(size)

    content = os.urandom(1_000) * 1_000
    body = Body(gzip.compress(content))
    environ = {
        "REQUEST_METHOD": "POST",
        "HTTP_CONTENT_ENCODING": "gzip",
        "CONTENT_LENGTH": str(len(body.getvalue())),
    }

    blocks = [*read_blocks(WSGIRequest(environ | {"wsgi.input": body}), STREAM_LIMIT)]

    assert b"".join(blocks) == content
    assert body.turns == len(blocks) > 10
