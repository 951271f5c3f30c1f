"""Counts and pieces of tokens, without a network."""

import os
import socket
import stat
import subprocess
import sys
import tempfile
import textwrap
from functools import cache
from pathlib import Path
from typing import NoReturn
from unicodedata import normalize

import msgspec
import pytest
import tiktoken
import toktok
from django.conf import settings
from hypothesis import given
from hypothesis import strategies as st
from tiktoken_ext import openai_public

from cablese import tokens
from cablese.message import Span
from cablese.protocols.nslip.codec import codec as nslip
from cablese.tokens import composed, cut, engine, tokenizer, vocabulary
from tests import fuzz

OPENAI = ("o200k_base", "cl100k_base")

# Each sample with its count in o200k_base. The texts are quoted from the sources.
CLAIMS = {
    "nSLIP's natural-language example": (
        (
            '"I need you to create a plan for implementing a health-check endpoint \n'
            "for the authentication service. This is a medium priority task. \n"
            'Please develop an approach and let me know your proposed solution."'
        ),
        39,
    ),
    "nSLIP's message": ("REQ/TSK|g=42,t=1,p=2,@=auth_healthcheck", 19),
    "the JSON baseline of docs/design/protocols.md": (
        '{"act":"REQUEST","frame":"TASK","goal":42,"task":1,"priority":2,"tag":"auth_refactor"}',
        27,
    ),
    "AACP's fetch instruction": (
        (
            "Please retrieve the employee salary records for the period ending 31 August 2024. "
            "I need all active employees, their departments, cost centres, base salary, "
            "any changes made this month, and pension contribution rates. Return as JSON array."
        ),
        48,
    ),
    "AACP's fetch packet": (
        "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|res:emp_salary|period:2024-08|filter:status=active|fmt:json",
        41,
    ),
    "a T-line": ("T|17|Q|obj=test_scope;ctx=api_auth", 14),
}

CYCLE = (
    "REQ/TSK|g=42,t=1,p=2,@=auth_refactor",
    "PRO/PLN|g=42,t=1,p=2,@=plan_incremental",
    "INF/OBS|g=42,t=1,r=1,s=done,@=tests_pass",
    "EVL/EVL|g=42,t=1,sc=8,@=good_coverage",
)

HARD = (
    "",
    "\0",
    "<|endoftext|><|fim_prefix|><|endofprompt|>",
    "<bos><start_of_turn>[INST]<|im_start|><|eot_id|><｜begin▁of▁sentence｜>",
    "\ud800",
    "a\udfff\ud83e\udde0z",
    "𓂀🧠 日本 \U0010ffff",
    "e\u0301 \u1112\u1161\u11ab \u212b \u0958 \u0344\u0f73",
    "▁ ▁▁  \r\n\t\u2028\ufeff",
    "🧑\u200d🚀👩\u200d👩\u200d👧",
    "a" + "\u0301\u0327" * 50,
)

LONG = (
    " " * 1_000_000,
    "\n" * 500_000,
    "a" * 1_000_000,
    "\u3000" * 1_000_000,
    "日" * 300_000,
    "\ud800" * 250_000,
)

# Letters, marks, joiners, blanks, digits and contractions, close together, which is where
# tokenizers disagree.
awkward = st.text(
    st.sampled_from(
        "aZéßĲǅʰ日한ก्\u0301\u0327\u1100\u1161\u200d🧠𓂀०１5_'’sTll.,|/=;:\r\n\t \u00a0\u3000▁<>\0"
    )
)
any_text = st.one_of(st.text(), awkward)


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **kwargs: object) -> NoReturn:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.fixture
def unloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """tiktoken as in a new process, with nothing of the user's in the environment and no directory
    of ours.
    """
    monkeypatch.setattr(tiktoken.registry, "ENCODINGS", {})
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR", raising=False)
    monkeypatch.delenv("DATA_GYM_CACHE_DIR", raising=False)
    monkeypatch.setattr(vocabulary, "_directory", None)


@cache
def tiktokens(name: str) -> tiktoken.Encoding:
    return vocabulary.encoding(name)


@cache
def splintrs_o200k() -> engine.Splintr:
    pytest.importorskip("splintr")
    return engine.Splintr("o200k_base")


def spelled(found: tuple[tokens.Piece, ...]) -> str:
    return "".join(piece.text for piece in found)


def ids(found: tuple[tokens.Piece, ...]) -> list[int]:
    return [token for piece in found for token in piece.ids]


@pytest.mark.parametrize(("text", "expected"), CLAIMS.values(), ids=CLAIMS)
def test_it_counts_what_the_claims_table_says(text: str, expected: int) -> None:
    assert tokens.count(text) == tokens.Count(expected, exact=True)


