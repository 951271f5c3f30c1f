"""Training examples of nSLIP."""
