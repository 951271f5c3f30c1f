"""Logs of strangers, served or in a folder, and `cablese-mirror`, which copies them."""
