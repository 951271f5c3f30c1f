"""AACP tools: packets from forms and instructions, and rules with slots."""
