from collections.abc import Iterator

import pytest

from playground.reference import pages, proofs
from tests import requirements


@pytest.fixture(autouse=True, scope="package")
def listed_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """List the tests as they are now, whatever `make setup` listed."""
    file = tmp_path_factory.mktemp("reference") / "proofs.json"
    file.write_bytes(requirements.write(requirements.collect(requirements.TESTS)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(proofs, "FILE", file)
        _forget()
        yield
    _forget()


def _forget() -> None:
    proofs.load.cache_clear()
    pages.get_page.cache_clear()
