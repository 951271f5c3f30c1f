"""Batches of good items with hostile ones among them: each good one is stored, each item is
answered in its place.
"""

import json
from random import Random
from typing import Any

import pytest
from django.test import Client

from auditlog import access
from auditlog.models import Packet

pytestmark = pytest.mark.django_db

GOOD = [
    "REQ/TSK|g={},t=1,p=2,@=auth", "REJ/PLN|g={},!=too big", "FETCH|HR|p:1|return:A|res:emp_{}",
    "T|{}|Q|obj=test",
    '{{"format":"text","subformat":"english","content":"Number {}"}}',
    '{{"g":"GOAL_{}","plan":[["find","A",{{}}]]}}',
    "prose {}", "", "\u0000{}\u2028", "é{}\U0001f642",
]  # fmt: skip
HOSTILE = [
    b"{", b"}", b"[]", b"null", b"7", b'"text"', b"{}", b'{"wire":5}', b'{"wire":"a","wire":"b"}',
    b'{"wire":"\\ud800"}',
    b'{"wire":"\xff"}', b'{"wire":"a","nonsense":1}', b'{"wire":"a","log":"nowhere"}',
    b'{"wire":"a","log":"../x"}',
    b'{"wire":"a","protocol":"morse"}', b'{"wire":"a","dialect":"nslip/9"}',
    b'{"wire":"a","sent_at":"yesterday"}',
    b'{"wire":"a","sent_at":"2026-02-30T00:00:00Z"}', b'{"wire":"a","event_id":"\\u0000"}',
    b'{"wire":"a","event_id":""}',
    b'{"wire":"a","tags":["' + b"x" * 1001 + b'"]}',
    b'{"wire":"a","tags":' + b"[" * 5_000 + b"]" * 5_000 + b"}",
    b'{"wire":"a","goal":1.5}', b'{"wire":' + b"9" * 5_000 + b"}", b'{"wire":"a"}}', b"\x00",
    b"NaN",
    b'{"wire":"' + b"x" * (4 * 1024 * 1024 + 1) + b'"}',
]  # fmt: skip


def items(seed: int) -> list[tuple[str | None, bytes]]:
    """A thousand lines: the wire of each good one, and what is sent."""
    random = Random(seed)
    made: list[tuple[str | None, bytes]] = []
    huge = 0
    for number in range(1_000):
        if random.random() < 0.1:
            line = random.choice(HOSTILE[: -1 if huge else None])
            huge += len(line) > 1_000_000
            made.append((None, line))
        else:
            wire = random.choice(GOOD).format(number)
            made.append(
                (wire, json.dumps({"wire": wire}, ensure_ascii=random.random() < 0.5).encode())
            )
    return made


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("media", ["application/x-ndjson", "application/json"])
def test_a_hostile_item_loses_no_neighbor(client: Client, seed: int, media: str) -> None:
    key = access.create_key(source="bot", scopes=("ingest",))[1]
    sent = items(seed)
    if media == "application/json":
        # Between commas an item must have its brackets closed.
        sent = [item for item in sent if item[1] not in (b"{", b"}", b'{"wire":"a"}}')]
    body = b"\n".join(line for _, line in sent)
    body = (
        b"[" + b",".join(line for _, line in sent) + b"]" if media == "application/json" else body
    )

    def send() -> Any:
        headers = {"Authorization": f"Bearer {key}", "Idempotency-Key": "fuzz"}
        return client.post("/api/v1/packets/batch", body, content_type=media, headers=headers)

    response = send()

    assert response.status_code == 207
    results = response.json()["results"]
    assert [result["item"] for result in results] == list(range(len(sent)))
    assert [result["status"] == 201 for result in results] == [wire is not None for wire, _ in sent]
    assert {result["status"] for result in results} == {201, 413, 422}
    assert all(result["error"]["detail"] for result in results if result["status"] != 201)
    stored = {packet.uid: bytes(packet.wire).decode() for packet in Packet.objects.all()}
    assert [stored[result["packet"]] for result in results if result["status"] == 201] == [
        wire for wire, _ in sent if wire is not None
    ]
    assert len(stored) == sum(wire is not None for wire, _ in sent)
    assert send().content == response.content
