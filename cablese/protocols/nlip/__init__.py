"""NLIP: ``{"Format":"text","Subformat":"English","Content":"Hello"}``. Requirements NLIP-01 to
NLIP-18.
"""