def test_it_counts_nslips_cycle() -> None:
    plain = [msgspec.json.encode(nslip.plain(nslip.decode(wire))).decode() for wire in CYCLE]

    assert sum(found.count for found in tokens.count_batch(CYCLE)) == 79
    assert sum(found.count for found in tokens.count_batch(plain)) == 118


@pytest.mark.parametrize("name", OPENAI)
@given(texts=st.lists(any_text, max_size=5))
def test_it_counts_as_tiktoken_does(name: str, texts: list[str]) -> None:
    reference = tiktokens(name)

    found = tokens.count_batch(texts, name)

    assert found == [
        tokens.Count(len(reference.encode(text, disallowed_special=())), exact=True)
        for text in texts
    ]


@pytest.mark.parametrize("name", OPENAI)
@fuzz.examples(60)
@given(text=st.text(st.characters(max_codepoint=127)))
def test_it_counts_ascii_as_tiktoken_does(name: str, text: str) -> None:
    assert tokens.count(text, name).count == len(tiktokens(name).encode_ordinary(text))


@pytest.mark.parametrize("name", OPENAI)
def test_it_counts_as_tiktoken_does_where_toktok_does_not(name: str) -> None:
    text = "\u088f's"
    expected = len(tiktokens(name).encode_ordinary(text))

    assert vocabulary.carried(name).count(text) != expected
    assert tokens.count(text, name).count == expected


@pytest.mark.parametrize("name", OPENAI)
@given(text=any_text)
def test_its_pieces_are_tiktokens_tokens(name: str, text: str) -> None:
    reference = tiktokens(name)
    encoded = reference.encode(text, disallowed_special=())

    found = tokens.pieces(text, name)

    assert ids(found) == encoded
    assert [reference.decode(list(piece.ids), errors="strict") for piece in found] == [
        piece.text for piece in found
    ]


@pytest.mark.parametrize("name", tokens.names())
@fuzz.examples(20)
@given(text=st.one_of(any_text, st.text(st.characters(exclude_categories=()))))
def test_its_pieces_cover_the_text(name: str, text: str) -> None:
    found = tokens.pieces(text, name)

    assert spelled(found) == text
    assert [text[piece.span.start : piece.span.end] for piece in found] == [
        piece.text for piece in found
    ]
    assert [piece.span.start for piece in found] == [0, *[piece.span.end for piece in found]][
        : len(found)
    ]
    assert all(piece.text and piece.ids for piece in found)
    assert len(ids(found)) == tokens.count(text, name).count


def test_a_character_of_several_tokens_is_one_piece() -> None:
    assert tokens.pieces("a 🧠!") == (
        tokens.Piece("a", (64,), Span(0, 1)),
        tokens.Piece(" 🧠", (9552, 100, 254), Span(1, 3)),
        tokens.Piece("!", (0,), Span(3, 4)),
    )


@pytest.mark.parametrize("name", tokens.names())
@fuzz.examples(20)
@given(text=st.one_of(any_text, st.text(st.characters(exclude_categories=()))))
def test_each_token_begins_in_its_piece(name: str, text: str) -> None:
    places = tokens.starts(text, name)
    pieces = [
        (piece, number) for piece in tokens.pieces(text, name) for number in range(len(piece.ids))
    ]

    assert len(places) == tokens.count(text, name).count
    assert places == sorted(places)
    for place, (piece, number) in zip(places, pieces, strict=True):
        assert piece.span.start <= place < piece.span.end
        assert number or place == piece.span.start


def test_a_token_that_begins_inside_the_bytes_of_a_character_begins_in_it() -> None:
    """The blank and three bytes of 🧠 are two tokens: the second and the third begin in the
    character.
    """
    assert tokens.starts("a 🧠!") == [0, 1, 2, 2, 3]


@pytest.mark.parametrize("name", tokens.names())
@pytest.mark.parametrize("text", HARD)
def test_it_takes_any_text(name: str, text: str) -> None:
    found = tokens.pieces(text, name)

    assert spelled(found) == text
    assert tokens.count(text, name).count == len(ids(found))


@pytest.mark.parametrize("name", tokens.names())
def test_it_takes_long_texts(name: str) -> None:
    assert all(found.count > 0 and not found.exact for found in tokens.count_batch(LONG, name))


@pytest.mark.parametrize("name", tokens.names())
def test_a_special_token_in_a_text_is_text(name: str) -> None:
    assert tokens.count("<|endoftext|>", name).count > 1
    assert tokens.count("<|im_start|>", name).count > 1


