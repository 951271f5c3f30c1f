"""An engine returns no more leaves than it is asked for: the first ones in their order."""

import pytest

from auditlog.models import Log
from auditlog.search import engine, table
from auditlog.search.engine import postgresql
from auditlog.search.engine.condition import Total
from auditlog.search.expression import ALWAYS, Expression, Phrase
from tests.auditlog.search.packets import CONVERSATION, put

pytestmark = pytest.mark.django_db


@pytest.fixture(params=[(1, 1), (1, 8_192), (3, 1), (8, 1), (4_096, 1)], autouse=True)
def small(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """A log of six packets is searched on PostgreSQL as a large one would be: walked through in
    part, and window by window.
    """
    walk, least = request.param
    monkeypatch.setattr(postgresql, "_WALK", walk)
    monkeypatch.setattr(postgresql, "_LEAST", least)
    monkeypatch.setattr(postgresql, "_SPARE", 0.1)
    monkeypatch.setattr(postgresql, "_RATIO", 0 if least == 1 else 1)
    monkeypatch.setattr(table, "PARTITION", walk)


@pytest.mark.parametrize("expression", [ALWAYS, Phrase(("!proto=nslip",))])
def test_the_first_leaves_are_found(expression: Expression) -> None:
    put(CONVERSATION)
    log = Log.objects.get(slug="default")

    for limit in range(1, 8):
        newest = engine.find(log, expression, limit)
        oldest = engine.find(log, expression, limit, oldest_first=True)
        assert newest.leaves == [5, 4, 3, 2, 1, 0][:limit]
        assert oldest.leaves == [0, 1, 2, 3, 4, 5][:limit]
        assert newest.total() == oldest.total() == Total(min(limit, 6))


@pytest.mark.parametrize(
    "expression", [ALWAYS, Phrase(("!proto=nslip",)), Phrase(("!proto=ns",), prefix=True)]
)
def test_hits_are_counted_up_to_a_limit(expression: Expression) -> None:
    put(CONVERSATION)
    log = Log.objects.get(slug="default")

    for counted in range(4, 8):
        for limit in (1, 3):
            found = engine.find(log, expression, limit, counted=counted)
            assert found.leaves == [5, 4, 3][:limit]
            assert found.total() == Total(min(counted, 6))
