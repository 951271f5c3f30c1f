"""The benchmark command knows its groups."""

from importlib import import_module

import pytest

from tests.benchmarks.__main__ import find, main


def test_every_group_measures_something() -> None:
    groups = find()

    expected = "decode findings growth ingest kinds log page search size stream tokens tree"
    assert set(expected.split()) <= {*groups}
    for module in groups.values():
        assert callable(import_module(module).measure)


def test_an_unknown_group_is_refused_with_the_known_ones(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["decoed"]) == 2
    assert "There is no benchmark decoed; there are decode, " in capsys.readouterr().err
