"""Messages into conversations, and what is wrong with a conversation."""
