"""Facets beside the list of packets, and a histogram above it. Each value and each bar leads to its
query.
"""
