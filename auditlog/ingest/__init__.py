"""Request bodies and files to items, and items to receipts. Every reader takes blocks of bytes and
yields pieces.
"""
