"""The audit trail: saving, importing, searching, and receipts."""
