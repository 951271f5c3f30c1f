"""Templates against the rest of the house: what they name is there, and what they must not hold is
not.
"""

import gzip
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.template.loader import get_template
from django.test import Client
from django.urls import get_resolver

from tests.installation import ROOT

FOLDER = ROOT / "templates"
TEMPLATES = sorted(FOLDER.rglob("*.html"))
WORDS = {path: path.read_text() for path in TEMPLATES}


def name_of(path: Path) -> str:
    return path.relative_to(FOLDER).as_posix()


each_template = pytest.mark.parametrize("template", TEMPLATES, ids=name_of)


@each_template
def test_a_template_can_be_read(template: Path) -> None:
    get_template(name_of(template))


@each_template
def test_every_static_file_that_is_named_is_there(template: Path) -> None:
    for name in re.findall(r"{% static ['\"]([^'\"]+)['\"] %}", WORDS[template]):
        assert finders.find(name), name


@each_template
def test_every_address_that_is_named_is_one(template: Path) -> None:
    resolver = get_resolver()
    known = {name for name in resolver.reverse_dict if isinstance(name, str)}
    for space, (_, inner) in resolver.namespace_dict.items():
        known |= {f"{space}:{name}" for name in inner.reverse_dict if isinstance(name, str)}

    assert set(re.findall(r"{% url ['\"]([^'\"]+)['\"]", WORDS[template])) <= known


@each_template
def test_htmx_attributes_hold_neither_filters_nor_scripts(template: Path) -> None:
    """A filter such as `click[ctrlKey]` fires at every click under our policy, since it cannot be
    evaluated.
    """
    for name, value in re.findall(r"\b(hx-[a-z:-]+)=(?:\"([^\"]*)\"|'[^']*')", WORDS[template]):
        assert not name.startswith("hx-on")
        assert "js:" not in value
        assert name != "hx-trigger" or "[" not in value


@each_template
def test_a_template_has_no_inline_script_style_or_handler_and_no_other_host(template: Path) -> None:
    markup = re.sub(r"{%.*?%}|{{.*?}}|{#.*?#}", "", WORDS[template], flags=re.DOTALL)

    for tag in re.findall(r"<[a-zA-Z][^>]*>", markup):
        assert not re.search(r"\s(?:style|on[a-z]+)\s*=", tag), tag
        assert not tag.startswith("<script") or " src=" in tag, tag
        assert not tag.startswith(("<style", "<iframe", "<object", "<embed")), tag
        assert "//" not in tag, tag


@each_template
def test_nothing_is_marked_as_safe_by_hand(template: Path) -> None:
    assert not re.search(r"\|\s*safe\b|{% autoescape off|\|\s*safeseq", WORDS[template])


@each_template
def test_a_form_that_posts_carries_its_token(template: Path) -> None:
    for form in re.findall(r"<form\b.*?</form>", WORDS[template], flags=re.DOTALL):
        if re.search(r"method=\"post\"", form):
            assert "{% csrf_token %}" in form


def test_whole_pages_stand_on_the_base_and_fragments_do_not() -> None:
    for path, words in WORDS.items():
        stands = words.startswith("{% extends")
        assert stands is (
            not path.name.startswith("_") and path.name not in ("base.html", "server_error.html")
        )


def imported(path: Path) -> set[Path]:
    """The modules that a script asks for, and those that they ask for."""
    found = {path}
    if path.suffix != ".js":
        return found
    for name in re.findall(r"(?m)^(?:import|export)\b[^;\"']*\"(\.[^\"]+)\"", path.read_text()):
        found |= imported((path.parent / name).resolve())
    return found


@pytest.mark.django_db
def test_the_first_page_weighs_under_100_kb_compressed(client: Client) -> None:
    page = client.get("/").content
    names = re.findall(r"(?:src|href)=\"/static/([^\"?]+)", page.decode())
    files = {one for name in names for one in imported(Path(str(finders.find(name))))}

    assert ROOT / "static/workbench/editor.js" in files
    assert (
        sum(len(gzip.compress(one)) for one in (page, *(path.read_bytes() for path in files)))
        < 100_000
    )
