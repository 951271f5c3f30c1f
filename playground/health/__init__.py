"""Whether this process can do its work, and what it answers when it cannot."""
