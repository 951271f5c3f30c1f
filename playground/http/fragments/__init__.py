"""Responses of which a page inserts parts (`static/base/patches.js`)."""
