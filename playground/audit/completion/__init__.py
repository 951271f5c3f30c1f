"""Completion in the search box: suggestions as a fragment, and their places in the browser."""
