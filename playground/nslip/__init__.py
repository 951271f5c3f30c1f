"""nSLIP training examples."""
