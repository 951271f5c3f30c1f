"""NLIP agents: the server agent, the middle agent, the client agent, and the exchange checker."""