@pytest.mark.parametrize("name", tokens.names())
def test_a_long_text_of_words_is_counted_exactly(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "Plan 42 isn't ready:\n\tnaïve 日本 a🧠 (see r2) \r\n\r\n  p=1; x_y" * 40
    whole = tokens.count(text, name)
    whole_pieces = tokens.pieces(text, name)

    monkeypatch.setattr(cut, "LIMIT", 100)
    monkeypatch.setattr(tokenizer, "LIMIT", 100)

    assert len(list(cut.cut(text))) > 10
    assert tokens.count(text, name) == whole
    assert tokens.pieces(text, name) == whole_pieces


def test_it_says_why_a_count_is_not_exact() -> None:
    blanks, surrogate = tokens.count_batch([" " * 300_000, "\ud800"])

    assert (blanks.exact, surrogate.exact) == (False, False)
    assert "200,000" in blanks.reason
    assert "U+FFFD" in surrogate.reason


def test_parts_are_cut_between_a_word_and_a_blank_within_the_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cut, "LIMIT", 5)

    assert list(cut.cut("ab cd e")) == [("ab cd", True), (" e", True)]
    assert list(cut.cut("ab;;;;;;c")) == [("ab;;;", False), (";;;c", True)]
    assert list(cut.cut("12345")) == [("12345", True)]


def test_no_tokenizer_has_a_token_across_a_cut() -> None:
    text = "a b\nc\td\r1 2\n3\t4\rz  y\n\nx"

    for name in tokens.names():
        for found in tokens.pieces(text, name):
            assert not any(
                a.isalnum() and b.isspace()
                for a, b in zip(found.text, found.text[1:], strict=False)
            )


def test_the_first_tokenizer_is_o200k_base() -> None:
    assert tokens.names()[:2] == OPENAI
    assert [tokens.info(name).name for name in tokens.names()] == list(tokens.names())


def test_it_names_the_tokenizers_there_are_when_asked_for_another() -> None:
    for call in (
        tokens.info,
        lambda name: tokens.count("", name),
        lambda name: tokens.pieces("", name),
    ):
        with pytest.raises(tokens.UnknownTokenizer, match="o200k_base, cl100k_base") as raised:
            call("claude")
        assert raised.value.name == "claude"


def test_without_the_extra_only_openais_tokenizers_are_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        tokenizer, "find_spec", lambda package: None if package == "splintr" else object()
    )
    tokenizer.names.cache_clear()
    try:
        assert tokens.names() == OPENAI
        with pytest.raises(tokens.UnknownTokenizer):
            tokens.info("llama3")
    finally:
        tokenizer.names.cache_clear()


@given(text=st.one_of(st.text(), awkward))
def test_splintr_agrees_with_tiktoken_on_the_vocabulary_both_have(text: str) -> None:
    ours = [token for token, _ in splintrs_o200k().split(text)]

    assert ours == tiktokens("o200k_base").encode_ordinary(text)


def test_qwen_counts_composed_text() -> None:
    pytest.importorskip("splintr")

    assert tokens.count("e\u0301", "qwen3") == tokens.count("é", "qwen3")
    assert [piece.text for piece in tokens.pieces("ae\u0301b", "qwen3")] == ["a", "e\u0301", "b"]


@given(text=awkward)
def test_places_of_composed_text_are_those_of_nfc(text: str) -> None:
    ends = composed.composed_ends(text)

    assert [normalize("NFC", text[:at]) for at in ends.values()] == [
        normalize("NFC", text)[:at] for at in ends
    ]


def test_a_cluster_of_marks_does_not_join_its_neighbours() -> None:
    assert composed.composed_ends("a\u0327\u0301bc") == {0: 0, 2: 3, 3: 4, 4: 5}


