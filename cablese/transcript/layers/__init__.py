"""What is taken out of a text before it is cut."""
