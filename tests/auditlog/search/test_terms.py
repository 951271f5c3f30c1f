"""The token stream: what a packet is indexed under, and that it stays within its limits."""

from collections.abc import Iterable, Mapping
from itertools import combinations_with_replacement
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditlog.search import number, terms
from cablese.meaning import Meaning


def stream(
    wire: str = "",
    *,
    fields: Iterable[tuple[str, str]] = (),
    meaning: Meaning | None = None,
    supplied: Mapping[str, Any] | None = None,
    source: str | None = None,
) -> list[str]:
    """The tokens of a packet without those of its log, protocol and validity."""
    made = terms.stream(
        log="default", protocol="nslip", valid=True, wire=wire, fields=fields, meaning=meaning,
        supplied=supplied,
        source=source,
    )  # fmt: skip
    head, tokens = made.tokens.split(" ")[:3], made.tokens.split(" ")[3:]
    assert head == ["!log=default", "!proto=nslip", "!is=valid"]
    return tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("REQ/TSK|g=42,@=auth_refactor", "req tsk g 42 auth refactor auth_refactor"),
        ("HR-Agent v1.2", "hr agent v1 2 hr-agent v1.2"),
        ("-a_ _b.", "a b"),
        ("Ünïcode STRASSE straße", "unicode strasse strasse"),
        ("日本語 text", "日 本 語 text"),
        ("fire🔥🔥", "fire 🔥 🔥"),
        ("nul\x00nul \ud800", "nul \ufffd nul \ufffd"),
        ("", ""),
        ("|,=", ""),
    ],
)
def test_words_are_split_and_folded(text: str, expected: str) -> None:
    assert terms.words(text) == expected.split()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("42", "!f.k=#b42"),
        ("0", "!f.k=#a0"),
        ("007", "!f.k=007"),
        ("12345678901234567", "!f.k=12345678901234567"),
        ("１２", "!f.k=#b12"),
        ("#b42", "!f.k=##b42"),
        ("Auth_Refactor", "!f.k=auth_refactor"),
        ("Scope, too\tlarge!", "!f.k=scope !f.k=too !f.k=large"),
        ("", "!f.k="),
        (" ", "!f.k="),
        ("!?", "!f.k=!?"),
        ("a=b", "!f.k=a=b"),
        ("a\x00b", "!f.k=a\ufffdb"),
        ("x" * 300, "!f.k=" + "x" * 195),
    ],
)
def test_a_value_is_a_token_a_word(text: str, expected: str) -> None:
    assert terms.term("f.k", text) == expected


def test_fields_are_named_in_full_and_by_their_last_part() -> None:
    fields = [
        ("g", "a"),
        ("ctx.loc", "b"),
        ("plan.0.2.n", "c"),
        ("tags.0", "d"),
        ("My Key=", "e"),
        ("", "f"),
    ]

    assert stream(fields=fields) == [
        "!f.g=a", "!f.ctx.loc=b", "!f.loc=b", "!f.plan.0.2.n=c", "!f.n=c", "!f.tags.0=d",
        "!f.tags=d",
        "!f.my_key_=e",
    ]  # fmt: skip


def test_values_are_flattened_to_dotted_names() -> None:
    values = {
        "act": "REQ",
        "slots": {"g": 42, "@": "x"},
        "ctx": {"a": [1, {"b": None}], "c": True},
        "d": [],
        "e": 0.5,
    }

    assert terms.flatten(values) == [
        ("act", "REQ"), ("g", "42"), ("@", "x"), ("ctx.a.0", "1"), ("ctx.a.1.b", "null"), ("ctx.c",
        "true"),
        ("e", "0.5"),
    ]  # fmt: skip


def test_flattening_many_or_deep_values_ends() -> None:
    deep: object = "x"
    for _ in range(5_000):
        deep = [deep]

    assert len(terms.flatten({"a": list(range(20_000)), "b": deep})) == terms.MAX_TERMS
    assert len(list(terms.members({"a": [0] * 20_000, "b": deep}))) == terms.MAX_TERMS
    assert terms.flatten({"b": deep})[0][1] == "x"


def test_meaning_and_supplied_facts_are_told_apart() -> None:
    meaning = Meaning("request", goal="42", sender="A b", tags=("x", "y"), priority=0)

    assert stream(meaning=meaning, supplied={"goal": 7, "tags": ["z"], "note": "w", "to": None},
    source="bot") == [
        "!src=bot", "!p.act=request", "!p.goal=#b42", "!p.from=a", "!p.from=b", "!p.prio=#a0",
        "!p.tag=x", "!p.tag=y",
        "!s.goal=#a7", "!s.tag=z", "=", "7", "=", "w", "=", "z",
    ]  # fmt: skip


def test_a_supplied_value_that_comes_again_is_not_cut_into_words_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = stream(supplied={"thread": "night-run 17"})
    monkeypatch.delattr(terms, "_aside")

    assert stream(supplied={"thread": "night-run 17"}) == first


