"""The trail: saving, importing, searching, and receipts."""
