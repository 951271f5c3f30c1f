"""Vocabularies are rebuilt, checked, and kept in a directory."""

import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path
from unittest.mock import Mock

import pytest
import tiktoken
import toktok
from django.conf import settings
from tiktoken_ext import openai_public

from cablese import tokens
from cablese.tokens import vocabulary
from cablese.tokens.engine import OpenAI
from tests.cablese.tokens.texts import OPENAI


@pytest.fixture
def unloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """tiktoken as in a new process, with nothing of the user's in the environment and no directory
    of ours.
    """
    monkeypatch.setattr(tiktoken.registry, "ENCODINGS", {})
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR", raising=False)
    monkeypatch.delenv("DATA_GYM_CACHE_DIR", raising=False)
    monkeypatch.setattr(vocabulary, "_directory", None)


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


RACER = """
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


def test_two_processes_may_build_the_vocabularies_at_once(tmp_path: Path) -> None:
    directory = tmp_path / "vocabularies"
    environment = {
        k: v for k, v in os.environ.items() if k not in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR")
    }
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", RACER, str(directory)],
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


def test_ascii_is_counted_before_tiktoken_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    load = Mock(wraps=vocabulary.encoding)
    monkeypatch.setattr(vocabulary, "encoding", load)
    engine = OpenAI("cl100k_base")

    assert engine.counts(["hello world"]) == [2]
    load.assert_not_called()
    assert engine.counts(["hello world", "é"]) == [2, 1]
    assert engine.counts(["é"]) == [1]
    load.assert_called_once_with("cl100k_base")
