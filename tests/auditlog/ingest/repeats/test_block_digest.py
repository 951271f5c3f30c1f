"""The digest of a file is that of the vectors, which `split` and `sha256sum` made.

Byte i of their file is i % 251. `tests/browser/imports/test_grown_files.py` compares the digests of
the browser with the same vectors.
"""

import json
from io import BytesIO
from pathlib import Path

import pytest

from auditlog.ingest.repeats import block_digest

VECTORS = Path(__file__).parents[3] / "vectors" / "block_digests.json"
DIGESTS = {int(size): digest for size, digest in json.loads(VECTORS.read_text()).items()}
FILE = bytes(range(251)) * (max(DIGESTS) // 251 + 1)


@pytest.mark.parametrize("size", DIGESTS)
def test_a_file_has_the_digest_of_its_vector(size: int) -> None:
    found = block_digest.read(BytesIO(FILE[:size]), [size])

    assert {at: digest.hex() for at, digest in found.items()} == {size: DIGESTS[size]}


def test_a_beginning_has_the_digest_of_a_file_that_ends_there() -> None:
    found = block_digest.read(BytesIO(FILE[: max(DIGESTS)]), [*DIGESTS, *DIGESTS])

    assert {at: digest.hex() for at, digest in found.items()} == DIGESTS


def test_a_beginning_that_a_file_does_not_have_has_no_digest() -> None:
    assert list(block_digest.read(BytesIO(FILE[:10]), [10, 11, 1 << 21])) == [10]
    assert block_digest.read(BytesIO(b""), [1]) == {}


def test_a_file_is_read_from_where_it_is_and_no_further_than_needed() -> None:
    file = BytesIO(b"before" + FILE[:2_621_440])
    file.seek(6)
    found = block_digest.read(file, [1])

    assert found[1].hex() == DIGESTS[1]
    assert file.tell() == 6 + block_digest.BLOCK
