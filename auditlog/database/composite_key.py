"""Foreign keys of several columns, which Django cannot declare.

They name a log's own leaf or packet by (log, leaf). SQLite checks them when the transaction ends,
so that Django can empty the tables in any order. PostgreSQL checks them after each statement, which
is cheaper there.
"""

from collections.abc import Sequence
from typing import Any

from django.db.models import BaseConstraint, Model


class CompositeForeignKey(BaseConstraint):
    """A FOREIGN KEY constraint: ``columns`` name the row of ``table`` that has the same values in
    ``references``.

    With ``cascade``, deleting that row deletes the rows that name it.
    """

    def __init__(
        self,
        *,
        columns: tuple[str, ...],
        table: str,
        references: tuple[str, ...],
        name: str,
        cascade: bool = False,
    ) -> None:
        super().__init__(name=name)
        self.columns = tuple(columns)
        self.table = table
        self.references = tuple(references)
        self.cascade = cascade

    def constraint_sql(self, model: type[Model] | None, schema_editor: Any) -> str:
        """Return the constraint as CREATE TABLE spells it."""
        quote = schema_editor.quote_name
        deferred = schema_editor.connection.vendor == "sqlite"
        return (
            f"CONSTRAINT {quote(self.name)} FOREIGN KEY ({', '.join(map(quote, self.columns))}) "
            f"REFERENCES {quote(self.table)} ({', '.join(map(quote, self.references))})"
            f"{' ON DELETE CASCADE' if self.cascade else ''}"
            f"{' DEFERRABLE INITIALLY DEFERRED' if deferred else ''}"
        )

    def create_sql(self, model: type[Model] | None, schema_editor: Any) -> str:
        """Return ALTER TABLE, for PostgreSQL: on SQLite Django makes the table again."""
        assert model is not None, "a constraint belongs to a table"
        table = schema_editor.quote_name(model._meta.db_table)  # noqa: SLF001 - public by name only
        return f"ALTER TABLE {table} ADD {self.constraint_sql(model, schema_editor)}"

    def remove_sql(self, model: type[Model] | None, schema_editor: Any) -> str:
        assert model is not None, "a constraint belongs to a table"
        quote = schema_editor.quote_name
        table = quote(model._meta.db_table)  # noqa: SLF001 - public by name only
        return f"ALTER TABLE {table} DROP CONSTRAINT {quote(self.name)}"

    def validate(self, *_args: Any, **_options: Any) -> None:
        """Check nothing: no form writes these tables."""

    def deconstruct(self) -> tuple[str, Sequence[Any], dict[str, Any]]:
        path, args, kwargs = super().deconstruct()
        return (
            path,
            args,
            kwargs
            | {
                "columns": self.columns,
                "table": self.table,
                "references": self.references,
                "cascade": self.cascade,
            },
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CompositeForeignKey):
            return NotImplemented
        return self.deconstruct() == other.deconstruct()

    __hash__ = None  # type: ignore[assignment]
