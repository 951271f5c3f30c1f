"""Shared by all REST routes: bodies, keys, problems, and the OpenAPI document."""
