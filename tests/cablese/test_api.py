"""What `import cablese` gives."""

import doctest
import subprocess
import sys

import pytest

import cablese

WIRES = {
    "aacp": "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|period:2024-08",
    "nslip": "REQ/TSK|g=42,t=1,p=2,@=auth_healthcheck",
    "tline": "T|17|Q|obj=door",
}


def test_the_examples_of_the_docstrings_are_true() -> None:
    found = doctest.testmod(cablese)

    assert found.attempted >= len(cablese.__all__) - 8
    assert found.failed == 0


def test_every_name_is_there_and_every_function_has_an_example() -> None:
    functions = [name for name in cablese.__all__ if name.islower()]

    assert functions == ["converse", "count", "decode", "detect", "encode", "split", "translate"]
    for name in functions:
        assert ">>> " in (getattr(cablese, name).__doc__ or ""), name


@pytest.mark.parametrize(("protocol", "wire"), WIRES.items())
def test_a_wire_is_detected_decoded_and_encoded(protocol: str, wire: str) -> None:
    message = cablese.decode(wire)

    assert cablese.detect(wire)[0].protocol == protocol == message.protocol
    assert message.valid
    assert cablese.encode(protocol, message.values, dialect=message.dialect) == wire


def test_a_text_of_no_protocol_is_a_message_and_no_error() -> None:
    message = cablese.decode("hello")

    assert (message.protocol, message.valid) == ("unknown", False)
    assert cablese.detect("hello") == ()


def test_names_that_do_not_exist_are_refused() -> None:
    with pytest.raises(cablese.UnknownProtocol):
        cablese.decode("hello", "morse")
    with pytest.raises(cablese.UnknownProtocol):
        cablese.encode("morse", {})
    with pytest.raises(cablese.UnknownDialect):
        cablese.encode("tline", {}, dialect="tline/9")
    with pytest.raises(cablese.UnknownProtocol):
        cablese.translate(WIRES["tline"], "morse")


def test_values_without_a_wire_say_where() -> None:
    with pytest.raises(cablese.Unencodable) as refused:
        cablese.encode("tline", {"id": 17, "kind": "Q"})

    assert refused.value.pointer == "/payload"


def test_a_text_is_split_and_its_messages_are_a_conversation() -> None:
    text = "10:00 ann: T|17|Q|obj=door\n-- a remark\n10:01 bob: T|18|A|st=open\n"
    transcript = cablese.split(text)
    wires = [cut.wire for cut in transcript.messages]
    (conversation,) = cablese.converse(wires)

    assert wires == ["T|17|Q|obj=door", "T|18|A|st=open"]
    assert [text[slice(*cut.span)] for cut in transcript.messages] == wires
    assert [turn.index for turn in conversation.turns] == [0, 1]
    decoded = [cablese.decode(wire) for wire in wires]
    assert conversation.legs == cablese.converse(decoded)[0].legs


def test_a_message_and_its_wire_are_translated_alike() -> None:
    wire = WIRES["nslip"]

    assert cablese.translate(wire, "tline") == cablese.translate(cablese.decode(wire), "tline")


def test_tokenizers_are_imported_by_the_first_count() -> None:
    code = (
        "import sys, cablese\n"
        "cablese.decode('T|17|Q|obj=door')\n"
        "late = {'cablese.tokens', 'tiktoken', 'toktok', 'django'}\n"
        "assert not late & set(sys.modules), late & set(sys.modules)\n"
        "cablese.count('T|17')\n"
        "assert 'cablese.tokens' in sys.modules\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert run.returncode == 0, run.stderr
