"""NLIP read: quickly where a message is plain, carefully where it is not."""
