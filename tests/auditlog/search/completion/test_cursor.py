import pytest

from auditlog.search.completion.cursor import locate


@pytest.mark.parametrize(
    ("query", "kind", "key", "text", "span"),
    [
        ("ac|", "word", "", "ac", (0, 2)),
        ("|", "word", "", "", (0, 0)),
        ("goal:42 ac|", "word", "", "ac", (8, 10)),
        ("-ac|", "word", "", "ac", (1, 3)),
        ("-|", "word", "", "", (1, 1)),
        ("NOT ac|", "word", "", "ac", (4, 6)),
        ("(ac|", "word", "", "ac", (1, 3)),
        ("act:|", "value", "act", "", (4, 4)),
        ("act:re|", "value", "act", "re", (4, 6)),
        ("act:re|quest x", "value", "act", "request", (4, 11)),
        ("a|ct:request", "word", "", "act", (0, 4)),
        ("act:(request OR re|", "value", "act", "re", (16, 18)),
        ("act:(request) re|", "word", "", "re", (14, 16)),
        ("act:( |", "value", "act", "", (6, 6)),
        ("act:( |)x", "value", "act", "", (6, 6)),
        ("@au|", "value", "@", "au", (1, 3)),
        ("@|", "value", "@", "", (1, 1)),
        ('reason:"scope t|', "value", "reason", "scope t", (7, 15)),
        ('reason:"sco|pe" x', "value", "reason", "scope", (7, 14)),
        ('tag:(a OR "b \\"c|', "value", "tag", 'b "c', (10, 16)),
    ],
)
def test_it_tells_what_is_typed(
    query: str, kind: str, key: str, text: str, span: tuple[int, int]
) -> None:
    typed = locate(query.replace("|", ""), query.index("|"))

    assert typed is not None
    assert (typed.kind, typed.key, typed.text, typed.span) == (kind, key, text, span)


@pytest.mark.parametrize(
    "query", ["|act", '"a b|', '"a b"|', 'act:"request"|', "act:|request", 'a|"b"', "act:|(a)"]
)
def test_nothing_is_typed_before_a_word_in_a_phrase_and_after_a_quote(query: str) -> None:
    assert locate(query.replace("|", ""), query.index("|")) is None
