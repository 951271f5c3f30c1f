"""Pages of the trail."""
