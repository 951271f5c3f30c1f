"""Static files as `up` collects them: modules import each other by hashed names, which browsers may
keep for ever, and sheets stand in place of their imports.
"""

import gzip
import re
from pathlib import Path

import brotli
import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command
from django.template import Context, Template
from django.test import Client
from pytest_django import Settings

from playground.server import static_storage
from tests.installation import ROOT


@pytest.fixture
def collected(tmp_path: Path, settings: Settings) -> Path:
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "playground.server.static_storage.HashedFiles"}
    }
    call_command("collectstatic", verbosity=0, interactive=False)
    return tmp_path


def test_every_import_of_our_modules_names_a_hashed_file(collected: Path) -> None:
    hashed = [
        path
        for path in collected.rglob("*.js")
        if re.search(r"\.[0-9a-f]{12}\.js$", path.name) and "django_htmx" not in path.parts
    ]
    imports = [
        (path, name)
        for path in hashed
        for name in re.findall(
            r"(?m)(?:^(?:import|export)\b[^;\"']*|\bimport\()\"(\.[^\"]+)\"", path.read_text()
        )
    ]

    assert any(name.startswith("./command_palette.") for _, name in imports)
    for path, name in imports:
        assert (path.parent / name).resolve() in hashed


def test_every_file_that_shrinks_has_its_compressed_form_beside_it(collected: Path) -> None:
    script = next(
        path
        for path in (collected / "display").iterdir()
        if re.fullmatch(r"highlight\.[0-9a-f]{12}\.js", path.name)
    )
    packed = script.with_name(f"{script.name}.gz")
    smallest = script.with_name(f"{script.name}.br")

    assert gzip.decompress(packed.read_bytes()) == script.read_bytes()
    assert brotli.decompress(smallest.read_bytes()) == script.read_bytes()
    assert smallest.stat().st_size < packed.stat().st_size < script.stat().st_size / 2


