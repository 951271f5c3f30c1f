"""Sign-in, sessions, and the rights of people."""
