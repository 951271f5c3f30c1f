"""The proof of a packet, drawn and as files."""
