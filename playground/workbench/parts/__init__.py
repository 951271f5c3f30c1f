"""The parts of a document: rows of messages, their diagnostics, and the protocols to choose."""
