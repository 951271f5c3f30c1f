"""SACP plans, definitions, and tasks."""
