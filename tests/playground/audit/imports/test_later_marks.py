"""A byte order mark inside a file, where a chunk may begin."""

import pytest
from django.test import Client

from tests.playground.audit.imports.test_importing import send, send_all, wires

pytestmark = pytest.mark.django_db

MARK = "\ufeff"
TEXT = f"REQ/TSK|g=1\n{MARK}REQ/TSK|g=2\n"
ITEMS = f'{{"wire":"REQ/TSK|g=1"}}\n{MARK}{{"wire":"REQ/TSK|g=2"}}\n'


@pytest.mark.parametrize(("kind", "text"), [("text", TEXT), ("ndjson", ITEMS)])
def test_a_chunk_that_begins_with_a_mark_is_read_as_the_whole_file_is(
    admin_client: Client, kind: str, text: str
) -> None:
    data = text.encode()
    whole = send(admin_client, data, kind=kind)
    answers, taken = send_all(admin_client, data, data.index(b"\n") + 1)

    assert len(answers) > 1
    assert taken == len(data)
    assert wires() == ["REQ/TSK|g=1", "REQ/TSK|g=2"]
    assert sum(answer["again"] for answer in answers) == whole["kept"]
    assert sum(answer["ignored"] for answer in answers) == whole["ignored"]
