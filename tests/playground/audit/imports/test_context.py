"""A chunk of a file is read with what the chunks before it say of it."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from playground.audit.views import imports
from tests.playground.audit.imports.test_importing import facts, send_all, wires

pytestmark = pytest.mark.django_db

TABLE = "time,from,message,to\n" + "10:00,planner,REQ/TSK|g=1,t=1,executor\n" * 9
CHAT = "planner 09:42\nREQ/TSK|g=1\nexecutor 09:43\n" + "ACC/TSK|g=1\n" * 9


@pytest.mark.parametrize(
    ("text", "wire", "sender"),
    [(TABLE, "REQ/TSK|g=1,t=1", "planner"), (CHAT, "ACC/TSK|g=1", "executor")],
)
@pytest.mark.parametrize("size", [64, 100, None])
def test_a_later_chunk_knows_the_columns_and_who_speaks(
    admin_client: Client,
    monkeypatch: pytest.MonkeyPatch,
    size: int | None,
    text: str,
    wire: str,
    sender: str,
) -> None:
    if size is None:
        monkeypatch.setattr(imports, "_BLOCK", 64)
        admin_client.post("/import/", {"file": SimpleUploadedFile("a.csv", text.encode())})
    else:
        send_all(admin_client, text.encode(), size)

    assert wires()[-9:] == [wire] * 9
    assert [said["from"] for _, said in facts()[-9:]] == [sender] * 9
