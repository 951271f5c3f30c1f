"""The style sheets use five font sizes, none below 12 px, and one set of colors."""

import re
from pathlib import Path

import pytest

from tests.installation import ROOT

FOLDER = ROOT / "static"
REPORT = FOLDER / "evidence/report.css"
SHEETS = sorted(set(FOLDER.rglob("*.css")) - {REPORT})
"""All but that of the evidence report, a file of its own that has none of our properties."""
SIZES = {"small": 12, "detail": 13, "body": 15, "sentence": 20, "title": 24}
"""The font sizes of the product in CSS pixels, by custom property."""
ROOTS = {
    ("base/base.css", "93.75%/1.5 var(--sans)"),
    ("base/print.css", "10pt"),
    ("base/print.css", "8pt sans-serif"),
}
"""The size of `html` on the screen and on paper, and of the page number, which cannot use our
properties.
"""
_FONT = re.compile(r"(?<![\w-])font(?:-size)?:\s*([^;}]+)")
_ALLOWED = re.compile(
    rf"(?:(?:italic|\d+) )?var\(--(?:{'|'.join(SIZES)})\)(?:/[\d.]+)?(?: var\(--\w+\))?"
    r"|inherit|1em|100%"
)


def _without_comments(path: Path) -> str:
    return re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.DOTALL)


def strange_sizes(sheet: str) -> list[str]:
    return [
        value.strip() for value in _FONT.findall(sheet) if not _ALLOWED.fullmatch(value.strip())
    ]


def test_every_font_size_is_one_of_the_five() -> None:
    assert {
        (path.relative_to(FOLDER).as_posix(), value)
        for path in SHEETS
        for value in strange_sizes(_without_comments(path))
    } == ROOTS


def test_the_five_sizes_are_whole_pixels_and_readable() -> None:
    base = _without_comments(FOLDER / "base/base.css")

    for name, pixels in SIZES.items():
        (rem,) = re.findall(rf"--{name}: ([\d.]+)rem;", base)
        assert float(rem) * 15 == pytest.approx(pixels, abs=0.01)
    assert min(SIZES.values()) >= 12


@pytest.mark.parametrize(
    "rule",
    ["font-size: 0.9em;", "font: 11px var(--sans)}", "font-size: var(--note)", "font-size: small"],
)
def test_another_size_is_found(rule: str) -> None:
    assert len(strange_sizes(f"p {{ {rule} }}")) == 1


def test_the_weight_and_the_family_are_free() -> None:
    assert strange_sizes("p { font-weight: 600; font: 600 var(--small)/1 var(--mono) }") == []


def _colors(sheet: Path) -> dict[str, tuple[str, str]]:
    """Return the light and the dark value of each color of a sheet, by its property."""
    found = re.findall(r"(--[\w-]+): light-dark\((#\w+), (#\w+)\);", _without_comments(sheet))
    return {name: (light, dark) for name, light, dark in found}


def test_the_report_has_colors_of_the_product() -> None:
    of_report = _colors(REPORT)

    assert len(of_report) == 12
    assert of_report.items() <= _colors(FOLDER / "base/base.css").items()


def test_an_exported_diagram_has_light_colors_of_the_product() -> None:
    drawn = set(re.findall(r"#[0-9a-f]{6}\b", (ROOT / "templates/export/sequence.svg").read_text()))

    assert len(drawn) == 6
    assert drawn <= {light for light, _ in _colors(FOLDER / "base/base.css").values()}


def test_the_frame_of_a_window_has_the_color_of_surfaces() -> None:
    page = (ROOT / "templates/base.html").read_text()
    framed = re.findall(r'name="theme-color".*content="(#\w+)"', page)

    assert tuple(framed) == _colors(FOLDER / "base/base.css")["--surface"]
