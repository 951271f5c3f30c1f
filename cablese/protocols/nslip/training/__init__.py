"""Training examples for models that learn nSLIP."""
