"""What other installations ask this one as a witness."""
