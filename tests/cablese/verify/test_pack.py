"""Packs that were made from the description of the format, and every way to spoil one."""

import json
import random
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cablese.tlog import note
from cablese.verify.command import main
from cablese.verify.pack import verify
from cablese.verify.report import FAILED, UNUSABLE, VERIFIED, WARNED, Report, Unusable
from cablese.verify.zip_members import Members
from tests.cablese.verify.packs import KEY, ORIGIN, SIZE, lines, members, opening, write, zipped

VKEY = note.format_verifier(KEY)
STRANGER = note.format_verifier(note.make_signer(ORIGIN, bytes(range(32))).verifier)


def check(path: Path, content: dict[str, bytes]) -> Report:
    return verify(write(path / "a.zip", content), [KEY])


def places(report: Report) -> list[str]:
    return [": ".join(failure) for failure in report.failures]


def test_a_pack_is_verified(tmp_path: Path) -> None:
    report = check(tmp_path, members())
    assert (places(report), report.warnings, report.code) == ([], [], VERIFIED)
    assert "Packets: 3" in report.facts
    assert "Whether the search finds other packets is not proven." in report.facts


def test_it_reports_its_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cablese.verify.pack._STEP", 2)
    seen: list[tuple[int, int]] = []
    path = write(tmp_path / "a.zip", members())
    verify(path, [KEY], lambda done, total: seen.append((done, total)))
    assert seen == [(2, 3), (3, 3), (3, 3), (3, 3)]


def test_a_terminal_shows_how_far_a_long_pack_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("cablese.verify.pack._STEP", 2)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    path = write(tmp_path / "a.zip", members())

    main([str(path), "--key", note.format_verifier(KEY)])

    shown = capsys.readouterr().err
    assert shown.endswith("\r3 of 3 packets\n")
    assert shown.count("\n") == 1


CHANGES: list[tuple[int, dict[str, Any], str]] = [
    (1, {"entry": '{"kind":"packet"}'}, "entries.ndjson, line 2, leaf 3: The leaf is from"),
    (1, {"open": {}}, "entries.ndjson, line 2, leaf 3, by: It is missing"),
    (
        1,
        {"open": {"raw": opening("raw", "x")[1]}},
        "entries.ndjson, line 2, leaf 3, raw: It does not",
    ),
    (
        1,
        {"open": {"none": opening("raw", "x")[1]}},
        "entries.ndjson, line 2, leaf 3, none: It does not",
    ),
    (
        1,
        {"open": {"\ud800": opening("raw", "x")[1]}},
        "entries.ndjson, line 2, leaf 3, \ud800: It does not",
    ),
    (1, {"erased": 6}, "entries.ndjson, leaf 3: Leaf 6, the erasure of packet 3"),
    (1, {"about": 1}, "entries.ndjson, line 2, leaf 3: A packet must not have `about`"),
    (4, {"about": 2}, "entries.ndjson, line 5, leaf 6: It is about packet 2, which is not in"),
    (4, {"about": 4}, "entries.ndjson, line 5, leaf 6: The leaf is not about packet 4"),
]


@pytest.mark.parametrize(("at", "change", "place"), CHANGES)
def test_another_line_fails_with_its_place(
    tmp_path: Path, at: int, change: dict[str, Any], place: str
) -> None:
    rows = lines()
    rows[at] |= change
    report = check(tmp_path, members(rows))
    assert report.code == FAILED
    assert [found for found in places(report) if found.startswith(place)]


MALFORMED: list[tuple[int, dict[str, Any]]] = [
    (1, {"leaf": "3"}), (1, {"leaf": True}), (1, {"leaf": -1}), (1, {"leaf": 1 << 70}),
    (1, {"leaf": 1}), (1, {"before": "x"}), (1, {"before": ""}), (1, {"before": 7}),
    (1, {"entry": 7}), (1, {"open": []}), (1, {"open": {"raw": 7}}), (1, {"entry": "\ud800"}),
    (1, {"open": {"raw": {"salt": "", "text": "x"}}}), (1, {"erased": 2}), (1, {"erased": "x"}),
    (1, {"more": 1}), (4, {"about": "x"}), (5, {"leaf": 7}), (5, {"before": "AAAA"}),
    (1, {"entry": '{"kind":[],"log":"demo"}'}), (1, {"entry": '{"kind":"packet","commit":[]}'}),
]  # fmt: skip


