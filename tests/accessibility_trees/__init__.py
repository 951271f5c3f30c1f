"""What assistive technology reads on every page, of two revisions."""
