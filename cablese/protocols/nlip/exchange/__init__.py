"""What the two sides of an NLIP exchange owe each other, and agents that follow it (section 6)."""