@pytest.mark.parametrize(("at", "change"), MALFORMED)
def test_a_malformed_line_is_unusable(tmp_path: Path, at: int, change: dict[str, Any]) -> None:
    rows = lines()
    rows[at] |= change
    with pytest.raises(Unusable, match=r"line|malformed"):
        check(tmp_path, members(rows))


def test_a_leaf_with_a_lower_index_than_its_place_is_unusable(tmp_path: Path) -> None:
    rows = lines()
    rows[2]["leaf"] = 2

    with pytest.raises(Unusable, match="line 3 is out of order"):
        check(tmp_path, members(rows))


def test_a_review_must_say_that_it_is_about_a_packet_of_the_pack(tmp_path: Path) -> None:
    """Without that, its decision could be left out unnoticed."""
    rows = lines()
    del rows[4]["about"], rows[4]["open"]
    assert places(check(tmp_path, members(rows))) == [
        "entries.ndjson, line 5, leaf 6: It is about packet 3, and has no `about`."
    ]


@pytest.mark.parametrize("packet", [2, "3", None, 6])
def test_a_review_of_no_packet_of_the_pack_has_no_about(tmp_path: Path, packet: Any) -> None:
    rows = lines()
    said = json.loads(rows[4]["entry"]) | {"leaf": packet}
    rows[4] = {"leaf": 6, "entry": json.dumps(said)}
    assert places(check(tmp_path, members(rows))) == [
        "entries.ndjson: The leaves do not match the signed tree of 8 leaves."
    ]


@pytest.mark.parametrize(
    ("query", "ends", "is_right"),
    [
        ("leaf:3..4", (3, 4), True),
        ("leaf:3", (3, 3), True),
        (" ( leaf:3..4)", (3, 4), True),
        ("leaf:5..900", (5, 6), True),
        ("leaf:7..900", (None, None), True),
        ("leaf:4..3", (None, None), True),
        ("leaf:3..6 is:invalid", (None, None), True),
        ("leaf:1..6", (None, None), False),
        ("leaf:1", (None, None), False),
        (" ( leaf:1..6)", (None, None), False),
        ("leaf:1..4", (3, 4), False),
        ("leaf:3..6", (3, 4), False),
        ("leaf:5..900", (None, None), False),
    ],
)
def test_a_query_of_a_range_has_its_ends(
    tmp_path: Path, query: str, ends: tuple[int | None, int | None], *, is_right: bool
) -> None:
    """Otherwise a range without some of its leaves could be called verified."""
    selection = {"query": query, "at": 7, "now": "", "first": ends[0], "last": ends[1]}
    report = check(tmp_path, members(change={"selection": selection}))
    text = "The search is a range of leaves. Expected its ends as `first` and `last`."
    assert places(report) == ([] if is_right else [f"manifest.json: {text}"])


def test_a_second_end_is_unusable(tmp_path: Path) -> None:
    with pytest.raises(Unusable, match="line 7 is after the last line"):
        check(tmp_path, members([*lines(), {"end": SIZE}]))


def test_lines_that_are_missing_or_too_many_are_unusable(tmp_path: Path) -> None:
    rows = lines()
    for some in (rows[1:], rows[:-1], [*rows, rows[-1]], rows[::-1], [*rows[:2], *rows[1:]]):
        with pytest.raises(Unusable):
            check(tmp_path, members(some))


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"count": 2}, "manifest.json: 'count' is 2. The entries have 3"),
        ({"erased": 1}, "manifest.json: 'erased' is 1. The entries have 0"),
        ({"origin": "other"}, "checkpoint: "),
        ({"members": {}}, "consistency: Its digest does not match the manifest"),
        ({"withheld": ["raw"]}, "entries.ndjson, line 1, leaf 1, raw: The manifest says"),
        ({"keys": []}, "manifest.json: The pack has none of the keys"),
        ({"keys": [{"vkey": VKEY, "leaf": 3}]}, "manifest.json: Leaf 3 is not about the key"),
        (
            {"keys": [{"vkey": VKEY}, {"vkey": STRANGER, "leaf": 5}]},
            "manifest.json: Leaf 5 is not about the key example.com/log/demo+",
        ),
    ],
)
def test_another_manifest_fails_with_its_place(
    tmp_path: Path, change: dict[str, Any], place: str
) -> None:
    report = check(tmp_path, members(change=change))
    assert [found for found in places(report) if found.startswith(place)]


