"""The differences between two texts: message by message, and conversation by conversation."""
