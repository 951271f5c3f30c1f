"""From a paste to a page: the document, fixes, edits, comparison, translation, and sharing."""