@pytest.mark.parametrize(
    "change",
    [
        {"format": "cablese-evidence/2"}, {"log": 1}, {"size": -1}, {"size": 1.5}, {"count": "3"},
        {"withheld": ["x"]}, {"withheld": [[]]}, {"keys": {}}, {"keys": [{}]},
        {"keys": [{"vkey": "x"}]}, {"keys": [{"vkey": note.format_verifier(KEY), "leaf": "5"}]},
        {"selection": None}, {"selection": {"query": "", "at": "1"}},
        {"selection": {"query": "", "at": 1, "first": 5, "last": 4}}, {"members": []},
    ],
)  # fmt: skip
def test_a_malformed_manifest_is_unusable(tmp_path: Path, change: dict[str, Any]) -> None:
    with pytest.raises(Unusable, match=r"manifest\.json"):
        check(tmp_path, members(change=change))


@pytest.mark.parametrize("name", ["checkpoint", "entries.ndjson", "manifest.json"])
def test_a_missing_member_is_unusable(tmp_path: Path, name: str) -> None:
    content = members()
    del content[name]
    with pytest.raises(Unusable, match=f"{name} is missing"):
        check(tmp_path, content)


def test_another_first_tree_fails(tmp_path: Path) -> None:
    content = members()
    content["consistency"] = content["consistency"].replace(b"\n", b"\nAAAA\n", 1)
    assert "consistency: A hash does not have 32 bytes." in places(check(tmp_path, content))


def test_every_changed_character_fails_or_is_unusable(tmp_path: Path) -> None:
    content = members()
    for name, data in content.items():
        for at in range(0, len(data), 11):
            other = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
            try:
                report = check(tmp_path, content | {name: other})
            except Unusable:
                continue
            assert report.code == FAILED, (name, at)


def test_no_damaged_file_is_verified_or_stops_the_verifier(tmp_path: Path) -> None:
    data, path = zipped(members()), tmp_path / "a.zip"
    chance = random.Random(1)
    for _ in range(1_500):
        at, size = chance.randrange(len(data)), chance.randrange(1, 9)
        path.write_bytes(data[:at] + chance.randbytes(chance.randrange(9)) + data[at + size :])
        try:
            report = verify(path, [KEY])
        except Unusable:
            continue
        # Names, times, and rights of members in the zip's own lists say nothing.
        assert report.code in (VERIFIED, FAILED)


def test_the_command_says_it_and_exits_with_the_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, key = str(write(tmp_path / "a.zip", members())), note.format_verifier(KEY)
    assert main([path, "--key", key]) == VERIFIED
    assert capsys.readouterr().out.startswith("Verified: the evidence of example.com/log/demo\n")
    assert main([path]) == WARNED
    assert "Warning: No key was given" in capsys.readouterr().out
    content = members(change={"count": 2})
    assert main([str(write(tmp_path / "b.zip", content)), "--key", key]) == FAILED
    assert "Failed: manifest.json: 'count' is 2" in capsys.readouterr().out
    (tmp_path / "c.zip").write_bytes(b"PK\3\4")
    assert main([str(tmp_path / "c.zip"), "--key", key]) == UNUSABLE


def test_hashes_of_another_tree_fail(tmp_path: Path) -> None:
    rows = lines()
    rows[0]["before"] = b64encode(bytes(32)).decode()
    assert places(check(tmp_path, members(rows))) == [
        "entries.ndjson: The leaves do not match the signed tree of 8 leaves."
    ]


def test_a_member_has_a_limit(tmp_path: Path) -> None:
    assert check(tmp_path, members() | {"README.txt": bytes(1 << 20)}).code == FAILED
    for name in ("README.txt", "manifest.json"):
        with pytest.raises(Unusable, match=f"{name} is larger than the limit of 1,048,576 bytes"):
            check(tmp_path, members() | {name: bytes((1 << 20) + 1)})


def test_a_line_has_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read, limits = Members.lines, []

    def note_limit(own: Members, name: str, limit: int) -> Iterator[bytes]:
        limits.append(limit)
        return read(own, name, limit)

    monkeypatch.setattr(Members, "lines", note_limit)
    check(tmp_path, members())

    assert limits == [128 * 1024 * 1024]
