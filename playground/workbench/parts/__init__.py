"""The parts of a document: rows of messages, notes about them, and what is no message."""
