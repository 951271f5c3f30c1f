"""SLIP v3: ``SLIP v3 planner exec Request Plan auth``. Requirements SLIP-01 to SLIP-08."""
