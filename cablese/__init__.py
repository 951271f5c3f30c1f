"""What messages mean: codecs for compact agent-to-agent protocols.

Plain Python and msgspec. No Django, no input or output, no clock, no settings: everything arrives
as an argument.
"""
