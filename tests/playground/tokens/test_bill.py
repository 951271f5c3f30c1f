"""The bill by field: every token is charged once, and to the right field."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cablese import detection, registry, tokens
from playground.tokens import bill
from tests import fuzz
from tests.cablese.hostile import wires


def charged(wire: str, tokenizer: str = "o200k_base") -> dict[str, tuple[int, int]]:
    made = bill.make(detection.decode(wire), tokenizer)
    assert made is not None
    return {line.field: (line.tokens, line.separators) for line in made.lines}


@pytest.mark.parametrize("tokenizer", tokens.names())
@pytest.mark.parametrize("protocol", registry.get_names())
def test_the_lines_and_the_rest_add_up_to_the_count(protocol: str, tokenizer: str) -> None:
    for wire in wires(protocol):
        message = registry.get(protocol).decode(wire)
        made = bill.make(message, tokenizer)
        assert made is not None, wire
        count = tokens.count(wire, tokenizer)
        assert sum(line.tokens for line in made.lines) + made.rest == made.count == count.count, (
            wire
        )
        assert made.exact == count.exact
        assert made.separators == sum(line.separators for line in made.lines) + made.rest
        assert all(0 <= line.separators <= line.tokens for line in made.lines)


@pytest.mark.parametrize("tokenizer", tokens.names())
@given(values=st.lists(st.text(st.characters(codec=None)), max_size=4))
@fuzz.examples(20)
def test_they_add_up_for_any_text(tokenizer: str, values: list[str]) -> None:
    wire = "REQ/TSK|" + ",".join(f"@={value}" for value in values)
    made = bill.make(registry.get("nslip").decode(wire), tokenizer)

    assert made is not None
    assert made.count == tokens.count(wire, tokenizer).count


def test_a_token_is_charged_to_the_field_it_begins_in_or_before() -> None:
    assert [piece.text for piece in tokens.pieces("REQ/TSK|g=42,t=1")] == [
        "REQ", "/", "TS", "K", "|", "g", "=", "42", ",t", "=", "1",
    ]  # fmt: skip
    assert charged("REQ/TSK|g=42,t=1") == {"act": (1, 0), "frame": (3, 1), "g": (4, 2), "t": (3, 2)}


def test_what_stands_behind_the_last_field_is_the_rest() -> None:
    message = registry.get("sacp").decode('{"g":"find","plan":[["search","web",{}]]}')
    made = bill.make(message, "o200k_base")

    assert made is not None
    assert message.wire.endswith("{}]]}")
    assert made.rest > 0
    assert made.separators > made.rest


def test_fields_inside_a_field_are_on_its_line() -> None:
    message = registry.get("sacp").decode(
        '{"g":"find","ctx":{"loc":"Paris","bdg":3},"plan":[["search","web",{}]]}'
    )
    made = bill.make(message, "o200k_base")

    assert made is not None
    (ctx,) = [line for line in made.lines if line.field == "ctx"]
    assert ctx.names == ("ctx", "ctx.loc", "ctx.bdg")


def test_what_could_not_be_read_has_a_line_without_a_name() -> None:
    assert (
        charged("no protocol claims this")[""][0] == tokens.count("no protocol claims this").count
    )


def test_the_bill_of_many_messages_is_the_sum_of_theirs() -> None:
    bills = [
        bill.make(detection.decode(wire), "o200k_base")
        for wire in ("REQ/TSK|g=42", "ACC/PLN|g=7,t=1")
    ]
    together = bill.add(item for item in bills if item is not None)

    assert together.count == sum(item.count for item in bills if item is not None)
    assert [line.field for line in together.lines] == ["act", "frame", "g", "t"]
    assert together.lines[0].tokens == sum(
        item.lines[0].tokens for item in bills if item is not None
    )


def test_a_very_long_message_has_no_bill() -> None:
    assert bill.make(detection.decode("x" * (bill.LONGEST + 1)), "o200k_base") is None


def test_characters_of_several_tokens_are_charged_where_each_token_begins() -> None:
    """Four tokens are one hieroglyph: all of them begin in it."""
    assert charged("REQ/TSK|@=")["@"] == (3, 2)
    assert charged("REQ/TSK|@=𓂀")["@"] == (7, 2)
