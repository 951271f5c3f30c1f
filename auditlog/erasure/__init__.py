"""Erasing packets: their content goes, their leaves and everything proven about them stay."""
