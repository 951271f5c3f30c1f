"""The tables of AACP moved from one app to another, and stayed in the database as they were."""

from datetime import UTC, datetime

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from playground.aacp.models import Candidate

pytestmark = pytest.mark.django_db(transaction=True)
BEFORE = [("auditlog", "0006_clock"), ("playground", "0003_heartbeat")]
AFTER = [("auditlog", "0007_without_aacp"), ("playground", "0004_aacp")]


def tables() -> dict[str, list[str]]:
    with connection.cursor() as cursor:
        return {
            name: sorted(connection.introspection.get_constraints(cursor, name))
            for name in ("auditlog_candidate", "auditlog_rule")
        }


def test_a_candidate_of_an_older_version_is_still_there() -> None:
    MigrationExecutor(connection).migrate(BEFORE)
    old = MigrationExecutor(connection).loader.project_state(BEFORE).apps
    before = tables()
    row = old.get_model("auditlog", "Candidate").objects.create(
        english="Fetch.", digest="0" * 64, packet="", failure="no", model="m", calls=1,
        tokens_in=1, tokens_out=1, reported=False, asked=datetime.now(UTC),
    )  # fmt: skip

    MigrationExecutor(connection).migrate(AFTER)

    assert Candidate.objects.get(pk=row.pk).english == "Fetch."
    assert tables() == before
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)
