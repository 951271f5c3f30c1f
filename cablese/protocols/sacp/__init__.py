"""SACP, the Semantic Agent Communication Protocol: goals and plans as compact JSON."""
