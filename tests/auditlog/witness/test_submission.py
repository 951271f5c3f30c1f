"""The body of a request for a cosignature."""

import pytest

from auditlog.witness.submission import (
    BadSubmission,
    Submission,
    format_submission,
    parse_submission,
)

NOTE = "example.com\n3\nroot\n\n— example.com AAAA\n"
HASHES = (bytes(32), bytes(range(32)))


@pytest.mark.parametrize("proof", [(), HASHES[:1], HASHES])
def test_a_submission_is_written_and_read(proof: tuple[bytes, ...]) -> None:
    assert parse_submission(format_submission(812, proof, NOTE)) == Submission(812, proof, NOTE)


@pytest.mark.parametrize(
    "body",
    ["", "old 1\n", f"old 01\n\n{NOTE}", f"old -1\n\n{NOTE}", f"new 1\n\n{NOTE}", f"\n\n{NOTE}",
     f"old 1\nAAAA\n\n{NOTE}", f"old 1\n{'A' * 43}\n\n{NOTE}",
     "old 1\n" + f"{'A' * 43}=\n" * 64 + f"\n{NOTE}",
     f"old 1\n{'A' * 43}= \n\n{NOTE}"],
)  # fmt: skip
def test_another_body_is_refused(body: str) -> None:
    with pytest.raises(BadSubmission):
        parse_submission(body)
