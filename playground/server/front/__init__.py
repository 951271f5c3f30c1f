"""The ASGI application in front of Django: bodies, budgets, places, and queues."""
