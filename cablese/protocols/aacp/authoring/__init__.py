"""Writing AACP packets by rule or with a model (section 6)."""