def test_a_large_file_is_compressed_in_the_quick_way_alone(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(static_storage, "_BROTLI_LIMIT", 5_000)
    settings.STATIC_ROOT = tmp_path
    storage = static_storage.HashedFiles()
    for name, size in (("small.js", 5_000), ("large.js", 5_001)):
        (tmp_path / name).write_text("a" * size)

    paths = {name: (storage, name) for name in ("small.js", "large.js")}
    list(storage.post_process(paths))

    packed = {path.name.split(".")[0]: path for path in tmp_path.glob("*.js.br")}
    assert packed.keys() == {"small"}
    assert len(list(tmp_path.glob("large.*.js.gz"))) == 1


def uncommented(sheet: Path) -> str:
    """A sheet without its comments, but with their line feeds."""
    first, *others = sheet.read_text().split("/*")
    for other in others:
        comment, _, after = other.partition("*/")
        first += "\n" * comment.count("\n") + after
    return first


def modules() -> list[str]:
    """The names of our scripts."""
    return [str(path.relative_to(ROOT / "static")) for path in (ROOT / "static").rglob("*.js")]


def test_comments_are_not_sent_and_lines_keep_their_numbers(collected: Path) -> None:
    names = modules()
    assert "workbench/editor/lines.js" in names
    for name in names:
        stored = staticfiles_storage.url(name).removeprefix("/static/")
        source = (ROOT / "static" / name).read_text().splitlines()
        sent = (collected / stored).read_text().splitlines()
        comments = {at for at, line in enumerate(source) if line.strip().startswith("//")}

        # Imports name hashed files.
        code = {
            at: line
            for at, line in enumerate(source)
            if at not in comments and '"./' not in line and '"../' not in line
        }
        assert {at: sent[at] for at in code} == code
        assert {sent[at] for at in comments} <= {""}
        assert len(sent) == len(source)


@pytest.mark.parametrize("name", modules())
def test_no_text_of_a_script_looks_like_a_comment(name: str) -> None:
    script = (ROOT / "static" / name).read_text()
    starts = [match.start() for match in re.finditer(r"(?m)^ *//", script)]

    # Before a comment, each backtick that begins a text has another one that ends it.
    assert [script[at:].splitlines()[0] for at in starts if script[:at].count("`") % 2] == []


def test_no_text_of_a_sheet_looks_like_a_comment() -> None:
    sheets = [path.read_text() for path in (ROOT / "static").rglob("*.css")]
    texts = [text for sheet in sheets for text in re.findall(r'"[^"\n]*"', sheet)]

    assert len(texts) > 50
    assert [text for text in texts if "/*" in text or "*/" in text] == []


def test_a_sheet_has_the_sheets_that_it_imports(collected: Path) -> None:
    sources = ["base.css", "masthead.css", "../display/message.css", "adaptive.css"]
    page = (
        collected / staticfiles_storage.url("base/page.css").removeprefix("/static/")
    ).read_text()
    places = [page.index(uncommented(ROOT / "static/base" / each)) for each in sources]

    assert places == sorted(places)
    assert "@import" not in page


def test_a_sheet_that_does_not_exist_is_named(tmp_path: Path, settings: Settings) -> None:
    settings.STATIC_ROOT = tmp_path
    storage = static_storage.HashedFiles()
    (tmp_path / "base").mkdir()
    (tmp_path / "base/page.css").write_text('@import "./gone.css";\n')

    with pytest.raises(ValueError, match=r"base/page\.css imports base/gone\.css, which does not"):
        list(storage.post_process({"base/page.css": (storage, "base/page.css")}))


def written_imports(module: Path) -> set[Path]:
    """The modules that a module of the source imports, and those that these import."""
    found: set[Path] = set()
    for name in re.findall(r"(?m)^(?:import|export)\b[^;\"']*\"(\.[^\"]+)\"", module.read_text()):
        path = (module.parent / name).resolve()
        found |= {path} | written_imports(path)
    return found


@pytest.mark.usefixtures("collected")
def test_a_page_names_all_modules_that_are_loaded_with_one() -> None:
    tags = Template("{% load modules %}{% module 'workbench/workbench.js' %}").render(Context())
    links = re.findall(
        r'<link rel="modulepreload"\s+href="/static/([^"]+)\.[0-9a-f]{12}\.js">', tags
    )
    sources = written_imports(ROOT / "static/workbench/workbench.js")

    assert ROOT / "static/workbench/editor/editor.js" in sources
    assert {ROOT / f"static/{name}.js" for name in links} == sources
    assert len(links) == len(sources)
    assert re.search(
        r'<script src="/static/workbench/workbench\.[0-9a-f]{12}\.js" type="module"></script>$',
        tags,
    )


@pytest.mark.usefixtures("collected")
def test_with_debug_a_page_names_no_collected_module(settings: Settings) -> None:
    settings.DEBUG = True
    tags = Template("{% load modules %}{% module 'workbench/workbench.js' %}").render(Context())

    assert tags.strip() == '<script src="/static/workbench/workbench.js" type="module"></script>'


def test_a_module_that_is_not_collected_is_loaded_alone() -> None:
    tags = Template("{% load modules %}{% module 'audit/times.js' %}").render(Context())

    assert tags.strip() == '<script src="/static/audit/times.js" type="module"></script>'


@pytest.mark.django_db
def test_the_first_page_weighs_under_90_kb_compressed(client: Client, collected: Path) -> None:
    page = client.get("/").content
    names = set(re.findall(r"(?:src|href)=\"/static/([^\"?]+)", page.decode()))
    files = [collected / f"{name}.br" for name in names]
    packed = [path if path.exists() else path.with_suffix("") for path in files]

    assert any(name.startswith("workbench/editor/editor.") for name in names)
    assert len(gzip.compress(page)) + sum(path.stat().st_size for path in packed) < 90_000
