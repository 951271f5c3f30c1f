"""The autopilot: the cheapest way to say a list of messages, and what it costs and loses."""
