"""Forms of the templates: one that changes something is posted, with the token of the page."""

import re

import pytest

from tests.rooms import ROOT

_TAG = re.compile(r"\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
_TOKEN = "{% csrf_token %}"
_FORM = re.compile(r"<form\b([^>]*)>(.*?)</form>", re.DOTALL)


def _forms() -> list[tuple[str, str, str]]:
    """Return the template, the attributes, and the content of each form."""
    forms = []
    for path in sorted((ROOT / "templates").rglob("*.html")):
        marked = path.read_text().replace(_TOKEN, "csrf_token")
        for attributes, content in _FORM.findall(_TAG.sub("", marked)):
            forms.append((path.relative_to(ROOT / "templates").as_posix(), attributes, content))
    return forms


@pytest.mark.parametrize(("name", "attributes", "content"), _forms())
def test_a_form_is_posted_if_it_has_a_token_and_only_then(
    name: str, attributes: str, content: str
) -> None:
    assert ('method="post"' in attributes) == ("csrf_token" in content), name


def test_forms_are_found() -> None:
    found = [name for name, attributes, _ in _forms() if 'method="post"' in attributes]

    assert {"stream/live.html", "accounts/keys.html", "workbench/workbench.html"} <= set(found)
