"""Live sessions and live logs."""
