"""What is changed, where, and how."""
