"""The search language beyond words and fields."""
