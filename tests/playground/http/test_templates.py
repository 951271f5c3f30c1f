"""Templates against the rest of the house: what they name is there, and what they must not hold is
not.
"""

import re
from pathlib import Path

from django.contrib.staticfiles import finders
from django.template import TemplateSyntaxError
from django.template.loader import get_template
from django.urls import get_resolver

from playground.templatetags.audit import draw_stated
from tests.installation import ROOT

FOLDER = ROOT / "templates"
REPORT = FOLDER / "evidence/report.html"
"""A file that is only downloaded, with a policy of its own, see tests/browser/evidence."""
TEMPLATES = sorted(set(FOLDER.rglob("*.html")) - {REPORT})
WORDS = {path: path.read_text() for path in TEMPLATES}


def name_of(path: Path) -> str:
    return path.relative_to(FOLDER).as_posix()


def test_a_template_can_be_read() -> None:
    broken = []
    for template in TEMPLATES:
        try:
            get_template(name_of(template))
        except TemplateSyntaxError as error:
            broken.append((name_of(template), str(error)))

    assert broken == []


def test_every_static_file_that_is_named_is_there() -> None:
    assert [
        (name_of(template), file)
        for template, words in WORDS.items()
        for file in re.findall(r"{% static ['\"]([^'\"]+)['\"] %}", words)
        if not finders.find(file)
    ] == []


def test_every_address_that_is_named_is_one() -> None:
    resolver = get_resolver()
    known = {name for name in resolver.reverse_dict if isinstance(name, str)}
    for space, (_, inner) in resolver.namespace_dict.items():
        known |= {f"{space}:{name}" for name in inner.reverse_dict if isinstance(name, str)}

    assert [
        (name_of(template), route)
        for template, words in WORDS.items()
        for route in re.findall(r"{% url ['\"]([^'\"]+)['\"]", words)
        if route not in known
    ] == []


def test_htmx_attributes_hold_neither_filters_nor_scripts() -> None:
    """A filter such as `click[ctrlKey]` fires at every click under our policy, since it cannot be
    evaluated.
    """
    for template, words in WORDS.items():
        for name, value in re.findall(r"\b(hx-[a-z:-]+)=(?:\"([^\"]*)\"|'[^']*')", words):
            assert not name.startswith("hx-on"), template
            assert "js:" not in value, template
            assert name != "hx-trigger" or "[" not in value, template


def test_a_template_has_no_inline_script_style_or_handler_and_no_other_host() -> None:
    for template, words in WORDS.items():
        markup = re.sub(r"{%.*?%}|{{.*?}}|{#.*?#}", "", words, flags=re.DOTALL)
        for tag in re.findall(r"<[a-zA-Z][^>]*>", markup):
            assert not re.search(r"\s(?:style|on[a-z]+)\s*=", tag), (template, tag)
            assert not tag.startswith("<script") or " src=" in tag, (template, tag)
            assert not tag.startswith(("<style", "<iframe", "<object", "<embed")), (template, tag)
            assert "//" not in tag, (template, tag)


def test_nothing_is_marked_as_safe_by_hand() -> None:
    by_hand = re.compile(r"\|\s*safe\b|{% autoescape off|\|\s*safeseq")

    assert [name_of(template) for template, words in WORDS.items() if by_hand.search(words)] == []


def test_a_form_that_posts_carries_its_token() -> None:
    assert [
        (name_of(template), form)
        for template, words in WORDS.items()
        for form in re.findall(r"<form\b.*?</form>", words, flags=re.DOTALL)
        if 'method="post"' in form and "{% csrf_token %}" not in form
    ] == []


def test_whole_pages_stand_on_the_base_and_fragments_do_not() -> None:
    for path, words in WORDS.items():
        stands = words.startswith("{% extends")
        assert stands is (
            not path.name.startswith("_") and path.name not in ("base.html", "server_error.html")
        )


def test_no_words_of_an_attribute_are_broken_over_lines() -> None:
    """A line break in a placeholder is drawn as a row of spaces."""
    worded = r'\b(?:placeholder|title|aria-label|alt|value)="([^"]*\n[^"]*)"'
    broken = [
        (name_of(path), match[1])
        for path, text in WORDS.items()
        for match in re.finditer(worded, re.sub(r"{#.*?#}", "", text))
    ]

    assert broken == []


SHOWS_AGE = {"audit/health/health.html"}
"""How long ago something was, with UTC on hover."""
SHOWS_CLOCK = {"stream/_lines.html"}
"""Times of day, which `stream/line.js` shows in the reader's time zone."""


def test_times_are_drawn_in_one_way() -> None:
    # `draw_moment` names the zone, and `audit/times.js` shows the reader's.
    hours = re.compile(r"date:[^}]*H")

    found = {name_of(template) for template, words in WORDS.items() if hours.search(words)}

    assert found == SHOWS_AGE | SHOWS_CLOCK


def test_pages_that_draw_times_load_what_shows_them_in_the_readers_zone() -> None:
    draws = re.compile("{% draw_(moment|sent|stated) ")
    loads = re.compile(r"{% module '(audit/times|stream/stream)\.js' %}")
    drawing = {template for template, words in WORDS.items() if draws.search(words)}
    pages = {template for template in drawing if not template.name.startswith("_")}

    assert {name_of(template) for template in pages if not loads.search(WORDS[template])} == set()


def test_a_stated_time_is_drawn_and_anything_else_is_shown_as_it_is() -> None:
    assert draw_stated("2026-11-20T10:00:01.000250Z", "Received") == (
        '<time data-at datetime="2026-11-20T10:00:01.000250+00:00"'
        ' title="Received 2026-11-20 10:00:01 UTC">2026-11-20 10:00:01 UTC</time>'
    )
    assert ">2026-11-20 09:00:01 UTC<" in draw_stated("2026-11-20T10:00:01+01:00")
    for other in ("", "2026-11-20", "2026-13-20T10:00:01.000250Z", "9999-12-31T23:00:00.0-02:00"):
        assert draw_stated(other) == other
    assert draw_stated("<b>") == "&lt;b&gt;"
