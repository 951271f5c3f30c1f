"""How a message is drawn: offsets, highlights, trees, and diagrams. Independent of requests and
forms.
"""
