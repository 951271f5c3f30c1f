"""The Examine panel: corruption, routability, injection, and snippets."""
