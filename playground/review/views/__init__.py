"""Views of the review desk."""
