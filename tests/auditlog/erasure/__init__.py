"""Erasing packets: what goes, and what stays."""
