"""What a group commit is made of: the queue of rows, and one attempt to write them."""
