"""What every codec does alike, beside the rules of its own protocol."""

import pytest

from cablese import registry
from cablese.codec import LINE_LIMIT, UNSEEN_LIMIT, Codec
from cablese.message import Diagnostic, Span
from tests.cablese.hostile import wires

SACP = '{"g":"%s","plan":[["run","T",{}]]}'


@pytest.mark.parametrize(
    ("text", "code"), [("a\u200b", "sacp.invisible"), ("a\ud800", "sacp.not-text")]
)
def test_it_tells_of_a_hundred_places_and_counts_the_others(text: str, code: str) -> None:
    some = registry.get("sacp").decode(SACP % (text * UNSEEN_LIMIT)).diagnostics
    many = registry.get("sacp").decode(SACP % (text * 2500)).diagnostics

    assert [found.code for found in some] == [found.code for found in many] == [code] * UNSEEN_LIMIT
    assert many[:-1] == some[:-1]
    assert "more" not in some[-1].message
    assert many[-1].message.endswith(" 2,400 more not listed.")


def test_it_gives_the_size_of_what_is_too_large_in_bytes() -> None:
    (found,) = registry.get("sacp").decode("é" * 2**20).diagnostics

    assert found.message.startswith("The message has 2,097,152 bytes and was not decoded.")


CODECS = pytest.mark.parametrize("codec", registry.all_codecs(), ids=registry.get_names())
LINES = pytest.mark.parametrize(
    "name", [codec.name for codec in registry.all_codecs() if codec.form == "line"]
)
BEGIN = {
    "aacp": "FETCH|HR|return:A|p:1|aacp:1.1|res:",
    "nslip": "REQ/TSK|g=1,@=",
    "slip": "SLIP v3 a b Inform Result ",
    "tline": "T|1|Q|obj=",
}


def _found(wire: str, code: str) -> Diagnostic:
    name = code.partition(".")[0]
    return next(
        diagnostic
        for diagnostic in registry.get(name).decode(wire).diagnostics
        if diagnostic.code == code
    )


@CODECS
def test_a_rule_is_told_apart_by_its_code_and_names_where_it_comes_from(codec: Codec) -> None:
    rules = (*codec.rules, *codec.common_rules)
    assert len({rule.code for rule in rules}) == len(rules)
    for rule in rules:
        assert rule.code.startswith(f"{codec.name}.")
        assert rule.severity in ("error", "warning", "info")
        assert rule.section
        assert rule.summary.endswith(".")
    assert all(rule.requirement for rule in codec.rules)


@CODECS
def test_every_diagnostic_is_as_its_rule_says(codec: Codec) -> None:
    rules = {rule.code: rule for rule in (*codec.rules, *codec.common_rules)}
    for wire in wires(codec.name):
        message = codec.decode(wire)
        for diagnostic in message.diagnostics:
            rule = rules[diagnostic.code]
            assert diagnostic.severity == rule.severity
            # A later version of a protocol has a specification of its own, which says the same
            # elsewhere.
            assert diagnostic.section == rule.section or (
                message.dialect != codec.dialects[0] and diagnostic.section
            )
        assert message.valid is not any(
            diagnostic.severity == "error" for diagnostic in message.diagnostics
        )
        assert [diagnostic.span for diagnostic in message.diagnostics] == sorted(
            diagnostic.span for diagnostic in message.diagnostics
        )


@LINES
def test_a_line_may_have_64_kib_of_bytes_and_not_one_more(name: str) -> None:
    codec = registry.get(name)
    full = BEGIN[name] + "é" * ((LINE_LIMIT - len(BEGIN[name])) // 2)
    full += "x" * (LINE_LIMIT - len(full.encode()))
    assert codec.decode(full).values
    large = codec.decode(full + "x")
    assert [(diagnostic.code, diagnostic.span) for diagnostic in large.diagnostics] == [
        (f"{name}.too-large", Span(0, len(full) + 1))
    ]
    assert (large.wire, large.values, large.valid) == (full + "x", {}, False)
    assert codec.canonical(large) is None


@LINES
@pytest.mark.parametrize(
    "hidden", ["\x07", "\x7f", "\u200b", "\u202e", "\u2066", "\ufeff", "\U000e0041"]
)
def test_what_cannot_be_seen_is_warned_of_at_its_place(name: str, hidden: str) -> None:
    wire = f"{BEGIN[name]}🚀{hidden}b"
    diagnostic = _found(wire, f"{name}.invisible")
    assert diagnostic.severity == "warning"
    assert wire[slice(*diagnostic.span)] == hidden
    assert f"U+{ord(hidden):04X}" in diagnostic.message


@LINES
def test_half_of_a_surrogate_pair_is_an_error_and_no_exception(name: str) -> None:
    wire = f"{BEGIN[name]}a\ud800"
    diagnostic = _found(wire, f"{name}.not-text")
    assert diagnostic.severity == "error"
    assert diagnostic.span == Span(len(wire) - 1, len(wire))


@pytest.mark.parametrize(
    ("wire", "code", "marked"),
    [
        ("REQ/TSK|@=🚀,g=x", "nslip.not-an-integer", "x"),
        ("FETCH|HR|return:A|p:1|aacp:1.1|res:🚀|zonk:1", "aacp.unknown-key", "zonk"),
        ("T|1|Q|obj=🚀;ctx=a b", "tline.unencoded", " "),
        ("SLIP v3 a b Inform Result 🚀 a-b", "slip.bad-payload", "🚀"),
    ],
)
def test_spans_count_code_points(wire: str, code: str, marked: str) -> None:
    assert wire[slice(*_found(wire, code).span)] == marked


@CODECS
@pytest.mark.parametrize("blanks", [" ", "\t", "\n", "\r\n", " \n\n"])
def test_blanks_around_a_message_change_nothing(codec: Codec, blanks: str) -> None:
    wire = next(wire for wire in wires(codec.name) if codec.decode(wire).valid)
    message = codec.decode(blanks + wire + blanks)
    assert message.values == codec.decode(wire).values
    assert [diagnostic.code for diagnostic in message.diagnostics] == [
        diagnostic.code for diagnostic in codec.decode(wire).diagnostics
    ]
    assert codec.canonical(message) == codec.canonical(codec.decode(wire))


@CODECS
def test_a_blank_of_another_alphabet_is_no_blank(codec: Codec) -> None:
    message = codec.decode("\u3000")
    assert codec.empty.code not in {diagnostic.code for diagnostic in message.diagnostics}
    assert not message.valid
