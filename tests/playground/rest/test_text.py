"""The limits of a text that is split into messages."""

import pytest

from playground.rest import text
from playground.rest.problems import Problem

WIRE = "REQ/TSK|g=1\n"


def test_a_text_has_at_most_as_many_messages_as_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "MESSAGES", 3)

    _, messages = text.decode_text(3 * WIRE, "auto", None)
    with pytest.raises(Problem) as refused:
        text.decode_text(4 * WIRE, "auto", None)

    assert len(messages) == 3
    assert (refused.value.status, refused.value.more["limit"]) == (413, 3)
    assert "The text has 4 messages. The limit is 3." in str(refused.value)


def test_a_text_of_too_many_parts_is_not_split_further(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "MOST_PARTS", 3)

    transcript, messages = text.decode_text("# a\n# b\n# c\n" + WIRE, "auto", None)

    assert transcript.remainder is not None
    assert (transcript.remainder.text, messages) == (WIRE.strip(), [])
