"""The routes of tlog-tiles."""
