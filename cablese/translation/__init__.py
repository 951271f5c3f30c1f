"""One protocol into another, with a ledger of what was preserved, changed, or lost."""
