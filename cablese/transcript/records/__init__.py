"""Records around messages: JSON log lines, traces, chats, and tool calls."""
