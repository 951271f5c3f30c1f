"""In a browser: facets and the histogram of a search."""
