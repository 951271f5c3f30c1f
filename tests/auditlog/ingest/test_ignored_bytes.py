"""What is ignored in a plain log may hold bytes that are no text, and the receipts are sent all the
same.
"""

import msgspec

from auditlog.ingest import plain


def test_ignored_bytes_that_are_no_text_can_be_answered() -> None:
    reader = plain.Reader()

    (piece,) = reader.read([b"REQ/TSK|g=1,t=1\nhello \xff\n"])

    assert len(piece.items) == 1
    assert [one.text for one in reader.ignored] == ["hello \ufffd"]
    assert msgspec.json.encode(reader.ignored)
