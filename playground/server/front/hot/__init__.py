"""Ordinary requests that store packets, answered without Django: the same results, sooner."""