def test_escaped_text_is_found_by_its_plain_spelling() -> None:
    assert stream("r=a%2Cb", fields=[("r", "a,b")]) == ["!f.r=a,b", "r", "a", "2cb", "=", "a", "b"]


def test_limits_hold_and_places_stay() -> None:
    tokens = stream(
        "spam " * 300 + "egg " + "word" * 100, fields=[(f"k{n}", "v") for n in range(9_000)]
    )

    assert len(tokens) + 3 <= terms.MAX_TOKENS
    assert sum(token.startswith("!f.k") for token in tokens) + 3 == terms.MAX_TERMS
    assert tokens.count("spam") == terms.MAX_REPEATS
    assert tokens[tokens.index("egg") - 1] == terms.GAP
    assert max(map(len, tokens)) == terms.MAX_TOKEN
    assert len(stream("a b " * 20_000)) + 3 == terms.MAX_TOKENS
    long = stream(" ".join(f"{n}{'ж' * 190}" for n in range(9_000)))
    assert terms.MAX_BYTES - 1_000 < len(" ".join(long).encode()) <= terms.MAX_BYTES


@pytest.mark.parametrize(
    "supplied",
    [{"content": "spam " * 300}, {"attributes": {"a": "! " * 300}}, {"tags": ["! " * 300]}],
    ids=["text", "signs in an attribute", "signs in a tag"],
)
def test_limits_hold_for_what_is_supplied_with_a_short_wire(supplied: dict[str, Any]) -> None:
    tokens = stream("x", supplied=supplied)

    assert max(map(tokens.count, {*tokens} - {terms.GAP})) == terms.MAX_REPEATS


def test_a_long_key_is_cut_and_its_value_stays() -> None:
    longest = "k" * terms.MAX_KEY

    assert stream(fields=[(longest, "v")]) == [f"!f.{longest}=v"]
    assert stream(fields=[(longest * 3, "v")]) == [f"!f.{longest}=v"]


@given(
    st.text(max_size=200),
    st.lists(st.tuples(st.text(max_size=20), st.text(max_size=50)), max_size=5),
    st.text(max_size=50),
)
def test_no_text_makes_a_token_that_an_engine_could_misread(
    wire: str, fields: list[tuple[str, str]], fact: str
) -> None:
    meaning = Meaning("request", goal=fact, tags=(fact,))
    made = terms.stream(
        log="default", protocol="x", valid=False, wire=wire, fields=fields, meaning=meaning,
        supplied={"goal": fact, "z": fact}, source=fact,
    )  # fmt: skip

    made.tokens.encode()
    assert made.keys == tuple(name for name, _ in fields)
    for token in made.tokens.split(" "):
        assert token
        assert not any(char.isspace() or char < " " or char == "\x7f" for char in token)


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 10**6))
def test_a_range_holds_exactly_its_numbers(low: int, high: int, value: int) -> None:
    token = number.word(str(value))

    def held(cuts: list[number.Cut]) -> bool:
        return any(
            token.startswith(cut.token) if cut.prefix else token == cut.token for cut in cuts
        )

    assert held(number.between(low, high)) == (low <= value <= high)
    assert held(number.between(low, None)) == (low <= value)
    assert held(number.beginning(str(low))) == str(value).startswith(str(low))


def test_a_range_that_ends_near_a_power_of_ten_holds_exactly_its_numbers() -> None:
    tokens = [number.word(str(value)) for value in range(1_100)]

    for low, high in combinations_with_replacement((0, 9, 10, 99, 101, 1_000), 2):
        cuts = number.between(low, high)
        exact = {cut.token for cut in cuts if not cut.prefix}
        begins = tuple(cut.token for cut in cuts if cut.prefix)
        held = [at for at, token in enumerate(tokens) if token in exact or token.startswith(begins)]
        assert held == list(range(low, high + 1))


@pytest.mark.parametrize(
    ("low", "high", "cuts"), [(10, 19, 1), (10, 99, 1), (100, 299, 2), (100, 2_999, 3)]
)
def test_a_range_has_as_few_cuts_as_digits_allow(low: int, high: int, cuts: int) -> None:
    assert len(number.between(low, high)) == cuts


def test_a_sign_that_is_written_as_words_is_found_by_them() -> None:
    assert len(terms.words("\ufdfa")) == 4


def test_a_long_text_grows_at_most_threefold() -> None:
    size = 50_000

    assert len(terms.fold("\ufdfa" * size)) <= 3 * size + 1_000
    assert len(terms.fold("한" * size)) == 3 * size


def test_it_folds_a_long_run_of_marks_in_linear_time() -> None:
    marks = "a" + "\u0301\u0316" * 500_000

    assert terms.fold(marks) == "a"


def test_a_packet_is_found_by_the_words_of_its_source() -> None:
    assert stream(source="Seldom Seen") == ["!src=seldom", "!src=seen"]
    assert stream() == []
