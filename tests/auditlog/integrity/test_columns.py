from django.apps import apps

from tests.auditlog.integrity.rulings import read_rulings

KINDS = ("committed", "made again", "free: ")


def test_the_design_rules_on_every_column_once() -> None:
    rulings = list(read_rulings())
    stored = {
        (model._meta.db_table, str(field.column))
        for model in apps.get_app_config("auditlog").get_models()
        for field in model._meta.concrete_fields
    }

    assert sorted((f"auditlog_{each.table}", each.column) for each in rulings) == sorted(stored)
    assert [each for each in rulings if not each.words.startswith(KINDS)] == []
