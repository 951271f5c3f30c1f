"""What nlip-sdk prints: nulls, and its own name for an authentication token."""

from collections.abc import Iterator

import pytest
from nlip_sdk import nlip as sdk

from cablese.protocols.nlip.codec import codec


def _sdk_messages() -> Iterator[sdk.NLIP_Message]:
    factory = sdk.NLIP_Factory
    yield factory.create_text("Hello")
    yield factory.create_text("Hello", label="user")
    yield factory.create_control("What are your policies?")
    yield factory.create_json({"city": None, "days": [1, None]})
    message = factory.create_text("Hello")
    message.add_text("Bonjour", "french")
    message.add_json({"a": None})
    message.add_location_gps("52.5, 13.4")
    message.add_error_code("E17")
    message.add_generic("e4", "chess")
    message.add_conversation_token("c-17")
    message.add_authentication_token("t-17", label="mine")
    yield message


def _mended(wire: str) -> str:
    """``wire`` with its fixes applied one by one, from the first."""
    for _ in range(50):
        fix = next(
            (diagnostic.fix for diagnostic in codec.decode(wire).diagnostics if diagnostic.fix),
            None,
        )
        if fix is None:
            return wire
        wire = wire[: fix.span.start] + fix.text + wire[fix.span.end :]
    raise AssertionError(wire)


@pytest.mark.requirement("NLIP-10")
@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize(
    "message", list(_sdk_messages()), ids=lambda one: f"{one.format}-{one.content}"[:30]
)
def test_it_reads_the_nulls_that_nlip_sdk_prints(
    message: sdk.NLIP_Message, indent: int | None
) -> None:
    printed, clean = message.model_dump_json(indent=indent), message.to_json()

    read, without = codec.decode(printed), codec.decode(clean)

    assert read.valid
    assert read.values == without.values
    nulls = [diagnostic for diagnostic in read.diagnostics if diagnostic.code == "nlip.null"]
    assert len(nulls) == printed.count("null") - clean.count("null")
    assert all(found.severity == "warning" and found.fix is not None for found in nulls)
    assert codec.decode(_mended(printed)).values == codec.decode(_mended(clean)).values
    assert not any(
        diagnostic.code == "nlip.null" for diagnostic in codec.decode(_mended(printed)).diagnostics
    )


def test_an_authorization_token_is_read_with_a_warning_and_renamed() -> None:
    message = sdk.NLIP_Factory.create_text("Hello")
    message.add_authentication_token("t-17")

    read = codec.decode(message.to_json())

    assert read.valid
    assert [diagnostic.code for diagnostic in read.diagnostics] == ["nlip.authorization-token"]
    assert '"subformat":"authentication"' in _mended(message.to_json())


def test_a_null_message_type_never_turns_a_control_message_into_data() -> None:
    wire = (
        '{"MessageType":null,"control":true,"Format":"text","Subformat":"English","Content":"Who?"}'
    )

    fixes = [diagnostic.fix for diagnostic in codec.decode(wire).diagnostics]

    assert fixes[1] is None
    assert codec.decode(_mended(wire)).values == codec.decode(wire).values
