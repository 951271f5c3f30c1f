"""The database under the log: its file, its faults, its damage, and its backups."""
