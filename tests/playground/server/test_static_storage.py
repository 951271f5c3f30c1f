"""Static files as `up` collects them: modules import each other by hashed names, which browsers may
keep for ever.
"""

import gzip
import re
from pathlib import Path

import brotli
import pytest
from django.core.management import call_command
from pytest_django import Settings

from playground.server import static_storage


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
