"""A file in UTF-16 that says so is imported like its copy in UTF-8."""

import codecs

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from auditlog.models import Packet
from playground.audit import import_encoding
from tests.playground.drawn import words

pytestmark = pytest.mark.django_db

LOG = "planner: REQ/TSK|g=42,t=1,@=größe_🙂\r\nACC/TSK|g=42,t=1\r\n"
MARKS = {"utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}


def post(client: Client, data: bytes) -> tuple[int, str]:
    answer = client.post("/import/", {"file": SimpleUploadedFile("a.log", data)})
    return answer.status_code, words(answer.content.decode())


@pytest.mark.parametrize("encoding", MARKS)
@pytest.mark.parametrize("block", [1, 7, 1 << 20])
def test_utf_16_is_read_as_utf_8(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch, encoding: str, block: int
) -> None:
    monkeypatch.setattr(import_encoding, "_BLOCK", block)
    status, _ = post(admin_client, MARKS[encoding] + LOG.encode(encoding))

    assert status == 200
    stored = [bytes(packet.wire).decode() for packet in Packet.objects.order_by("leaf")]
    assert stored == ["REQ/TSK|g=42,t=1,@=größe_🙂", "ACC/TSK|g=42,t=1"]


@pytest.mark.parametrize(
    ("damage", "reason"), [(b"T", "truncated data"), (b"\x00\xdcA\x00", "illegal encoding")]
)
def test_a_file_that_is_not_the_utf_16_it_says_is_refused(
    admin_client: Client, damage: bytes, reason: str
) -> None:
    status, said = post(admin_client, codecs.BOM_UTF16_LE + LOG.encode("utf-16-le") + damage)

    assert status == 422
    assert f"byte order mark of UTF-16, but it is not valid UTF-16: {reason}." in said
    assert Packet.objects.count() == 0


@pytest.mark.parametrize("start", [codecs.BOM_UTF32_LE, b"\xff", b"\xfe", b""])
def test_other_files_are_taken_as_they_are(admin_client: Client, start: bytes) -> None:
    status, _ = post(admin_client, start + b"\nREQ/TSK|g=42,t=1\n")

    assert status == 200
    assert [bytes(packet.wire) for packet in Packet.objects.all()] == [b"REQ/TSK|g=42,t=1"]
