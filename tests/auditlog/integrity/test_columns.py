import re
from pathlib import Path

from django.apps import apps

DESIGN = Path(__file__).resolve().parents[3] / "docs" / "design" / "audit.md"
RULINGS = ("committed", "made again", "free")


def test_the_design_rules_on_every_column_once() -> None:
    rows = re.findall(
        r"^\| (auditlog_\w+) \| ([^|]+) \| ([^|]+) \|$", DESIGN.read_text(), re.MULTILINE
    )
    listed = [f"{table}.{column}" for table, columns, _ in rows for column in columns.split(", ")]

    stored = {
        f"{model._meta.db_table}.{field.column}"
        for model in apps.get_app_config("auditlog").get_models()
        for field in model._meta.concrete_fields
    }
    assert sorted(listed) == sorted(stored)
    assert [ruling for *_, ruling in rows if not ruling.startswith(RULINGS)] == []
