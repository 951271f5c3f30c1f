"""A message whose text visibly goes on in the next line is said to be cut off."""

import io
import logging

import pytest
from rich.console import Console
from rich.logging import RichHandler

from cablese.transcript import split
from tests.growth import assert_linear

TASK, OTHER = "REQ/TSK|g=42,t=1,@=auth_", "ACC/PLN|g=42,t=1"
LONG = "INF/OBS|g=42,t=1,!=the build of the service failed again after its last change and"


def row(*cells: str, bar: str = "│") -> str:
    return "".join(f"{bar} {cell} " for cell in cells) + f"{bar}\n"


def is_cut_off(text: str) -> bool:
    first = split(text).messages[0]
    return first.facts.is_cut_off


@pytest.mark.parametrize("bar", ["│", "|", "┃", "║"])
def test_a_cell_that_was_wrapped_goes_on(bar: str) -> None:
    first, empty = row("10:00:01", "planner", TASK, bar=bar), ("        ", "       ")
    more, other = row(*empty, "refactor".ljust(24), bar=bar), row(*empty, OTHER.ljust(24), bar=bar)

    assert is_cut_off(first + more)
    assert is_cut_off((first + more).replace("\n", "\r\n"))
    assert is_cut_off(row("planner", TASK, bar=bar) + row("       ", "refactor".ljust(24), bar=bar))
    assert not is_cut_off(first)
    assert not is_cut_off(first + other)
    assert not is_cut_off(first + row(*empty, f"see {OTHER}".ljust(24), bar=bar))


@pytest.mark.parametrize(
    "text",
    [
        # The first word would have fit.
        row("planner", OTHER + " " * 8) + row("       ", "ok".ljust(24)),
        # Another cell is filled, too, or the first one is empty in both rows.
        row("planner", "10:00", TASK) + row("       ", "10:01", "refactor".ljust(24)),
        row("       ", TASK) + row("       ", "refactor".ljust(24)),
        # A rule, a box in a box, other columns, and no row.
        row("planner", TASK) + row("       ", "─" * 24),
        row("│", TASK) + row("│", "refactor".ljust(24)),
        row("planner", TASK) + row("       ", "refactor"),
        row("planner", TASK) + "│         │ refactor\n",
        row("planner", TASK) + "\n" + row("       ", "refactor".ljust(24)),
    ],
)
def test_another_row_is_one_of_its_own(text: str) -> None:
    assert not is_cut_off(text)


AACP = "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|period:2024-08|filter:s"


@pytest.mark.parametrize("bar", ["│", "┃", "║"])
def test_a_full_line_of_a_panel_goes_on(bar: str) -> None:
    more = row("tatus=active|fmt:json".ljust(len(AACP)), bar=bar)

    assert is_cut_off(row(AACP, bar=bar) + more)
    assert is_cut_off((row(AACP, bar=bar) + more).replace("\n", "\r\n"))


@pytest.mark.parametrize(
    "text",
    [
        # The line is not full, or another message, a rule, or nothing is below it.
        row(f"{AACP} ") + row("tatus=active|fmt:json".ljust(len(AACP) + 1)),
        row(AACP) + row(AACP),
        row(AACP) + row("─" * len(AACP)),
        row(AACP) + row(" " * len(AACP)),
        row(AACP) + "╰" + "─" * (len(AACP) + 2) + "╯\n",
        # Other boxes, and text after the box.
        row(AACP) + row("tatus=active"),
        row(AACP) + row("tatus".ljust(len(AACP)), bar="┃"),
        row(AACP) + row("tatus", "x".ljust(len(AACP) - 8)),
        row(f"sent {AACP}") + row("tatus=active"),
    ],
)
def test_another_line_of_a_panel_is_one_of_its_own(text: str) -> None:
    assert not is_cut_off(text)


def test_a_value_of_yaml_goes_on_where_its_line_is_full() -> None:
    for lead in ("- wire: ", "  text: ", '- from: planner\n  "msg": '):
        assert is_cut_off(f"{lead}{LONG}\n    so on\n")
        assert is_cut_off(f"{lead}{LONG}\r\n    so on\r\n")
        assert not is_cut_off(f"{lead}{TASK}\n    so on\n")
        assert not is_cut_off(f"{lead}{LONG[:45]}\n    so on\n")
        assert not is_cut_off(f"{lead}{LONG}\n")
        assert not is_cut_off(f"{lead}{LONG}\n    {OTHER}\n")
        assert not is_cut_off(f"{lead}{LONG}\n    from: planner\n")
        assert not is_cut_off(f"{lead}{LONG}\n    at Bus.send (bus.js:42)\n")
        assert not is_cut_off(f"{lead}{LONG}\n\n    so on\n")
    for lead in ("", "wire: ", "    ", "  planner: ", "10:00 text: "):
        assert not is_cut_off(f"{lead}{LONG}\n          so on\n")


def test_many_rows_take_time_in_proportion() -> None:
    cells = ("x", *[TASK] * 10)
    assert_linear(lambda size: split(row(*cells) * (size // 300)), 20_000)


def _printed_by_rich(*messages: str, width: int) -> str:
    out = io.StringIO()
    handler = RichHandler(console=Console(file=out, width=width, force_terminal=False))
    for message in messages:
        handler.handle(
            logging.LogRecord("planner", logging.INFO, "/src/bus.py", 18, message, (), None)
        )
    return out.getvalue()


@pytest.mark.parametrize("width", range(60, 121, 4))
@pytest.mark.parametrize("ends", ["\n", "\r\n", None])
def test_a_column_of_rich_that_was_wrapped_goes_on(width: int, ends: str | None) -> None:
    wires = (TASK + "refactor", "T|17|Q|obj=test_scope", OTHER, LONG)
    text = _printed_by_rich(*wires, width=width)
    if ends is None:
        text = "\n".join(line.rstrip() for line in text.splitlines())
    else:
        text = text.replace("\n", ends)

    cuts = split(text).messages

    assert len(cuts) == len(wires)
    for cut, wire in zip(cuts, wires, strict=True):
        assert wire.startswith(cut.wire)
        assert cut.facts.is_cut_off == (cut.wire != wire)


@pytest.mark.parametrize(
    "below",
    [
        "",
        "\n",
        "                    INFO     ok                        bus.py:18\n",
        f"                             {OTHER}\n",
        "  refactor\n",
        "                                    refactor\n",
        f"                             {'refactor ' * 9}\n",
    ],
)
def test_other_lines_below_a_column_of_rich_do_not_go_on(below: str) -> None:
    text = f"[11/20/26 10:00:01] INFO     {TASK}refactor bus.py:18\n{below}"

    cut = split(text).messages[0]

    assert cut.wire == f"{TASK}refactor"
    assert not cut.facts.is_cut_off


def test_a_column_of_rich_may_still_grow() -> None:
    line = f"[11/20/26 10:00:01] INFO     {TASK} bus.py:18\n"

    assert not split(line, final=False).messages
    assert split(line + " " * 29 + "refactor\n" + line, final=False).messages[0].facts.is_cut_off
