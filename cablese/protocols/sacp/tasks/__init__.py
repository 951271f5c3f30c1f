"""What became of each task of a transcript."""
