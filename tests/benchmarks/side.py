"""One side of a comparison: takes the figures it is told, of the product code in a directory.

    python -P side.py <directory>

The product is imported from that directory and the benchmarks from beside this file, so that both
sides run the same benchmarks. Every line in is a JSON list, ``[figure]``, and is answered by the
processor seconds of one run. Nothing of the product is imported before the paths are set.
"""

import json
import os
import sys
from contextlib import ExitStack
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]


def main(root: Path) -> None:
    sys.path.insert(0, str(root))
    borrow_tests()
    import_module("tests.benchmarks.former_names").use(root)
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import_module("django").setup()
    for name in ("cablese", "auditlog", "playground"):
        found = import_module(name).__file__
        assert found, name
        assert Path(found).is_relative_to(root), f"{name} comes from {found}"
    vars(import_module("tests.installation"))["ROOT"] = root  # its server is to be this revision's
    figures = import_module("tests.benchmarks.figures")
    by_name = {figure.name: figure for figure in figures.all_figures()}
    taken = {}
    with ExitStack() as stack:
        print(json.dumps("ready"), flush=True)
        for line in sys.stdin:
            (name,) = json.loads(line)
            if name not in taken:
                taken[name] = figures.Taken(by_name[name].prepare(stack), by_name[name].once)
            print(json.dumps(taken[name].seconds()), flush=True)


def borrow_tests() -> None:
    """Make the package `tests` the one beside this file, whatever the product's directory holds."""
    spec = spec_from_file_location(
        "tests", TESTS / "__init__.py", submodule_search_locations=[str(TESTS)]
    )
    assert spec
    assert spec.loader
    package = module_from_spec(spec)
    sys.modules["tests"] = package
    spec.loader.exec_module(package)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
