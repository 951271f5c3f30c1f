"""How findings are made after the commit: a process that remembers how far each log is."""
