"""Quick hints that a text holds a message."""

import re
from collections.abc import Iterator

import pytest

from cablese import registry
from cablese.protocols.tline.codec import Tline
from cablese.transcript import hint

KEYS = sorted({name for codec in registry.all_codecs() for name in codec.key_hints})


class Carets(Tline):
    """A line protocol that only its package names."""

    name = "carets"
    anchor = re.compile(r"T\^")
    signs = "/^"


class Moves(Tline):
    """A JSON protocol that only its package names."""

    name = "moves"
    form = "json"
    key_hints = ("moves",)


@pytest.fixture
def new_protocols(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    codecs = (*registry.all_codecs(), Carets(), Moves())
    with monkeypatch.context() as patch:
        patch.setattr(registry, "all_codecs", lambda: codecs)
        forget()
        yield
    forget()


def forget() -> None:
    hint._other_signs.cache_clear()
    hint._keys.cache_clear()
    hint.has_key.cache_clear()


@pytest.mark.parametrize("name", KEYS)
@pytest.mark.parametrize(
    "written",
    ['{"%s": 1}', "{%s: 1}", "{'%s' : 1}", '{\\"%s\\":1}', "{&quot;%s&quot;:1}", "{“%s”:1}"],
)
@pytest.mark.parametrize("case", [str.lower, str.upper, str.title])
def test_a_key_of_a_message_is_seen_however_it_is_written(
    name: str, written: str, case: type[str]
) -> None:
    assert hint.may_hold(written % case(name))


@pytest.mark.parametrize(
    "text",
    [
        "SLIP v3 a b Ask Status",
        "sLiP",
        "V3 a b",
        "REQ/TSK",
        "req/tsk g",
        "a|b",
        "&QUOT;g",
        "\\U007C",
    ],
)
def test_every_line_protocol_is_seen(text: str) -> None:
    assert hint.may_hold(text)


@pytest.mark.parametrize(
    "text", ["", "plain words", "REQ/TASK", "a/b", '{"plans": 1, "agg": 2}', "v-3", "REQUEST/TSKS"]
)
def test_other_text_is_passed(text: str) -> None:
    assert not hint.may_hold(text)


@pytest.mark.usefixtures("new_protocols")
@pytest.mark.parametrize("text", ["T^17^Q", "{'moves': []}"])
def test_a_protocol_is_seen_by_what_its_package_says(text: str) -> None:
    assert hint.may_hold(text)


@pytest.mark.usefixtures("new_protocols")
def test_signs_that_most_texts_have_are_no_hint() -> None:
    assert not hint.may_hold("a/b c")
