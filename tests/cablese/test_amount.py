"""Numbers with their nouns."""

from cablese.amount import count, leaves


def test_one_thing_is_not_plural() -> None:
    assert [count(number, "packet") for number in (0, 1, 2_000)] == [
        "0 packets", "1 packet", "2,000 packets",
    ]  # fmt: skip
    assert [leaves(number) for number in (0, 1, 2_000)] == ["0 leaves", "1 leaf", "2,000 leaves"]
