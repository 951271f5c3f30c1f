import pytest
from django.core.management import call_command

pytestmark = pytest.mark.django_db


def test_the_migrations_make_the_tables_of_the_models() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)
