"""How a message is drawn: offsets, highlights, trees, and diagrams. Knows no request and no
form.
"""
