"""A message as a page shows it: colors that agree, and every character of it on show."""

from itertools import pairwise

import pytest

from cablese import detection
from playground.display import message as shown_module
from playground.display.glyphs import visible
from playground.display.highlight import ROW_LENGTH, brief_runs
from playground.display.tree import DEPTH, Branch
from tests.playground.display.wires import WIRES, shown


@pytest.mark.parametrize("wire", WIRES)
def test_the_runs_are_the_wire_with_glyphs_for_what_cannot_be_seen(wire: str) -> None:
    runs = shown(wire).runs

    assert "".join(run.text for run in runs) == visible(wire)
    assert all(run.text for run in runs)


@pytest.mark.parametrize("wire", WIRES)
def test_the_chips_are_the_wire_too(wire: str) -> None:
    assert "".join(chip.text for chip in shown(wire).chips) == visible(wire)


@pytest.mark.parametrize("wire", WIRES)
def test_a_field_has_one_hue_and_one_mark_wherever_it_is_drawn(wire: str) -> None:
    one = shown(wire)
    drawn = [(run.field, run.hue) for run in one.runs if run.field and run.kind != "separator"]
    drawn += [(chip.field, chip.hue) for chip in one.chips if chip.field]
    drawn += [(field, hue) for _, field, hue in one.english if field and hue is not None]
    rows = {row.mark: row.hue for row in one.rows}

    assert all(hue == rows[field] for field, hue in drawn if field in rows)
    assert {field for field, _ in drawn if " " in field} == set()


def test_messages_of_one_protocol_agree_on_their_hues() -> None:
    first, second = shown("REQ/TSK|g=42,t=1"), shown("INF/OBS|t=1,s=done,g=42")

    assert {name: first.hues[name] for name in ("g", "t")} == {
        name: second.hues[name] for name in ("g", "t")
    }


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("a\u202eb", "a⟨U+202E⟩b"),
        ("a\x00\x1bb", "a␀␛b"),
        ("a\r\nb", "a␍\nb"),
        ("caf\udce9", "caf⟨0xE9⟩"),
        ("\ud800", "⟨U+D800⟩"),
        ("é🙂\t\n", "é🙂\t\n"),
    ],
)
def test_what_cannot_be_seen_is_made_visible(text: str, seen: str) -> None:
    assert visible(text) == seen


def test_a_run_names_the_diagnostics_that_mark_it() -> None:
    one = shown("RJE/PLN|g=42,t=01,!=no")

    assert [(run.text, run.notes) for run in one.runs if run.notes] == [("RJE", "1"), ("01", "2")]


def test_a_token_belongs_to_the_field_it_begins_in_and_between_two_to_the_second() -> None:
    chips = shown("REQ/TSK|g=42,t=1").chips
    owners = "".join(f"[{chip.text}:{chip.field}]" for chip in chips)

    assert owners == "[REQ:act][/:frame][TS:frame][K:frame][|:g][g:g][=:g][42:g][,t:t][=:t][1:t]"
    assert [chip.first for chip in chips] == list(range(1, len(chips) + 1))


def test_a_long_wire_is_cut_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shown_module, "WIRE_LENGTH", 10)
    one = shown("REQ/TSK|g=42,t=1")

    assert one.is_cut
    assert "".join(run.text for run in one.runs) == "REQ/TSK|g="


def test_a_brief_wire_is_cut_at_its_row() -> None:
    runs = brief_runs(detection.decode("REQ/TSK|g=1,t=1,@=" + "x" * 5_000))

    assert sum(len(run.text) for run in runs) == ROW_LENGTH


def test_edges_of_runs_never_go_back() -> None:
    for wire in WIRES:
        starts = [0]
        for run in shown(wire).runs:
            starts.append(starts[-1] + len(run.text))
        assert all(low < high for low, high in pairwise(starts))


def test_costs_name_their_baseline_and_show_increases_as_plainly_as_savings() -> None:
    said = [shown(wire).cost for wire in WIRES]
    words = [cost.against_plain for cost in said] + [cost.against_english for cost in said]

    assert any("fewer tokens than minified JSON (−" in saying for saying in words)
    assert any("more tokens than English (+" in saying for saying in words)
    assert all("o200k_base" in saying for saying in words if saying)


def test_what_nobody_claims_is_shown_whole() -> None:
    one = shown("nobody claims this")

    assert one.title == "Unknown protocol"
    assert one.sentence == "No protocol detected."
    assert (one.plain, one.canonical, one.fields_read) == (None, None, 0)


def outline(wire: str) -> list[object]:
    """The tree of a message: names, those that hold others with them."""

    def told(branches: list[Branch]) -> list[object]:
        return [
            (branch.name, told(branch.below)) if branch.below else branch.name
            for branch in branches
        ]

    return told(shown(wire).tree)


def test_a_tree_puts_what_a_value_holds_below_it() -> None:
    assert outline('{"g":"X","ctx":{"a.b":1,"a":{"c":2}},"plan":[["s","T",{"n":[1,2]}]]}') == [
        "g",
        ("ctx", ["a.b", ("a", ["c"])]),
        ("plan", [("0", ["0", "1", ("2", [("n", ["0", "1"])])])]),
    ]
    assert outline("REQ/TSK|g=42,t=1") == ["act", "frame", ("slots", ["g", "t"])]
    assert outline("SLIP v3 a b Inform Result x y")[-2:] == ["payload", "payload"]


def test_a_tree_has_every_field_once_and_ends_in_the_deep() -> None:
    deep = '{"g":"X","plan":[["s","T",{"n":' + '{"k":' * 40 + "1" + "}" * 40 + "}]]}"
    lists = f'{{"g":"X","ctx":{{"a":{"[" * 50}1{"]" * 50}}}}}'
    for wire in (*WIRES, deep, lists):
        found, rest, depth = list[int](), [(branch, 1) for branch in shown(wire).tree], 0
        while rest:
            branch, level = rest.pop()
            depth = max(depth, level)
            found += [branch.index] if branch.row else []
            rest += [(one, level + 1) for one in branch.below]
        assert sorted(found) == list(range(1, len(shown(wire).rows) + 1))
        assert depth < 2 * DEPTH


def test_the_exact_text_is_the_wire_without_colour() -> None:
    one = shown("REQ/TSK|g=42,@=a\u202e\x00b")

    assert [(run.text, run.glyph) for run in one.exact] == [
        ("REQ/TSK|g=42,@=a", False),
        ("⟨U+202E⟩␀", True),
        ("b", False),
    ]
    assert one.size == 21


def test_a_form_is_shown_only_where_it_differs() -> None:
    assert shown("REQ/TSK|t=1,g=042").is_rewritten
    assert not shown("REQ/TSK|g=42,t=1").is_rewritten
    assert not shown("nobody claims this").is_rewritten
    assert shown("nobody claims this").advice == []
