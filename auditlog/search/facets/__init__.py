"""Facets and a histogram of what a query finds, and how each of them changes the query."""
