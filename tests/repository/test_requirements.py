"""The table of requirements is whole, and each of them has a test."""

import re
from pathlib import Path

import pytest

from cablese import registry
from playground.reference import proofs
from playground.reference.proofs import Proof
from tests import requirements
from tests.requirements import collect, write

NUMBERED = {"aacp": 47, "nlip": 34, "nslip": 23, "sacp": 41, "slip": 8, "tline": 20}
"""How many requirements each protocol has; the last eight of SACP are those of its version 1.0."""


def test_every_protocol_has_as_many_requirements_as_protocols_numbers() -> None:
    known = {codec.name: list(codec.reference.requirements) for codec in registry.all_codecs()}

    for name, count in NUMBERED.items():
        assert known[name] == [f"{name.upper()}-{number:02}" for number in range(1, count + 1)]
    assert all(re.fullmatch(r"[A-Z]+-[0-9]{2}", one) for names in known.values() for one in names)


def test_every_requirement_is_a_sentence() -> None:
    assert all(
        words.endswith(".") and len(words) > 10
        for words in requirements.get_requirements().values()
    )


def test_every_requirement_has_a_test_and_no_test_names_another() -> None:
    found = collect(requirements.TESTS)

    assert requirements.find_gaps(found) == []
    assert requirements.find_strays(found) == []


def test_the_reference_pages_read_the_file_as_it_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = collect(requirements.TESTS)
    monkeypatch.setattr(proofs, "FILE", tmp_path / "proofs.json")
    assert proofs.load.__wrapped__() == {}

    proofs.FILE.write_bytes(write(found))

    assert proofs.load.__wrapped__() == found


def test_every_rule_guards_a_requirement_that_there_is() -> None:
    for codec in registry.all_codecs():
        assert {rule.requirement for rule in codec.rules} <= codec.reference.requirements.keys()


def test_the_command_prints_every_requirement_and_fails_on_a_gap(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    named = {
        name: (Proof("test_it", "tests/test_it.py"),) for name in requirements.get_requirements()
    }
    monkeypatch.setattr(requirements, "collect", lambda _: named)
    assert requirements.main() == 0
    printed = capsys.readouterr().out
    assert all(
        name in printed and words in printed
        for name, words in requirements.get_requirements().items()
    )
    assert f"{len(requirements.get_requirements())} requirements, 0 without a test." in printed

    del named["NLIP-21"]
    assert requirements.main() == 1
    assert "GAP: A conversation token is returned unchanged" in capsys.readouterr().out


def test_the_command_fails_on_a_name_that_no_protocol_asks_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    named = {
        name: (Proof("test_it", "tests/test_it.py"),)
        for name in (*requirements.get_requirements(), "NSLIP-99")
    }
    monkeypatch.setattr(requirements, "collect", lambda _: named)

    assert requirements.main() == 1
    assert "NSLIP-99 is named by tests/test_it.py" in capsys.readouterr().err


def test_vectors_and_marks_are_found_wherever_they_stand(tmp_path: Path) -> None:
    tests = tmp_path / "tests"
    (tests / "vectors").mkdir(parents=True)
    (tests / "vectors" / "tline.jsonl").write_text(
        '{"name": "a question", "wire": "T|1|Q|obj=a", "requirement": "TLINE-01"}\n', "utf-8"
    )
    (tests / "test_deep.py").write_text(
        "import pytest\n"
        'pytestmark = [pytest.mark.browser, pytest.mark.requirement("A-01")]\n'
        '@pytest.mark.requirement("A-02")\n'
        "def test_one(): ...\n"
        "class TestAll:\n"
        '    @pytest.mark.parametrize("x", [pytest.param(1,'
        ' marks=pytest.mark.requirement("A-03"))])\n'
        "    def test_two(self, x): ...\n"
        "def helper(): ...\n",
        "utf-8",
    )

    found = collect(tests)

    assert found["TLINE-01"] == (
        Proof("a question", "tests/vectors/tline.jsonl", protocol="tline", wire="T|1|Q|obj=a"),
    )
    assert {
        name: [proof.name for proof in listed]
        for name, listed in found.items()
        if name != "TLINE-01"
    } == {
        "A-01": ["test_one", "test_two"],
        "A-02": ["test_one"],
        "A-03": ["test_two"],
    }


def test_an_installation_without_tests_has_no_proofs(tmp_path: Path) -> None:
    assert collect(tmp_path / "tests") == {}