@pytest.mark.parametrize("name", OPENAI)
def test_the_rebuilt_vocabulary_has_the_hash_that_tiktoken_expects(name: str) -> None:
    published = {
        "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
        "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    }

    wanted = vocabulary.original(name)

    assert wanted.sha256 == published[name]
    assert vocabulary.rebuild(name, wanted)


def test_a_wrong_vocabulary_raises_and_asks_no_network(
    unloaded: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken:
        def token_byte_values(self) -> list[bytes]:
            return [b"a", b"b"]

    monkeypatch.setattr(toktok, "_encoding", lambda _: Broken())

    with pytest.raises(tokens.VocabularyError, match="rebuilt from toktok"):
        vocabulary.encoding("o200k_base")


def test_a_tiktoken_that_does_not_say_its_hash_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    def silent() -> dict[str, object]:
        return {}

    monkeypatch.setitem(openai_public.ENCODING_CONSTRUCTORS, "o200k_base", silent)

    with pytest.raises(tokens.VocabularyError, match="does not say"):
        vocabulary.original("o200k_base")


def test_the_vocabulary_is_kept_in_the_configured_directory(
    unloaded: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    directory = tmp_path / "not" / "yet"
    tokens.configure(directory)
    vocabulary.encoding("cl100k_base")
    monkeypatch.setattr(tiktoken.registry, "ENCODINGS", {})
    monkeypatch.setattr(vocabulary, "rebuild", lambda *_: pytest.fail("it was there already"))

    assert vocabulary.encoding("cl100k_base").encode_ordinary("hello world") == [15339, 1917]
    assert [path.name for path in directory.iterdir()] == [
        vocabulary.original("cl100k_base").filename
    ]
    assert "TIKTOKEN_CACHE_DIR" not in os.environ


def test_a_spoilt_file_is_written_again(unloaded: None, tmp_path: Path) -> None:
    file = tmp_path / vocabulary.original("cl100k_base").filename
    file.write_bytes(b"IQ== 0\n")
    tokens.configure(tmp_path)

    vocabulary.encoding("cl100k_base")

    assert file.stat().st_size > 1_000_000


def test_a_directory_that_cannot_be_written_is_left_alone(unloaded: None, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a directory")
    tokens.configure(blocked)

    assert vocabulary.encoding("cl100k_base").encode_ordinary("hello world") == [15339, 1917]
    assert blocked.read_text() == "not a directory"


def test_a_read_only_directory_will_do(
    unloaded: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    real = tempfile.mkstemp

    def mkstemp(*, dir: Path, prefix: str) -> tuple[int, str]:  # noqa: A002
        if dir == tmp_path:
            raise PermissionError("read-only")
        return real(dir=dir, prefix=prefix)

    monkeypatch.setattr(tempfile, "mkstemp", mkstemp)
    tokens.configure(tmp_path)

    assert vocabulary.encoding("cl100k_base").encode_ordinary("hello world") == [15339, 1917]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("variable", ["TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"])
def test_the_users_own_cache_is_used_when_it_has_the_file(
    variable: str, unloaded: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    wanted = vocabulary.original("cl100k_base")
    (tmp_path / wanted.filename).write_bytes(vocabulary.rebuild("cl100k_base", wanted))
    monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.setattr(vocabulary, "rebuild", lambda *_: pytest.fail("the user has the file"))

    vocabulary.encoding("cl100k_base")

    assert os.environ[variable] == str(tmp_path)


@pytest.mark.parametrize("contents", [None, b"something else"])
def test_a_users_cache_without_the_right_file_is_left_as_it_is(
    contents: bytes | None, unloaded: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    theirs, ours = tmp_path / "theirs", tmp_path / "ours"
    theirs.mkdir()
    file = theirs / vocabulary.original("cl100k_base").filename
    if contents is not None:
        file.write_bytes(contents)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(theirs))
    tokens.configure(ours)

    vocabulary.encoding("cl100k_base")

    assert os.environ["TIKTOKEN_CACHE_DIR"] == str(theirs)
    assert (file.read_bytes() if file.exists() else None) == contents
    assert len(list(ours.iterdir())) == 1


def test_two_processes_may_build_the_vocabularies_at_once(tmp_path: Path) -> None:
    program = textwrap.dedent(
        """
        import socket, sys
        from pathlib import Path
        def refuse(*args): raise AssertionError("the network was asked")
        socket.socket.connect = refuse
        from cablese import tokens
        tokens.configure(Path(sys.argv[1]))
        sys.stdin.readline()
        names = ("o200k_base", "cl100k_base")
        print(*[tokens.count("REQ/TSK|g=42 𓂀", name).count for name in names])
        """
    )
    directory = tmp_path / "vocabularies"
    environment = {
        k: v for k, v in os.environ.items() if k not in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR")
    }
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(directory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
            cwd=Path(__file__).parents[3],
        )
        for _ in range(2)
    ]
    for racer in racers:
        assert racer.stdin
        racer.stdin.write("go\n")
        racer.stdin.flush()
    answers = [racer.communicate(timeout=60)[0] for racer in racers]

    assert [racer.returncode for racer in racers] == [0, 0]
    assert answers[0] == answers[1]
    assert sorted(path.name for path in directory.iterdir()) == sorted(
        vocabulary.original(name).filename for name in OPENAI
    )
    assert all(stat.S_ISREG(path.stat().st_mode) for path in directory.iterdir())


def test_the_installation_keeps_its_vocabularies_in_its_data_directory() -> None:
    assert vocabulary._directory == settings.DATA / "vocabularies"
