"""Decode NLIP: quickly where a message is plain, step by step where it is not."""
