"""The workbench: the document, fixes, edits, comparison, translation, and sharing."""
