"""Completion of a query: which keys and values a log has, how often, and which of them fit what is
being typed.

    act:re|        request, reject: the values of `act` that begin so, the most frequent first

`values` finds the values of a packet, `counts` stores how many packets have each, `cursor` tells
what is being typed, and `complete` answers.
"""
